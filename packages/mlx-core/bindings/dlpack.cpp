// DLPack both ways: arrays of ours for other libraries, arrays of other libraries for us.
#include "dlpack.h"

#include "families.h"
#include "host.h"

namespace mlx::core::python {
namespace {

constexpr const char* versioned_name = "dltensor_versioned";
constexpr const char* used_versioned_name = "used_dltensor_versioned";
constexpr const char* legacy_name = "dltensor";
constexpr const char* used_legacy_name = "used_dltensor";

dlpack::DataType data_type(Dtype d) {
  auto bits = static_cast<std::uint8_t>(8 * size_of(d));
  switch (kind_of(d)) {
    case Kind::boolean:
      return {dlpack::boolean, bits, 1};
    case Kind::unsigned_integer:
      return {dlpack::unsigned_code, bits, 1};
    case Kind::signed_integer:
      return {dlpack::signed_code, bits, 1};
    case Kind::floating:
      return {d == Dtype::bfloat16 ? dlpack::bfloat : dlpack::float_code, bits, 1};
    case Kind::complex:
      return {dlpack::complex_code, bits, 1};
  }
  __builtin_unreachable();
}

Dtype dtype_of_data(std::string_view op, dlpack::DataType type) {
  for (int i = 0; i < dtype_count; ++i) {
    auto d = static_cast<Dtype>(i);
    dlpack::DataType known = data_type(d);
    if (known.code == type.code && known.bits == type.bits && type.lanes == 1) return d;
  }
  raise<TypeError>(op, "unusable DLPack dtype: got code ", int(type.code), " with ", int(type.bits),
                   " bits and ", type.lanes, " lanes; expected bools or numbers of 1 to 8 bytes");
}

// --- out -----------------------------------------------------------------------------------------

// What a consumer holds: the array, and the numbers that the tensor points to.
template <class ManagedTensor>
struct Export {
  ManagedTensor managed{};
  array held;
  Shape shape;
  Strides strides;

  explicit Export(array a) : held(std::move(a)), shape(held.shape()) {
    Tensor tensor = held.tensor();
    strides = tensor.strides;
    managed.tensor = {tensor.data,
                      {dlpack::cpu, 0},
                      tensor.ndim(),
                      data_type(tensor.dtype),
                      shape.data(),
                      strides.data(),
                      0};
    managed.context = this;
    managed.deleter = [](ManagedTensor* m) { delete static_cast<Export*>(m->context); };
  }
};

template <class ManagedTensor>
void delete_unused(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;  // taken over by a consumer
  auto* managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

nb::object make_capsule(void* managed, const char* name, PyCapsule_Destructor destructor) {
  PyObject* capsule = PyCapsule_New(managed, name, destructor);
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

nb::object export_versioned(const array& a, bool copied) {
  auto held = std::make_unique<Export<dlpack::ManagedVersioned>>(a);
  held->managed.version = dlpack::version;
  held->managed.flags = copied ? dlpack::is_copied : dlpack::read_only;
  nb::object capsule = make_capsule(&held->managed, versioned_name, [](PyObject* c) {
    delete_unused<dlpack::ManagedVersioned>(c, versioned_name);
  });
  held.release();
  return capsule;
}

nb::object export_legacy(const array& a) {
  auto held = std::make_unique<Export<dlpack::Managed>>(a);
  nb::object capsule = make_capsule(&held->managed, legacy_name, [](PyObject* c) {
    delete_unused<dlpack::Managed>(c, legacy_name);
  });
  held.release();
  return capsule;
}

array copy_of(const array& a) {
  HostArray host = as_host(evaluated_tensor(a));
  return import_host("__dlpack__", host, {.copy = Copy::always, .narrow = false});
}

// Raises BufferError, the class that the protocol asks for.
[[noreturn]] void refuse(const std::string& message) {
  PyErr_SetString(PyExc_BufferError, ("[__dlpack__] " + message).c_str());
  throw nb::python_error();
}

std::pair<std::int64_t, std::int64_t> read_pair(const char* name, nb::handle object) {
  SmallVector<std::int64_t, 4> numbers;
  if (!load_integers(object, numbers) || numbers.size() != 2) {
    raise<TypeError>("__dlpack__", "unusable ", name, ": got ", nb::inst_name(object).c_str(),
                     "; expected None or a tuple of two ints");
  }
  return {numbers[0], numbers[1]};
}

nb::object export_array(const array& a, nb::handle stream, nb::handle max_version,
                        nb::handle device, std::optional<bool> copy) {
  if (!stream.is_none()) refuse("a CPU has no streams here: got a stream; expected None");
  if (!device.is_none()) {
    auto [type, index] = read_pair("dl_device", device);
    if (type != dlpack::cpu || index != 0) {
      refuse("no such device: got (" + std::to_string(type) + ", " + std::to_string(index) +
             "); expected (1, 0), the CPU");
    }
  }
  bool versioned = !max_version.is_none() && read_pair("max_version", max_version).first >= 1;
  bool copies = copy.value_or(false);
  array source = copies ? copy_of(a) : a;
  evaluate(source);
  return versioned ? export_versioned(source, copies) : export_legacy(source);
}

// --- in ------------------------------------------------------------------------------------------

HostArray read_tensor(std::string_view op, const dlpack::Tensor& tensor,
                      std::shared_ptr<void> owner) {
  if (tensor.device.type != dlpack::cpu) {
    raise<ValueError>(op, "not in the CPU's memory: got DLPack device (", tensor.device.type, ", ",
                      tensor.device.id, "); expected (1, 0)");
  }
  HostArray host;
  host.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
  host.dtype = dtype_of_data(op, tensor.dtype);
  host.shape = Shape(tensor.shape, tensor.shape + tensor.ndim);
  host.strides = tensor.strides != nullptr && tensor.ndim > 0
                     ? Strides(tensor.strides, tensor.strides + tensor.ndim)
                     : row_major_strides(host.shape);
  for (std::int64_t& stride : host.strides) stride *= size_of(host.dtype);
  host.owner = std::move(owner);
  return host;
}

// Takes the tensor out of the capsule; its deleter may want Python's lock.
template <class ManagedTensor>
std::shared_ptr<void> take(PyObject* capsule, ManagedTensor* managed, const char* used_name) {
  if (PyCapsule_SetName(capsule, used_name) != 0) throw nb::python_error();
  return std::shared_ptr<ManagedTensor>(managed, [](ManagedTensor* m) {
    if (m->deleter == nullptr || !nb::is_alive()) return;
    nb::gil_scoped_acquire gil;
    m->deleter(m);
  });
}

HostArray read_capsule(std::string_view op, PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, versioned_name)) {
    auto* managed =
        static_cast<dlpack::ManagedVersioned*>(PyCapsule_GetPointer(capsule, versioned_name));
    if (managed->version.major > dlpack::version.major) {
      raise<ValueError>(op, "unknown DLPack version: got ", managed->version.major, ".",
                        managed->version.minor, "; expected 1.x");
    }
    return read_tensor(op, managed->tensor, take(capsule, managed, used_versioned_name));
  }
  if (PyCapsule_IsValid(capsule, legacy_name)) {
    auto* managed = static_cast<dlpack::Managed*>(PyCapsule_GetPointer(capsule, legacy_name));
    return read_tensor(op, managed->tensor, take(capsule, managed, used_legacy_name));
  }
  raise<TypeError>(op, "unusable result of __dlpack__: got ", nb::inst_name(capsule).c_str(),
                   "; expected a DLPack capsule that nobody has taken");
}

nb::object ask_for_capsule(nb::handle object, Copy copy) {
  nb::dict keywords;
  keywords["max_version"] = nb::make_tuple(dlpack::version.major, dlpack::version.minor);
  if (copy == Copy::never) keywords["copy"] = false;
  try {
    return object.attr("__dlpack__")(**keywords);
  } catch (nb::python_error& e) {
    // A producer from before version 1 knows no keywords; it never copies unasked.
    if (!e.matches(PyExc_TypeError)) throw;
  }
  return object.attr("__dlpack__")();
}

array from_dlpack(nb::handle object, const StreamOrDevice& device, std::optional<bool> copy) {
  if (!std::holds_alternative<std::monostate>(device)) require_available(to_stream(device).device);
  Copy policy = !copy ? Copy::if_needed : *copy ? Copy::always : Copy::never;
  if (is_array(object.ptr()) && policy != Copy::always) return as_array(object.ptr());
  auto host = host_from_dlpack("from_dlpack", object.ptr(), policy);
  if (!host) {
    raise<TypeError>("from_dlpack", "no DLPack: got ", nb::inst_name(object).c_str(),
                     "; expected an object with __dlpack__");
  }
  return import_host("from_dlpack", *host, {.copy = policy, .narrow = false});
}

}  // namespace

std::optional<HostArray> host_from_dlpack(std::string_view op, PyObject* object, Copy copy) {
  if (!nb::hasattr(object, "__dlpack__") || PyType_Check(object)) return std::nullopt;
  nb::object capsule = ask_for_capsule(object, copy);
  return read_capsule(op, capsule.ptr());
}

void bind_dlpack(nb::module_& m) {
  array_class()
      .def(
          "__dlpack__",
          [](const array& self, nb::handle stream, nb::handle max_version, nb::handle dl_device,
             std::optional<bool> copy) {
            return export_array(self, stream, max_version, dl_device, copy);
          },
          nb::kw_only(), nb::arg("stream") = nb::none(), nb::arg("max_version") = nb::none(),
          nb::arg("dl_device") = nb::none(), nb::arg("copy") = nb::none(),
          nb::sig("def __dlpack__(self, *, stream: None = None, max_version: tuple[int, int] | "
                  "None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = "
                  "None) -> typing_extensions.CapsuleType"),
          R"(The array for a consumer of DLPack, which may only read it.

Args:
    stream: None; a CPU has no streams here.
    max_version: The newest version that the consumer knows. From 1.0 on it is told that the
        memory is read-only; without it the capsule is of the form before 1.0, which cannot say so.
    dl_device: None or ``(1, 0)``, the CPU.
    copy: True gives the consumer memory of its own, which it may write.

Raises:
    BufferError: The stream or device is not there.)")
      .def(
          "__dlpack_device__", [](const array&) { return nb::make_tuple(dlpack::cpu, 0); },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"),
          "``(1, 0)``: the CPU in DLPack's numbers.");

  m.def("from_dlpack", &from_dlpack, nb::arg(), nb::kw_only(), nb::arg("device") = nb::none(),
        nb::arg("copy") = nb::none(),
        nb::sig("def from_dlpack(x: object, /, *, device: Device | DeviceType | None = None, copy: "
                "bool | None = None) -> array"),
        R"(An array of another library's as an array of ours, by DLPack.

The memory is shared if ``copy`` is not True: what the other library writes to it later is seen.
The dtype stays as it is.

Args:
    x: An object with ``__dlpack__``, in the CPU's memory.
    device: The device to compute on.
    copy: True copies, False raises where sharing is impossible, None copies only then.

Raises:
    TypeError: ``x`` has no ``__dlpack__``, or a dtype that the engine has not.
    ValueError: ``x`` is in another device's memory, or ``copy`` is False and must be True.

>>> mx.from_dlpack(mx.array([1, 2], dtype=mx.float64))
array([1, 2], dtype=float64))");
}

}  // namespace mlx::core::python
