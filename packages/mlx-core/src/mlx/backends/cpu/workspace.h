// Memory for registers and plans that threads keep from one run to the next.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace mlx::core::cpu {

// Bytes aligned to cache lines, which only grow.
class AlignedBytes {
 public:
  std::byte* data() const { return bytes_.get(); }
  std::byte* reserve(std::size_t size) {
    if (size > size_) {
      bytes_.reset();
      bytes_.reset(static_cast<std::byte*>(::operator new(size, std::align_val_t(alignment))));
      size_ = size;
    }
    return bytes_.get();
  }

 private:
  static constexpr std::size_t alignment = 64;
  struct Release {
    void operator()(std::byte* bytes) const {
      ::operator delete(bytes, std::align_val_t(alignment));
    }
  };
  std::unique_ptr<std::byte, Release> bytes_;
  std::size_t size_ = 0;
};

// One of the thread's spare objects, lent until the end of the scope. A run inside of a run (a
// signal handler may evaluate) gets another one.
template <class T>
class Lent {
 public:
  Lent() {
    auto& spare = spares();
    if (spare.empty()) {
      object_ = std::make_unique<T>();
    } else {
      object_ = std::move(spare.back());
      spare.pop_back();
    }
  }
  ~Lent() { spares().push_back(std::move(object_)); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  T& operator*() const { return *object_; }
  T* operator->() const { return object_.get(); }

 private:
  static std::vector<std::unique_ptr<T>>& spares() {
    thread_local std::vector<std::unique_ptr<T>> list;
    return list;
  }
  std::unique_ptr<T> object_;
};

}  // namespace mlx::core::cpu
