# Installs library, headers and CMake package; in a wheel all of it is inside mlx/export.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
if(SKBUILD)
  set(prefix mlx/export/)
  set(CMAKE_INSTALL_LIBDIR lib)
  set(CMAKE_INSTALL_INCLUDEDIR include)
  install(TARGETS _export LIBRARY DESTINATION mlx/export)
  install(FILES ${package_dir}/_export.pyi DESTINATION mlx/export)
else()
  set(prefix "")
endif()
set(cmake_dir ${prefix}share/cmake/MLXExport)

install(TARGETS mlx-export EXPORT MLXExportTargets LIBRARY DESTINATION ${prefix}${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${prefix}${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY src/mlx DESTINATION ${prefix}${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
set_target_properties(mlx-export PROPERTIES EXPORT_NAME export)
install(EXPORT MLXExportTargets NAMESPACE MLX:: DESTINATION ${cmake_dir})

set(here ${package_dir}/share/cmake/MLXExport)
configure_file(cmake/MLXExportConfig.cmake ${here}/MLXExportConfig.cmake COPYONLY)
write_basic_package_version_file(${here}/MLXExportConfigVersion.cmake COMPATIBILITY SameMinorVersion)
export(EXPORT MLXExportTargets NAMESPACE MLX:: FILE ${here}/MLXExportTargets.cmake)
install(FILES ${here}/MLXExportConfig.cmake ${here}/MLXExportConfigVersion.cmake
        DESTINATION ${cmake_dir})
