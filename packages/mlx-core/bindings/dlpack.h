// The memory layout of DLPack 1.1, as its specification states it.
#pragma once

#include <cstdint>

namespace mlx::core::python::dlpack {

struct Version {
  std::uint32_t major, minor;
};
inline constexpr Version version = {1, 1};

struct Device {
  std::int32_t type, id;
};
inline constexpr std::int32_t cpu = 1;

struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
enum Code : std::uint8_t {
  signed_code = 0,
  unsigned_code,
  float_code,
  opaque,
  bfloat,
  complex_code,
  boolean
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // elements; null: row-major
  std::uint64_t byte_offset;
};

struct Managed {  // before version 1
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

inline constexpr std::uint64_t read_only = 1, is_copied = 2;
struct ManagedVersioned {
  Version version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};

}  // namespace mlx::core::python::dlpack
