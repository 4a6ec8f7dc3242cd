// A SubCSR (Subway, EuroSys 2020, section 3.1): lists of some vertices as plain arrays. Host and
// device read it in the same form.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// The start of a SubCSR in memory. It has the lists, or parts of lists, of one block's active
/// vertices; none is empty. Four arrays follow it, each aligned to kArrayAlignment bytes.
struct SubCsr {
  static constexpr uint32_t kArrayAlignment = 16;

  uint32_t num_lists = 0;
  uint32_t num_edges = 0;
  /// The target of the edge before the first one here, if the first list begins in an earlier
  /// block; else kInvalidVertex.
  VertexId previous = kInvalidVertex;
  uint32_t weight_bytes = 0;  // of one weight; 0: there are none

  /// Returns the bytes of a SubCSR with all its arrays.
  EM_HOST_DEVICE static uint64_t BytesOf(uint64_t num_lists, uint64_t num_edges,
                                         uint32_t weight_bytes) {
    return sizeof(SubCsr) + Aligned(num_lists * sizeof(VertexId)) +
           Aligned((num_lists + 1) * sizeof(uint32_t)) + Aligned(num_edges * sizeof(VertexId)) +
           Aligned(num_edges * weight_bytes);
  }
  EM_HOST_DEVICE uint64_t bytes() const { return BytesOf(num_lists, num_edges, weight_bytes); }

  /// The source vertices of the lists, in rising order.
  EM_HOST_DEVICE const VertexId* vertices() const {
    return reinterpret_cast<const VertexId*>(this + 1);
  }
  /// List i has the edges [offsets()[i], offsets()[i + 1]).
  EM_HOST_DEVICE const uint32_t* offsets() const {
    return After<uint32_t>(vertices(), num_lists * sizeof(VertexId));
  }
  EM_HOST_DEVICE const VertexId* neighbors() const {
    return After<VertexId>(offsets(), (num_lists + uint64_t{1}) * sizeof(uint32_t));
  }
  /// The weights, of the type in which the graph stores them, but not packed.
  EM_HOST_DEVICE const void* weights() const {
    return After<char>(neighbors(), num_edges * sizeof(VertexId));
  }
  /// Whether edge `edge` of list `list` is the first of its vertex's whole list.
  EM_HOST_DEVICE bool is_head(uint32_t list, uint32_t edge) const {
    return edge == offsets()[list] && (edge > 0 || previous == kInvalidVertex);
  }

 private:
  EM_HOST_DEVICE static uint64_t Aligned(uint64_t bytes) {
    return (bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  }
  template <typename T>
  EM_HOST_DEVICE static const T* After(const void* array, uint64_t bytes) {
    return reinterpret_cast<const T*>(static_cast<const char*>(array) + Aligned(bytes));
  }
};
static_assert(sizeof(SubCsr) == SubCsr::kArrayAlignment);

}  // namespace edgemill
