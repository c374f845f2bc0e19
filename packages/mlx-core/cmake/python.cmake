# The nanobind extension, the Python files beside it, and the type stubs.

include(${CMAKE_CURRENT_LIST_DIR}/MLXExtension.cmake)
file(GLOB binding_sources CONFIGURE_DEPENDS bindings/*.cpp)
mlx_add_extension(_core ${binding_sources})
target_link_libraries(_core PRIVATE mlx-core mlx-build-settings)
set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${package_dir}
                                       BUILD_WITH_INSTALL_RPATH ON
                                       INSTALL_RPATH "${origin}/lib")

mlx_link_python_files(${CMAKE_CURRENT_SOURCE_DIR}/python/mlx/core ${package_dir})

# A sanitizer's runtime would have to be preloaded into Python; nobody reads those builds' stubs.
set(stubs ${CMAKE_CURRENT_BINARY_DIR}/stubs)
if(NOT MLX_SANITIZE)
  mlx_add_stubs(stubs MODULE mlx.core PYTHON_PATH ${CMAKE_CURRENT_BINARY_DIR}/python
                OUTPUT ${stubs} DEPENDS _core ${mlx_python_files})
endif()
