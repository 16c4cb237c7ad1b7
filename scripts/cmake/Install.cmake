# cmake --install makes a tree that can be moved: bin/ has the program, lib/fineprint/ what it opens at
# run time, share/ what people and their shells read. Component `program` is built here;
# `bundled` is LibTorch, MuPDF and the text encoder, which pip installs if the program is a Python
# package (scripts/package). All other libraries are the system's.
set(libraries fineprint_reading fineprint_fetch)
foreach(library fineprint_nets fineprint_texts fineprint_train fineprint_score_cuda)
  if(TARGET ${library})
    list(APPEND libraries ${library})
  endif()
endforeach()
install(TARGETS fineprint RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS ${libraries} LIBRARY DESTINATION lib/fineprint COMPONENT program)

install(PROGRAMS "${mupdf_library}" DESTINATION lib/fineprint COMPONENT bundled)
if(FINEPRINT_NETS)
  # The parts of LibTorch that programs in C++ load, without those for Python.
  file(GLOB torch_files "${FINEPRINT_TORCH_DIR}/lib/lib*.so*")
  list(FILTER torch_files EXCLUDE REGEX
       "/lib[^/]*(python|test|backend_with_compiler|aoti_custom_ops|shm)[^/]*$")
  install(PROGRAMS ${torch_files} DESTINATION lib/fineprint COMPONENT bundled)
endif()
if(EXISTS "${FINEPRINT_MODELS}/config.json")
  install(DIRECTORY "${FINEPRINT_MODELS}/" DESTINATION share/fineprint/models/all-MiniLM-L6-v2
          COMPONENT bundled)
endif()
if(EXISTS "${CMAKE_SOURCE_DIR}/configs/qa-model/config.json")
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/configs/qa-model/" DESTINATION share/fineprint/models/reader
          COMPONENT program)
endif()

install(DIRECTORY "${CMAKE_SOURCE_DIR}/configs/" DESTINATION share/fineprint/configs
        COMPONENT program PATTERN qa-model EXCLUDE)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/docs" DESTINATION share/doc/fineprint COMPONENT program)
install(FILES "${CMAKE_SOURCE_DIR}/README.md" "${CMAKE_SOURCE_DIR}/LICENSE" "${CMAKE_SOURCE_DIR}/NOTICE"
        DESTINATION share/doc/fineprint COMPONENT program)

# The program writes its manual and its completions itself.
install(CODE "
  set(tree \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  execute_process(COMMAND \"${CMAKE_SOURCE_DIR}/scripts/packaging/tell\"
                          \"\${tree}/bin/fineprint\" \"\${tree}/share\"
                  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)

# The Debian package, by cpack: it depends on the packages that it is linked with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the fineprint authors <authors@fineprint.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "answers questions over folders of documents, with the pages that prove it")
set(CPACK_PACKAGE_DESCRIPTION
    "Reads and OCRs PDFs, scans and office files, indexes them, finds pages by words and by meaning,\n\
 and answers with quotes and boxes. LibTorch and MuPDF come with it.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${FINEPRINT_MUPDF_DIR}" "${FINEPRINT_TORCH_DIR}/lib")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "tesseract-ocr-eng, tesseract-ocr-osd, ca-certificates")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libheif1)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS libreoffice)
include(CPack)
