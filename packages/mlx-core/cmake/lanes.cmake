# Compiles src/mlx/backends/cpu/lanes/*.cpp once per instruction set.

# No fast-math: only errno and floating point traps are given up, which no result depends on. Fused
# multiply-adds are written out where they are wanted (ops/lanes/support.h).
set(MLX_LANE_FLAGS -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Threading jumps turns neighbouring selects into branches: log and power lose 10 to 15 percent.
  list(APPEND MLX_LANE_FLAGS -fno-thread-jumps)
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(MLX_LANE_SETS v2 v3 v4)
  set(MLX_LANE_FLAGS_v2 -march=x86-64-v2)
  set(MLX_LANE_FLAGS_v3 -march=x86-64-v3)
  # Compilers prefer 256-bit vectors even for v4; the tile loops are long enough for 512.
  set(MLX_LANE_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(MLX_LANE_SETS native_isa)
endif()

# Sets ${OUT} to the objects of all lane files for all instruction sets.
function(mlx_add_lanes OUT)
  file(GLOB lane_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/mlx/backends/cpu/lanes/*.cpp)
  set(objects)
  if(lane_sources)
    foreach(set IN LISTS MLX_LANE_SETS)
      add_library(mlx-lanes-${set} OBJECT ${lane_sources})
      target_link_libraries(mlx-lanes-${set} PRIVATE mlx-build-settings)
      target_compile_options(mlx-lanes-${set} PRIVATE ${MLX_LANE_FLAGS} ${MLX_LANE_FLAGS_${set}})
      target_compile_definitions(mlx-lanes-${set} PRIVATE MLX_ISA=${set})
      list(APPEND objects $<TARGET_OBJECTS:mlx-lanes-${set}>)
    endforeach()
    if(CMAKE_NM AND NOT MLX_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
      # The linker keeps one copy of a weak symbol: were it the v4 copy, an older CPU would fault.
      set(stamp ${CMAKE_CURRENT_BINARY_DIR}/lanes-checked)
      add_custom_command(
        OUTPUT ${stamp}
        COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/check_lanes.py
                --nm ${CMAKE_NM} --stamp ${stamp} ${objects}
        DEPENDS ${objects} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/check_lanes.py
        COMMAND_EXPAND_LISTS VERBATIM)
      add_custom_target(mlx-lanes-checked ALL DEPENDS ${stamp})
    endif()
  endif()
  set(${OUT} ${objects} PARENT_SCOPE)
endfunction()
