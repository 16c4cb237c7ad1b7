# The library of trainings: gradients and optimizers over the networks' own blocks. The command
# `train` opens it together with the networks' library.
file(GLOB train_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/train/gradients/*.cpp")
add_library(fineprint_train SHARED ${train_sources})
target_include_directories(fineprint_train PRIVATE "${CMAKE_SOURCE_DIR}/include"
                                                   "${CMAKE_SOURCE_DIR}/src")
target_compile_definitions(fineprint_train PRIVATE AT_PER_OPERATOR_HEADERS)
fineprint_precompile(fineprint_train fineprint_torch_headers)
if(CMAKE_UNITY_BUILD)
  fineprint_units(fineprint_train ${CMAKE_UNITY_BUILD_BATCH_SIZE})
endif()
target_link_libraries(fineprint_train PRIVATE fineprint_nets fineprint_torch)
target_compile_options(fineprint_train PRIVATE -Wall -Wextra -Wshadow -Werror -Wno-error=deprecated
                                               -Wno-error=deprecated-declarations)
set_target_properties(fineprint_train PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}" BUILD_RPATH "$ORIGIN;${FINEPRINT_TORCH_DIR}/lib"
  INSTALL_RPATH "${fineprint_torch_places}")
