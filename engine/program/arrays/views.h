// Views of arrays, which programs hold: pointers whose type says what a function may do with them.
//
//   View<T>         reads and writes the function's own vertex.
//   View<const T>   reads the own vertex; in Along and EdgeVisit, both ends of the edge; in
//                   Intersect, all corners of the triangle. No thread writes the array during the
//                   operator.
//   LaneView<T>     a View<T> of one word of each vertex, where an array has several (lane_view.h).
//   Anywhere<T>     reads any index; no thread writes the array during the operator.
//   Into<M>         combines into any index by a monoid, and does not read.
//   Shared<T>       does atomic operations at any index, in one memory.
//   TallyView<M>    adds to one value of the whole graph.
//   DegreeView      reads the degrees of vertices from the index.
//
// An array makes its views (engine/state/state.h). The engine finds a program's views by reflection
// over its fields (fields.h), so that no view can be forgotten on the way to a GPU.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "common/types.h"
#include "engine/program/arrays/access_guard.h"
#include "engine/program/monoids/fixed_point_sum.h"
#include "engine/program/monoids/monoids.h"
#include "kernels/portable_atomics.h"
#include "kernels/vertex_index_view.h"

namespace edgemill {

class ArrayCopy;

/// The array of a State that a view shows.
struct ArrayInfo {
  const char* name = "";
  uint64_t size = 0;  // elements
  uint32_t element_bytes = 0;
  ArrayCopy* copy = nullptr;  // for arrays that are also in another memory (array_copy.h)
};

namespace internal {

// Relaxed atomic loads and stores of a number, for views. Compilers assume that an atomic operation
// may read or write anything, so they would load a program's other fields again after each.
// Volatile accesses avoid that, and are the same instructions. The thread sanitizer takes volatile
// accesses for plain ones, so it gets atomic ones.
#if defined(__SANITIZE_THREAD__)
#define EM_ATOMIC_CELLS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EM_ATOMIC_CELLS 1
#endif
#endif

template <typename T>
EM_HOST_DEVICE inline T LoadCell(const T* place) {
#if defined(EM_ATOMIC_CELLS)
  return LoadRelaxed(place);
#else
  return *const_cast<const volatile T*>(place);
#endif
}
template <typename T>
EM_HOST_DEVICE inline void StoreCell(T* place, T value) {
#if defined(EM_ATOMIC_CELLS)
  StoreRelaxed(place, value);
#else
  *const_cast<volatile T*>(place) = value;
#endif
}

}  // namespace internal

/// A number that threads read and write at the same time, by relaxed atomic loads and stores. It is
/// read and assigned like a T. The functions below call those of kernels/portable_atomics.h.
template <typename T>
class Cell {
 public:
  EM_HOST_DEVICE explicit Cell(T* place) : place_(place) {}
  Cell(const Cell&) = default;
  EM_HOST_DEVICE operator T() const { return internal::LoadCell(place_); }
  EM_HOST_DEVICE Cell& operator=(T value) {
    internal::StoreCell(place_, value);
    return *this;
  }
  EM_HOST_DEVICE Cell& operator=(const Cell& other) { return *this = static_cast<T>(other); }
  /// Not atomic as a whole: for functions that no other thread calls for this vertex.
  EM_HOST_DEVICE Cell& operator+=(T more) { return *this = static_cast<T>(*this + more); }
  EM_HOST_DEVICE Cell& operator-=(T less) { return *this = static_cast<T>(*this - less); }
  EM_HOST_DEVICE T* place() const { return place_; }

 private:
  T* place_;
};

/// Sets the cell to `value` if `value` is less. Returns whether it was.
template <typename T>
EM_HOST_DEVICE inline bool AtomicMin(Cell<T> cell, std::type_identity_t<T> value) {
  return AtomicMin(cell.place(), value);
}
/// Sets the cell to `value` if `value` is greater. Returns whether it was.
template <typename T>
EM_HOST_DEVICE inline bool AtomicMax(Cell<T> cell, std::type_identity_t<T> value) {
  return AtomicMax(cell.place(), value);
}
/// Adds `value`. Returns the number before.
template <typename T>
EM_HOST_DEVICE inline T AtomicAdd(Cell<T> cell, std::type_identity_t<T> value) {
  return AtomicAdd(cell.place(), value);
}
/// Sets the bits of `bits`. Returns the number before.
template <typename T>
EM_HOST_DEVICE inline T AtomicOr(Cell<T> cell, std::type_identity_t<T> bits) {
  return AtomicOr(cell.place(), bits);
}
/// Sets the cell to `value`. Returns the number before.
template <typename T>
EM_HOST_DEVICE inline T AtomicExchange(Cell<T> cell, std::type_identity_t<T> value) {
  return AtomicExchange(cell.place(), value);
}
/// Writes `value` if the cell holds `expected`; returns whether it did.
template <typename T>
EM_HOST_DEVICE inline bool CompareAndSet(Cell<T> cell, std::type_identity_t<T> expected,
                                         std::type_identity_t<T> value) {
  return AtomicReplace(cell.place(), expected, value);
}

inline namespace EM_VIEWS_NAMESPACE {

/// The common part of all views of arrays: the array's memory, and the array itself.
template <typename T>
class ArrayView {
 public:
  ArrayView() = default;
  EM_HOST_DEVICE ArrayView(T* data, const ArrayInfo* array) : data_(data), array_(array) {}

  /// Whether the array has any elements: arrays that a run does not need have none.
  EM_HOST_DEVICE explicit operator bool() const { return data_ != nullptr; }
  EM_HOST_DEVICE const ArrayInfo* array() const { return array_; }
  EM_HOST_DEVICE T* data() const { return data_; }
  /// Makes the view show the same array at another place: its copy in another memory.
  void MoveTo(T* data) { data_ = data; }
  /// Works also where the array has no elements: any address can be prefetched.
  EM_HOST_DEVICE void Prefetch(uint64_t index) const {
    const auto place = reinterpret_cast<uintptr_t>(data_) + index * sizeof(T);
    edgemill::Prefetch(reinterpret_cast<const T*>(place));
  }

 protected:
  EM_HOST_DEVICE void Check([[maybe_unused]] uint64_t index, [[maybe_unused]] bool writes) const {
#if EDGEMILL_CHECK_VIEWS && !defined(__CUDA_ARCH__)
    AccessGuard::OfThread().Touch(array_->name, index, array_->size, writes);
#endif
  }
  EM_HOST_DEVICE void CheckAnywhere([[maybe_unused]] uint64_t index) const {
#if EDGEMILL_CHECK_VIEWS && !defined(__CUDA_ARCH__)
    AccessGuard::OfThread().TouchAnywhere(array_->name, index, array_->size);
#endif
  }

  T* data_ = nullptr;
  const ArrayInfo* array_ = nullptr;
};

/// Reads and writes the function's own vertex: numbers by relaxed atomic loads and stores, other
/// types by plain ones. In a const function it only reads.
template <typename T>
class View : public ArrayView<T> {
 public:
  using ArrayView<T>::ArrayView;
  static constexpr bool kIsCell = std::is_arithmetic_v<T> || std::is_enum_v<T>;

  EM_HOST_DEVICE std::conditional_t<kIsCell, Cell<T>, T&> operator[](uint64_t index) {
    this->Check(index, true);
    if constexpr (kIsCell) {
      return Cell<T>(this->data_ + index);
    } else {
      return this->data_[index];
    }
  }
  EM_HOST_DEVICE T operator[](uint64_t index) const {
    this->Check(index, true);  // threads may write other vertices: only the own one is read
    if constexpr (kIsCell) {
      return internal::LoadCell(this->data_ + index);
    } else {
      return this->data_[index];
    }
  }
};

/// Reads an array that no thread writes during the operator: at the own vertex, or, in Along and
/// EdgeVisit, at both ends of the edge, or, in Intersect, at all corners of the triangle.
template <typename T>
class View<const T> : public ArrayView<const T> {
 public:
  using ArrayView<const T>::ArrayView;
  EM_HOST_DEVICE const T& operator[](uint64_t index) const {
    this->Check(index, false);
    return this->data_[index];
  }
};

/// Reads an array at any index. No thread writes the array during the operator.
template <typename T>
class Anywhere : public ArrayView<const T> {
 public:
  using ArrayView<const T>::ArrayView;
  EM_HOST_DEVICE const T& operator[](uint64_t index) const {
    this->CheckAnywhere(index);
    return this->data_[index];
  }
};

/// Combines into any index, by atomic operations. Reals are added in any order, so that the last
/// bits of a sum may differ between runs.
template <typename M>
class Into : public ArrayView<typename M::Value> {
 public:
  using Monoid = M;
  using ArrayView<typename M::Value>::ArrayView;
  EM_HOST_DEVICE void Add(uint64_t index, typename M::Value value) {
    this->CheckAnywhere(index);
    CombineInto<M>(this->data_ + index, value);
  }
};

/// Does atomic operations at any index. A program that holds a Shared view runs on one processor.
template <typename T>
class Shared : public ArrayView<T> {
 public:
  using ArrayView<T>::ArrayView;
  EM_HOST_DEVICE Cell<T> operator[](uint64_t index) const {
    this->CheckAnywhere(index);
    return Cell<T>(this->data_ + index);
  }
};

/// kIsOwnView: whether a field is a View<T> or LaneView<T> with a T that is not const. kIsReadView:
/// whether it is one with a const T.
template <typename F>
inline constexpr bool kIsOwnView = false;
template <typename T>
inline constexpr bool kIsOwnView<View<T>> = !std::is_const_v<T>;
template <typename F>
inline constexpr bool kIsReadView = false;
template <typename T>
inline constexpr bool kIsReadView<View<const T>> = true;

template <typename F>
inline constexpr bool kIsSharedView = false;
template <typename T>
inline constexpr bool kIsSharedView<Shared<T>> = true;

/// Exchanges what two views show. For the Next of programs that read one array and write another.
template <typename T>
EM_HOST_DEVICE void Swap(View<const T>& read, View<T>& written) {
  const View<const T> before = read;
  read = View<const T>(written.data(), written.array());
  written = View<T>(const_cast<T*>(before.data()), before.array());
}

}  // namespace EM_VIEWS_NAMESPACE

/// The sum of a Tally. Sums of reals are kept in fixed point.
template <typename M>
class TallySum {
 public:
  using Value = typename M::Value;
  EM_HOST_DEVICE void Add(Value value) { sum_ = M::Combine(sum_, value); }
  EM_HOST_DEVICE void Merge(const TallySum& other) { Add(other.sum_); }
#if defined(__CUDACC__)
  /// Merges while other threads may do the same. Values of more than 8 bytes use `lock`.
  __device__ void MergeAtomically(const TallySum& other, unsigned int* lock) {
    if constexpr (sizeof(Value) <= 8) {
      CombineInto<M>(&sum_, other.sum_);
    } else {
      while (atomicCAS(lock, 0u, 1u) != 0) {
      }
      __threadfence();
      Merge(other);
      __threadfence();
      atomicExch(lock, 0u);
    }
  }
#endif
  EM_HOST_DEVICE void Reset() { sum_ = M::identity(); }
  EM_HOST_DEVICE Value value() const { return sum_; }
  EM_HOST_DEVICE bool valid() const { return true; }

 private:
  Value sum_ = M::identity();
};
template <>
class TallySum<Sum<double>> : public FixedPointSum {
 public:
  using Value = double;
  using FixedPointSum::FixedPointSum;
};

/// Adds to a Tally. It keeps the sum of what was added through it. Each thread has its own copy of
/// the program, and the engine merges the sums of all copies at the operator's end.
template <typename M>
class TallyView {
 public:
  using Monoid = M;
  TallyView() = default;
  /// `total` is where the engine puts the sum.
  explicit TallyView(TallySum<M>* total) : sum_(*total), total_(total) { sum_.Reset(); }
  EM_HOST_DEVICE void Add(typename M::Value value) { sum_.Add(value); }
  EM_HOST_DEVICE TallySum<M>& sum() { return sum_; }
  TallySum<M>* total() const { return total_; }

 private:
  TallySum<M> sum_;
  TallySum<M>* total_ = nullptr;
};

/// The number of edges of each vertex in one direction, with loops and duplicates. It has 64 bits.
class DegreeView {
 public:
  DegreeView() = default;
  EM_HOST_DEVICE explicit DegreeView(const VertexIndexView& index) : index_(index) {}
  EM_HOST_DEVICE EdgeIndex operator[](VertexId vertex) const { return index_.degree(vertex); }
  EM_HOST_DEVICE VertexIndexView& index() { return index_; }

 private:
  VertexIndexView index_;
};

}  // namespace edgemill
