// Memory of other libraries as arrays: formats, sharing and copying.
#include "host.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "mlx/ops/cast.h"

namespace mlx::core::python {
namespace {

struct BufferRelease {
  void operator()(Py_buffer* view) const {
    PyBuffer_Release(view);
    delete view;
  }
};

// Native sizes of the struct module's letters: kind and bytes.
std::optional<Dtype> dtype_of_letter(char letter, std::size_t size) {
  switch (letter) {
    case '?':
      return Dtype::bool_;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return size == 1   ? Dtype::int8
             : size == 2 ? Dtype::int16
             : size == 4 ? Dtype::int32
                         : Dtype::int64;
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      return size == 1   ? Dtype::uint8
             : size == 2 ? Dtype::uint16
             : size == 4 ? Dtype::uint32
                         : Dtype::uint64;
    case 'e':
      return Dtype::float16;
    case 'f':
      return Dtype::float32;
    case 'd':
      return Dtype::float64;
    default:
      return std::nullopt;
  }
}

// Low and high end of the bytes that an array with these strides covers, from its first element.
std::pair<std::int64_t, std::int64_t> extent(const HostArray& host) {
  std::int64_t low = 0, high = size_of(host.dtype);
  for (std::size_t i = 0; i < host.shape.size(); ++i) {
    if (host.shape[i] == 0) return {0, 0};
    std::int64_t reach = host.strides[i] * (host.shape[i] - 1);
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

bool can_share(const HostArray& host) {
  int size = size_of(host.dtype);
  // The parts of a complex number are what must be aligned.
  int alignment = is_complex(host.dtype) ? size / 2 : size;
  if (host.swapped || reinterpret_cast<std::uintptr_t>(host.data) % alignment != 0) return false;
  for (std::size_t i = 0; i < host.shape.size(); ++i) {
    if (host.shape[i] > 1 && host.strides[i] % size != 0) return false;
  }
  return true;
}

array share(const HostArray& host) {
  auto [low, high] = extent(host);
  BufferRef buffer = borrow(host.data + low, static_cast<std::size_t>(high - low), host.owner);
  Strides strides;
  for (std::size_t i = 0; i < host.shape.size(); ++i) {
    strides.push_back(host.shape[i] > 1 ? host.strides[i] / size_of(host.dtype) : 0);
  }
  // Axes of one element have no stride to speak of; make the common case look row-major.
  if (is_row_major(host.shape, strides)) strides = row_major_strides(host.shape);
  return array(std::move(buffer), host.shape, std::move(strides), host.dtype, -low);
}

template <class Body>
void for_each_row(const HostArray& host, Body&& body) {
  std::size_t outer = host.shape.size() - 1;
  SmallVector<std::int64_t, 4> index(outer, 0);
  const std::byte* row = host.data;
  while (true) {
    body(row);
    std::size_t axis = outer;
    while (axis-- > 0) {
      row += host.strides[axis];
      if (++index[axis] < host.shape[axis]) break;
      row -= host.strides[axis] * host.shape[axis];
      index[axis] = 0;
      if (axis == 0) return;
    }
    if (outer == 0) return;
  }
}

template <class Word>
void copy_strided(const HostArray& host, std::byte* target) {
  std::int64_t count = host.shape.back(), stride = host.strides.back();
  for_each_row(host, [&](const std::byte* row) {
    if (stride == sizeof(Word)) {
      std::memcpy(target, row, static_cast<std::size_t>(count) * sizeof(Word));
      target += static_cast<std::size_t>(count) * sizeof(Word);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i, row += stride, target += sizeof(Word)) {
      std::memcpy(target, row, sizeof(Word));
    }
  });
}

template <class From, class To>
void copy_narrowed(const HostArray& host, To* target) {
  std::int64_t count = host.shape.back(), stride = host.strides.back();
  for_each_row(host, [&](const std::byte* row) {
    for (std::int64_t i = 0; i < count; ++i, row += stride) {
      From value;
      std::memcpy(&value, row, sizeof(From));
      *target++ = static_cast<To>(value);
    }
  });
}

void swap_bytes(std::byte* data, std::size_t words, std::size_t size) {
  for (std::size_t i = 0; i < words; ++i, data += size) std::reverse(data, data + size);
}

// float64 and complex128 become float32 and complex64 on the way in, without a second pass.
array copy_narrow(const HostArray& host) {
  bool is_real = host.dtype == Dtype::float64;
  Dtype dtype = is_real ? Dtype::float32 : Dtype::complex64;
  HostArray parts = host;
  if (parts.shape.empty()) {
    parts.shape.push_back(1);
    parts.strides.push_back(0);
  }
  if (!is_real) {
    parts.shape.push_back(2);
    parts.strides.push_back(sizeof(double));
  }
  std::int64_t count = element_count(parts.shape);
  BufferRef buffer = allocate(static_cast<std::size_t>(count) * sizeof(float));
  if (count > 0) copy_narrowed<double>(parts, reinterpret_cast<float*>(buffer->data()));
  return array(std::move(buffer), host.shape, dtype);
}

// Exporters may leave out what follows from the rest.
void read_layout(const Py_buffer& view, HostArray& host) {
  if (view.shape != nullptr) {
    host.shape = Shape(view.shape, view.shape + view.ndim);
  } else if (view.ndim > 0) {
    host.shape = {view.len / view.itemsize};
  }
  if (view.strides != nullptr) {
    host.strides = Strides(view.strides, view.strides + view.ndim);
  } else {
    host.strides = row_major_strides(host.shape);
    for (std::int64_t& stride : host.strides) stride *= view.itemsize;
  }
}

std::optional<HostArray> host_from_interface_dict(std::string_view op, PyObject* object,
                                                  const nb::dict& interface) {
  HostArray host;
  std::string type = nb::cast<std::string>(interface["typestr"]);
  std::size_t size = type.size() > 2 ? std::stoul(type.substr(2)) : 0;
  std::string letters = type.substr(0, 1);
  switch (type[1]) {
    case 'b':
      letters += '?';
      break;
    case 'i':
      letters += 'q';
      break;
    case 'u':
      letters += 'Q';
      break;
    case 'f':
      letters += size == 2 ? 'e' : size == 4 ? 'f' : 'd';
      break;
    case 'c':
      letters += size == 8 ? "Zf" : "Zd";
      break;
    default:
      letters += type[1];
  }
  auto format = parse_format(letters.c_str(), size);
  if (!format) {
    raise<TypeError>(op, "unusable elements: got typestr '", type, "' of ",
                     nb::inst_name(object).c_str(), "; expected bools or numbers of 1 to 8 bytes");
  }
  host.dtype = format->dtype;
  host.swapped = format->swapped;
  for (nb::handle n : nb::borrow<nb::sequence>(interface["shape"])) {
    host.shape.push_back(nb::cast<std::int64_t>(n));
  }
  nb::object strides =
      interface.contains("strides") ? nb::object(interface["strides"]) : nb::none();
  if (!strides.is_none()) {
    for (nb::handle n : nb::borrow<nb::sequence>(strides)) {
      host.strides.push_back(nb::cast<std::int64_t>(n));
    }
  } else {
    host.strides = row_major_strides(host.shape);
    for (std::int64_t& stride : host.strides) stride *= size_of(host.dtype);
  }
  nb::object data = interface.contains("data") ? nb::object(interface["data"]) : nb::none();
  if (nb::isinstance<nb::tuple>(data)) {
    host.data = reinterpret_cast<std::byte*>(nb::cast<std::uintptr_t>(data[0]));
    host.owner = keep_alive(nb::make_tuple(nb::borrow(object), interface));
    return host;
  }
  auto bytes = host_from_buffer(op, data.is_none() ? object : data.ptr());
  if (!bytes) return std::nullopt;
  host.data = bytes->data;
  host.owner = bytes->owner;
  return host;
}

}  // namespace

std::optional<Format> parse_format(const char* format, std::size_t itemsize) {
  if (format == nullptr) format = "B";
  bool little = std::endian::native == std::endian::little;
  bool swapped = false;
  switch (*format) {
    case '<':
      swapped = !little;
      ++format;
      break;
    case '>':
    case '!':
      swapped = little;
      ++format;
      break;
    case '@':
    case '=':
    case '|':
      ++format;
      break;
    default:
      break;
  }
  std::optional<Dtype> dtype;
  if (format[0] == 'Z' && format[1] != '\0' && format[2] == '\0') {
    if (format[1] == 'f') dtype = Dtype::complex64;
    if (format[1] == 'd') dtype = Dtype::complex128;
  } else if (format[0] != '\0' && format[1] == '\0') {
    dtype = dtype_of_letter(format[0], itemsize);
  }
  if (!dtype || size_of(*dtype) != static_cast<int>(itemsize)) return std::nullopt;
  return Format{*dtype, swapped && itemsize > 1};
}

std::optional<HostArray> host_from_buffer(std::string_view op, PyObject* object) {
  if (!PyObject_CheckBuffer(object)) return std::nullopt;
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object, view.get(), PyBUF_FULL_RO) != 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  std::unique_ptr<Py_buffer, BufferRelease> held(view.release());
  auto format = parse_format(held->format, static_cast<std::size_t>(held->itemsize));
  // numpy's dates give their bytes without saying so, which no number does.
  bool is_date = held->ndim != 0 && is_numpy_scalar(object);
  if (!format || held->suboffsets != nullptr || is_date) {
    raise<TypeError>(op, "unusable elements: got a buffer of format '",
                     held->format != nullptr ? held->format : "B", "' from ",
                     nb::inst_name(object).c_str(), "; expected bools or numbers of 1 to 8 bytes");
  }
  HostArray host;
  host.data = static_cast<std::byte*>(held->buf);
  host.dtype = format->dtype;
  host.swapped = format->swapped;
  read_layout(*held, host);
  host.owner = std::shared_ptr<Py_buffer>(held.release(), [](Py_buffer* buffer) {
    if (!nb::is_alive()) return;
    nb::gil_scoped_acquire gil;
    BufferRelease{}(buffer);
  });
  return host;
}

std::optional<HostArray> host_from_interface(std::string_view op, PyObject* object) {
  nb::object interface = nb::getattr(nb::handle(object), "__array_interface__", nb::none());
  if (!nb::isinstance<nb::dict>(interface)) return std::nullopt;
  return host_from_interface_dict(op, object, nb::borrow<nb::dict>(interface));
}

std::optional<HostArray> host_from_bfloat16(std::string_view op, PyObject* object) {
  nb::object dtype = nb::getattr(nb::handle(object), "dtype", nb::none());
  nb::object name = nb::getattr(dtype, "name", nb::none());
  if (!nb::isinstance<nb::str>(name) || nb::cast<std::string>(name) != "bfloat16" ||
      !nb::hasattr(object, "view")) {
    return std::nullopt;
  }
  nb::object bits = nb::handle(object).attr("view")("uint16");
  auto host = host_from_buffer(op, bits.ptr());
  if (host) host->dtype = Dtype::bfloat16;
  return host;
}

HostArray as_host(const Tensor& tensor) {
  HostArray host{tensor.data, tensor.dtype, tensor.shape, tensor.strides, false, nullptr};
  for (std::int64_t& stride : host.strides) stride *= size_of(tensor.dtype);
  return host;
}

void copy_elements(const HostArray& host, std::byte* target) {
  auto size = static_cast<std::size_t>(size_of(host.dtype));
  std::int64_t count = element_count(host.shape);
  if (count == 0) return;
  Strides elements;
  bool whole = true;
  for (std::int64_t stride : host.strides) {
    whole = whole && stride % static_cast<std::int64_t>(size) == 0;
    elements.push_back(stride / static_cast<std::int64_t>(size));
  }
  if (host.shape.empty() || (whole && is_row_major(host.shape, elements))) {
    std::memcpy(target, host.data, static_cast<std::size_t>(count) * size);
  } else {
    struct Wide {
      std::uint64_t parts[2];
    };
    switch (size) {
      case 1:
        copy_strided<std::uint8_t>(host, target);
        break;
      case 2:
        copy_strided<std::uint16_t>(host, target);
        break;
      case 4:
        copy_strided<std::uint32_t>(host, target);
        break;
      case 8:
        copy_strided<std::uint64_t>(host, target);
        break;
      default:
        copy_strided<Wide>(host, target);
    }
  }
  if (!host.swapped) return;
  std::size_t words = static_cast<std::size_t>(count) * (is_complex(host.dtype) ? 2 : 1);
  swap_bytes(target, words, static_cast<std::size_t>(size_of(real_of(host.dtype))));
}

array import_host(std::string_view op, const HostArray& host, const ConvertOptions& options) {
  bool is_wide = host.dtype == Dtype::float64 || host.dtype == Dtype::complex128;
  Dtype dtype = options.dtype.value_or(
      is_wide && options.narrow ? (host.dtype == Dtype::float64 ? Dtype::float32 : Dtype::complex64)
                                : host.dtype);
  bool shares = dtype == host.dtype && can_share(host);
  if (options.copy == Copy::never && !shares) {
    raise<ValueError>(op, "the memory cannot be shared: got copy=False for ",
                      host.swapped          ? "swapped bytes"
                      : dtype != host.dtype ? "another dtype"
                                            : "unaligned elements",
                      "; expected copy=None or copy=True");
  }
  if (shares && options.copy != Copy::always) return share(host);
  if (is_wide && !host.swapped && real_of(dtype) == Dtype::float32 &&
      is_complex(dtype) == is_complex(host.dtype)) {
    return copy_narrow(host);
  }
  std::int64_t count = element_count(host.shape);
  BufferRef buffer = allocate(static_cast<std::size_t>(count * size_of(host.dtype)));
  copy_elements(host, buffer->data());
  array copy(std::move(buffer), host.shape, host.dtype);
  return dtype == host.dtype ? copy : astype(copy, dtype);
}

}  // namespace mlx::core::python
