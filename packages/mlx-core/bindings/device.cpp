// Devices, streams and the thread's choice of them.
#include "families.h"
#include "support.h"

namespace mlx::core::python {
namespace {

// `with mx.stream(s):` makes s the default, and what was the default before again afterwards.
class StreamContext {
 public:
  explicit StreamContext(StreamOrDevice where) : where_(std::move(where)) {}

  void enter() {
    if (std::holds_alternative<std::monostate>(where_)) return;
    Stream stream = to_stream(where_);
    saved_.push_back({default_device(), default_stream(stream.device)});
    set_default_device(stream.device);
    set_default_stream(stream);
  }

  void exit() {
    if (saved_.empty()) return;
    auto [device, stream] = saved_.back();
    saved_.pop_back();
    set_default_stream(stream);
    set_default_device(device);
  }

 private:
  StreamOrDevice where_;
  std::vector<std::pair<Device, Stream>> saved_;  // a context may be entered again inside itself
};

void bind_classes(nb::module_& m) {
  nb::enum_<Device::Type>(m, "DeviceType",
                          "A kind of device: ``mx.cpu`` or ``mx.gpu``.\n\n"
                          ">>> mx.cpu\nDeviceType.cpu")
      .value("cpu", Device::Type::cpu)
      .value("gpu", Device::Type::gpu)
      .export_values();

  nb::class_<Device>(m, "Device",
                     "A device: its kind and which one of that kind.\n\n"
                     ">>> mx.Device(mx.cpu)\nDevice(cpu, 0)\n"
                     ">>> mx.Device(mx.cpu) == mx.cpu\nTrue")
      .def(
          "__init__",
          [](Device* self, Device::Type type, std::int32_t index) {
            new (self) Device{type, index};
          },
          nb::arg("type"), nb::arg("index") = 0,
          nb::sig("def __init__(self, type: DeviceType, index: int = 0) -> None"))
      .def_prop_ro(
          "type", [](const Device& d) { return d.type; }, "``mx.cpu`` or ``mx.gpu``.")
      .def_prop_ro(
          "index", [](const Device& d) { return d.index; }, "Which one of its kind.")
      .def("__repr__", [](const Device& d) { return to_string(d); })
      .def(
          "__eq__", [](const Device& a, const Device& b) { return a == b; }, nb::is_operator(),
          nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Device& d) { return static_cast<Py_hash_t>(d.type) * 31 + d.index; })
      .def("__reduce__", [](const Device& d) {
        return nb::make_tuple(nb::type<Device>(), nb::make_tuple(d.type, d.index));
      });
  nb::implicitly_convertible<Device::Type, Device>();

  nb::class_<Stream>(m, "Stream",
                     "A queue of work on a device.\n\n"
                     ">>> mx.default_stream(mx.cpu)\nStream(Device(cpu, 0), 0)")
      .def_prop_ro(
          "device", [](const Stream& s) { return s.device; }, "Where its work runs.")
      .def_prop_ro(
          "index", [](const Stream& s) { return s.index; }, "Its number.")
      .def("__repr__", [](const Stream& s) { return to_string(s); })
      .def(
          "__eq__", [](const Stream& a, const Stream& b) { return a == b; }, nb::is_operator(),
          nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Stream& s) {
        return (static_cast<Py_hash_t>(s.device.type) * 31 + s.device.index) * 31 + s.index;
      });

  nb::class_<StreamContext>(m, "StreamContext",
                            "Makes a stream the default inside a ``with`` block; see "
                            ":func:`stream`.")
      .def(nb::init<StreamOrDevice>(), nb::arg("s").none())
      .def("__enter__", &StreamContext::enter)
      .def(
          "__exit__", [](StreamContext& self, nb::handle, nb::handle, nb::handle) { self.exit(); },
          nb::arg("exc_type") = nb::none(), nb::arg("exc_value") = nb::none(),
          nb::arg("traceback") = nb::none());
}

}  // namespace

bool load_stream(nb::handle object, StreamOrDevice& stream) noexcept {
  if (auto* as_stream = instance_of<Stream>(object)) {
    stream = *as_stream;
  } else if (auto* as_device = instance_of<Device>(object)) {
    stream = *as_device;
  } else if (Device::Type type; nb::try_cast(object, type, false)) {
    stream = Device{type, 0};
  } else {
    return false;
  }
  return true;
}

void bind_device(nb::module_& m) {
  bind_classes(m);
  m.def("default_device", &default_device, nb::sig("def default_device() -> Device"),
        R"(The device that operations run on when nothing else is said.

>>> mx.default_device()
Device(cpu, 0))");
  m.def("set_default_device", &set_default_device, nb::arg("device"),
        nb::sig("def set_default_device(device: Device | DeviceType) -> None"),
        R"(Sets the device that operations run on when nothing else is said.

Raises:
    ValueError: This build has no such device.

>>> mx.set_default_device(mx.cpu))");
  m.def("default_stream", &default_stream, nb::arg("device"),
        nb::sig("def default_stream(device: Device | DeviceType) -> Stream"),
        R"(The stream that operations on the device use when nothing else is said.

>>> mx.default_stream(mx.cpu).device
Device(cpu, 0))");
  m.def("set_default_stream", &set_default_stream, nb::arg("stream"),
        nb::sig("def set_default_stream(stream: Stream) -> None"),
        R"(Sets the stream that operations on its device use when nothing else is said.

>>> mx.set_default_stream(mx.default_stream(mx.cpu)))");
  m.def("new_stream", &new_stream, nb::arg("device"),
        nb::sig("def new_stream(device: Device | DeviceType) -> Stream"),
        R"(A new stream on the device.

>>> mx.new_stream(mx.cpu) == mx.default_stream(mx.cpu)
False)");
  m.def(
      "stream", [](StreamOrDevice s) { return StreamContext(std::move(s)); }, nb::arg("s").none(),
      nb::sig("def stream(s: Stream | Device | DeviceType | None) -> StreamContext"),
      R"(Makes a stream, or a device's default stream, the default inside a ``with`` block.

Args:
    s: The stream or device; None changes nothing.

Raises:
    ValueError: This build has no such device (when the block is entered).

>>> with mx.stream(mx.cpu):
...     x = mx.array([1, 2]) + 1
>>> x
array([2, 3], dtype=int32))");
  m.def("is_available", &is_available, nb::arg("device"),
        nb::sig("def is_available(device: Device | DeviceType) -> bool"),
        R"(Can operations run on the device?

>>> mx.is_available(mx.cpu)
True)");
  m.def("device_count", &device_count, nb::arg("device_type"),
        nb::sig("def device_count(device_type: DeviceType) -> int"),
        R"(How many devices of a kind there are.

>>> mx.device_count(mx.cpu)
1)");
}

}  // namespace mlx::core::python
