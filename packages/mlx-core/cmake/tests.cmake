# One executable per tests/cpp/*.cpp, linked with the engine's objects, hidden symbols included.

file(GLOB test_sources CONFIGURE_DEPENDS tests/cpp/*.cpp)
foreach(source IN LISTS test_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(test-${name} ${source} $<TARGET_OBJECTS:mlx-core-objects> ${lane_objects})
  target_link_libraries(test-${name} PRIVATE mlx-build-settings mlx-blas Threads::Threads)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_link_libraries(test-${name} PRIVATE quadmath)  # what the accuracy tests compare with
  endif()
  target_include_directories(test-${name} PRIVATE tests/cpp)
  set_target_properties(test-${name} PROPERTIES BUILD_RPATH "${MLX_BLAS_DIR}")
  add_test(NAME ${name} COMMAND test-${name})
endforeach()
