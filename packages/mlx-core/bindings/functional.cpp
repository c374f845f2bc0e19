// Transforms of Python functions: grad, vjp, jvp, vmap, compile, checkpoint, custom functions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "mlx/transforms/compile.h"
#include "mlx/transforms/custom.h"
#include "mlx/transforms/vmap.h"
#include "tree.h"

namespace mlx::core::python {
namespace {

using Argnums = std::variant<std::monostate, int, std::vector<int>>;
using Argnames = std::variant<std::string, std::vector<std::string>>;

// Keeps a Python object alive from C++; may be let go on any thread.
std::shared_ptr<nb::object> share(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* held) {
            nb::gil_scoped_acquire gil;
            delete held;
          }};
}

nb::object call(const nb::object& fun, const nb::tuple& args, const nb::dict& kwargs) {
  return fun(*args, **kwargs);
}

// A Python function of arrays by position, as the engine sees it. What else its result holds, and
// its containers, are left in `result`.
Function function_of(nb::object fun, std::shared_ptr<Tree> result = nullptr) {
  auto shared = share(std::move(fun));
  return [shared, result](const Arrays& arguments) {
    nb::gil_scoped_acquire gil;
    nb::list args;
    for (const array& a : arguments) args.append(nb::cast(a));
    Arrays outputs;
    Tree tree = Tree::flatten((*shared)(*nb::tuple(args)), outputs);
    if (result) *result = std::move(tree);
    return outputs;
  };
}

// --- grad ----------------------------------------------------------------------------------------

struct Selection {
  std::vector<int> argnums;
  std::vector<std::string> argnames;
  bool single = false;  // one position, and no names: the gradient itself, not a tuple
};

Selection select(const Argnums& argnums, const Argnames& argnames) {
  Selection selection;
  if (auto* name = std::get_if<std::string>(&argnames)) {
    selection.argnames = {*name};
  } else {
    selection.argnames = std::get<std::vector<std::string>>(argnames);
  }
  if (auto* number = std::get_if<int>(&argnums)) {
    selection.argnums = {*number};
    selection.single = true;
  } else if (auto* numbers = std::get_if<std::vector<int>>(&argnums)) {
    selection.argnums = *numbers;
  } else if (selection.argnames.empty()) {
    selection.argnums = {0};
    selection.single = true;
  }
  return selection;
}

// The chosen arguments as trees; positions of the arrays are consecutive over them all.
struct Chosen {
  std::vector<Tree> by_number, by_name;
  Arrays arrays;
};

Chosen choose(const Selection& selection, const nb::tuple& args, const nb::dict& kwargs) {
  Chosen chosen;
  for (int number : selection.argnums) {
    auto count = static_cast<int>(args.size());
    if (number < -count || number >= count) {
      raise<ValueError>("grad", "no such positional argument: got argnum ", number,
                        " in a call with ", count, " positional arguments");
    }
    nb::handle argument = args[static_cast<std::size_t>(number < 0 ? number + count : number)];
    chosen.by_number.push_back(Tree::flatten(argument, chosen.arrays));
  }
  for (const std::string& name : selection.argnames) {
    if (!kwargs.contains(name.c_str())) {
      raise<ValueError>("grad", "no such keyword argument: got argname '", name,
                        "', which the call does not pass by keyword");
    }
    chosen.by_name.push_back(Tree::flatten(kwargs[name.c_str()], chosen.arrays));
  }
  return chosen;
}

nb::object gradients_of(const Selection& selection, const Chosen& chosen, const Arrays& grads) {
  std::size_t next = 0;
  nb::list positional;
  for (const Tree& tree : chosen.by_number) positional.append(tree.unflatten(grads, next));
  nb::object numbers =
      selection.single ? nb::object(positional[0]) : nb::object(nb::tuple(positional));
  if (selection.argnames.empty()) return numbers;
  nb::dict named;
  for (std::size_t i = 0; i < chosen.by_name.size(); ++i) {
    named[selection.argnames[i].c_str()] = chosen.by_name[i].unflatten(grads, next);
  }
  if (chosen.by_number.empty()) return named;
  return nb::make_tuple(numbers, named);
}

nb::tuple run_value_and_grad(const nb::object& fun, const Selection& selection,
                             const nb::tuple& args, const nb::dict& kwargs) {
  Chosen chosen = choose(selection, args, kwargs);
  Tree result;
  auto traced = [&](const Arrays& arrays) {
    std::size_t next = 0;
    nb::list positional;
    for (nb::handle argument : args) positional.append(argument);
    for (std::size_t i = 0; i < chosen.by_number.size(); ++i) {
      int number = selection.argnums[i];
      auto count = static_cast<int>(args.size());
      positional[static_cast<std::size_t>(number < 0 ? number + count : number)] =
          chosen.by_number[i].unflatten(arrays, next);
    }
    nb::dict keywords;
    for (auto [key, value] : kwargs) keywords[key] = value;
    for (std::size_t i = 0; i < chosen.by_name.size(); ++i) {
      keywords[selection.argnames[i].c_str()] = chosen.by_name[i].unflatten(arrays, next);
    }
    Arrays outputs;
    result = Tree::flatten(call(fun, nb::tuple(positional), keywords), outputs);
    return outputs;
  };
  std::vector<int> numbers(chosen.arrays.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  auto [outputs, grads] = value_and_grad(traced, chosen.arrays, numbers);
  return nb::make_tuple(result.unflatten(outputs), gradients_of(selection, chosen, grads));
}

// --- vmap ----------------------------------------------------------------------------------------

// Spreads `axes` (None, an int, or containers of those) over the leaves of `tree`.
void spread_axes(nb::handle axes, nb::handle tree, std::vector<int>& result, const char* what) {
  bool is_sequence = nb::isinstance<nb::list>(axes) || nb::isinstance<nb::tuple>(axes);
  if (axes.is_none() || nb::isinstance<nb::int_>(axes)) {
    Arrays leaves;
    Tree::flatten(tree, leaves);
    for (const array& leaf : leaves) {
      int axis = axes.is_none() ? -1 : nb::cast<int>(axes);
      if (axis < 0 && !axes.is_none()) axis += leaf.ndim() + (what[0] == 'o' ? 1 : 0);
      if (axis < 0 && !axes.is_none()) {
        raise<ValueError>("vmap", what, " out of range: got ", nb::cast<int>(axes),
                          " for an array of shape ", to_string(leaf.shape()));
      }
      result.push_back(axis);
    }
  } else if (is_sequence && (nb::isinstance<nb::list>(tree) || nb::isinstance<nb::tuple>(tree)) &&
             nb::len(axes) == nb::len(tree)) {
    for (std::size_t i = 0; i < nb::len(tree); ++i) spread_axes(axes[i], tree[i], result, what);
  } else if (nb::isinstance<nb::dict>(axes) && nb::isinstance<nb::dict>(tree)) {
    for (nb::handle key : nb::borrow<nb::dict>(tree).keys()) {
      spread_axes(axes[key], tree[key], result, what);
    }
  } else {
    raise<ValueError>("vmap", what,
                      " does not fit: expected None, an int, or containers like "
                      "those of the arguments");
  }
}

nb::object run_vmap(const nb::object& fun, const nb::object& in_axes, const nb::object& out_axes,
                    const nb::tuple& positional) {
  Arrays inputs;
  Tree tree = Tree::flatten(positional, inputs);
  std::vector<int> axes;
  spread_axes(in_axes, positional, axes, "in_axes");
  Tree result;
  auto traced = [&](const Arrays& arrays) {
    Arrays outputs;
    result = Tree::flatten(call(fun, nb::borrow<nb::tuple>(tree.unflatten(arrays)), nb::dict()),
                           outputs);
    return outputs;
  };
  VmapTrace trace = vmap_trace(traced, inputs, axes);
  std::vector<int> spread;
  spread_axes(out_axes, result.unflatten(trace.outputs), spread, "out_axes");
  return result.unflatten(vmap_replay(trace, inputs, axes, spread));
}

// --- compile -------------------------------------------------------------------------------------

// State that the function reads (inputs) or changes (outputs) outside its arguments: containers
// whose arrays are swapped for placeholders while it is traced.
void replace_arrays(nb::handle container, const Arrays& arrays, std::size_t& next) {
  if (nb::isinstance<nb::list>(container)) {
    auto list = nb::borrow<nb::list>(container);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (nb::isinstance<array>(list[i])) {
        list[i] = nb::cast(arrays[next++]);
      } else {
        replace_arrays(list[i], arrays, next);
      }
    }
  } else if (nb::isinstance<nb::dict>(container)) {
    auto dict = nb::borrow<nb::dict>(container);
    for (nb::handle key : dict.keys()) {
      if (nb::isinstance<array>(dict[key])) {
        dict[key] = nb::cast(arrays[next++]);
      } else {
        replace_arrays(dict[key], arrays, next);
      }
    }
  } else if (nb::isinstance<nb::tuple>(container)) {
    for (nb::handle item : nb::borrow<nb::tuple>(container)) {
      if (nb::isinstance<array>(item)) {
        raise<TypeError>(
            "compile", "state must be in lists and dicts: an array in a tuple cannot be replaced");
      }
      replace_arrays(item, arrays, next);
    }
  }
}

class Compiled {
 public:
  Compiled(nb::object fun, nb::object inputs, nb::object outputs)
      : fun_(std::move(fun)), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

  nb::object operator()(const nb::tuple& args, const nb::dict& kwargs) {
    if (!compile_is_enabled()) return call(fun_, args, kwargs);
    Arrays arguments;
    Tree tree = Tree::flatten(nb::make_tuple(args, kwargs), arguments);
    std::size_t own = arguments.size();
    Tree state = Tree::flatten(inputs_, arguments);
    std::size_t key = id_of(nb::make_tuple(tree.key(), state.key()));
    auto tape = cache_.find_or_trace(arguments, key, [&](const Arrays& placeholders) {
      return trace(placeholders, tree, own, arguments, key);
    });
    Arrays results = tape->replay(arguments);
    std::size_t state_count = nb::cast<std::size_t>(state_counts_[nb::int_(key)]);
    Arrays changed(results.end() - static_cast<std::ptrdiff_t>(state_count), results.end());
    std::size_t next = 0;
    replace_arrays(outputs_, changed, next);
    return trees_[key].unflatten(results);
  }

 private:
  std::size_t id_of(const nb::tuple& key) {
    if (keys_.contains(key)) return nb::cast<std::size_t>(keys_[key]);
    std::size_t id = trees_.size();
    keys_[key] = id;
    trees_.emplace_back();
    return id;
  }

  Arrays trace(const Arrays& placeholders, const Tree& tree, std::size_t own,
               const Arrays& arguments, std::size_t key) {
    std::size_t next = 0;
    auto split = placeholders.begin() + static_cast<std::ptrdiff_t>(own);
    replace_arrays(inputs_, Arrays(split, placeholders.end()), next);
    // Whatever happens, the containers get their arrays back: those from before the call.
    struct Restore {
      const nb::object& inputs;
      Arrays arrays;
      ~Restore() {
        std::size_t next = 0;
        replace_arrays(inputs, arrays, next);
      }
    } restore{inputs_,
              Arrays(arguments.begin() + static_cast<std::ptrdiff_t>(own), arguments.end())};
    auto pair = nb::borrow<nb::tuple>(tree.unflatten(placeholders));
    Arrays outputs;
    trees_[key] = Tree::flatten(
        call(fun_, nb::borrow<nb::tuple>(pair[0]), nb::borrow<nb::dict>(pair[1])), outputs);
    std::size_t before = outputs.size();
    Tree::flatten(outputs_, outputs);
    state_counts_[nb::int_(key)] = outputs.size() - before;
    return outputs;
  }

  nb::object fun_, inputs_, outputs_;
  CompileCache cache_;
  nb::dict keys_;
  std::vector<Tree> trees_;
  nb::dict state_counts_;
};

// --- custom functions ----------------------------------------------------------------------------

// Python rules see the arguments as the function does: trees of arrays by position.
nb::object as_argument(const nb::object& tree_of_args) {
  auto args = nb::borrow<nb::tuple>(tree_of_args);
  return args.size() == 1 ? nb::object(args[0]) : nb::object(args);
}

Arrays leaves_of(const nb::object& object) {
  Arrays leaves;
  Tree::flatten(object, leaves);
  return leaves;
}

nb::object run_custom(nb::object fun, nb::object vjp_rule, nb::object jvp_rule,
                      nb::object vmap_rule, const nb::tuple& args) {
  Arrays primals;
  auto tree = std::make_shared<Tree>(Tree::flatten(args, primals));
  auto result = std::make_shared<Tree>();
  auto keep = share(nb::make_tuple(fun, vjp_rule, jvp_rule, vmap_rule));
  CustomRules rules;
  rules.fun = [keep, tree, result](const Arrays& arrays) {
    nb::gil_scoped_acquire gil;
    nb::object fun = (*keep)[0];
    Arrays outputs;
    *result = Tree::flatten(fun(*nb::borrow<nb::tuple>(tree->unflatten(arrays))), outputs);
    return outputs;
  };
  if (!vjp_rule.is_none()) {
    rules.vjp = [keep, tree, result](const Arrays& primals, const Arrays& cotangents,
                                     const Arrays& outputs) {
      nb::gil_scoped_acquire gil;
      nb::object rule = (*keep)[1];
      return leaves_of(rule(as_argument(tree->unflatten(primals)), result->unflatten(cotangents),
                            result->unflatten(outputs)));
    };
  }
  if (!jvp_rule.is_none()) {
    rules.jvp = [keep, tree](const Arrays& primals, const Arrays& tangents) {
      nb::gil_scoped_acquire gil;
      nb::object rule = (*keep)[2];
      return leaves_of(
          rule(as_argument(tree->unflatten(primals)), as_argument(tree->unflatten(tangents))));
    };
  }
  if (!vmap_rule.is_none()) {
    rules.vmap = [keep, tree](const Arrays& inputs, const std::vector<int>& axes) {
      nb::gil_scoped_acquire gil;
      nb::object rule = (*keep)[3];
      nb::list axis_list;
      for (int axis : axes) axis_list.append(axis < 0 ? nb::none() : nb::object(nb::int_(axis)));
      nb::object axes_argument = axes.size() == 1 ? nb::object(axis_list[0]) : axis_list;
      nb::object pair = rule(as_argument(tree->unflatten(inputs)), axes_argument);
      Arrays outputs = leaves_of(pair[0]);
      std::vector<int> out_axes;
      spread_axes(pair[1], pair[0], out_axes, "out_axes");
      return std::pair{outputs, out_axes};
    };
  }
  Arrays outputs = call_custom(std::make_shared<const CustomRules>(std::move(rules)), primals);
  return result->unflatten(outputs);
}

}  // namespace

void bind_functional(nb::module_& m);

void bind_functional(nb::module_& m) {
  m.def(
      "_value_and_grad",
      [](const nb::object& fun, const Argnums& argnums, const Argnames& argnames,
         const nb::tuple& args, const nb::dict& kwargs) {
        return run_value_and_grad(fun, select(argnums, argnames), args, kwargs);
      },
      nb::arg("fun"), nb::arg("argnums").none(), nb::arg("argnames"), nb::arg("args"),
      nb::arg("kwargs"));
  m.def("_vjp", [](nb::object fun, const Arrays& primals, const Arrays& cotangents) {
    return vjp(function_of(std::move(fun)), primals, cotangents);
  });
  m.def("_jvp", [](nb::object fun, const Arrays& primals, const Arrays& tangents) {
    return jvp(function_of(std::move(fun)), primals, tangents);
  });
  m.def("_vmap", &run_vmap, nb::arg("fun"), nb::arg("in_axes").none(), nb::arg("out_axes").none(),
        nb::arg("args"));
  m.def(
      "_custom",
      [](nb::object fun, nb::object vjp_rule, nb::object jvp_rule, nb::object vmap_rule,
         const nb::tuple& args) {
        return run_custom(std::move(fun), std::move(vjp_rule), std::move(jvp_rule),
                          std::move(vmap_rule), args);
      },
      nb::arg("fun"), nb::arg("vjp").none(), nb::arg("jvp").none(), nb::arg("vmap").none(),
      nb::arg("args"));
  m.def("_enable_compile", &enable_compile);
  nb::class_<Compiled>(m, "_Compiled")
      .def(nb::init<nb::object, nb::object, nb::object>(), nb::arg("fun"), nb::arg("inputs").none(),
           nb::arg("outputs").none())
      .def("__call__", &Compiled::operator(), nb::arg("args"), nb::arg("kwargs"));
}

}  // namespace mlx::core::python
