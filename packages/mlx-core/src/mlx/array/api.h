// Marks what the shared library exports.
#pragma once

#if defined(_WIN32)
#define MLX_API __declspec(dllexport)
#else
#define MLX_API __attribute__((visibility("default")))
#endif
