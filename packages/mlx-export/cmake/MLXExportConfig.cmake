# find_package(MLXExport): the target MLX::export, which brings MLX::core of the package beside it.
include(CMakeFindDependencyMacro)
if(NOT MLXCore_DIR)
  # As installed by pip: <site-packages>/mlx/export/share/cmake/MLXExport and mlx/core/share/...
  set(MLXCore_DIR ${CMAKE_CURRENT_LIST_DIR}/../../../../core/share/cmake/MLXCore)
endif()
find_dependency(MLXCore CONFIG)
include(${CMAKE_CURRENT_LIST_DIR}/MLXExportTargets.cmake)
