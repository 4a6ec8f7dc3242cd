// Asynchronous push: a vertex that becomes active emits while its edges are in memory. So these
// edges need not be read again in the next pass.
//
// Subway (EuroSys 2020, 3.2) processes a loaded part until nothing in it is active. HyTGraph (ICDE
// 2023, VI) processes it once more. Here the part is a block, and the number of passes over it is
// bounded. The first pass already includes vertices that earlier blocks have made active. A vertex
// is taken only while a block that holds its whole list is pushed, so by one thread at a time. Its
// priority must be below the bound. A taken vertex leaves the next set before its state is read: a
// thread that changes the state later adds the vertex again.
#pragma once

#include <atomic>
#include <bit>
#include <limits>

#include "engine/cpu/push/block_push.h"
#include "engine/program/pass_coverage.h"

namespace edgemill {

/// The repeated passes of one push over the lists of one direction. Threads push different blocks.
template <typename P>
class RepeatedPush {
 public:
  /// `passes`: the most passes over a block. Vertices with priorities below `bound` are taken.
  RepeatedPush(PushTarget<P>& target, const VertexIndexView& index, uint32_t passes, double bound)
      : target_(target), index_(index), passes_(passes), bound_(bound) {}

  /// Vertices that emitted in the pass in which they became active.
  uint64_t emitted() const { return emitted_.load(std::memory_order_relaxed); }
  /// The edges of these vertices.
  EdgeIndex edges() const { return edges_.load(std::memory_order_relaxed); }
  /// Passes over blocks, without the first pass over each block.
  uint64_t blocks_repeated() const { return blocks_repeated_.load(std::memory_order_relaxed); }

  /// Pushes a block. False when the block is damaged.
  bool PushBlock(const BlockEdges& edges, BlockPush<P>& push) {
    const uint64_t begin = edges.owned_begin - (edges.continues ? 1 : 0);
    const uint64_t end = edges.owned_end;
    const Frontier* const from = target_.pass().from();
    uint64_t emitted = 0;
    EdgeIndex taken_edges = 0;
    for (uint32_t pass = 0; pass < passes_; ++pass) {
      uint64_t taken_here = 0;
      for (uint64_t word = begin / 64; word * 64 < end; ++word) {
        uint64_t bits = 0;
        if (pass == 0) {
          bits = BitsWithin(word, begin, end);
          if (from != nullptr) bits &= from->Word(word);
        }
        const uint64_t taken = ExtractDue(edges, word, bits);
        taken_here += static_cast<uint64_t>(std::popcount(taken));
        for (bits |= taken; bits != 0; bits &= bits - 1) {
          const VertexId vertex = static_cast<VertexId>(word * 64 + std::countr_zero(bits));
          const EdgeIndex first = index_.first_edge(vertex), last = index_.first_edge(vertex + 1);
          if (first < last && !push.Add(vertex, first, last)) return false;
          if ((taken & bits & -bits) != 0) taken_edges += last - first;
        }
      }
      if (!push.Finish()) return false;
      emitted += taken_here;
      if (pass > 0 && taken_here == 0) break;
      if (pass > 0) blocks_repeated_.fetch_add(1, std::memory_order_relaxed);
    }
    emitted_.fetch_add(emitted, std::memory_order_relaxed);
    edges_.fetch_add(taken_edges, std::memory_order_relaxed);
    return true;
  }

 private:
  /// Removes from the next set the vertices 64 * word + i that are to emit now. Returns their bits.
  /// `emitting`: the bits of vertices that emit in this pass anyway.
  uint64_t ExtractDue(const BlockEdges& edges, uint64_t word, uint64_t emitting) {
    if (word < edges.owned_begin / 64) return 0;  // the block owns none of these vertices
    EdgePass<P>& pass = target_.pass();
    uint64_t left = pass.next().Word(word) & BitsWithin(word, edges.owned_begin, edges.owned_end);
    uint64_t due = 0;
    for (; left != 0; left &= left - 1) {
      const VertexId vertex = static_cast<VertexId>(word * 64 + std::countr_zero(left));
      const EdgeIndex last = index_.first_edge(vertex + 1);
      if (last == index_.first_edge(vertex) || last > edges.end) continue;
      if constexpr (HasPriority<P>) {
        if (!(CallPriority(pass.program(), vertex) < bound_)) continue;
      }
      due |= left & -left;
    }
    if (due == 0) return 0;
    const uint64_t taken = pass.next().ExtractWord(word, due);
    EM_COVER(taken_in_pass, static_cast<uint64_t>(std::popcount(taken)));
    if constexpr (kConsumes<P>) Consume(word, taken, emitting);
    return taken;
  }
  /// Keeps the messages of the taken vertices. If a vertex emits in this pass anyway, its first
  /// message was not sent yet, and the new one is combined with it.
  void Consume(uint64_t word, uint64_t taken, uint64_t emitting) {
    using Message = MessageOfProgram<P>;
    EdgePass<P>& pass = target_.pass();
    const std::span<Message> emitted = pass.workspace().template emitted<Message>();
    P program = pass.program();
    for (; taken != 0; taken &= taken - 1) {
      const VertexId vertex = static_cast<VertexId>(word * 64 + std::countr_zero(taken));
      const Message more = CallEmit(program, vertex);
      emitted[vertex] = (emitting & taken & -taken) == 0
                            ? more
                            : static_cast<Message>(P::Monoid::Combine(emitted[vertex], more));
    }
    pass.copies().AddTallies(program);
  }

  PushTarget<P>& target_;
  const VertexIndexView index_;
  const uint32_t passes_;
  const double bound_;
  std::atomic<uint64_t> emitted_{0};
  std::atomic<EdgeIndex> edges_{0};
  std::atomic<uint64_t> blocks_repeated_{0};
};

}  // namespace edgemill
