// eval and async_eval of trees of arrays; Python's lock and Ctrl-C during evaluation.
#include <chrono>
#include <unordered_set>

#include "families.h"
#include "mlx/schedule/backend.h"
#include "mlx/schedule/evaluate.h"
#include "support.h"

namespace mlx::core::python {
namespace {

// Has this thread let Python's lock go, to evaluate? (Python cannot tell in its stable interface.)
thread_local bool lock_is_released = false;

class ReleasedLock {
 public:
  ReleasedLock() { lock_is_released = true; }
  ~ReleasedLock() { lock_is_released = false; }
  ReleasedLock(const ReleasedLock&) = delete;
  ReleasedLock& operator=(const ReleasedLock&) = delete;

 private:
  nb::gil_scoped_release release_;
};

// The engine calls this between the parts of an evaluation. Python's signal handlers run only with
// its lock, which is taken a few dozen times a second.
void check_signals() {
  if (!lock_is_released) return;
  using Clock = std::chrono::steady_clock;
  thread_local Clock::time_point next;
  Clock::time_point now = Clock::now();
  if (now < next) return;
  next = now + std::chrono::milliseconds(25);
  nb::gil_scoped_acquire gil;
  lock_is_released = false;
  int status = PyErr_CheckSignals();
  lock_is_released = true;
  if (status != 0) throw nb::python_error();
}

void wait_without_lock(void (*wait)(void*), void* argument) {
  if (lock_is_released || PyGILState_GetThisThreadState() == nullptr) {
    wait(argument);
  } else {
    ReleasedLock released;
    wait(argument);
  }
}

// Appends the arrays of nested lists, tuples and dicts; whatever else is there is no array.
void collect_arrays(PyObject* object, Arrays& arrays) {
  std::vector<nb::object> waiting{nb::borrow(object)};
  std::unordered_set<PyObject*> seen;  // a container may hold itself
  while (!waiting.empty()) {
    nb::object next = std::move(waiting.back());
    waiting.pop_back();
    if (is_array(next.ptr())) {
      arrays.push_back(as_array(next.ptr()));
      continue;
    }
    bool is_sequence = PyList_Check(next.ptr()) || PyTuple_Check(next.ptr());
    if ((!is_sequence && !PyDict_Check(next.ptr())) || !seen.insert(next.ptr()).second) continue;
    if (is_sequence) {
      for (nb::handle item : nb::borrow<nb::sequence>(next)) waiting.push_back(nb::borrow(item));
    } else {
      for (auto [key, value] : nb::borrow<nb::dict>(next)) waiting.push_back(nb::borrow(value));
    }
  }
}

Arrays collect_arguments(PyObject* const* arguments, Py_ssize_t count) {
  Arrays arrays;
  for (Py_ssize_t i = 0; i < count; ++i) collect_arrays(arguments[i], arrays);
  return arrays;
}

PyObject* eval_trees(PyObject*, PyObject* const* arguments, Py_ssize_t count) noexcept {
  return guarded([&] {
    if (count == 1 && is_array(arguments[0])) {
      evaluate(as_array(arguments[0]));
    } else {
      Arrays arrays = collect_arguments(arguments, count);
      evaluate(arrays.data(), arrays.size());
    }
    return Py_NewRef(Py_None);
  });
}

PyObject* async_eval_trees(PyObject*, PyObject* const* arguments, Py_ssize_t count) noexcept {
  return guarded([&] {
    async_eval(collect_arguments(arguments, count));
    return Py_NewRef(Py_None);
  });
}

// Plain C functions: half the cost of a call that looks at types.
PyMethodDef methods[] = {
    {"eval", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(eval_trees)), METH_FASTCALL,
     R"(eval(*args)
--

Computes arrays, and all that they need.

Args:
    *args: Arrays, or lists, tuples and dicts of them; what else these hold is left alone.

Raises:
    MemoryError: The result or what leads to it cannot be held.

>>> x = mx.array([1, 2]) + 1
>>> mx.eval(x, {'more': [x * 2]})
>>> x
array([2, 3], dtype=int32))"},
    {"async_eval", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(async_eval_trees)),
     METH_FASTCALL,
     R"(async_eval(*args)
--

Starts to compute arrays, and all that they need, and returns at once.

Whoever reads such an array waits for it, and meets the error if there was one.

Args:
    *args: Arrays, or lists, tuples and dicts of them.

>>> x = mx.array([1, 2]) + 1
>>> mx.async_eval(x)
>>> x.tolist()
[2, 3])"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void evaluate(const array* arrays, std::size_t count) {
  if (eval_if_quick({arrays, count})) return;
  // Another thread may give the Python objects other arrays once Python's lock is let go.
  Arrays held(arrays, arrays + count);
  ReleasedLock released;
  eval(held);
}

void bind_evaluation(nb::module_& m) {
  set_interrupt_check(check_signals);
  set_blocking_hook(wait_without_lock);
  if (PyModule_AddFunctions(m.ptr(), methods) != 0) throw nb::python_error();
  m.def(
      "synchronize",
      [](const StreamOrDevice& stream) {
        to_stream(stream);
        ReleasedLock released;
        synchronize();
      },
      nb::arg("stream") = nb::none(),
      nb::sig("def synchronize(stream: Stream | Device | DeviceType | None = None) -> None"),
      R"(Waits until the work that :func:`async_eval` has started is done.

Args:
    stream: The stream to wait for; without it the default one.

>>> mx.async_eval(mx.array([1, 2]) + 1)
>>> mx.synchronize())");
}

}  // namespace mlx::core::python
