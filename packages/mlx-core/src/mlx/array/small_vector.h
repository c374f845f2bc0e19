// A vector that keeps its first N elements inside itself: shapes and inputs rarely allocate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace mlx::core {

template <class T, std::size_t N>
class SmallVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept : data_(inline_data()) {}
  explicit SmallVector(std::size_t count, const T& value = T()) : SmallVector() {
    resize(count, value);
  }
  SmallVector(std::initializer_list<T> values) : SmallVector(values.begin(), values.end()) {}
  template <std::input_iterator It>
  SmallVector(It first, It last) : SmallVector() {
    for (; first != last; ++first) push_back(*first);
  }
  SmallVector(const SmallVector& other) : SmallVector() {
    reserve(other.size_);
    std::uninitialized_copy(other.begin(), other.end(), data_);
    size_ = other.size_;
  }
  SmallVector(SmallVector&& other) noexcept : SmallVector() { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    clear();
    reserve(other.size_);
    std::uninitialized_copy(other.begin(), other.end(), data_);
    size_ = other.size_;
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this == &other) return *this;
    clear();
    release();
    take(other);
    return *this;
  }
  ~SmallVector() {
    clear();
    release();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  operator std::span<const T>() const { return {data_, size_}; }

  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    grow(std::max<std::size_t>(count, 2 * capacity_));
  }
  void push_back(T value) {
    reserve(size_ + 1);
    std::construct_at(data_ + size_, std::move(value));
    ++size_;
  }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    push_back(T(std::forward<Args>(args)...));
    return back();
  }
  void pop_back() { std::destroy_at(data_ + --size_); }
  void resize(std::size_t count, const T& value = T()) {
    while (size_ > count) pop_back();
    reserve(count);
    while (size_ < count) push_back(value);
  }
  void clear() {
    std::destroy(begin(), end());
    size_ = 0;
  }
  iterator insert(const_iterator where, T value) {
    auto at = static_cast<std::size_t>(where - data_);
    push_back(std::move(value));
    std::rotate(data_ + at, data_ + size_ - 1, data_ + size_);
    return data_ + at;
  }
  iterator erase(const_iterator where) {
    auto at = data_ + (where - data_);
    std::move(at + 1, end(), at);
    pop_back();
    return at;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T* inline_data() noexcept { return reinterpret_cast<T*>(storage_); }
  bool is_inline() const { return data_ == reinterpret_cast<const T*>(storage_); }

  void grow(std::size_t capacity) {
    T* fresh = std::allocator<T>().allocate(capacity);
    std::uninitialized_move(begin(), end(), fresh);
    std::destroy(begin(), end());
    release();
    data_ = fresh;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  void release() noexcept {
    if (!is_inline()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inline_data();
    capacity_ = N;
  }
  void take(SmallVector& other) noexcept {
    if (other.is_inline()) {
      std::uninitialized_move(other.begin(), other.end(), data_);
      size_ = other.size_;
      other.clear();
    } else {
      data_ = std::exchange(other.data_, other.inline_data());
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, static_cast<std::uint32_t>(N));
    }
  }

  T* data_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;
  alignas(T) std::byte storage_[N * sizeof(T)];
};

}  // namespace mlx::core
