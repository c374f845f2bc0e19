// Attributes of a node: a plain struct with named fields. Equality, hash, printing, the export's
// `named_arguments`, saving and loading all come from its `fields()` list.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "mlx/array/api.h"
#include "mlx/array/dtype.h"
#include "mlx/array/error.h"
#include "mlx/array/ref.h"
#include "mlx/array/shape.h"

namespace mlx::core {

// What a field's value can be when it leaves the engine: plain data. Enums travel as their names.
using AttrValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, Dtype,
                               std::vector<std::int64_t>, std::vector<double>>;

struct NamedValue {
  std::string_view name;
  AttrValue value;
};

MLX_API std::size_t hash_of(const AttrValue& value);
MLX_API std::string to_string(const AttrValue& value);

class MLX_API Attrs {
 public:
  mutable std::atomic<std::uint32_t> references{0};
  virtual ~Attrs();
  virtual bool equals(const Attrs& other) const = 0;
  virtual std::vector<NamedValue> values() const = 0;  // in the order of fields()
  std::size_t hash() const;
  static void destroy(const Attrs* attrs) { delete attrs; }
};
using AttrsRef = Ref<const Attrs>;

template <class Struct, class Member>
struct Field {
  std::string_view name;
  Member Struct::* member;
};
template <class Struct, class Member>
Field(const char*, Member Struct::*) -> Field<Struct, Member>;

// An enum that is an attribute specialises this: names in the order of the enumerators, from 0.
template <class Enum>
inline constexpr std::span<const std::string_view> enum_names = {};

namespace detail {

template <class T>
AttrValue to_value(const T& field) {
  if constexpr (std::is_enum_v<T> && !std::is_same_v<T, Dtype>) {
    return std::string(enum_names<T>[static_cast<std::size_t>(field)]);
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, Dtype> ||
                       std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<double>>) {
    return field;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(field);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(field);
  } else {
    return std::vector<std::int64_t>(field.begin(), field.end());  // Shape, Axes, Strides
  }
}

template <class T>
T from_value(std::string_view op, std::string_view name, const AttrValue& value) {
  if constexpr (std::is_enum_v<T> && !std::is_same_v<T, Dtype>) {
    if (auto* text = std::get_if<std::string>(&value)) {
      for (std::size_t i = 0; i < enum_names<T>.size(); ++i) {
        if (enum_names<T>[i] == *text) return static_cast<T>(i);
      }
    }
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, Dtype> ||
                       std::is_same_v<T, std::string>) {
    if (auto* v = std::get_if<T>(&value)) return *v;
  } else if constexpr (std::is_integral_v<T>) {
    if (auto* v = std::get_if<std::int64_t>(&value)) {
      if (std::in_range<T>(*v)) return static_cast<T>(*v);
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    if (auto* v = std::get_if<double>(&value)) return static_cast<T>(*v);
    if (auto* v = std::get_if<std::int64_t>(&value)) return static_cast<T>(*v);
  } else {
    using Element = typename T::value_type;
    if (auto* v = std::get_if<std::vector<Element>>(&value)) return T(v->begin(), v->end());
  }
  raise<ValueError>(op, "attribute '", name, "' has an unusable value: got ", to_string(value));
}

}  // namespace detail

template <class Struct>
class AttrsOf final : public Attrs {
 public:
  explicit AttrsOf(Struct value) : value(std::move(value)) {}
  bool equals(const Attrs& other) const override {
    auto* same = dynamic_cast<const AttrsOf*>(&other);
    return same && same->value == value;
  }
  std::vector<NamedValue> values() const override {
    return std::apply(
        [&](const auto&... field) {
          return std::vector<NamedValue>{{field.name, detail::to_value(value.*(field.member))}...};
        },
        Struct::fields());
  }
  const Struct value;
};

template <class Struct>
AttrsRef make_attrs(Struct value) {
  return AttrsRef(new AttrsOf<Struct>(std::move(value)));
}
template <class Struct>
const Struct& attrs_as(const AttrsRef& attrs) {
  return static_cast<const AttrsOf<Struct>&>(*attrs).value;
}

// The schema of an op's attributes: the names, and how to make the struct from named values.
struct AttrsSchema {
  std::vector<std::string_view> names;
  AttrsRef (*make)(std::string_view op, std::span<const AttrValue> values) = nullptr;
};

template <class Struct>
AttrsSchema describe() {
  AttrsSchema schema;
  std::apply([&](const auto&... field) { (schema.names.push_back(field.name), ...); },
             Struct::fields());
  schema.make = [](std::string_view op, std::span<const AttrValue> values) {
    constexpr auto fields = Struct::fields();
    constexpr std::size_t count = std::tuple_size_v<decltype(fields)>;
    if (values.size() != count) {
      raise<ValueError>(op, "wrong number of attributes: got ", values.size(), "; expected ",
                        count);
    }
    Struct result;
    std::size_t i = 0;
    std::apply(
        [&](const auto&... field) {
          ((result.*(field.member) =
                detail::from_value<std::remove_cvref_t<decltype(result.*(field.member))>>(
                    op, field.name, values[i++])),
           ...);
        },
        fields);
    return make_attrs(std::move(result));
  };
  return schema;
}

}  // namespace mlx::core
