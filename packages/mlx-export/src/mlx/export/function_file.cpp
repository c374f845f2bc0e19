// Exported functions as files.
#include "mlx/export/function_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace mlx::core {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* graph_key = "mlx.functions";
constexpr const char* version_key = "mlx.format_version";
constexpr std::string_view op_name = "import_function";

// --- values
// ---------------------------------------------------------------------------------------

// JSON has no infinities, and no dtypes: those are objects with one key.
Json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  return Json{{"float", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"}};
}

Json to_json(const AttrValue& value) {
  return std::visit(
      []<class T>(const T& v) -> Json {
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<T, Dtype>) {
          return Json{{"dtype", name_of(v)}};
        } else if constexpr (std::is_same_v<T, double>) {
          return number_to_json(v);
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          Json list = Json::array();
          for (double item : v) list.push_back(number_to_json(item));
          return Json{{"floats", list}};
        } else {
          return v;
        }
      },
      value);
}

[[noreturn]] void refuse(const std::string& what) {
  raise<ValueError>(op_name, "the file's graph is damaged: ", what);
}

Dtype dtype_from(const Json& json) {
  if (json.is_string()) {
    for (int i = 0; i < dtype_count; ++i) {
      if (json.get_ref<const std::string&>() == name_of(static_cast<Dtype>(i))) {
        return static_cast<Dtype>(i);
      }
    }
  }
  refuse("unknown dtype");
}

double number_from(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_object() && json.size() == 1 && json.contains("float")) {
    const Json& text = json["float"];
    if (text == "nan") return std::nan("");
    if (text == "inf") return HUGE_VAL;
    if (text == "-inf") return -HUGE_VAL;
  }
  refuse("unusable number");
}

std::int64_t integer_from(const Json& json) {
  bool fits = json.is_number_integer() &&
              (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
  if (!fits) refuse("unusable integer");
  return json.get<std::int64_t>();
}

AttrValue value_from(const Json& json) {
  if (json.is_null()) return std::monostate{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_number()) return integer_from(json);
  if (json.is_array()) {
    std::vector<std::int64_t> list;
    for (const Json& item : json) list.push_back(integer_from(item));
    return list;
  }
  if (json.size() == 1 && json.contains("dtype")) return dtype_from(json["dtype"]);
  if (json.size() == 1 && json.contains("floats") && json["floats"].is_array()) {
    std::vector<double> list;
    for (const Json& item : json["floats"]) list.push_back(number_from(item));
    return list;
  }
  return number_from(json);
}

// --- writing
// --------------------------------------------------------------------------------------

Json to_json(const ArraySpec& spec) {
  return Json::array({spec.name, std::vector<std::int64_t>(spec.shape.begin(), spec.shape.end()),
                      name_of(spec.dtype)});
}
Json to_json(const std::vector<ArraySpec>& specs) {
  Json list = Json::array();
  for (const ArraySpec& spec : specs) list.push_back(to_json(spec));
  return list;
}

// --- reading
// --------------------------------------------------------------------------------------

const Json& field(const Json& object, const char* name, nlohmann::json::value_t type) {
  if (!object.is_object() || !object.contains(name) || object[name].type() != type) {
    refuse(std::string("field '") + name + "' is missing or of another type");
  }
  return object[name];
}

ArraySpec spec_from(const Json& json) {
  if (!json.is_array() || json.size() != 3 || !json[0].is_string() || !json[1].is_array()) {
    refuse("an array is not [name, shape, dtype]");
  }
  ArraySpec spec{json[0].get<std::string>(), {}, dtype_from(json[2])};
  if (json[1].size() > 64) refuse("an array with more than 64 axes");
  for (const Json& size : json[1]) spec.shape.push_back(integer_from(size));
  element_count(spec.shape);
  return spec;
}

struct Trace {
  struct Step {
    const Op* op;
    AttrsRef attrs;
    SmallVector<std::uint32_t, 3> inputs;
    std::uint32_t first_output;
    std::vector<Spec> outputs;
  };
  std::size_t positional = 0;
  std::vector<std::string> keywords;  // sorted; their inputs follow the positional ones
  std::vector<Spec> inputs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> constants;  // slot, index in the file
  std::vector<Step> steps;
  std::vector<std::uint32_t> outputs;
  std::uint32_t slots = 0;
  std::string structure;
};

using ConstantIndex = std::unordered_map<std::string, std::uint32_t>;

class TraceReader {
 public:
  TraceReader(const Json& json, const ConstantIndex& constants, const Arrays& values)
      : json_(json), constants_(constants), values_(values) {}

  Trace read() {
    using Type = nlohmann::json::value_t;
    for (const Json& input : field(json_, "inputs", Type::array)) {
      ArraySpec spec = spec_from(input);
      define(spec.name, Spec{spec.shape, spec.dtype});
      trace_.inputs.push_back({spec.shape, spec.dtype});
    }
    read_keywords(field(json_, "keywords", Type::array));
    for (const Json& primitive : field(json_, "primitives", Type::array)) read_step(primitive);
    for (const Json& output : field(json_, "outputs", Type::array)) {
      trace_.outputs.push_back(use(spec_from(output)));
    }
    trace_.structure = field(json_, "structure", Type::string).get<std::string>();
    trace_.slots = static_cast<std::uint32_t>(specs_.size());
    return std::move(trace_);
  }

 private:
  std::uint32_t define(const std::string& name, Spec spec) {
    auto slot = static_cast<std::uint32_t>(specs_.size());
    if (constants_.count(name) || !slots_.emplace(name, slot).second) {
      refuse("the name '" + name.substr(0, 40) + "' is given twice");
    }
    specs_.push_back(std::move(spec));
    return slot;
  }

  // A name that was given before: cycles and forward references cannot be written.
  std::uint32_t slot_of(const Json& name) {
    if (!name.is_string()) refuse("a name is no string");
    const auto& text = name.get_ref<const std::string&>();
    auto found = slots_.find(text);
    if (found != slots_.end()) return found->second;
    auto constant = constants_.find(text);
    if (constant == constants_.end()) refuse("unknown name '" + text.substr(0, 40) + "'");
    auto slot = static_cast<std::uint32_t>(specs_.size());
    const array& value = values_[constant->second];
    specs_.push_back({value.shape(), value.dtype()});
    slots_.emplace(text, slot);
    trace_.constants.emplace_back(slot, constant->second);
    return slot;
  }

  std::uint32_t use(const ArraySpec& spec) {
    std::uint32_t slot = slot_of(spec.name);
    if (!(specs_[slot].shape == spec.shape) || specs_[slot].dtype != spec.dtype) {
      refuse("'" + spec.name.substr(0, 40) + "' is not what its definition says");
    }
    return slot;
  }

  void read_keywords(const Json& keywords) {
    if (keywords.size() > trace_.inputs.size()) refuse("more keywords than inputs");
    trace_.positional = trace_.inputs.size() - keywords.size();
    for (std::size_t i = 0; i < keywords.size(); ++i) {
      const Json& pair = keywords[i];
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string() ||
          slot_of(pair[1]) != trace_.positional + i) {
        refuse("a keyword is not [keyword, name of an input]");
      }
      trace_.keywords.push_back(pair[0].get<std::string>());
    }
    if (!std::is_sorted(trace_.keywords.begin(), trace_.keywords.end()) ||
        std::adjacent_find(trace_.keywords.begin(), trace_.keywords.end()) !=
            trace_.keywords.end()) {
      refuse("keywords are not sorted, or repeated");
    }
  }

  void read_step(const Json& json) {
    if (!json.is_array() || json.size() != 4 || !json[0].is_string() || !json[1].is_array() ||
        !json[2].is_array() || !json[3].is_object()) {
      refuse("a primitive is not [name, inputs, outputs, arguments]");
    }
    Trace::Step step;
    step.op = find_op(json[0].get_ref<const std::string&>());
    if (step.op == nullptr || step.op->evaluation == Evaluation::placeholder) {
      refuse("unknown primitive '" + json[0].get<std::string>().substr(0, 40) + "'");
    }
    for (const Json& name : json[1]) step.inputs.push_back(slot_of(name));
    step.attrs = attrs_from(*step.op, json[3]);
    check_step(step, json[2]);
    step.first_output = static_cast<std::uint32_t>(specs_.size());
    for (const Json& output : json[2]) {
      ArraySpec spec = spec_from(output);
      define(spec.name, Spec{spec.shape, spec.dtype});
      step.outputs.push_back({spec.shape, spec.dtype});
    }
    trace_.steps.push_back(std::move(step));
  }

  static AttrsRef attrs_from(const Op& op, const Json& arguments) {
    if (op.attrs.make == nullptr) {
      if (!arguments.empty()) refuse(std::string(op.name) + " takes no arguments");
      return nullptr;
    }
    std::vector<AttrValue> values;
    for (std::string_view name : op.attrs.names) {
      auto found = arguments.find(std::string(name));
      if (found == arguments.end()) {
        refuse(std::string(op.name) + " lacks the argument '" + std::string(name) + "'");
      }
      values.push_back(value_from(*found));
    }
    if (arguments.size() != values.size()) {
      refuse(std::string(op.name) + " has an unknown argument");
    }
    return op.attrs.make(op.name, values);
  }

  // The op itself must come to the outputs that the file claims.
  void check_step(const Trace::Step& step, const Json& claimed) {
    bool variadic = !step.op->inputs.empty() && step.op->inputs.back().ends_with("...");
    if (!variadic && step.inputs.size() != step.op->inputs.size()) {
      refuse(std::string(step.op->name) + " has " + std::to_string(step.inputs.size()) +
             " inputs; expected " + std::to_string(step.op->inputs.size()));
    }
    Arrays inputs;
    for (std::uint32_t slot : step.inputs) {
      inputs.push_back(placeholder(specs_[slot].shape, specs_[slot].dtype));
    }
    Specs inferred = step.op->infer(*step.op, inputs, step.attrs);
    bool same = inferred.size() == claimed.size();
    for (std::size_t i = 0; same && i < inferred.size(); ++i) {
      ArraySpec spec = spec_from(claimed[i]);
      same = inferred[i].shape == spec.shape && inferred[i].dtype == spec.dtype;
    }
    if (!same) refuse(std::string(step.op->name) + " does not give the outputs that are claimed");
  }

  const Json& json_;
  const ConstantIndex& constants_;
  const Arrays& values_;
  Trace trace_;
  std::unordered_map<std::string, std::uint32_t> slots_;
  std::vector<Spec> specs_;
};

bool fits(const Trace& trace, const Arrays& positional, const Keywords& keywords) {
  if (trace.positional != positional.size() || trace.keywords.size() != keywords.size()) {
    return false;
  }
  std::size_t i = 0;
  auto same = [&](const array& a) {
    const Spec& spec = trace.inputs[i++];
    return a.shape() == spec.shape && a.dtype() == spec.dtype;
  };
  for (const array& a : positional) {
    if (!same(a)) return false;
  }
  std::size_t k = 0;
  for (const auto& [keyword, a] : keywords) {
    if (keyword != trace.keywords[k++] || !same(a)) return false;
  }
  return true;
}

std::string describe(const Trace& trace) {
  std::ostringstream text;
  text << '(';
  for (std::size_t i = 0; i < trace.inputs.size(); ++i) {
    text << (i ? ", " : "");
    if (i >= trace.positional) text << trace.keywords[i - trace.positional] << '=';
    text << name_of(trace.inputs[i].dtype) << ' ' << to_string(trace.inputs[i].shape);
  }
  text << ')';
  return text.str();
}

std::string describe(const Arrays& positional, const Keywords& keywords) {
  Trace given;
  given.positional = positional.size();
  for (const array& a : positional) given.inputs.push_back({a.shape(), a.dtype()});
  for (const auto& [keyword, a] : keywords) {
    given.keywords.push_back(keyword);
    given.inputs.push_back({a.shape(), a.dtype()});
  }
  return describe(given);
}

}  // namespace

// --- FileListener
// ---------------------------------------------------------------------------------

struct FileListener::State {
  std::string path;
  Metadata metadata;
  Json functions = Json::array();
  std::vector<std::pair<std::string, array>> constants;
  Json complex_constants = Json::array();
  std::string structure;
};

FileListener::FileListener(std::string path, Metadata metadata)
    : state_(std::make_unique<State>()) {
  for (const auto& [key, value] : metadata) {
    if (key.rfind("mlx.", 0) == 0) {
      raise<ValueError>("export_function", "metadata keys that begin with 'mlx.' are taken: got '",
                        key, "'");
    }
  }
  state_->path = std::move(path);
  state_->metadata = std::move(metadata);
}

FileListener::~FileListener() = default;

void FileListener::set_structure(std::string structure) {
  state_->structure = std::move(structure);
}

void FileListener::on(const Event& event) {
  Json& functions = state_->functions;
  if (auto* inputs = std::get_if<InputsEvent>(&event)) {
    functions.push_back({{"inputs", to_json(inputs->inputs)},
                         {"keywords", Json::array()},
                         {"outputs", Json::array()},
                         {"structure", state_->structure},
                         {"primitives", Json::array()}});
  } else if (auto* keywords = std::get_if<KeywordInputsEvent>(&event)) {
    for (const auto& [keyword, name] : keywords->keywords) {
      functions.back()["keywords"].push_back({keyword, name});
    }
  } else if (auto* outputs = std::get_if<OutputsEvent>(&event)) {
    functions.back()["outputs"] = to_json(outputs->outputs);
  } else if (auto* constants = std::get_if<ConstantsEvent>(&event)) {
    for (const auto& [name, value] : constants->constants) {
      state_->constants.emplace_back(name, value);
      if (is_complex(value.dtype())) state_->complex_constants.push_back(name);
    }
  } else {
    const auto& primitive = std::get<PrimitiveEvent>(event);
    bool describable = primitive.op->attrs.make != nullptr || primitive.arguments.empty();
    if (!describable || primitive.op->evaluation == Evaluation::alias) {
      raise<ValueError>("export_function", primitive.op->name, " cannot be written to a file");
    }
    Json names = Json::array(), arguments = Json::object();
    for (const ArraySpec& input : primitive.inputs) names.push_back(input.name);
    for (const NamedValue& argument : primitive.arguments) {
      arguments[std::string(argument.name)] = to_json(argument.value);
    }
    functions.back()["primitives"].push_back(
        {primitive.op->name, names, to_json(primitive.outputs), arguments});
  }
}

void FileListener::finish() {
  Metadata metadata = state_->metadata;
  metadata[version_key] = std::to_string(format_version);
  Json graph = {{"complex", state_->complex_constants}, {"functions", state_->functions}};
  metadata[graph_key] = graph.dump();
  write_container(state_->path, state_->constants, metadata);
}

// --- ImportedFunction
// -----------------------------------------------------------------------------

struct ImportedFunction::State {
  Arrays constants;
  std::vector<Trace> traces;
  Metadata metadata;
};

namespace {

// A complex constant is stored as pairs of reals.
array as_complex(const array& pairs, const std::string& name) {
  Dtype dtype = pairs.dtype();
  if (pairs.ndim() == 0 || pairs.shape(-1) != 2 ||
      (dtype != Dtype::float32 && dtype != Dtype::float64)) {
    refuse("the constant '" + name.substr(0, 40) + "' is no array of complex numbers");
  }
  Shape shape = pairs.shape();
  shape.pop_back();
  return array(pairs.buffer(), std::move(shape), complex_of(dtype));
}

Json parse_graph(const std::string& text) {
  constexpr int max_depth = 8;
  auto shallow = [](int depth, nlohmann::json::parse_event_t, Json&) {
    if (depth > max_depth) refuse("nested too deep");
    return true;
  };
  Json graph = Json::parse(text, shallow, false);
  if (graph.is_discarded() || !graph.is_object()) refuse("it is no JSON object");
  return graph;
}

void check_version(const Metadata& metadata, const std::string& path) {
  auto version = metadata.find(version_key);
  if (version == metadata.end() || !metadata.count(graph_key)) {
    raise<ValueError>(op_name, path, " holds no exported function: it is a safetensors file of ",
                      "other data");
  }
  if (version->second != std::to_string(format_version)) {
    raise<ValueError>(op_name, path, " is of format version ", version->second.substr(0, 20),
                      "; this release reads version ", format_version);
  }
}

}  // namespace

ImportedFunction ImportedFunction::open(const std::string& path) {
  using Type = nlohmann::json::value_t;
  Container container = Container::open(path);
  check_version(container.metadata(), path);
  Json graph = parse_graph(container.metadata().at(graph_key));
  auto state = std::make_shared<State>();
  ConstantIndex index;
  for (std::size_t i = 0; i < container.tensors().size(); ++i) {
    if (!index.emplace(container.tensors()[i].name, i).second) refuse("a constant is there twice");
    state->constants.push_back(container.tensor(i));
  }
  for (const Json& name : field(graph, "complex", Type::array)) {
    auto found = name.is_string() ? index.find(name.get<std::string>()) : index.end();
    if (found == index.end()) refuse("an unknown complex constant");
    array& value = state->constants[found->second];
    value = as_complex(value, found->first);
  }
  for (const Json& function : field(graph, "functions", Type::array)) {
    state->traces.push_back(TraceReader(function, index, state->constants).read());
  }
  state->metadata = container.metadata();
  state->metadata.erase(graph_key);
  state->metadata.erase(version_key);
  ImportedFunction function;
  function.state_ = std::move(state);
  return function;
}

const Metadata& ImportedFunction::metadata() const { return state_->metadata; }

ImportedFunction::Result ImportedFunction::operator()(const Arrays& positional,
                                                      const Keywords& keywords) const {
  auto trace = std::find_if(state_->traces.begin(), state_->traces.end(),
                            [&](const Trace& t) { return fits(t, positional, keywords); });
  if (trace == state_->traces.end()) {
    std::string expected;
    for (const Trace& t : state_->traces)
      expected += (expected.empty() ? "" : " or ") + describe(t);
    raise<ValueError>(op_name, "no trace fits the arguments: got ", describe(positional, keywords),
                      "; expected ", expected);
  }
  std::vector<std::optional<array>> slots(trace->slots);
  std::size_t next = 0;
  for (const array& a : positional) slots[next++] = a;
  for (const auto& [keyword, a] : keywords) slots[next++] = a;
  for (const auto& [slot, index] : trace->constants) slots[slot] = state_->constants[index];
  Stream stream = default_stream(default_device());
  for (const Trace::Step& step : trace->steps) {
    SmallVector<array, 3> inputs;
    for (std::uint32_t slot : step.inputs) inputs.push_back(*slots[slot]);
    if (step.outputs.size() == 1) {
      slots[step.first_output] =
          apply(*step.op, std::move(inputs), step.attrs, stream, step.outputs[0]);
    } else {
      Arrays outputs = apply_multi(*step.op, std::move(inputs), step.attrs, stream);
      for (std::size_t i = 0; i < outputs.size(); ++i) slots[step.first_output + i] = outputs[i];
    }
  }
  Result result{{}, trace->structure};
  for (std::uint32_t slot : trace->outputs) result.outputs.push_back(*slots[slot]);
  return result;
}

}  // namespace mlx::core
