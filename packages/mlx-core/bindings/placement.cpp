// Where arrays live and what devices have: what the Array API standard asks of the engine itself.
#include "families.h"
#include "mlx/ops/index.h"
#include "mlx/ops/op.h"
#include "mlx/ops/strided.h"
#include "support.h"

namespace mlx::core::python {
namespace {

Device device_of(const StreamOrDevice& where) { return to_stream(where).device; }

nb::tuple supported(const StreamOrDevice& where) {
  DtypeSet set = supported_dtypes(device_of(where));
  nb::list found;
  for (int i = 0; i < dtype_count; ++i) {
    if (set.contains(static_cast<Dtype>(i))) found.append(dtype_object(static_cast<Dtype>(i)));
  }
  return nb::tuple(found);
}

void narrow(const StreamOrDevice& where, const nb::iterable& dtypes) {
  DtypeSet set;
  for (nb::handle dtype : dtypes) set = set | DtypeSet{nb::cast<Dtype>(dtype)};
  narrow_supported_dtypes(device_of(where), set);
}

array to_device(const array& a, const StreamOrDevice& where, const StreamOrDevice& stream) {
  Device device = device_of(where);
  require_available(device);
  if (device == a.node().stream.device && std::holds_alternative<std::monostate>(stream)) return a;
  Stream queue =
      std::holds_alternative<std::monostate>(stream) ? default_stream(device) : to_stream(stream);
  if (queue.device != device) {
    raise<ValueError>("to_device", "the stream is on another device: got ", to_string(queue),
                      " for ", to_string(device));
  }
  return contiguous(a, true, queue);  // memory is unified: nothing is copied
}

}  // namespace

void bind_placement(nb::module_& m) {
  m.def("supported_dtypes", &supported, nb::arg("device") = nb::none(),
        nb::sig("def supported_dtypes(device: Stream | Device | DeviceType | None = None) -> "
                "tuple[Dtype, ...]"),
        R"(The dtypes that a device computes in; without a device, the default one's.

>>> mx.float64 in mx.supported_dtypes(mx.cpu)
True)");
  m.def("_narrow_supported_dtypes", &narrow, nb::arg("device").none(), nb::arg("dtypes"),
        nb::sig("def _narrow_supported_dtypes(device: Device | DeviceType | None, "
                "dtypes: collections.abc.Iterable[Dtype]) -> None"),
        "For tests: from now on the device claims to have these dtypes and no others.");
  m.def(
      "_require_concrete", [](const std::string& op, const array& a) { require_concrete(op, a); },
      nb::arg("op"), nb::arg("a"), nb::sig("def _require_concrete(op: str, a: array) -> None"),
      "Raises ValueError, naming the op, where the array is being traced and has no value.");
  array_class()
      .def_prop_ro(
          "device", [](const array& a) { return a.node().stream.device; },
          nb::sig("def device(self) -> Device"),
          R"(The device that computes the array.

>>> mx.array(1).device
Device(cpu, 0))")
      .def("to_device", &to_device, nb::arg("device"), nb::kw_only(),
           nb::arg("stream") = nb::none(),
           nb::sig("def to_device(self, device: Device | DeviceType, /, *, "
                   "stream: Stream | None = None) -> array"),
           R"(The array as one of another device; memory is unified, so nothing is copied.

Raises:
    ValueError: This build has no such device, or the stream is on another one.

>>> mx.array([1, 2]).to_device(mx.cpu).device
Device(cpu, 0))");
}

}  // namespace mlx::core::python
