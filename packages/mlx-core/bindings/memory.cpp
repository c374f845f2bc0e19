// What the allocator holds, and its limits.
#include "families.h"
#include "support.h"

namespace mlx::core::python {

void bind_memory(nb::module_& m) {
  m.def("get_active_memory", &active_memory, nb::sig("def get_active_memory() -> int"),
        R"(Bytes of memory that arrays hold now.

Memory that arrays borrow from other libraries is not counted.

>>> mx.get_active_memory() >= 0
True)");
  m.def("get_peak_memory", &peak_memory, nb::sig("def get_peak_memory() -> int"),
        R"(The most bytes that arrays have held since the start or :func:`reset_peak_memory`.

>>> mx.get_peak_memory() >= mx.get_active_memory()
True)");
  m.def("reset_peak_memory", &reset_peak_memory, nb::sig("def reset_peak_memory() -> None"),
        R"(Starts :func:`get_peak_memory` again from what arrays hold now.

>>> mx.reset_peak_memory()
>>> mx.get_peak_memory() == mx.get_active_memory()
True)");
  m.def("get_cache_memory", &cache_memory, nb::sig("def get_cache_memory() -> int"),
        R"(Bytes that no array holds and that are kept for the next ones.

>>> mx.get_cache_memory() >= 0
True)");
  m.def("set_memory_limit", &set_memory_limit, nb::arg("limit"),
        nb::sig("def set_memory_limit(limit: int) -> int"),
        R"(Sets how many bytes arrays may hold; an allocation beyond raises MemoryError.

Args:
    limit: Bytes.

Returns:
    The limit before.

>>> before = mx.set_memory_limit(1 << 40)
>>> mx.set_memory_limit(before) == 1 << 40
True)");
  m.def("get_memory_limit", &memory_limit, nb::sig("def get_memory_limit() -> int"),
        R"(How many bytes arrays may hold.

>>> mx.get_memory_limit() > 0
True)");
  m.def("set_cache_limit", &set_cache_limit, nb::arg("limit"),
        nb::sig("def set_cache_limit(limit: int) -> int"),
        R"(Sets how many free bytes are kept for the next arrays; 0 keeps none.

Args:
    limit: Bytes.

Returns:
    The limit before.

>>> before = mx.set_cache_limit(0)
>>> mx.set_cache_limit(before)
0)");
  m.def("clear_cache", &clear_cache, nb::sig("def clear_cache() -> None"),
        R"(Gives the free bytes that are kept for the next arrays back to the system.

>>> mx.clear_cache()
>>> mx.get_cache_memory()
0)");
}

}  // namespace mlx::core::python
