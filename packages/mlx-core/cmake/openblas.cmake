# Finds BLAS and LAPACK: Accelerate on macOS, else OpenBLAS from the pip package scipy-openblas32.

add_library(mlx-blas INTERFACE)
if(APPLE)
  find_library(ACCELERATE Accelerate REQUIRED)
  target_link_libraries(mlx-blas INTERFACE ${ACCELERATE})
  target_compile_definitions(mlx-blas INTERFACE MLX_ACCELERATE ACCELERATE_NEW_LAPACK)
  set(MLX_BLAS "Accelerate")
  set(MLX_BLAS_DIR "")
else()
  foreach(what lib include)
    execute_process(
      COMMAND ${Python_EXECUTABLE} -c
              "import scipy_openblas32 as blas; print(blas.get_${what}_dir())"
      OUTPUT_VARIABLE MLX_BLAS_${what}
      OUTPUT_STRIP_TRAILING_WHITESPACE
      RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "mlx-core needs OpenBLAS: pip install scipy-openblas32 (${Python_EXECUTABLE})")
    endif()
  endforeach()
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c
            "from importlib.metadata import version; print(version('scipy-openblas32'))"
    OUTPUT_VARIABLE blas_version OUTPUT_STRIP_TRAILING_WHITESPACE)
  find_library(MLX_BLAS_LIBRARY scipy_openblas PATHS ${MLX_BLAS_lib} NO_DEFAULT_PATH REQUIRED)
  target_link_libraries(mlx-blas INTERFACE ${MLX_BLAS_LIBRARY})
  target_include_directories(mlx-blas SYSTEM INTERFACE ${MLX_BLAS_include})
  set(MLX_BLAS "OpenBLAS, scipy-openblas32 ${blas_version}")
  set(MLX_BLAS_DIR ${MLX_BLAS_lib})
endif()
