// Einsum: parsing, a greedy plan, and contraction of two operands at a time by matmul.
#include "mlx/ops/einsum.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/matmul.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

// One axis. Letters are themselves; the axes that "..." stands for are numbers above them, the last
// one first, so that they line up from the right.
using Label = std::int32_t;
using Labels = std::vector<Label>;
constexpr Label first_unnamed = 256;

bool contains(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

struct Problem {
  std::vector<Labels> inputs;
  Labels output;
  std::map<Label, std::int64_t> sizes;
};

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  raise<ValueError>("einsum", what, ": got \"", text, "\"");
}

// The labels of one operand's text, which has `ndim` axes; -1: as many unnamed axes as `unnamed`.
Labels parse_labels(std::string_view text, std::string_view term, int ndim, int unnamed) {
  Labels labels;
  bool has_dots = false;
  auto named = static_cast<int>(
      std::count_if(term.begin(), term.end(), [](char c) { return c != '.' && c != ' '; }));
  int hidden = ndim < 0 ? unnamed : ndim - named;
  for (std::size_t i = 0; i < term.size(); ++i) {
    char c = term[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (has_dots || term.substr(i, 3) != "...") refuse(text, "misplaced \".\"");
      for (int k = hidden; k > 0; --k) labels.push_back(first_unnamed + k - 1);
      has_dots = true;
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      labels.push_back(c);
    } else {
      refuse(text, std::string("unusable character '") + c + "'; expected letters, \"...\"");
    }
  }
  if (ndim >= 0 && (hidden < 0 || (hidden > 0 && !has_dots))) {
    refuse(text, "operand with " + std::to_string(ndim) + " axes for the term \"" +
                     std::string(term) + "\"");
  }
  return labels;
}

std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  return terms;
}

void note_sizes(std::string_view text, const Labels& labels, const Shape& shape, Problem& problem) {
  auto refuse_sizes = [&](std::int64_t a, std::int64_t b) {
    refuse(text, "sizes " + std::to_string(a) + " and " + std::to_string(b) + " of one axis name");
  };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {  // a diagonal does not broadcast
      if (labels[j] == labels[i] && shape[j] != shape[i]) refuse_sizes(shape[j], shape[i]);
    }
    auto [entry, is_new] = problem.sizes.emplace(labels[i], shape[i]);
    std::int64_t& size = entry->second;
    if (is_new || size == shape[i] || shape[i] == 1) continue;
    if (size != 1) refuse_sizes(size, shape[i]);
    size = shape[i];
  }
}

// Without "->": unnamed axes first, then the letters that occur once.
Labels implied_output(const Problem& problem, int unnamed) {
  std::map<Label, int> count;
  for (const Labels& labels : problem.inputs) {
    for (Label label : labels) ++count[label];
  }
  Labels output;
  for (int k = unnamed; k > 0; --k) output.push_back(first_unnamed + k - 1);
  for (auto [label, times] : count) {
    if (times == 1 && label < first_unnamed) output.push_back(label);
  }
  return output;
}

Problem parse(std::string_view text, Inputs operands) {
  std::size_t arrow = text.find("->");
  std::vector<std::string_view> terms = split_terms(text.substr(0, arrow));
  if (terms.size() != operands.size()) {
    refuse(text, std::to_string(operands.size()) + " operands for " + std::to_string(terms.size()) +
                     " terms");
  }
  Problem problem;
  int unnamed = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Labels labels = parse_labels(text, terms[i], operands[i].ndim(), 0);
    note_sizes(text, labels, operands[i].shape(), problem);
    for (Label label : labels) unnamed = std::max(unnamed, label - first_unnamed + 1);
    problem.inputs.push_back(std::move(labels));
  }
  if (arrow == std::string_view::npos) {
    problem.output = implied_output(problem, unnamed);
    return problem;
  }
  problem.output = parse_labels(text, text.substr(arrow + 2), -1, unnamed);
  for (std::size_t i = 0; i < problem.output.size(); ++i) {
    Label label = problem.output[i];
    if (!problem.sizes.contains(label) ||
        std::count(problem.output.begin(), problem.output.end(), label) > 1) {
      refuse(text, "output axis that no operand has, or that is named twice");
    }
  }
  for (int k = 0; k < unnamed; ++k) {
    if (!contains(problem.output, first_unnamed + k)) {
      refuse(text, "\"...\" of an operand without \"...\" in the output");
    }
  }
  return problem;
}

// --- the plan -----------------------------------------------------------------------------------

double size_of_all(const Labels& labels, const Problem& problem) {
  double size = 1;
  for (Label label : labels) size *= static_cast<double>(problem.sizes.at(label));
  return size;
}

// What contracting two operands leaves: labels of either that somebody still needs.
Labels labels_after(const Labels& a, const Labels& b, const std::vector<Labels>& rest,
                    const Labels& output) {
  Labels left;
  auto keep = [&](Label label) {
    bool needed = contains(output, label);
    for (const Labels& other : rest) needed = needed || contains(other, label);
    if (needed && !contains(left, label)) left.push_back(label);
  };
  std::for_each(a.begin(), a.end(), keep);
  std::for_each(b.begin(), b.end(), keep);
  return left;
}

struct Step {
  std::size_t i, j;  // i < j
  Labels labels;     // of the result
  double cost;       // multiplications
};

// The pair whose result is smallest beside what it replaces; ties go to the cheaper one.
Step cheapest_step(const std::vector<Labels>& live, const Problem& problem) {
  std::optional<Step> best;
  double best_growth = 0;
  for (std::size_t i = 0; i < live.size(); ++i) {
    for (std::size_t j = i + 1; j < live.size(); ++j) {
      std::vector<Labels> rest;
      for (std::size_t k = 0; k < live.size(); ++k) {
        if (k != i && k != j) rest.push_back(live[k]);
      }
      Step step{i, j, labels_after(live[i], live[j], rest, problem.output), 0};
      Labels all = live[i];
      for (Label label : live[j]) {
        if (!contains(all, label)) all.push_back(label);
      }
      step.cost = size_of_all(all, problem);
      double growth = size_of_all(step.labels, problem) - size_of_all(live[i], problem) -
                      size_of_all(live[j], problem);
      if (!best || growth < best_growth || (growth == best_growth && step.cost < best->cost)) {
        best = std::move(step);
        best_growth = growth;
      }
    }
  }
  return *best;
}

std::vector<Step> plan(const Problem& problem) {
  std::vector<Labels> live = problem.inputs;
  std::vector<Step> steps;
  while (live.size() > 1) {
    Step step = cheapest_step(live, problem);
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(step.j));
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(step.i));
    live.push_back(step.labels);
    steps.push_back(std::move(step));
  }
  return steps;
}

// --- contraction --------------------------------------------------------------------------------

struct Operand {
  array value;
  Labels labels;
};

int place(const Labels& labels, Label label) {
  return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

// The diagonal of every label that occurs twice.
void take_diagonals(Operand& x, Stream stream) {
  for (std::size_t i = 0; i < x.labels.size(); ++i) {
    for (std::size_t j = i + 1; j < x.labels.size();) {
      if (x.labels[i] != x.labels[j]) {
        ++j;
        continue;
      }
      x.value =
          diagonal(x.value, 0, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), stream);
      Label label = x.labels[i];
      x.labels.erase(x.labels.begin() + static_cast<std::ptrdiff_t>(j));
      x.labels.erase(x.labels.begin() + static_cast<std::ptrdiff_t>(i));
      x.labels.push_back(label);
      i = static_cast<std::size_t>(-1);  // begin again: the axes have moved
      break;
    }
  }
}

// Axes of size 1 that broadcast are dropped: they come back from the other operand or at the end.
void drop_broadcast_axes(Operand& x, const Problem& problem, Stream stream) {
  Axes axes;
  Labels kept;
  for (std::size_t i = 0; i < x.labels.size(); ++i) {
    bool stretches = x.value.shape()[i] == 1 && problem.sizes.at(x.labels[i]) != 1;
    if (stretches) {
      axes.push_back(static_cast<std::int64_t>(i));
    } else {
      kept.push_back(x.labels[i]);
    }
  }
  if (axes.empty()) return;
  x.value = squeeze(x.value, axes, stream);
  x.labels = std::move(kept);
}

// Sums the axes that `needed` refuses.
template <class Needed>
void sum_away(Operand& x, Stream stream, Needed needed) {
  Axes axes;
  Labels kept;
  for (std::size_t i = 0; i < x.labels.size(); ++i) {
    if (needed(x.labels[i])) {
      kept.push_back(x.labels[i]);
    } else {
      axes.push_back(static_cast<std::int64_t>(i));
    }
  }
  if (axes.empty()) return;
  Dtype dtype = x.value.dtype();
  x.value = astype(sum(x.value, axes, false, stream), dtype, stream);
  x.labels = std::move(kept);
}

// The axes in the order of `groups`, every group flattened into one axis.
array grouped(const Operand& x, std::initializer_list<const Labels*> groups, Stream stream) {
  Axes order;
  Shape shape;
  for (const Labels* group : groups) {
    std::int64_t size = 1;
    for (Label label : *group) {
      int axis = place(x.labels, label);
      order.push_back(axis);
      size *= x.value.shape(axis);
    }
    shape.push_back(size);
  }
  return reshape(transpose(x.value, order, stream), shape, stream);
}

// Aligned for broadcasting over `labels`.
array aligned(const Operand& x, const Labels& labels, Stream stream) {
  Axes order, missing;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (contains(x.labels, labels[i])) {
      order.push_back(place(x.labels, labels[i]));
    } else {
      missing.push_back(static_cast<std::int64_t>(i));
    }
  }
  array result = transpose(x.value, order, stream);
  return missing.empty() ? result : expand_dims(result, missing, stream);
}

Operand contract(Operand a, Operand b, const Labels& after, const Problem& problem, Stream stream) {
  auto needed_with = [&](const Operand& other) {
    return [&](Label label) { return contains(after, label) || contains(other.labels, label); };
  };
  sum_away(a, stream, needed_with(b));
  sum_away(b, stream, needed_with(a));
  Labels batch, summed, left, right;
  for (Label label : a.labels) {
    bool shared = contains(b.labels, label);
    (!shared ? left : contains(after, label) ? batch : summed).push_back(label);
  }
  for (Label label : b.labels) {
    if (!contains(a.labels, label)) right.push_back(label);
  }
  if (summed.empty()) {  // nothing to add up: a plain product is one pass and fuses
    Labels labels;
    for (Label label : after) {
      if (contains(a.labels, label) || contains(b.labels, label)) labels.push_back(label);
    }
    return {elementwise_product(aligned(a, labels, stream), aligned(b, labels, stream), stream),
            labels};
  }
  array product = matmul(grouped(a, {&batch, &left, &summed}, stream),
                         grouped(b, {&batch, &summed, &right}, stream), stream);
  Labels labels = batch;
  labels.insert(labels.end(), left.begin(), left.end());
  labels.insert(labels.end(), right.begin(), right.end());
  Shape shape;
  for (Label label : labels) shape.push_back(problem.sizes.at(label));
  return {reshape(product, shape, stream), labels};
}

array finished(Operand x, const Problem& problem, Stream stream) {
  sum_away(x, stream, [&](Label label) { return contains(problem.output, label); });
  Shape shape;
  for (Label label : problem.output) shape.push_back(problem.sizes.at(label));
  return broadcast_to(aligned(x, problem.output, stream), shape, stream);
}

std::string text_of(const Labels& labels) {
  std::string text;
  bool dots = false;
  for (Label label : labels) {
    if (label < first_unnamed) {
      text += static_cast<char>(label);
    } else if (!std::exchange(dots, true)) {
      text += "...";
    }
  }
  return text;
}

std::string account(const Problem& problem, const std::vector<Step>& steps) {
  Labels all;
  for (auto [label, size] : problem.sizes) all.push_back(label);
  double naive = size_of_all(all, problem) * static_cast<double>(problem.inputs.size());
  double total = 0, largest = size_of_all(problem.output, problem);
  std::ostringstream lines;
  std::vector<Labels> live = problem.inputs;
  for (const Step& step : steps) {
    total += 2 * step.cost;
    largest = std::max(largest, size_of_all(step.labels, problem));
    lines << "  " << text_of(live[step.i]) << ',' << text_of(live[step.j]) << "->"
          << text_of(step.labels) << '\n';
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(step.j));
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(step.i));
    live.push_back(step.labels);
  }
  std::ostringstream text;
  text << "operations in one sum over all axes: " << naive
       << "\noperations in this order: " << (steps.empty() ? naive : total)
       << "\nlargest intermediate, in elements: " << largest << "\nsteps:\n"
       << lines.str();
  return text.str();
}

}  // namespace

array einsum(std::string_view subscripts, Inputs operands, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (operands.empty()) refuse(subscripts, "no operands; expected at least one");
  Problem problem = parse(subscripts, operands);
  Dtype dtype = operands[0].dtype();
  for (const array& operand : operands) dtype = promote(dtype, operand.dtype());
  std::vector<Operand> live;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Operand x{astype(operands[i], dtype, stream), problem.inputs[i]};
    take_diagonals(x, stream);
    drop_broadcast_axes(x, problem, stream);
    problem.inputs[i] = x.labels;
    live.push_back(std::move(x));
  }
  for (const Step& step : plan(problem)) {
    Operand result =
        contract(std::move(live[step.i]), std::move(live[step.j]), step.labels, problem, stream);
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(step.j));
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(step.i));
    live.push_back(std::move(result));
  }
  return finished(std::move(live[0]), problem, stream);
}

std::pair<EinsumPath, std::string> einsum_path(std::string_view subscripts, Inputs operands) {
  if (operands.empty()) refuse(subscripts, "no operands; expected at least one");
  Problem problem = parse(subscripts, operands);
  std::vector<Step> steps = plan(problem);
  EinsumPath path;
  for (const Step& step : steps) {
    path.push_back({static_cast<int>(step.i), static_cast<int>(step.j)});
  }
  if (path.empty()) path.push_back({0});
  return {std::move(path), account(problem, steps)};
}

}  // namespace mlx::core
