# CMake's toolchain file of the preset arm64: a build for 64-bit ARM on another processor, with the
# libraries of Debian 12 for arm64 that scripts/arm64/sysroot has laid out in the build folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(arm64_folder "${CMAKE_CURRENT_LIST_DIR}/../../build/arm64")
get_filename_component(arm64_folder "${arm64_folder}" ABSOLUTE)
set(CMAKE_SYSROOT "${arm64_folder}/sysroot")
if(NOT EXISTS "${CMAKE_SYSROOT}/usr/include")
  message(FATAL_ERROR "${CMAKE_SYSROOT} has no libraries for arm64. Run scripts/arm64/build.")
endif()

set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)  # for libgomp, see src/nets/layers/openmp_loop.h
set(CMAKE_CXX_LINK_FLAGS -fuse-ld=lld)  # gcc's cross compiler has a linker of its own

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR}
    "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
