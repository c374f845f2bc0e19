// The Python extension of mlx-export: exporters whose listener is a Python callback.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "mlx/export/exporter.h"

namespace nb = nanobind;

namespace mlx::core {
namespace {

nb::object to_python(const AttrValue& value) {
  return std::visit(
      []<class T>(const T& v) -> nb::object {
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nb::none();
        } else if constexpr (std::is_same_v<T, std::string>) {
          return nb::str(v.c_str(), v.size());
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>> ||
                             std::is_same_v<T, std::vector<double>>) {
          nb::list list;
          for (auto item : v) list.append(item);
          return list;
        } else {
          return nb::cast(v);
        }
      },
      value);
}

nb::tuple to_python(const ArraySpec& spec) {
  nb::list shape;
  for (std::int64_t size : spec.shape) shape.append(size);
  return nb::make_tuple(spec.name, nb::tuple(shape), nb::cast(spec.dtype));
}

nb::list to_python(const std::vector<ArraySpec>& specs) {
  nb::list list;
  for (const ArraySpec& spec : specs) list.append(to_python(spec));
  return list;
}

// The dictionaries of the callback: DESIGN of the event types is in the package's README.
struct ToDict {
  nb::dict operator()(const InputsEvent& event) const {
    nb::dict dict = of_type("inputs");
    dict["inputs"] = to_python(event.inputs);
    return dict;
  }
  nb::dict operator()(const KeywordInputsEvent& event) const {
    nb::dict dict = of_type("keyword_inputs");
    nb::list keywords;
    for (const auto& [keyword, name] : event.keywords) {
      keywords.append(nb::make_tuple(keyword, name));
    }
    dict["keywords"] = keywords;
    return dict;
  }
  nb::dict operator()(const OutputsEvent& event) const {
    nb::dict dict = of_type("outputs");
    dict["outputs"] = to_python(event.outputs);
    return dict;
  }
  nb::dict operator()(const ConstantsEvent& event) const {
    nb::dict dict = of_type("constants");
    nb::list constants;
    for (const auto& [name, value] : event.constants) {
      constants.append(nb::make_tuple(name, nb::cast(value)));
    }
    dict["constants"] = constants;
    return dict;
  }
  nb::dict operator()(const PrimitiveEvent& event) const {
    nb::dict dict = of_type("primitive");
    dict["name"] = nb::str(event.op->name.data(), event.op->name.size());
    dict["inputs"] = to_python(event.inputs);
    dict["outputs"] = to_python(event.outputs);
    nb::list arguments;
    nb::dict named;
    for (const NamedValue& argument : event.arguments) {
      nb::object value = to_python(argument.value);
      arguments.append(value);
      named[nb::str(argument.name.data(), argument.name.size())] = value;
    }
    dict["arguments"] = arguments;
    dict["named_arguments"] = named;
    return dict;
  }

 private:
  static nb::dict of_type(const char* type) {
    nb::dict dict;
    dict["type"] = type;
    return dict;
  }
};

class CallbackListener final : public Listener {
 public:
  explicit CallbackListener(nb::callable callback) : callback_(std::move(callback)) {}
  void on(const Event& event) override { callback_(std::visit(ToDict{}, event)); }

 private:
  nb::callable callback_;
};

void collect_outputs(nb::handle result, Arrays& outputs) {
  if (nb::isinstance<array>(result)) {
    outputs.push_back(nb::cast<array>(result));
  } else if (nb::isinstance<nb::list>(result) || nb::isinstance<nb::tuple>(result)) {
    for (nb::handle item : result) collect_outputs(item, outputs);
  } else if (nb::isinstance<nb::dict>(result)) {
    for (nb::handle item : nb::borrow<nb::dict>(result).values()) collect_outputs(item, outputs);
  } else {
    raise<TypeError>("export_function", "the function returned something that is no array: got ",
                     nb::cast<std::string>(nb::str(result.type())),
                     "; expected an array, or lists, tuples and dicts of arrays");
  }
}

// A Python function, its arguments back in Python's form.
ExportedFunction function_of(nb::callable fun) {
  return [fun = std::move(fun)](const Arrays& positional, const Keywords& keywords) {
    nb::list args;
    for (const array& a : positional) args.append(nb::cast(a));
    nb::dict kwargs;
    for (const auto& [keyword, a] : keywords) kwargs[keyword.c_str()] = nb::cast(a);
    Arrays outputs;
    collect_outputs(fun(*nb::tuple(args), **kwargs), outputs);
    return outputs;
  };
}

class PythonExporter {
 public:
  PythonExporter(nb::callable callback, nb::callable fun)
      : exporter_(std::make_shared<CallbackListener>(std::move(callback)),
                  function_of(std::move(fun))) {}

  void trace(const nb::tuple& args, const nb::dict& kwargs) {
    Arrays positional;
    for (nb::handle argument : args) positional.push_back(array_of(argument));
    Keywords keywords;
    for (auto [keyword, value] : kwargs) {
      keywords.emplace(nb::cast<std::string>(keyword), array_of(value));
    }
    exporter_.trace(positional, keywords);
  }

 private:
  static array array_of(nb::handle argument) {
    if (!nb::isinstance<array>(argument)) {
      raise<TypeError>("export_function", "an argument is no array: got ",
                       nb::cast<std::string>(nb::str(argument.type())),
                       "; expected mlx.core.array");
    }
    return nb::cast<array>(argument);
  }
  Exporter exporter_;
};

}  // namespace
}  // namespace mlx::core

NB_MODULE(_export, m) {
  m.attr("__name__") = "mlx.export";
  nb::module_::import_("mlx.core");  // binds `array` and `Dtype`
  using mlx::core::PythonExporter;
  nb::class_<PythonExporter>(m, "_Exporter")
      .def(nb::init<nb::callable, nb::callable>(), nb::arg("callback"), nb::arg("fun"))
      .def("trace", &PythonExporter::trace, nb::arg("args"), nb::arg("kwargs"));
}
