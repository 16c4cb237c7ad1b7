# Builds one static library per folder of src, linked as scripts/layers.txt allows, and the program.

# The networks' library is bound to LibTorch's own symbols before the program's (see session/torch_libraries.cpp).
# So the program must not hold copies of libstdc++'s and libc's variables (std::cerr,
# __libc_single_threaded), which the library would not share: its objects are compiled as a
# library's, not with -fPIE; everywhere, so that tests can share headers that were compiled once.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)

# Third-party libraries of each module. Only that module sees their headers.
set(fineprint_core_uses spdlog::spdlog fmt::fmt xxhash icuuc)
set(fineprint_text_uses pcre2-8 stemmer cld2 icui18n icuuc)
set(fineprint_tokenizer_uses pcre2-8 icuuc)
set(fineprint_image_uses opencv_core opencv_imgproc opencv_features2d opencv_calib3d PNG::PNG JPEG::JPEG PkgConfig::pictures)
set(fineprint_pdf_uses fineprint_mupdf)
set(fineprint_ocr_uses fineprint_tesseract)
set(fineprint_markup_uses PkgConfig::markup)
set(fineprint_documents_uses PkgConfig::seccomp ${CMAKE_DL_LIBS})
set(fineprint_fetch_uses PkgConfig::curl)
set(fineprint_store_uses sqlite3)
set(fineprint_settings_uses OpenSSL::Crypto)
set(fineprint_models_uses pcre2-8)
set(fineprint_remote_uses PkgConfig::httplib)
set(fineprint_report_uses ZLIB::ZLIB)
set(fineprint_sheet_uses PkgConfig::xlsxwriter)
set(fineprint_server_uses PkgConfig::httplib)
set(fineprint_cli_uses CLI11::CLI11 PkgConfig::edit)
set(fineprint_session_uses ${CMAKE_DL_LIBS})
set(fineprint_pgvector_uses ${CMAKE_DL_LIBS})

# Rooms that open documents. They are not in the program but in a library that its document workers
# open (documents/reading_library.h), because loading the libraries that they use would take most of
# the time that the program needs to start.
set(fineprint_reading_rooms pdf ocr markup reading)
# Rooms that are in no way part of the program, but only of libraries that it opens.
set(fineprint_opened_rooms ${fineprint_reading_rooms} fetch)

# Sets `out_modules` and `fineprint_row_<module>` from scripts/layers.txt.
function(fineprint_read_layers out_modules)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               "${CMAKE_SOURCE_DIR}/scripts/layers.txt")
  file(STRINGS "${CMAKE_SOURCE_DIR}/scripts/layers.txt" rows REGEX "^[a-z]")
  set(modules)
  foreach(row IN LISTS rows)
    string(REPLACE ":" ";" fields "${row}")
    list(GET fields 0 module)
    list(GET fields 2 uses)
    string(STRIP "${module}" module)
    string(STRIP "${uses}" uses)
    string(REPLACE " " ";" uses "${uses}")
    list(APPEND modules ${module})
    set(fineprint_row_${module} "${uses}" PARENT_SCOPE)
  endforeach()
  set(${out_modules} ${modules} PARENT_SCOPE)
endfunction()

# Release builds compile at -O2. Rooms whose loops a benchmark measures are compiled at -O3. Rooms that
# no figure of speed depends on are compiled at -O1, because the rooms below them do their computing.
set(fineprint_hot_rooms score tensorfile tokenizer image preprocess)
set(fineprint_light_rooms settings pgvector runs sheet fetch remote exchange agents docmap dialogue ingest pipelines library verify
                          answering bench report server cli train models metrics session)
# With sanitizers everything is compiled at -O0, because building and testing then take the least time
# together. The exceptions are the rooms in which tests spend most of their time.
set(fineprint_sanitized_at_o1 score simd tokenizer fineprint_products)

# Inlines only short functions (clang's own threshold is 225): a sixth less time to compile, and smaller
# code. Not for the other rooms, because reading documents takes 8% longer with it.
function(fineprint_inline_less target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-mllvm -inline-threshold=25")
  endif()
endfunction()

function(fineprint_optimisation target)
  if(FINEPRINT_SANITIZE)
    if(target IN_LIST fineprint_sanitized_at_o1)
      target_compile_options(${target} PRIVATE -O1)
    endif()
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    if(target IN_LIST fineprint_light_rooms)
      target_compile_options(${target} PRIVATE -O1)
      fineprint_inline_less(${target})
    elseif(target IN_LIST fineprint_hot_rooms)
      target_compile_options(${target} PRIVATE -O3)
    endif()
  endif()
endfunction()

function(fineprint_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-restrict)  # false alarms of gcc 12 at -O3
    get_target_property(is_unity ${target} UNITY_BUILD)
    if(is_unity)  # a unit includes its sources, whose nameless namespaces then look like a header's
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  else()
    # gcc 12's library, as clang reads it, uses what it declares deprecated.
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
endfunction()

# Library `module`: the sources of src/<module>/ and its folders. It may use the modules `ARGN`.
function(fineprint_module module)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${module}/*.cpp"
                                      "${CMAKE_SOURCE_DIR}/src/${module}/*/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/(main|reading/plugin|fetch/plugin|train/gradients/[^/]*)\\.cpp$")
  add_library(${module} STATIC ${sources})
  target_include_directories(${module} PUBLIC "${CMAKE_SOURCE_DIR}/include"
                                       PRIVATE "${CMAKE_SOURCE_DIR}/src"
                                               "${CMAKE_BINARY_DIR}/generated")
  target_link_libraries(${module} PUBLIC ${ARGN} PRIVATE ${fineprint_${module}_uses})
  fineprint_warnings(${module})
  fineprint_optimisation(${module})
  fineprint_precompile(${module} fineprint_common_headers)
  if(CMAKE_UNITY_BUILD)
    fineprint_units(${module} ${CMAKE_UNITY_BUILD_BATCH_SIZE})
  endif()
endfunction()

# Builds all modules whose folder exists; FINEPRINT_BUILT_MODULES lists them. Not here: nets, and the
# sources of train that see LibTorch (Nets.cmake, Train.cmake).
macro(fineprint_modules)
  fineprint_read_layers(fineprint_all_modules)
  set(FINEPRINT_BUILT_MODULES)
  foreach(module IN LISTS fineprint_all_modules)
    file(GLOB has_sources "${CMAKE_SOURCE_DIR}/src/${module}/*.cpp")
    if(has_sources AND NOT module STREQUAL "nets")
      set(row ${fineprint_row_${module}})
      if(row STREQUAL "*")
        set(row ${FINEPRINT_BUILT_MODULES})
        list(REMOVE_ITEM row ${fineprint_opened_rooms})
      endif()
      set(built_row)
      foreach(dependency IN LISTS row)
        if(dependency IN_LIST FINEPRINT_BUILT_MODULES)
          list(APPEND built_row ${dependency})
        endif()
      endforeach()
      fineprint_module(${module} ${built_row})
      list(APPEND FINEPRINT_BUILT_MODULES ${module})
    endif()
  endforeach()
  include(Generated)
  include(Products)
  if(FINEPRINT_CUDA)
    include(Cuda)
  endif()
  if(FINEPRINT_NETS)
    include(Nets)
    include(Train)
  endif()
endmacro()

# Links every module completely and exports its symbols, because the networks' library, opened at run
# time, uses the program's own copy of core and models.
function(fineprint_link_whole target)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
  set(archives)
  foreach(module IN LISTS ARGN)
    list(APPEND archives "$<TARGET_FILE:${module}>")
  endforeach()
  target_link_options(${target} PRIVATE "LINKER:--whole-archive" ${archives}
                                        "LINKER:--no-whole-archive")
  target_link_libraries(${target} PRIVATE ${ARGN})
  add_dependencies(${target} ${ARGN})
endfunction()

# The library that document workers open. It takes core, image and documents from the program.
function(fineprint_reading_library)
  add_library(fineprint_reading SHARED "${CMAKE_SOURCE_DIR}/src/reading/plugin.cpp")
  target_include_directories(fineprint_reading PRIVATE "${CMAKE_SOURCE_DIR}/include")
  set(archives)
  foreach(module IN LISTS fineprint_reading_rooms)
    list(APPEND archives "${CMAKE_BINARY_DIR}/lib${module}.a")
    target_link_libraries(fineprint_reading PRIVATE ${fineprint_${module}_uses})
  endforeach()
  target_link_options(fineprint_reading PRIVATE "LINKER:--whole-archive" ${archives}
                                                "LINKER:--no-whole-archive")
  add_dependencies(fineprint_reading ${fineprint_reading_rooms})
  set_target_properties(fineprint_reading PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}"
                        LINK_DEPENDS "${archives}"
                        INSTALL_RPATH "$ORIGIN;$ORIGIN/../../../pymupdf")
  fineprint_warnings(fineprint_reading)
endfunction()

# The library that downloads documents. It takes core and documents from the program, and reads lists
# of files with two sources of markup.
function(fineprint_fetch_library)
  add_library(fineprint_fetch SHARED "${CMAKE_SOURCE_DIR}/src/fetch/plugin.cpp"
              "${CMAKE_SOURCE_DIR}/src/markup/listing.cpp" "${CMAKE_SOURCE_DIR}/src/markup/xml.cpp")
  target_include_directories(fineprint_fetch PRIVATE "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(fineprint_fetch PRIVATE PkgConfig::curl PkgConfig::xml)
  target_link_options(fineprint_fetch PRIVATE "LINKER:--whole-archive" "$<TARGET_FILE:fetch>"
                                              "LINKER:--no-whole-archive")
  add_dependencies(fineprint_fetch fetch)
  set_target_properties(fineprint_fetch PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}"
                        LINK_DEPENDS "$<TARGET_FILE:fetch>" INSTALL_RPATH "$ORIGIN")
  fineprint_warnings(fineprint_fetch)
endfunction()

function(fineprint_program)
  if(EXISTS "${CMAKE_SOURCE_DIR}/src/cli/main.cpp")
    add_executable(fineprint src/cli/main.cpp)
    target_include_directories(fineprint PRIVATE "${CMAKE_SOURCE_DIR}/src")
    set(modules ${FINEPRINT_BUILT_MODULES})
    list(REMOVE_ITEM modules ${fineprint_opened_rooms})
    fineprint_link_whole(fineprint ${modules})
    fineprint_reading_library()
    fineprint_fetch_library()
    fineprint_warnings(fineprint)
    set_target_properties(fineprint PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
    # Not fineprint_train, which only the command `train` opens: scripts/fineprint builds it then.
    foreach(library fineprint_reading fineprint_fetch fineprint_nets fineprint_texts fineprint_score_cuda)
      if(TARGET ${library})
        add_dependencies(fineprint ${library})
      endif()
    endforeach()
  endif()
endfunction()
