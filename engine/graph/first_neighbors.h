// The first neighbour of each vertex, as far as earlier sweeps came across it.
//
// Where one active neighbour is all that a vertex wants, its first is the likeliest: lists rise,
// and the first vertices are hubs where ids are by degree. To look at it here takes one read in
// place of decoding a list. Graphs that are searched again and again have it from the first search
// on.
#pragma once

#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "kernels/members.h"

namespace edgemill {

/// Of one direction; 4 bytes a vertex. Threads may learn of different vertices at a time.
class FirstNeighbors {
 public:
  static uint64_t SizeBytes(uint64_t num_vertices) { return Rounded(num_vertices) * 4; }
  /// Nothing known. Reserves SizeBytes in `budget`.
  static StatusOr<FirstNeighbors> Create(uint64_t num_vertices, int threads, MemoryBudget& budget);

  /// Whether no sweep that learns has ended yet: nearly nothing is known.
  bool is_new() const { return is_new_; }
  void EndSweep() { is_new_ = false; }
  void Learn(VertexId vertex, VertexId first) { firsts_[vertex] = first; }
  /// The first neighbour of `vertex`, or itself where none is known.
  VertexId of(VertexId vertex) const { return firsts_[vertex]; }
  /// Which of the vertices 64 * word + i, i < 64, have their first neighbour in `set`, a bitmap of
  /// all vertices, as bits i; of those that are in it themselves the bits say nothing.
  uint64_t Members(uint64_t word, std::span<const uint64_t> set) const {
    uint64_t members;
    FindMembers(firsts_.data() + word * 64, 64, set.data(), &members);
    return members;
  }

 private:
  static uint64_t Rounded(uint64_t num_vertices) { return (num_vertices + 63) / 64 * 64; }

  MemoryReservation reservation_;
  Array<VertexId> firsts_;
  bool is_new_ = true;
};

}  // namespace edgemill
