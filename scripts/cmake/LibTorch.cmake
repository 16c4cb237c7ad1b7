# Finds LibTorch's headers and libraries: the target fineprint_torch and FINEPRINT_TORCH_DIR.
# Does not use LibTorch's own CMake package, because that of a CUDA build requires a complete CUDA
# toolkit with its compiler, although the networks only call operators and include no CUDA header.
option(FINEPRINT_CUDA "Refuse a LibTorch without CUDA" OFF)
set(oldest_torch 2.11)

# The first of the prefixes `ARGN` that has a LibTorch new enough. A prefix may be the LibTorch, the
# folder above it, torch.utils.cmake_prefix_path, or the folder of its CMake package.
function(fineprint_find_torch out)
  foreach(prefix IN LISTS ARGN)
    foreach(step "." "torch" "../.." "../../..")
      get_filename_component(dir "${prefix}/${step}" ABSOLUTE)
      set(version_file "${dir}/share/cmake/Torch/TorchConfigVersion.cmake")
      if(NOT EXISTS "${version_file}" OR NOT EXISTS "${dir}/lib/libtorch_cpu.so")
        continue()
      endif()
      set(PACKAGE_FIND_VERSION ${oldest_torch})
      include("${version_file}")
      if(PACKAGE_VERSION_COMPATIBLE)
        message(STATUS "LibTorch ${PACKAGE_VERSION}: ${dir}")
        set(${out} "${dir}" PARENT_SCOPE)
        return()
      endif()
      message(STATUS "LibTorch ${PACKAGE_VERSION} in ${dir}: older than ${oldest_torch}, not used")
    endforeach()
  endforeach()
  message(FATAL_ERROR "LibTorch ${oldest_torch} or newer not found. Run scripts/fineprint once, or "
          "give the folder of one by -DCMAKE_PREFIX_PATH=")
endfunction()

string(REPLACE ":" ";" prefixes_of_environment "$ENV{CMAKE_PREFIX_PATH}")
file(GLOB torch_of_setup "${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
fineprint_find_torch(FINEPRINT_TORCH_DIR ${CMAKE_PREFIX_PATH} ${prefixes_of_environment}
                     ${torch_of_setup})

# Where an installed library finds LibTorch: next to itself, or in pip's package next to ours.
set(fineprint_torch_places "$ORIGIN;$ORIGIN/../../../torch/lib")

set(torch_libraries "${FINEPRINT_TORCH_DIR}/lib")
add_library(fineprint_torch INTERFACE)
target_include_directories(fineprint_torch SYSTEM INTERFACE
  "${FINEPRINT_TORCH_DIR}/include" "${FINEPRINT_TORCH_DIR}/include/torch/csrc/api/include")
target_link_libraries(fineprint_torch INTERFACE "${torch_libraries}/libtorch_cpu.so"
                                                "${torch_libraries}/libc10.so")
if(EXISTS "${torch_libraries}/libtorch_cuda.so")
  # None of our code refers to it: its operators and hooks register themselves when it is loaded.
  target_link_libraries(fineprint_torch INTERFACE
    "-Wl,--push-state,--no-as-needed,${torch_libraries}/libtorch_cuda.so,--pop-state")
elseif(FINEPRINT_CUDA)
  message(FATAL_ERROR "The LibTorch in ${FINEPRINT_TORCH_DIR} has no CUDA. Give the folder of one "
          "that has by -DCMAKE_PREFIX_PATH=, or build the preset release.")
endif()
