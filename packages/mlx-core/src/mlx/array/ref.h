// Intrusive reference counting: one word in the object, one allocation per object.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mlx::core {

// T has `std::atomic<std::uint32_t> references` (starting at 0) and `static void destroy(T*)`.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) { acquire(); }
  Ref(const Ref& other) : object_(other.object_) { acquire(); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ && object_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      T::destroy(object_);
    }
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  void acquire() {
    if (object_) object_->references.fetch_add(1, std::memory_order_relaxed);
  }
  T* object_ = nullptr;
};

}  // namespace mlx::core
