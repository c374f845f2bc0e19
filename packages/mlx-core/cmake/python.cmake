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
if(NOT MLX_SANITIZE)
  # The extension calls itself mlx.core, so stubgen writes core/__init__.pyi, and beside it one stub
  # for each submodule. The first is the extension's, whose Python name is mlx.core._core.
  set(stub_dir ${CMAKE_CURRENT_BINARY_DIR}/stubs)
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/bindings/stubs.txt)
  add_custom_command(
    OUTPUT ${package_dir}/_core.pyi
    # A wheel's library looks for BLAS where it will be installed; stubgen imports it here.
    COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${MLX_BLAS_DIR} ${Python_EXECUTABLE}
            -m nanobind.stubgen --quiet --recursive --include-private
            --import ${CMAKE_CURRENT_BINARY_DIR}/python --module mlx.core._core
            --pattern-file ${patterns} --output-dir ${stub_dir}
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${stub_dir}/core ${package_dir}
    COMMAND ${CMAKE_COMMAND} -E rename ${package_dir}/__init__.pyi ${package_dir}/_core.pyi
    DEPENDS _core ${patterns} ${mlx_python_files}
    VERBATIM)
  add_custom_target(stubs ALL DEPENDS ${package_dir}/_core.pyi)
endif()
