# The networks' library: everything that sees LibTorch, in one shared object next to the program.
# It takes the rooms that it uses (scripts/layers.txt) from the program that opens it.
include(LibTorch)

# Products with matrices that stay in blocks on a GPU; without nvcc they are widened when loaded.
set(kernels "${CMAKE_SOURCE_DIR}/src/nets/products/cuda")
if(FINEPRINT_CUDA AND FINEPRINT_NVCC)
  add_library(fineprint_block_kernels STATIC "${kernels}/block_kernels.cu")
  fineprint_cuda_library(fineprint_block_kernels)
  # Values are equal to the reference only if products and sums are rounded one by one.
  target_compile_options(fineprint_block_kernels PRIVATE --expt-relaxed-constexpr -fmad=false)
  set_target_properties(fineprint_block_kernels PROPERTIES POSITION_INDEPENDENT_CODE ON)
else()
  add_library(fineprint_block_kernels STATIC "${kernels}/absent.cpp")
  target_include_directories(fineprint_block_kernels PRIVATE "${CMAKE_SOURCE_DIR}/src")
  fineprint_warnings(fineprint_block_kernels)
endif()

file(GLOB nets_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/nets/*.cpp"
                                         "${CMAKE_SOURCE_DIR}/src/nets/*/*.cpp")
list(FILTER nets_sources EXCLUDE REGEX "/nets/(packed|products|texts)/")
add_library(fineprint_nets SHARED ${nets_sources})
target_include_directories(fineprint_nets PRIVATE "${CMAKE_SOURCE_DIR}/include"
                                                  "${CMAKE_SOURCE_DIR}/src")
# Each source includes only the headers of the operators that it uses: a fifth of the time to compile.
target_compile_definitions(fineprint_nets PRIVATE AT_PER_OPERATOR_HEADERS)
fineprint_headers(fineprint_torch_headers -O2
  <algorithm> <array> <cstdint> <functional> <map> <memory> <mutex> <optional> <span> <string>
  <string_view> <vector> <ATen/TensorOperators.h> <ATen/core/Tensor.h> <ATen/ops/cat.h>
  <ATen/ops/empty.h> <ATen/ops/from_blob.h> <ATen/ops/tensor.h>)
if(TARGET fineprint_torch_headers)
  target_compile_definitions(fineprint_torch_headers PRIVATE AT_PER_OPERATOR_HEADERS)
  target_link_libraries(fineprint_torch_headers PRIVATE fineprint_torch)
endif()
fineprint_precompile(fineprint_nets fineprint_torch_headers)
if(CMAKE_UNITY_BUILD)
  fineprint_units(fineprint_nets ${CMAKE_UNITY_BUILD_BATCH_SIZE})
endif()
# The only source in C, see nets/layers/openmp_loop.h: a separate library, because the precompiled
# headers are C++.
find_package(OpenMP REQUIRED COMPONENTS C)
add_library(fineprint_openmp STATIC "${CMAKE_SOURCE_DIR}/src/nets/layers/openmp_loop.c")
target_include_directories(fineprint_openmp PRIVATE "${CMAKE_SOURCE_DIR}/src")
target_link_libraries(fineprint_openmp PUBLIC OpenMP::OpenMP_C)
target_link_libraries(fineprint_nets PRIVATE fineprint_products fineprint_block_kernels
                                             fineprint_torch fineprint_openmp)
target_compile_options(fineprint_nets PRIVATE -Wall -Wextra -Wshadow -Werror -Wno-error=deprecated
                                              -Wno-error=deprecated-declarations)
# Text encoders and the QA model without LibTorch, for commands that need nothing else of it.
file(GLOB texts_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/nets/texts/*.cpp")
foreach(source encoders/batches encoders/passage_reading encoders/qa_batches encoders/sentence_tokens
               generation/vocabulary)
  list(APPEND texts_sources "${CMAKE_SOURCE_DIR}/src/nets/${source}.cpp")
endforeach()
add_library(fineprint_texts SHARED ${texts_sources})
target_include_directories(fineprint_texts PRIVATE "${CMAKE_SOURCE_DIR}/include"
                                                   "${CMAKE_SOURCE_DIR}/src")
target_link_libraries(fineprint_texts PRIVATE fineprint_products)
fineprint_warnings(fineprint_texts)
set_target_properties(fineprint_texts PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
# Only LibTorch's own folder is searched at run time; it brings all that it needs.
set_target_properties(fineprint_nets PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}"
                                                BUILD_RPATH "${FINEPRINT_TORCH_DIR}/lib"
                                                INSTALL_RPATH "${fineprint_torch_places}")
