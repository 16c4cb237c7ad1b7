# The networks' products with stored matrices and the text encoders' layers, which see no LibTorch: a
# library of their own, so that builds without LibTorch (the sanitizers') test them too.
file(GLOB products_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/nets/packed/*.cpp"
                                             "${CMAKE_SOURCE_DIR}/src/nets/products/*.cpp")
add_library(fineprint_products STATIC ${products_sources})
target_include_directories(fineprint_products PUBLIC "${CMAKE_SOURCE_DIR}/src")
fineprint_warnings(fineprint_products)
fineprint_optimisation(fineprint_products)
