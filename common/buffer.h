// Large owned memory that comes directly from the kernel, which gets it back at once when it is
// freed.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "common/status.h"

namespace edgemill {

/// An anonymous mapping. It is zeroed and aligned to a page, so that O_DIRECT can use it. Its pages
/// become resident when they are first touched. Move-only.
class Buffer {
 public:
  Buffer() = default;
  /// Maps `size` bytes (0 gives an empty buffer). BudgetError when the kernel refuses.
  static StatusOr<Buffer> Allocate(size_t size);
  ~Buffer();
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  std::span<std::byte> bytes() { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  template <typename T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(data_), size_ / sizeof(T)};
  }
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_), size_ / sizeof(T)};
  }
  /// Gives the pages' memory back to the kernel; the contents read as zero afterwards.
  void Discard();

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

/// A Buffer of `size()` elements of a trivial type T, zero at first. Move-only.
template <typename T>
class Array {
 public:
  Array() = default;
  /// BudgetError when the kernel refuses the memory.
  static StatusOr<Array> Allocate(size_t size) {
    static_assert(std::is_trivially_copyable_v<T>);
    ASSIGN_OR_RETURN(Buffer buffer, Buffer::Allocate(size * sizeof(T)));
    Array array;
    array.buffer_ = std::move(buffer);
    array.size_ = size;
    return array;
  }
  T* data() { return reinterpret_cast<T*>(buffer_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(buffer_.data()); }
  size_t size() const { return size_; }
  size_t size_bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  std::span<T> span() { return {data(), size_}; }
  std::span<const T> span() const { return {data(), size_}; }
  /// Gives the pages' memory back to the kernel; all elements are zero afterwards.
  void Discard() { buffer_.Discard(); }

 private:
  Buffer buffer_;
  size_t size_ = 0;
};

}  // namespace edgemill
