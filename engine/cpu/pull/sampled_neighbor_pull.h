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

/// The sampled neighbours of one direction's lists in one pull. Threads learn those of different
/// vertices: only the thread that has the start of a list in several blocks learns.
template <typename P>
class SampledNeighborPull {
 public:
  explicit SampledNeighborPull(PullTarget<P>& target) : target_(target) {}

  /// Gives a message to the vertices whose sampled neighbour emits: they need nothing from the pass
  /// any more. Call it first.
  Status Pull();
  /// Whether Pull has tested the lists' first neighbours, as far as earlier pulls have learnt them.
  bool has_tested_firsts() const {
    return sampled_ != nullptr && !sampled_->is_new() &&
           sampled_->which() == SampledNeighbor::kFirst;
  }
  /// Samples the first neighbour of `vertex` where such are sampled.
  void LearnFirst(VertexId vertex, VertexId first) {
    if constexpr (kTestsSampled<P>) {
      if (sampled_ != nullptr) sampled_->LearnFirst(vertex, first);
    }
  }
  /// Samples the neighbour by which the pull has found `vertex` where such are sampled.
  void LearnFound(VertexId vertex, VertexId sender) {
    if constexpr (kTestsSampled<P>) {
      if (sampled_ != nullptr) sampled_->LearnFound(vertex, sender);
    }
  }
  /// Whether neighbours of highest degree are sampled of vertices that the pull does not find; and
  /// whether that of `vertex` is not known.
  bool samples_highest() const {
    if constexpr (!kTestsSampled<P>) return false;
    return sampled_ != nullptr && sampled_->which() == SampledNeighbor::kHighest;
  }
  bool lacks_highest(VertexId vertex) const {
    return samples_highest() && sampled_->of(vertex) == vertex;
  }
  /// The one of highest degree among those that are added.
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
  /// Keeps what was found among the neighbours of `vertex`, where samples_highest().
  void LearnHighest(VertexId vertex, const Highest& highest) {
    if (highest.vertex() == kInvalidVertex) return;
    const bool is_only = target_.index().degree(vertex) == 1 && highest.vertex() != vertex;
    sampled_->LearnHighest(vertex, highest.vertex(), is_only);
  }
  /// Last: later pulls test what was learnt.
  void End() {
    if (sampled_ != nullptr) sampled_->EndPull();
  }

 private:
  /// Those whose lists begin in the pass's blocks.
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
  /// Of the vertices 64 * word + i in [begin, end), those that find their message, as bits i.
  uint64_t Found(const P& program, uint64_t word, uint64_t begin, uint64_t end) const {
    const std::span<const uint64_t> emitting = target_.pass().from()->words();
    uint64_t found = target_.Receivers(program, word, begin, end);
    // A vertex that emits itself may have an unknown sampled neighbour.
    found &= ~emitting[word];
    if (found != 0) found &= sampled_->Members(word, emitting);
    return found;
  }

  PullTarget<P>& target_;
  SampledNeighbors* sampled_ = nullptr;  // none where there is no memory for them
};

template <typename P>
Status SampledNeighborPull<P>::Pull() {
  EdgePass<P>& pass = target_.pass();
  if constexpr (!kTestsSampled<P>) return OkStatus();
  CHECK(sampled_ == nullptr);  // once, before the blocks
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
