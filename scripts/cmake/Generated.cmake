# Files made at configure time: paths and version, and the table of pipelines.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/generated")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/build_info.h.in"
               "${CMAKE_BINARY_DIR}/generated/build_info.h" @ONLY)

# src/pipelines/NAME.cpp defines `Pipeline NAME_pipeline()`; the table lists them all.
file(GLOB pipeline_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/pipelines/*.cpp")
list(FILTER pipeline_files EXCLUDE REGEX "/registry\\.cpp$")
set(PIPELINE_DECLARATIONS)
set(PIPELINE_ENTRIES)
foreach(file IN LISTS pipeline_files)
  get_filename_component(name "${file}" NAME_WE)
  string(APPEND PIPELINE_DECLARATIONS "Pipeline ${name}_pipeline();\n")
  string(APPEND PIPELINE_ENTRIES "    ${name}_pipeline(),\n")
endforeach()
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/pipeline_table.inc.in"
               "${CMAKE_BINARY_DIR}/generated/pipeline_table.inc" @ONLY)

# src/models/families/NAME.cpp defines `Family NAME_family()`; the table lists them all.
file(GLOB family_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/models/families/*.cpp")
set(FAMILY_DECLARATIONS)
set(FAMILY_ENTRIES)
foreach(file IN LISTS family_files)
  get_filename_component(name "${file}" NAME_WE)
  string(APPEND FAMILY_DECLARATIONS "Family ${name}_family();\n")
  string(APPEND FAMILY_ENTRIES "    ${name}_family(),\n")
endforeach()
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/family_table.inc.in"
               "${CMAKE_BINARY_DIR}/generated/family_table.inc" @ONLY)
