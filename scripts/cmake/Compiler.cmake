# Chooses the compiler before project(): clang 19 if it is installed and nobody chose another, because
# it compiles this program in 60% of the time that g++ 12 takes. A build with sanitizers also needs
# clang's runtime libraries for them, which are a package of their own; without it, g++ is taken.
if(NOT CMAKE_CXX_COMPILER AND "$ENV{CXX}" STREQUAL "")
  find_program(FINEPRINT_CLANG clang++-19)
  mark_as_advanced(FINEPRINT_CLANG)
  if(FINEPRINT_CLANG AND FINEPRINT_SANITIZE)
    execute_process(COMMAND "${FINEPRINT_CLANG}" -print-resource-dir
      OUTPUT_VARIABLE clang_folder OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(GLOB_RECURSE clang_sanitizers "${clang_folder}/lib/*libclang_rt.asan*")
  endif()
  if(FINEPRINT_CLANG AND (NOT FINEPRINT_SANITIZE OR clang_sanitizers))
    set(CMAKE_CXX_COMPILER "${FINEPRINT_CLANG}")
  endif()
endif()
