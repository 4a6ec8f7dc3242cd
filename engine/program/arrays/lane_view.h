// Views of arrays that have a row of words for each vertex (LaneArray): see engine/program/lanes.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/program/arrays/views.h"

namespace edgemill {

/// Some words of one vertex.
template <typename T, uint32_t kCount>
struct LaneWords {
  alignas(16) T word[kCount];
};

namespace internal {

/// Copies kCount words of a row, or all that it has. A GPU copies 16 bytes at a time, where there
/// are as many: rows and kCount are powers of two there.
template <uint32_t kCount, typename T>
EM_HOST_DEVICE inline void CopyWords(const T* from, uint32_t row, T* to) {
#if defined(__CUDA_ARCH__)
  constexpr uint32_t kAtOnce = sizeof(uint4) / sizeof(T);
  if (row >= kAtOnce && kCount >= kAtOnce) {
#pragma unroll
    for (uint32_t word = 0; word < kCount; word += kAtOnce) {
      if (word < row) {
        *reinterpret_cast<uint4*>(to + word) = *reinterpret_cast<const uint4*>(from + word);
      }
    }
    return;
  }
#endif
  for (uint32_t word = 0; word < kCount && word < row; ++word) to[word] = from[word];
}

}  // namespace internal

inline namespace EM_VIEWS_NAMESPACE {

/// A View<T>, or a View<const T>, of one word of each vertex's row in a LaneArray: of the first
/// word, unless OfWord says which.
template <typename T>
class LaneView : public ArrayView<T> {
 public:
  using Value = std::remove_const_t<T>;
  static_assert(std::is_arithmetic_v<Value>);

  LaneView() = default;
  LaneView(T* data, const ArrayInfo* array, uint32_t words)
      : ArrayView<T>(data, array), words_(words) {}
  /// The words of a row.
  EM_HOST_DEVICE uint32_t words() const { return words_; }
  EM_HOST_DEVICE void MoveToWord(uint32_t word) { this->data_ += word; }
  EM_HOST_DEVICE LaneView OfWord(uint32_t word) const {
    LaneView view = *this;
    view.MoveToWord(word);
    return view;
  }
  EM_HOST_DEVICE auto operator[](VertexId vertex) {
    this->Check(vertex, !std::is_const_v<T>);
    if constexpr (std::is_const_v<T>) {
      return *PlaceOf(vertex);
    } else {
      return Cell<T>(PlaceOf(vertex));
    }
  }
  EM_HOST_DEVICE Value operator[](VertexId vertex) const {
    this->Check(vertex, !std::is_const_v<T>);
    if constexpr (std::is_const_v<T>) {
      return *PlaceOf(vertex);
    } else {
      return internal::LoadCell(PlaceOf(vertex));
    }
  }
  EM_HOST_DEVICE void Prefetch(VertexId vertex) const {
    ArrayView<T>::Prefetch(uint64_t{vertex} * words_);
  }
  /// The next kCount words of the row, or all that it has, and zeros after them. Words and SetWords
  /// are not atomic: they are for functions on vertices.
  template <uint32_t kCount>
  EM_HOST_DEVICE LaneWords<Value, kCount> Words(VertexId vertex) const {
    this->Check(vertex, !std::is_const_v<T>);
    LaneWords<Value, kCount> words = {};
    internal::CopyWords<kCount>(PlaceOf(vertex), words_, words.word);
    return words;
  }
  template <uint32_t kCount>
  EM_HOST_DEVICE void SetWords(VertexId vertex, const LaneWords<Value, kCount>& words) {
    this->Check(vertex, /*writes=*/true);
    internal::CopyWords<kCount>(words.word, words_, PlaceOf(vertex));
  }

 private:
  EM_HOST_DEVICE T* PlaceOf(VertexId vertex) const {
    return this->data_ + uint64_t{vertex} * words_;
  }

  uint32_t words_ = 1;
};

template <typename T>
inline constexpr bool kIsOwnView<LaneView<T>> = !std::is_const_v<T>;
template <typename T>
inline constexpr bool kIsReadView<LaneView<const T>> = true;

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
