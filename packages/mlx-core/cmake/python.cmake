# The nanobind extension, the Python files beside it, and the type stubs.

execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(nanobind CONFIG REQUIRED)

file(GLOB binding_sources CONFIGURE_DEPENDS bindings/*.cpp)
# Split mode (CONTRIBUTING.md has the numbers): one extension for every Python from 3.11 on, and
# mlx-export's extension shares the type `array` whatever nanobind 3 either was built with.
# NB_DOMAIN keeps other projects' types called `array` out. The floor 3.11 has the buffer protocol.
nanobind_add_module(_core BACKEND_MODULE nanobind_backend STABLE_ABI_VERSION 3.11 NB_DOMAIN mlx
                    NB_SUPPRESS_WARNINGS NOMINSIZE ${binding_sources})
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
