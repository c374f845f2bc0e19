# For Python extensions that share the type mlx.core.array: mlx.core's own, and other projects'.
#   mlx_add_extension(name sources...)
#   mlx_link_python_files(from to)
# Needs find_package(Python COMPONENTS Interpreter Development.Module) first.

execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(nanobind 3.1 CONFIG REQUIRED)

# Split mode: one extension for every Python from 3.11 on, and it understands the types of another
# one whatever nanobind 3 that was built with. 3.11 is the first stable ABI with buffers.
# NB_DOMAIN keeps other projects' types out.
macro(mlx_add_extension name)
  nanobind_add_module(${name} BACKEND_MODULE nanobind_backend STABLE_ABI_VERSION 3.11 NB_DOMAIN mlx
                      NB_SUPPRESS_WARNINGS NOMINSIZE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # g++ does not see that nanobind's casters of optional arguments check before they read.
    target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
  endif()
endmacro()

# Lays the package's Python files beside its extension in the build tree. Links, not copies: an edit
# is live at once. The variable mlx_python_files has them afterwards.
function(mlx_link_python_files from to)
  file(GLOB_RECURSE files RELATIVE ${from} CONFIGURE_DEPENDS ${from}/*.py ${from}/py.typed)
  foreach(file IN LISTS files)
    get_filename_component(folder ${to}/${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${from}/${file} ${to}/${file} SYMBOLIC)
  endforeach()
  list(TRANSFORM files PREPEND ${from}/)
  set(mlx_python_files ${files} PARENT_SCOPE)
endfunction()
