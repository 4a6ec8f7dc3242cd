// One neighbour of each vertex, sampled by earlier pulls.
//
// Where a vertex needs only one active neighbour, a pull tests the sampled one before it reads the
// vertex's list. That is one read in place of decoding. Repeated searches of a graph gain from the
// second one on.
#pragma once

#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "kernels/cpu/members.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// Which neighbour of a vertex is sampled.
enum class SampledNeighbor : uint8_t {
  /// The first of its list. Used where ids are by degree, because it then has the highest degree.
  kFirst,
  /// The sender by which a pull found the vertex last: other searches often find the vertex by the
  /// same sender. Until a pull finds the vertex, the first of its list, for later pulls of a first
  /// search.
  kFound,
  /// For a vertex that a pull has not found, the neighbour of highest degree in its list. Later
  /// pulls of a search find nearly all vertices by these, and read few lists. Costs a random read
  /// for each edge of such vertices, which pays when lists come from disk.
  kHighest,
};

/// The sampled neighbours of one direction's lists; 4 bytes a vertex. Threads may set neighbours of
/// different vertices at the same time.
class SampledNeighbors {
 public:
  static uint64_t SizeBytes(uint64_t num_vertices) {
    return Rounded(num_vertices) * 4 + Rounded(num_vertices) / 8;
  }
  /// Begins with no neighbour known. Reserves SizeBytes in `budget`.
  static StatusOr<SampledNeighbors> Create(uint64_t num_vertices, SampledNeighbor which,
                                           int threads, MemoryBudget& budget);

  SampledNeighbor which() const { return which_; }
  /// Whether no pull that learns has ended yet: nearly nothing is known.
  bool is_new() const { return is_new_; }
  void EndPull() { is_new_ = false; }
  /// `first`: the first neighbour in the list of `vertex`.
  void LearnFirst(VertexId vertex, VertexId first) {
    if (which_ == SampledNeighbor::kHighest) return;
    if (which_ == SampledNeighbor::kFirst || neighbors_[vertex] == vertex)
      neighbors_[vertex] = first;
  }
  /// `sender`: the neighbour by which a pull has found `vertex`.
  void LearnFound(VertexId vertex, VertexId sender) {
    if (which_ == SampledNeighbor::kFound) neighbors_[vertex] = sender;
  }
  /// `highest`: the neighbour of highest degree of `vertex`, which a pull has not found; `is_only`:
  /// it has no other.
  void LearnHighest(VertexId vertex, VertexId highest, bool is_only) {
    neighbors_[vertex] = highest;
    if (is_only) AtomicSetBit(only_.data(), vertex);
  }
  /// The vertices whose only neighbour is the sampled one, so their lists need not be read: a bit a
  /// vertex. Empty where none are known.
  std::span<const uint64_t> only() const { return only_.span(); }
  /// The sampled neighbour of `vertex`, or itself where none is known.
  VertexId of(VertexId vertex) const { return neighbors_[vertex]; }
  /// Which of the vertices 64 * word + i, i < 64, have their sampled neighbour in `set`, a bitmap
  /// of all vertices, as bits i. For vertices that are in `set` themselves, the bits have no
  /// meaning.
  uint64_t Members(uint64_t word, std::span<const uint64_t> set) const {
    uint64_t members;
    FindMembers(neighbors_.data() + word * 64, 64, set.data(), &members);
    return members;
  }

 private:
  static uint64_t Rounded(uint64_t num_vertices) { return (num_vertices + 63) / 64 * 64; }

  MemoryReservation reservation_;
  Array<VertexId> neighbors_;
  Array<uint64_t> only_;  // for kHighest only
  SampledNeighbor which_ = SampledNeighbor::kFirst;
  bool is_new_ = true;
};

}  // namespace edgemill
