# Installs the library, the headers and the CMake package; in a wheel all of it is inside mlx/core.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
if(SKBUILD)
  set(prefix mlx/core/)
  set(CMAKE_INSTALL_LIBDIR lib)
  set(CMAKE_INSTALL_INCLUDEDIR include)
  install(TARGETS _core LIBRARY DESTINATION mlx/core)
  install(DIRECTORY ${package_dir}/ DESTINATION mlx/core FILES_MATCHING PATTERN "*.pyi")
else()
  set(prefix "")
endif()
set(cmake_dir ${prefix}share/cmake/MLXCore)

install(TARGETS mlx-core EXPORT MLXCoreTargets LIBRARY DESTINATION ${prefix}${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${prefix}${CMAKE_INSTALL_INCLUDEDIR})
# Kernels are nobody's business but the engine's; everything above them is public.
install(DIRECTORY src/mlx DESTINATION ${prefix}${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN backends EXCLUDE PATTERN lanes EXCLUDE)
set_target_properties(mlx-core PROPERTIES EXPORT_NAME core)
install(EXPORT MLXCoreTargets NAMESPACE MLX:: DESTINATION ${cmake_dir})

# Written into the build tree's package first: mlx.core.cmake_dir() works there without an install.
set(here ${package_dir}/share/cmake/MLXCore)
file(WRITE ${here}/MLXCoreConfig.cmake
     "# find_package(MLXCore): the target MLX::core.\n"
     "include(\${CMAKE_CURRENT_LIST_DIR}/MLXCoreTargets.cmake)\n")
write_basic_package_version_file(${here}/MLXCoreConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(COPY cmake/MLXExtension.cmake DESTINATION ${here})
export(EXPORT MLXCoreTargets NAMESPACE MLX:: FILE ${here}/MLXCoreTargets.cmake)
install(FILES ${here}/MLXCoreConfig.cmake ${here}/MLXCoreConfigVersion.cmake
              cmake/MLXExtension.cmake
        DESTINATION ${cmake_dir})
