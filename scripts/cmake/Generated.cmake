# Files made at configure time: paths and version, the tables of pipelines, families and projectors,
# the prompts and presets.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/generated")
set(built_text_encoder "${FINEPRINT_MODELS}")
set(built_qa_model "${CMAKE_SOURCE_DIR}/configs/qa-model")
if(FINEPRINT_PORTABLE)
  set(built_text_encoder)
  set(built_qa_model)
endif()
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/build_info.h.in"
               "${CMAKE_BINARY_DIR}/generated/build_info.h" @ONLY)

# src/pipelines/NAME.cpp, or NAME/NAME.cpp of a folder, defines `Pipeline NAME_pipeline()`; the table
# lists them all.
file(GLOB pipeline_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/pipelines/*.cpp"
                                           "${CMAKE_SOURCE_DIR}/src/pipelines/*/*.cpp")
list(FILTER pipeline_files EXCLUDE REGEX "/pipelines/registry\\.cpp$")
set(PIPELINE_DECLARATIONS)
set(PIPELINE_ENTRIES)
foreach(file IN LISTS pipeline_files)
  get_filename_component(name "${file}" NAME_WE)
  get_filename_component(folder "${file}" DIRECTORY)
  get_filename_component(folder "${folder}" NAME)
  if(NOT folder STREQUAL "pipelines" AND NOT folder STREQUAL name)
    continue()  # another source of the folder than the one that gives it its name
  endif()
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

# src/models/projectors/NAME.cpp defines `ProjectorKind NAME_projector()`; the table lists them
# all.
file(GLOB projector_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/models/projectors/*.cpp")
set(PROJECTOR_DECLARATIONS)
set(PROJECTOR_ENTRIES)
foreach(file IN LISTS projector_files)
  get_filename_component(name "${file}" NAME_WE)
  string(APPEND PROJECTOR_DECLARATIONS "ProjectorKind ${name}_projector();\n")
  string(APPEND PROJECTOR_ENTRIES "      ${name}_projector(),\n")
endforeach()
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/projector_table.inc.in"
               "${CMAKE_BINARY_DIR}/generated/projector_table.inc" @ONLY)

# The text of a file that is built in.
function(fineprint_read_text out file)
  file(READ "${file}" text)
  string(FIND "${text}" ")literal\"" end_of_literal)
  if(NOT end_of_literal EQUAL -1)
    message(FATAL_ERROR "${file}: a text that is built in cannot hold )literal\"")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Appends {"NAME", R"literal(text of FILE)literal"} to the list of C++ entries in `out`.
function(fineprint_embed_text out name file)
  fineprint_read_text(text "${file}")
  string(APPEND ${out} "    {\"${name}\", R\"literal(${text})literal\"},\n")
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

# The texts of configs/prompts/NAME/ROLE.txt, by "NAME/ROLE".
file(GLOB prompt_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/configs/prompts/*/*.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${prompt_files})
set(PROMPT_ENTRIES)
foreach(file IN LISTS prompt_files)
  file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}/configs/prompts" "${file}")
  string(REGEX REPLACE "\\.txt$" "" name "${name}")
  fineprint_embed_text(PROMPT_ENTRIES "${name}" "${file}")
endforeach()
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/prompt_table.inc.in"
               "${CMAKE_BINARY_DIR}/generated/prompt_table.inc" @ONLY)

# The texts of the files of a folder, by "NAME" of NAME.ending; ARGN: a pattern of those left out.
function(fineprint_embed_folder out pattern)
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${pattern}")
  if(ARGN)
    list(FILTER files EXCLUDE REGEX "${ARGN}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(${out})
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WLE)
    fineprint_embed_text(${out} "${name}" "${file}")
  endforeach()
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

# The presets, and their variants.
fineprint_embed_folder(PRESET_ENTRIES "configs/*.toml" "/(default|labels|models)\\.toml$")
fineprint_embed_folder(VARIANT_ENTRIES "configs/variants/*.toml")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/preset_table.inc.in"
               "${CMAKE_BINARY_DIR}/generated/preset_table.inc" @ONLY)

# The experiments of `bench --experiment`.
fineprint_embed_folder(EXPERIMENT_ENTRIES "configs/experiments/*.toml")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/experiment_table.inc.in"
               "${CMAKE_BINARY_DIR}/generated/experiment_table.inc" @ONLY)

# The texts of `fineprint help` besides commands: topics, and the schemas of records.
fineprint_embed_folder(TOPIC_ENTRIES "docs/help/*.txt")
fineprint_embed_folder(SCHEMA_ENTRIES "docs/schemas/*.json")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/help_texts.inc.in"
               "${CMAKE_BINARY_DIR}/generated/help_texts.inc" @ONLY)

# The table of published models.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/configs/models.toml")
fineprint_read_text(PUBLISHED_MODELS "${CMAKE_SOURCE_DIR}/configs/models.toml")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/published_models.inc.in"
               "${CMAKE_BINARY_DIR}/generated/published_models.inc" @ONLY)

# The labels of common values.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/configs/labels.toml")
fineprint_read_text(KNOWN_LABELS "${CMAKE_SOURCE_DIR}/configs/labels.toml")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/known_labels.inc.in"
               "${CMAKE_BINARY_DIR}/generated/known_labels.inc" @ONLY)

# The frame, the style and the script of a page: page.html, page.css, and one function made of the
# scripts of a folder in the order of their names. ARGN: scripts of other folders, which come first.
function(fineprint_read_page folder out_frame out_style out_script)
  file(GLOB scripts CONFIGURE_DEPENDS "${folder}/*.js")
  list(SORT scripts)
  list(PREPEND scripts ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               "${folder}/page.html" "${folder}/page.css" ${scripts})
  fineprint_read_text(frame "${folder}/page.html")
  fineprint_read_text(style "${folder}/page.css")
  set(script "(() => {\n'use strict';\n")
  foreach(file IN LISTS scripts)
    fineprint_read_text(text "${file}")
    string(APPEND script "${text}")
  endforeach()
  string(APPEND script "start();\n})();\n")
  set(${out_frame} "${frame}" PARENT_SCOPE)
  set(${out_style} "${style}" PARENT_SCOPE)
  set(${out_script} "${script}" PARENT_SCOPE)
endfunction()

# The page of reports.
fineprint_read_page("${CMAKE_SOURCE_DIR}/src/report/page" REPORT_FRAME REPORT_STYLE REPORT_SCRIPT)
string(SHA256 REPORT_STYLE_HASH "${REPORT_STYLE}")
string(SHA256 REPORT_SCRIPT_HASH "${REPORT_SCRIPT}")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/report_page.inc.in"
               "${CMAKE_BINARY_DIR}/generated/report_page.inc" @ONLY)

# The page of tables.
set(report_page "${CMAKE_SOURCE_DIR}/src/report/page")
fineprint_read_page("${CMAKE_SOURCE_DIR}/src/report/table_page" TABLE_FRAME TABLE_STYLE TABLE_SCRIPT
                    "${report_page}/dom.js" "${report_page}/unpack.js")
string(SHA256 TABLE_STYLE_HASH "${TABLE_STYLE}")
string(SHA256 TABLE_SCRIPT_HASH "${TABLE_SCRIPT}")
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/table_page.inc.in"
               "${CMAKE_BINARY_DIR}/generated/table_page.inc" @ONLY)

# The page that a server shows people.
fineprint_read_page("${CMAKE_SOURCE_DIR}/src/server/page" SERVER_PAGE SERVER_STYLE SERVER_SCRIPT)
configure_file("${CMAKE_SOURCE_DIR}/scripts/cmake/server_page.inc.in"
               "${CMAKE_BINARY_DIR}/generated/server_page.inc" @ONLY)
