// Hashing and printing of attribute values.
#include "mlx/graph/attributes.h"

namespace mlx::core {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

std::size_t mix(std::size_t seed, std::size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

template <class List>
std::string list_text(const List& list) {
  std::ostringstream text;
  text << '[';
  for (std::size_t i = 0; i < list.size(); ++i) text << (i ? ", " : "") << list[i];
  text << ']';
  return text.str();
}

}  // namespace

Attrs::~Attrs() = default;

std::size_t Attrs::hash() const {
  std::size_t seed = 0;
  for (const NamedValue& field : values()) seed = mix(seed, hash_of(field.value));
  return seed;
}

std::size_t hash_of(const AttrValue& value) {
  auto list_hash = []<class T>(const std::vector<T>& list) {
    std::size_t seed = list.size();
    for (const T& item : list) seed = mix(seed, std::hash<T>{}(item));
    return seed;
  };
  std::size_t seed =
      std::visit(Overloaded{[](std::monostate) -> std::size_t { return 0; },
                            [](Dtype d) { return static_cast<std::size_t>(d); },
                            [&](const std::vector<std::int64_t>& list) { return list_hash(list); },
                            [&](const std::vector<double>& list) { return list_hash(list); },
                            []<class T>(const T& plain) { return std::hash<T>{}(plain); }},
                 value);
  return mix(value.index(), seed);
}

std::string to_string(const AttrValue& value) {
  return std::visit(
      Overloaded{[](std::monostate) { return std::string("None"); },
                 [](bool b) { return std::string(b ? "True" : "False"); },
                 [](std::int64_t i) { return std::to_string(i); },
                 [](double d) {
                   std::ostringstream text;
                   text << d;
                   return text.str();
                 },
                 [](const std::string& s) { return "'" + s + "'"; },
                 [](Dtype d) { return std::string(name_of(d)); },
                 [](const std::vector<std::int64_t>& list) { return list_text(list); },
                 [](const std::vector<double>& list) { return list_text(list); }},
      value);
}

}  // namespace mlx::core
