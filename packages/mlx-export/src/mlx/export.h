// The public header of mlx-export: all that a C++ program needs.
#pragma once

#include "mlx/export/events.h"         // IWYU pragma: export
#include "mlx/export/exporter.h"       // IWYU pragma: export
#include "mlx/export/function_file.h"  // IWYU pragma: export
