# Headers that most sources include, precompiled once for all rooms.

# fineprint_precompile(TARGET OWNER): has TARGET use the precompiled headers of the object library OWNER,
# which fineprint_headers() made. A build file by file uses none, because it is meant to find sources
# that forget a header. With sanitizers, rooms at -O1 use none, because the headers are compiled at -O0 there.
function(fineprint_precompile target owner)
  if(TARGET ${owner} AND NOT (FINEPRINT_SANITIZE AND target IN_LIST fineprint_sanitized_at_o1))
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# fineprint_headers(OWNER FLAG HEADER...): an object library that compiles nothing but these headers,
# at the optimisation level FLAG. It has no definitions of its own, because every target that uses it
# would need the same ones. With sanitizers the level is -O0, and g++ makes none, because it cannot share
# them between targets there.
function(fineprint_headers owner flag)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  if(FINEPRINT_SANITIZE)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      return()
    endif()
    set(flag -O0)
  endif()
  set(nothing "${CMAKE_BINARY_DIR}/generated/nothing.cpp")
  file(CONFIGURE OUTPUT "${nothing}" CONTENT "// Headers need a source to be compiled for.\n")
  add_library(${owner} OBJECT "${nothing}")
  target_include_directories(${owner} PRIVATE "${CMAKE_SOURCE_DIR}/include")
  target_compile_options(${owner} PRIVATE ${flag})
  target_precompile_headers(${owner} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Templates that the headers use are instantiated once, in the precompiled file.
    set_target_properties(${owner} PROPERTIES PCH_INSTANTIATE_TEMPLATES ON)
  endif()
endfunction()

fineprint_headers(fineprint_common_headers -O2
  <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <filesystem> <fstream>
  <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <ranges> <set> <span> <sstream>
  <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/json.h"
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/format.h"
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/error.h"
  "${CMAKE_SOURCE_DIR}/include/fineprint/core/option.h")
