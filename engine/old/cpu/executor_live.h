// Executor's asynchronous push: what becomes active sends while its edges are here, instead of
// having them brought once more in the next iteration. Included by engine/cpu/executor.h.
//
// Subway (EuroSys 2020, 3.2) processes a loaded part until nothing in it is active, HyTGraph (ICDE
// 2023, VI) once more. Here the part is a block and the number of passes is bounded, and the first
// pass already takes along what blocks before it in the sweep have made active. A vertex is taken
// only by a block that holds all of its list, so by one thread at a time, and only if it is due.
// What is taken leaves the next frontier before its state is read: whoever changes that later adds
// it again.
#pragma once

#include "engine/old/cpu/executor.h"

namespace edgemill {

/// Takes those of the vertices 64 * word + i out of the next frontier that are to send now, of
/// which `sending` do so already; returns them as bits.
template <VertexProgram P>
uint64_t Executor<P>::TakeLive(const P& program, const BlockEdges& edges, uint64_t word,
                               uint64_t sending) {
  const VertexIndexView index = graph_.index(Direction::kOut);
  uint64_t due = 0;
  if (word < edges.owned_begin / 64) return 0;  // of the list that goes on here
  uint64_t left = next_.Word(word) & BitsWithin(word, edges.owned_begin, edges.owned_end);
  for (; left != 0; left &= left - 1) {
    const VertexId vertex = static_cast<VertexId>(word * 64 + std::countr_zero(left));
    const EdgeIndex last = index.first_edge(vertex + 1);
    if (last == index.first_edge(vertex) || last > edges.end) continue;
    if constexpr (kTraits.prioritised) {
      if (!program.IsDue(vertex)) continue;
    }
    due |= left & -left;
  }
  if (due == 0) return 0;
  const uint64_t taken = next_.TakeWord(word, due);
  if (keeps_sent_) {
    Frontier::WordBits sent{word, taken};
    sent_.AddWords({&sent, 1});
  }
  if constexpr (kTraits.consumes) {
    for (uint64_t rest = taken; rest != 0; rest &= rest - 1) {
      const VertexId vertex = static_cast<VertexId>(word * 64 + std::countr_zero(rest));
      if ((sending & rest & -rest) != 0) {
        program.BeginMore(vertex, context_);
      } else {
        program.Begin(vertex, context_);
      }
    }
  }
  return taken;
}

template <VertexProgram P>
template <typename Push, typename SendRest>
bool Executor<P>::PushLive(const P& program, const BlockEdges& edges, Push push,
                           SendRest send_rest) {
  const VertexIndexView index = graph_.index(Direction::kOut);
  const uint64_t begin = edges.owned_begin - (edges.continues ? 1 : 0);
  const uint64_t end = edges.owned_end;
  uint64_t live = 0;
  for (uint32_t pass = 0; pass < passes_; ++pass) {
    uint64_t taken_here = 0;
    for (uint64_t word = begin / 64; word * 64 < end; ++word) {
      uint64_t bits = pass == 0 ? current_.Word(word) & BitsWithin(word, begin, end) : 0;
      const uint64_t taken = TakeLive(program, edges, word, bits);
      taken_here += static_cast<uint64_t>(std::popcount(taken));
      for (bits |= taken; bits != 0; bits &= bits - 1) {
        const VertexId vertex = static_cast<VertexId>(word * 64 + std::countr_zero(bits));
        const EdgeIndex first = index.first_edge(vertex);
        const EdgeIndex last = index.first_edge(vertex + 1);
        if (first < last && !push(vertex, first, last)) return false;
      }
    }
    if (!send_rest()) return false;
    live += taken_here;
    if (pass > 0 && taken_here == 0) break;
    if (pass > 0) blocks_again_.fetch_add(1, std::memory_order_relaxed);
  }
  live_vertices_.fetch_add(live, std::memory_order_relaxed);
  return true;
}

}  // namespace edgemill
