// From a group of the plan to a tile program: registers, loads, and as few dims as possible.
#include "mlx/schedule/lower.h"

#include <algorithm>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"

namespace mlx::core {
namespace {

constexpr std::uint32_t never = 0;

class Lowering {
 public:
  Lowering(Plan& plan, std::uint32_t id, LoweredGroup& out)
      : plan_(plan), id_(id), group_(plan.groups[id]), out_(out), program_(out.program) {}

  void run() {
    std::sort(group_.members.begin(), group_.members.end());
    program_.dims = group_.dims;
    program_.reduced.assign(group_.dims.size(), false);
    for (std::int64_t axis : group_.axes) program_.reduced[static_cast<std::size_t>(axis)] = true;
    count_uses();
    for (std::uint32_t m = 0; m < group_.members.size(); ++m) emit(m);
    number_outputs();
    collapse();
  }

 private:
  struct Value {
    Register reg = 0;
    std::uint32_t last_use = never;  // member index; registers are free after it
    bool is_fixed = false;           // stored or reduced: its register is not reused
  };

  Node& member(std::uint32_t m) { return *plan_.tape[group_.members[m]]; }
  bool is_reduce(const Node& node) const { return node.op->evaluation == Evaluation::reduce; }

  // Scratch per node of the group: where its value is among `values_`.
  void count_uses() {
    values_.resize(group_.members.size());
    for (std::uint32_t m = 0; m < group_.members.size(); ++m) {
      Node& node = member(m);
      node.position = m;  // from here on the index in the group
      values_[m].is_fixed = plan_.is_stored(group_.members[m]);
      out_.traced |= node.traced;
      for (const array& input : node.inputs) {
        if (!is_internal(input)) continue;
        Value& value = values_[input.node().position];
        value.last_use = m;
        value.is_fixed |= is_reduce(node);
      }
    }
  }

  bool is_internal(const array& input) {
    return plan_.is_member(input.node(), id_) && !is_reduce(input.node());
  }

  Register new_register(Dtype dtype) {
    program_.registers.push_back(dtype);
    return static_cast<Register>(program_.registers.size() - 1);
  }

  Register load(const array& input) {
    for (std::uint32_t i = 0; i < out_.inputs.size(); ++i) {
      auto& known = out_.inputs[i];
      if (known.node == &input.node() && known.output == input.output()) {
        ++known.edges;
        return program_.loads[i].target;
      }
    }
    const Output& output = input.node().outputs[input.output()];
    out_.inputs.push_back({&input.node(), input.output(), 1, 0, false});
    out_.tensors.push_back(
        {output.buffer->data() + output.offset, output.shape, output.strides, output.dtype});
    Register target = new_register(output.dtype);
    auto index = static_cast<std::uint32_t>(program_.loads.size());
    program_.loads.push_back({index, target, output.strides});
    return target;
  }

  Register source(const array& input) {
    return is_internal(input) ? values_[input.node().position].reg : load(input);
  }

  void note_read(Register reg, bool by_reduction) {
    for (std::size_t i = 0; i < program_.loads.size(); ++i) {
      if (program_.loads[i].target != reg) continue;
      out_.inputs[i].last_read = static_cast<std::uint32_t>(program_.code.size());
      out_.inputs[i].reduced |= by_reduction;
    }
  }

  // Free registers may be taken over by results of the same size: bodies work in place.
  void release_sources(const Node& node, std::uint32_t m) {
    for (const array& input : node.inputs) {
      if (!is_internal(input)) continue;
      const Value& value = values_[input.node().position];
      if (value.last_use == m && !value.is_fixed &&
          std::find(free_.begin(), free_.end(), value.reg) == free_.end()) {
        free_.push_back(value.reg);
      }
    }
  }

  Register result_register(Dtype dtype, bool is_fixed) {
    if (!is_fixed) {
      for (std::size_t i = 0; i < free_.size(); ++i) {
        if (program_.registers[free_[i]] != dtype) continue;
        Register reg = free_[i];
        free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
        return reg;
      }
    }
    return new_register(dtype);
  }

  void emit(std::uint32_t m) {
    Node& node = member(m);
    const Op& op = *node.op;
    if (is_reduce(node)) {
      Register reg = source(node.inputs[0]);
      note_read(reg, true);
      Dtype dtype = node.outputs[0].dtype;
      program_.reductions.push_back(
          {attrs_as<ReduceAttrs>(node.attrs).op, reg, node.inputs[0].dtype(), dtype, 0});
      reduced_.push_back(&node);
      return;
    }
    Instruction instruction{};
    instruction.to = instruction.from = node.outputs[0].dtype;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      instruction.source[i] = source(node.inputs[i]);
      instruction.from = node.inputs[i].dtype();
      note_read(instruction.source[i], false);
    }
    if (op.evaluation == Evaluation::elementwise) {
      instruction.code = Instruction::Code::elementwise;
      instruction.id = op.elementwise->id;
    } else if (op.evaluation == Evaluation::cast) {
      instruction.code = Instruction::Code::cast;
    } else {
      instruction.code = Instruction::Code::iota;
      instruction.constant = static_cast<std::uint32_t>(program_.iotas.size());
      program_.iotas.push_back(iota_of(node));
    }
    release_sources(node, m);
    Value& value = values_[m];
    value.reg = result_register(instruction.to, value.is_fixed);
    instruction.target = value.reg;
    if (plan_.is_stored(group_.members[m])) {
      program_.stores.push_back({value.reg, 0});
      out_.results.push_back({&node, static_cast<std::uint32_t>(program_.code.size()), false});
    }
    program_.code.push_back(instruction);
  }

  static Iota iota_of(const Node& node) {
    const auto& attrs = attrs_as<ArangeAttrs>(node.attrs);
    return {attrs.start, attrs.step, attrs.int_start, attrs.int_step, Strides{1}};
  }

  void number_outputs() {
    std::uint32_t number = 0;
    for (Store& store : program_.stores) store.output = number++;
    for (std::size_t i = 0; i < reduced_.size(); ++i) {
      program_.reductions[i].output = number++;
      out_.results.push_back({reduced_[i], static_cast<std::uint32_t>(program_.code.size()), true});
    }
  }

  void collapse();

  Plan& plan_;
  std::uint32_t id_;
  Group& group_;
  LoweredGroup& out_;
  TileProgram& program_;
  std::vector<Value> values_;
  std::vector<Register> free_;
  std::vector<Node*> reduced_;
};

template <class F>
void for_each_strides(TileProgram& program, F&& f) {
  for (Load& load : program.loads) f(load.strides);
  for (Iota& iota : program.iotas) f(iota.strides);
}

// Axes that every load walks as one become one; axes of size 1 go.
void collapse_dims(TileProgram& program) {
  Shape dims;
  std::vector<bool> reduced;
  std::vector<std::size_t> kept;  // the axis whose strides the collapsed dim has
  for (std::size_t axis = 0; axis < program.dims.size(); ++axis) {
    if (program.dims[axis] == 1) continue;
    bool joins = !dims.empty() && reduced.back() == program.reduced[axis];
    if (joins) {
      for_each_strides(program, [&](const Strides& strides) {
        joins &= strides[kept.back()] == strides[axis] * program.dims[axis];
      });
    }
    if (joins) {
      dims.back() *= program.dims[axis];
      kept.back() = axis;
    } else {
      dims.push_back(program.dims[axis]);
      reduced.push_back(program.reduced[axis]);
      kept.push_back(axis);
    }
  }
  for_each_strides(program, [&](Strides& strides) {
    Strides collapsed;
    for (std::size_t axis : kept) collapsed.push_back(strides[axis]);
    strides = std::move(collapsed);
  });
  program.dims = std::move(dims);
  program.reduced = std::move(reduced);
}

void Lowering::collapse() { collapse_dims(program_); }

}  // namespace

void LoweredGroup::clear() {
  program.clear();
  inputs.clear();
  results.clear();
  tensors.clear();
  traced = false;
}

void lower(Plan& plan, std::uint32_t group, LoweredGroup& out) { Lowering(plan, group, out).run(); }

TileProgram copy_program(const Tensor& source) {
  TileProgram program;
  program.dims = source.shape;
  program.reduced.assign(source.shape.size(), false);
  program.registers = {source.dtype};
  program.loads.push_back({0, 0, source.strides});
  program.stores.push_back({0, 0});
  collapse_dims(program);
  return program;
}

}  // namespace mlx::core
