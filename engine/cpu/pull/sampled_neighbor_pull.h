// Pull from the neighbours that earlier pulls have sampled: no list is read.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/cpu/pull/pull_target.h"
#include "engine/graph/sampled_neighbors.h"

namespace edgemill {

/// The sampled neighbours of one direction's lists in one pull. Each thread learns those of other
/// vertices: if a list is in several blocks, only the thread that has the list's start learns.
template <typename P>
class SampledNeighborPull {
 public:
  explicit SampledNeighborPull(PullTarget<P>& target) : target_(target) {}

  /// Gives a message to the vertices whose sampled neighbour emits. They need no other message of
  /// the pass. Call it first.
  Status Pull();
  /// Whether Pull has tested the first neighbours of the lists, as far as earlier pulls know them.
  bool has_tested_firsts() const {
    return sampled_ != nullptr && !sampled_->is_new() &&
           sampled_->which() == SampledNeighbor::kFirst;
  }
  /// Samples the first neighbour of `vertex`, if first neighbours are sampled.
  void LearnFirst(VertexId vertex, VertexId first) {
    if constexpr (kTestsSampled<P>) {
      if (sampled_ != nullptr) sampled_->LearnFirst(vertex, first);
    }
  }
  /// Samples the neighbour by which the pull has found `vertex`, if such neighbours are sampled.
  void LearnFound(VertexId vertex, VertexId sender) {
    if constexpr (kTestsSampled<P>) {
      if (sampled_ != nullptr) sampled_->LearnFound(vertex, sender);
    }
  }
  /// Whether the neighbour of highest degree is sampled for vertices that the pull does not find.
  bool samples_highest() const {
    if constexpr (!kTestsSampled<P>) return false;
    return sampled_ != nullptr && sampled_->which() == SampledNeighbor::kHighest;
  }
  /// Whether that neighbour of `vertex` is not known.
  bool lacks_highest(VertexId vertex) const {
    return samples_highest() && sampled_->of(vertex) == vertex;
  }
  /// Finds the neighbour of highest degree among those that are added.
  class Highest {
   public:
    explicit Highest(const VertexIndexView& index) : index_(index) {}
    void Add(VertexId neighbor) {
      const uint32_t degree = index_.low[neighbor + 1] - index_.low[neighbor];  // modulo 2^32
      if (vertex_ != kInvalidVertex && degree <= degree_) return;
      vertex_ = neighbor;
      degree_ = degree;
    }
    VertexId vertex() const { return vertex_; }

   private:
    const VertexIndexView& index_;
    VertexId vertex_ = kInvalidVertex;
    uint32_t degree_ = 0;
  };
  /// Samples `highest`, which was found among all neighbours of `vertex`. samples_highest() must be
  /// true.
  void LearnHighest(VertexId vertex, const Highest& highest) {
    if (highest.vertex() == kInvalidVertex) return;
    const bool is_only = target_.index().degree(vertex) == 1 && highest.vertex() != vertex;
    sampled_->LearnHighest(vertex, highest.vertex(), is_only);
  }
  /// Ends the pull: later pulls test the samples. Call it last.
  void End() {
    if (sampled_ != nullptr) sampled_->EndPull();
  }

 private:
  /// The range of vertices whose lists begin in the pass's blocks.
  std::pair<uint64_t, uint64_t> Owned() const {
    const LoadedGraph& graph = target_.pass().graph();
    const BlockRange& blocks = target_.pass().blocks();
    const auto first_of = [&](uint64_t block) -> uint64_t {
      if (block == 0) return 0;
      if (block >= graph.num_blocks()) return graph.num_vertices();
      return graph.indexes().Extent(target_.lists(), block).owned_begin;
    };
    return {first_of(blocks.begin), first_of(blocks.end)};
  }
  /// Bit i says whether vertex 64 * word + i is in [begin, end), and its sampled neighbour emits.
  uint64_t Found(const P& program, uint64_t word, uint64_t begin, uint64_t end) const {
    const std::span<const uint64_t> emitting = target_.pass().from()->words();
    uint64_t found = target_.Receivers(program, word, begin, end);
    // A vertex that emits is left out: if it has no sample, it is its own sample.
    found &= ~emitting[word];
    if (found != 0) found &= sampled_->Members(word, emitting);
    return found;
  }

  PullTarget<P>& target_;
  SampledNeighbors* sampled_ = nullptr;  // null where there is no memory for samples
};

template <typename P>
Status SampledNeighborPull<P>::Pull() {
  EdgePass<P>& pass = target_.pass();
  if constexpr (!kTestsSampled<P>) return OkStatus();
  CHECK(sampled_ == nullptr);  // Pull is called once, before the blocks
  if (pass.from() == nullptr) return OkStatus();
  LoadedGraph& graph = pass.graph();
  RETURN_IF_ERROR(graph.neighbor_memory().SampleNeighbors(target_.lists()));
  sampled_ = graph.neighbor_memory().sampled_neighbors(target_.lists());
  if (sampled_ == nullptr) return OkStatus();
  const std::span<uint64_t> closed = pass.closed()->words();
  const auto [first, last] = Owned();
  CHECK_LE(first, last);
  const size_t whole = first / 64 * 64;  // threads share no word
  RETURN_IF_ERROR(ParallelFor(
      last - whole, kVertexChunk, graph.threads(),
      [&, first = first](size_t chunk_begin, size_t chunk_end) {
        const size_t begin = std::max(first, whole + chunk_begin), end = whole + chunk_end;
        P program = pass.program();
        FrontierBatch active(pass.next());
        for (uint64_t word = begin / 64; word * 64 < end; ++word) {
          uint64_t found = Found(program, word, begin, end);
          closed[word] |= found;
          for (; found != 0; found &= found - 1) {
            const auto vertex = static_cast<VertexId>(word * 64 + std::countr_zero(found));
            PartialSum<P> partial;
            target_.PullFrom(program, sampled_->of(vertex), vertex, WeightAsked<P>(), &partial);
            target_.Take(program, vertex, partial, active);
          }
        }
        pass.copies().AddTallies(program);
        return OkStatus();
      }));
  target_.LeaveOut(sampled_->only());
  return OkStatus();
}

}  // namespace edgemill
