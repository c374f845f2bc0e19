// The Python extension of mlx-export: exporters to a callback or a file, and imported functions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "mlx/export/function_file.h"

namespace nb = nanobind;

namespace mlx::core {
namespace {

// The objects that users know as mx.float32 and so on.
nb::object to_python(Dtype dtype) {
  std::string name = dtype == Dtype::bool_ ? "bool_" : std::string(name_of(dtype));
  return nb::module_::import_("mlx.core").attr(name.c_str());
}

nb::object to_python(const AttrValue& value) {
  return std::visit(
      []<class T>(const T& v) -> nb::object {
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nb::none();
        } else if constexpr (std::is_same_v<T, std::string>) {
          return nb::str(v.c_str(), v.size());
        } else if constexpr (std::is_same_v<T, Dtype>) {
          return to_python(v);
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
  return nb::make_tuple(spec.name, nb::tuple(shape), to_python(spec.dtype));
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

// Appends the arrays of a function's result; returns how they were packed, as JSON: "a" is an
// array;
// {"list": [...]}, {"tuple": [...]} and {"dict": [...], "keys": [...]} hold more of the same.
std::string collect_outputs(nb::handle result, Arrays& outputs) {
  if (nb::isinstance<array>(result)) {
    outputs.push_back(nb::cast<array>(result));
    return "\"a\"";
  }
  auto joined = [&](nb::handle items, const char* kind) {
    std::string text = std::string("{\"") + kind + "\":[";
    bool first = true;
    for (nb::handle item : items) {
      text += (first ? "" : ",") + collect_outputs(item, outputs);
      first = false;
    }
    return text + "]}";
  };
  if (nb::isinstance<nb::list>(result)) return joined(result, "list");
  if (nb::isinstance<nb::tuple>(result)) return joined(result, "tuple");
  if (nb::isinstance<nb::dict>(result)) {
    auto dict = nb::borrow<nb::dict>(result);
    nb::object dumps = nb::module_::import_("json").attr("dumps");
    std::string keys;
    for (nb::handle key : dict.keys()) {
      if (!nb::isinstance<nb::str>(key)) {
        raise<TypeError>("export_function", "a dict in the result has a key that is no string");
      }
      keys += (keys.empty() ? "" : ",") + nb::cast<std::string>(dumps(key));
    }
    std::string items = joined(dict.values(), "dict");
    return items.substr(0, items.size() - 1) + ",\"keys\":[" + keys + "]}";
  }
  raise<TypeError>("export_function", "the function returned something that is no array: got ",
                   nb::cast<std::string>(nb::str(result.type())),
                   "; expected an array, or lists, tuples and dicts of arrays");
}

array array_of(const char* op, nb::handle argument) {
  if (!nb::isinstance<array>(argument)) {
    raise<TypeError>(op, "an argument is no array: got ",
                     nb::cast<std::string>(nb::str(argument.type())), "; expected mlx.core.array");
  }
  return nb::cast<array>(argument);
}

Arrays positional_of(const char* op, const nb::tuple& args) {
  Arrays positional;
  for (nb::handle argument : args) positional.push_back(array_of(op, argument));
  return positional;
}

Keywords keywords_of(const char* op, const nb::dict& kwargs) {
  Keywords keywords;
  for (auto [keyword, value] : kwargs) {
    keywords.emplace(nb::cast<std::string>(keyword), array_of(op, value));
  }
  return keywords;
}

class PythonExporter {
 public:
  PythonExporter(nb::callable callback, nb::callable fun)
      : PythonExporter(std::make_shared<CallbackListener>(std::move(callback)), nullptr,
                       std::move(fun)) {}
  PythonExporter(std::string path, Metadata metadata, nb::callable fun)
      : PythonExporter(std::make_shared<FileListener>(std::move(path), std::move(metadata)),
                       std::move(fun)) {}

  void trace(const nb::tuple& args, const nb::dict& kwargs) {
    exporter_->trace(positional_of("export_function", args),
                     keywords_of("export_function", kwargs));
  }
  void finish() {
    if (file_) file_->finish();
  }

 private:
  PythonExporter(std::shared_ptr<FileListener> file, nb::callable fun)
      : PythonExporter(file, file, std::move(fun)) {}
  PythonExporter(std::shared_ptr<Listener> listener, std::shared_ptr<FileListener> file,
                 nb::callable fun)
      : file_(file) {
    auto traced = [fun = std::move(fun), file](const Arrays& positional, const Keywords& keywords) {
      nb::list args;
      for (const array& a : positional) args.append(nb::cast(a));
      nb::dict kwargs;
      for (const auto& [keyword, a] : keywords) kwargs[keyword.c_str()] = nb::cast(a);
      Arrays outputs;
      std::string structure = collect_outputs(fun(*nb::tuple(args), **kwargs), outputs);
      if (file) file->set_structure(std::move(structure));
      return outputs;
    };
    exporter_ = std::make_unique<Exporter>(std::move(listener), std::move(traced));
  }

  std::shared_ptr<FileListener> file_;
  std::unique_ptr<Exporter> exporter_;
};

nb::tuple call_imported(const ImportedFunction& fun, const nb::tuple& args,
                        const nb::dict& kwargs) {
  auto result = fun(positional_of("import_function", args), keywords_of("import_function", kwargs));
  nb::list outputs;
  for (const array& a : result.outputs) outputs.append(nb::cast(a));
  return nb::make_tuple(outputs, result.structure);
}

}  // namespace
}  // namespace mlx::core

NB_MODULE(_export, m) {
  m.attr("__name__") = "mlx.export";
  nb::module_::import_("mlx.core");  // binds `array` and `Dtype`
  using namespace mlx::core;
  nb::class_<PythonExporter>(m, "_Exporter")
      .def(nb::init<nb::callable, nb::callable>(), nb::arg("callback"), nb::arg("fun"))
      .def(nb::init<std::string, Metadata, nb::callable>(), nb::arg("path"), nb::arg("metadata"),
           nb::arg("fun"))
      .def("trace", &PythonExporter::trace, nb::arg("args"), nb::arg("kwargs"))
      .def("finish", &PythonExporter::finish);
  nb::class_<ImportedFunction>(m, "_ImportedFunction")
      .def_static("open", &ImportedFunction::open, nb::arg("path"))
      .def("call", &call_imported, nb::arg("args"), nb::arg("kwargs"))
      .def_prop_ro("metadata", &ImportedFunction::metadata);
}
