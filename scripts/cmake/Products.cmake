# The networks' products with stored matrices and the text encoders' layers, which see no LibTorch: a
# library of their own, so that builds without LibTorch (the sanitizers') test them too.
file(GLOB products_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/nets/packed/*.cpp"
                                             "${CMAKE_SOURCE_DIR}/src/nets/products/*.cpp"
                                             "${CMAKE_SOURCE_DIR}/src/nets/products/blocks/*.cpp")
add_library(fineprint_products STATIC ${products_sources})
# Of simd its headers alone: the networks' library takes the program's own copy, with the tables.
target_include_directories(fineprint_products PUBLIC "${CMAKE_SOURCE_DIR}/src"
                                                     "${CMAKE_SOURCE_DIR}/include")
fineprint_warnings(fineprint_products)
fineprint_optimisation(fineprint_products)
