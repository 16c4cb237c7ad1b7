# Units: several sources of a target compiled as one, which takes a third of the time.

# A source that was edited is compiled by itself from then on, so that the next edit waits for it and
# not for its unit. `scripts/dev` keeps the list, one path from the repository's root a line.
set(fineprint_edited_list "${CMAKE_BINARY_DIR}/edited.txt")
if(NOT EXISTS "${fineprint_edited_list}")
  file(WRITE "${fineprint_edited_list}" "")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${fineprint_edited_list}")
file(STRINGS "${fineprint_edited_list}" fineprint_edited)
list(TRANSFORM fineprint_edited PREPEND "${CMAKE_SOURCE_DIR}/")

# Sets `out` to the sources that scripts/apart.txt takes out of units.
function(fineprint_sources_apart out)
  set(list "${CMAKE_SOURCE_DIR}/scripts/apart.txt")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" patterns REGEX "^[^#]")
  list(TRANSFORM patterns STRIP)
  list(TRANSFORM patterns PREPEND "${CMAKE_SOURCE_DIR}/")
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()
fineprint_sources_apart(fineprint_apart)
set_source_files_properties(${fineprint_apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# Compiles the sources of `target` in units of `size`. A source that leaves its unit keeps its place, so
# that only this unit is compiled again.
function(fineprint_units target size)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources ${fineprint_apart})
  set(place 0)
  foreach(source IN LISTS sources)
    if(NOT source IN_LIST fineprint_edited)
      math(EXPR unit "${place} / ${size}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${unit})
    endif()
    math(EXPR place "${place} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
