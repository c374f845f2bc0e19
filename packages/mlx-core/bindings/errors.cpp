// Which Python exception each C++ exception becomes. Nothing passes without one.
#include "families.h"
#include "support.h"

namespace mlx::core::python {
namespace {

void raise_in_python(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const ValueError& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const TypeError& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  } catch (const IndexError& e) {
    PyErr_SetString(PyExc_IndexError, e.what());
  } catch (const OverflowError& e) {
    PyErr_SetString(PyExc_OverflowError, e.what());
  } catch (const NotImplementedError& e) {
    PyErr_SetString(PyExc_NotImplementedError, e.what());
  } catch (const MemoryError& e) {
    PyErr_SetString(PyExc_MemoryError, e.what());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "out of memory for the engine's own structures");
  } catch (const nb::cast_error&) {
    PyErr_SetString(PyExc_TypeError, "an argument is of an unusable type or out of range");
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
}

PyObject* python_class(nb::exception_type type) {
  switch (type) {
    case nb::exception_type::stop_iteration:
      return PyExc_StopIteration;
    case nb::exception_type::index_error:
      return PyExc_IndexError;
    case nb::exception_type::key_error:
      return PyExc_KeyError;
    case nb::exception_type::value_error:
      return PyExc_ValueError;
    case nb::exception_type::type_error:
      return PyExc_TypeError;
    case nb::exception_type::buffer_error:
      return PyExc_BufferError;
    case nb::exception_type::import_error:
      return PyExc_ImportError;
    case nb::exception_type::attribute_error:
      return PyExc_AttributeError;
    default:
      return PyExc_RuntimeError;
  }
}

}  // namespace

void set_python_error(std::exception_ptr exception) noexcept {
  try {
    std::rethrow_exception(exception);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(python_class(e.type()), e.what());
  } catch (...) {
    raise_in_python(exception);
  }
}

void bind_errors(nb::module_&) {
  // nanobind's own exceptions never come here; what this does not know, it knows as std::exception.
  nb::register_exception_translator([](const std::exception_ptr& e, void*) { raise_in_python(e); });
}

}  // namespace mlx::core::python
