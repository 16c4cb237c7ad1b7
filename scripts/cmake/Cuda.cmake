# The compiler for GPUs, and the scoring kernels: one shared object next to the program, opened at run
# time. It takes core and score from the program that opens it, and carries the CUDA runtime in
# itself. Needs nvcc; without it a build with FINEPRINT_CUDA has the networks on the GPU, with
# weights that are widened there, and scores on the CPU.
find_program(FINEPRINT_NVCC nvcc HINTS /usr/local/cuda/bin)
if(NOT FINEPRINT_NVCC)
  message(STATUS "nvcc not found: no kernels of our own for GPUs")
  return()
endif()
set(CMAKE_CUDA_COMPILER "${FINEPRINT_NVCC}")
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # and from 90's PTX whatever is newer
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    # GB10 of DGX Spark, if this nvcc knows it (12.9 and newer): translating the PTX there takes
    # its processor long.
    execute_process(COMMAND "${FINEPRINT_NVCC}" --list-gpu-arch OUTPUT_VARIABLE known_to_nvcc)
    if(known_to_nvcc MATCHES "compute_121")
      list(APPEND CMAKE_CUDA_ARCHITECTURES 121-real)
    endif()
  endif()
endif()
enable_language(CUDA)
# CMake 3.25 does not know that nvcc supports it; the standard is the same as for C++.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)

# Settings of all libraries of kernels.
function(fineprint_cuda_library target)
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}/include"
                                               "${CMAKE_SOURCE_DIR}/src")
  target_compile_options(${target} PRIVATE -Xcompiler=-Wall,-Wextra -Werror=all-warnings)
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static
                                             CUDA_VISIBILITY_PRESET hidden)
endfunction()

file(GLOB cuda_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/score/cuda/*.cu")
add_library(fineprint_score_cuda SHARED ${cuda_sources})
fineprint_cuda_library(fineprint_score_cuda)
set_target_properties(fineprint_score_cuda PROPERTIES
                      LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
