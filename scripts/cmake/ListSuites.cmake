# Runs after a test program was linked: asks it for its suites and writes a file of tests for ctest,
# one for each suite.
#   cmake -D PROGRAM= -D PREFIX= -D FILE= -D PROPERTIES= -P ListSuites.cmake
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests
                OUTPUT_VARIABLE listing RESULT_VARIABLE result TIMEOUT 60)
if(NOT result EQUAL 0)
  file(REMOVE "${PROGRAM}" "${FILE}")  # so that the next build asks it again
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests failed: ${result}\n${listing}")
endif()
# A suite's line is "Name." or "Prefix/Name/0.  # TypeParam = ..."; those of its cases are indented.
string(REGEX MATCHALL "(^|\n)[^ \n]+\\.[^\n]*" lines "${listing}")
set(tests)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^\n?([^ \n]+)\\..*" "\\1" suite "${line}")
  if(NOT suite MATCHES "^[A-Za-z0-9_/]+$")
    continue()  # what the program itself says
  endif()
  string(APPEND tests
    "add_test([=[${PREFIX}.${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])\n"
    "set_tests_properties([=[${PREFIX}.${suite}]=] PROPERTIES ${PROPERTIES})\n")
endforeach()
file(WRITE "${FILE}" "${tests}")
