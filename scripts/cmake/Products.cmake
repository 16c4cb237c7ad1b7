# The networks' products with stored matrices and the text encoders' layers, which do not
# use LibTorch: a separate library, so that builds without LibTorch (with sanitizers) test them too.
file(GLOB products_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/nets/packed/*.cpp"
                                             "${CMAKE_SOURCE_DIR}/src/nets/products/*.cpp"
                                             "${CMAKE_SOURCE_DIR}/src/nets/products/blocks/*.cpp")
add_library(fineprint_products STATIC ${products_sources})
# Only the headers of simd: the networks' library uses the program's own copy, with the tables.
target_include_directories(fineprint_products PUBLIC "${CMAKE_SOURCE_DIR}/src"
                                                     "${CMAKE_SOURCE_DIR}/include")
fineprint_warnings(fineprint_products)
fineprint_optimisation(fineprint_products)
