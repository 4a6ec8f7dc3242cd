// Memory of arrays that are released, for the next ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"

namespace edgemill {

/// Keeps the memory of released arrays: the kernel would clear every page again. Its memory counts
/// in the budget, and is given up when the budget has no more. One thread uses it.
class ArrayPool {
 public:
  struct Piece {
    MemoryReservation reservation;
    Buffer buffer;
    bool zero = true;  // as the kernel gives it
  };
  explicit ArrayPool(MemoryBudget& budget) : budget_(budget) {}
  ArrayPool(const ArrayPool&) = delete;
  ArrayPool& operator=(const ArrayPool&) = delete;

  /// At least `bytes`. BudgetError.
  StatusOr<Piece> Take(uint64_t bytes);
  void Return(Piece piece);
  /// Gives up the memory that no array uses.
  void Clear() { free_.clear(); }

 private:
  MemoryBudget& budget_;
  std::vector<Piece> free_;
};

/// A piece of a pool's memory, which goes back there. Move-only. The pool must live longer.
class PooledMemory {
 public:
  PooledMemory() = default;
  /// At least `bytes`. BudgetError.
  static StatusOr<PooledMemory> Of(uint64_t bytes, ArrayPool& pool);
  PooledMemory(PooledMemory&& other) noexcept;
  PooledMemory& operator=(PooledMemory&& other) noexcept;
  ~PooledMemory();
  Buffer& buffer() { return piece_.buffer; }
  bool zero() const { return piece_.zero; }

 private:
  ArrayPool* pool_ = nullptr;
  ArrayPool::Piece piece_;
};

/// An array of T, in a pool's memory. Move-only. The pool must live longer.
template <typename T>
class CountedArray {
 public:
  /// `size` zeros. BudgetError.
  static StatusOr<CountedArray> Of(uint64_t size, ArrayPool& pool) {
    ASSIGN_OR_RETURN(CountedArray made, Unset(size, pool));
    if (!made.memory_.zero()) std::fill(made.values_.begin(), made.values_.end(), T{});
    return made;
  }
  /// `size` elements of any value. BudgetError.
  static StatusOr<CountedArray> Unset(uint64_t size, ArrayPool& pool) {
    CountedArray made;
    if (size == 0) return made;
    ASSIGN_OR_RETURN(made.memory_, PooledMemory::Of(size * sizeof(T), pool));
    made.values_ = made.memory_.buffer().template as<T>().first(size);
    return made;
  }
  T& operator[](uint64_t i) { return values_[i]; }
  const T& operator[](uint64_t i) const { return values_[i]; }
  uint64_t size() const { return values_.size(); }
  std::span<T> span() { return values_; }
  std::span<const T> span() const { return values_; }

 private:
  PooledMemory memory_;
  std::span<T> values_;
};

}  // namespace edgemill
