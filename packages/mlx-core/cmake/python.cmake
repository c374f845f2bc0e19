# The nanobind extension, the Python files beside it, and the type stubs.

execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(nanobind CONFIG REQUIRED)

file(GLOB binding_sources CONFIGURE_DEPENDS bindings/*.cpp)
# NB_DOMAIN: mlx-export's extension finds the type `array` here and no other project's does.
nanobind_add_module(_core NB_STATIC NB_DOMAIN mlx NB_SUPPRESS_WARNINGS NOMINSIZE ${binding_sources})
target_link_libraries(_core PRIVATE mlx-core mlx-build-settings)
set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${package_dir}
                                       BUILD_WITH_INSTALL_RPATH ON
                                       INSTALL_RPATH "${origin}/lib")

# Links, not copies: an edit of a Python file is live in the build tree at once.
file(GLOB python_files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/python/mlx/core CONFIGURE_DEPENDS
     python/mlx/core/*.py python/mlx/core/py.typed)
file(MAKE_DIRECTORY ${package_dir})
foreach(file IN LISTS python_files)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/python/mlx/core/${file} ${package_dir}/${file} SYMBOLIC)
endforeach()
