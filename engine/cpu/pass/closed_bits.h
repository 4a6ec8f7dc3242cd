// A bit for each vertex, which says whether the vertex is closed: it takes no more messages. For
// operators whose programs take the first message that comes.
//
// Where the program has a Cond, a set bit says that Cond is false. A clear bit says that Cond is
// true only after a call of SetFromCond; before it, small passes call Cond itself. Where the
// program has no Cond, bits are set for one pass. All bits are clear between operators. Small
// operators keep a list of the bits that they set, so that they clear only these.
#pragma once

#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "common/types.h"
#include "engine/program/program_calls.h"
#include "engine/program/sets/frontier.h"

namespace edgemill {

/// The bits, in memory of the workspace. One thread uses it between passes. In passes, many threads
/// set bits.
class ClosedBits {
 public:
  ClosedBits(std::span<uint64_t> words, uint64_t num_vertices, int threads)
      : words_(words), num_vertices_(num_vertices), threads_(threads) {
    CHECK_EQ(words.size(), (num_vertices + 63) / 64);  // the workspace was planned with the bits
  }
  /// Clears all bits.
  ~ClosedBits() { Clear(); }
  ClosedBits(const ClosedBits&) = delete;
  ClosedBits& operator=(const ClosedBits&) = delete;

  std::span<uint64_t> words() const { return words_; }
  /// Whether a clear bit says that Cond is true.
  bool matches_cond() const { return matches_cond_; }
  /// Sets the bits of all vertices whose `cond(vertex)` is false, so that matches_cond() is true.
  template <typename Cond>
  void SetFromCond(Cond cond) {
    if (matches_cond_) return;
    matches_cond_ = true;
    listed_.reset();
    ForEachChunk(words_.size(), kChunk, threads_, [&](size_t begin, size_t end) {
      for (size_t word = begin; word < end; ++word) {
        uint64_t bits = 0;
        const uint64_t first = word * 64;
        const uint64_t last = first + 64 < num_vertices_ ? first + 64 : num_vertices_;
        for (uint64_t vertex = first; vertex < last; ++vertex) {
          bits |= uint64_t{!cond(static_cast<VertexId>(vertex))} << vertex % 64;
        }
        words_[word] |= bits;
      }
    });
  }
  /// Notes that `vertex` has taken its message, and whether it is in the pass's result set. EndPass
  /// closes the vertices of that set. The bits of other closed vertices are set here. Thread-safe.
  template <typename P>
  void NoteTaken(const P& program, VertexId vertex, bool is_in) {
    if (!is_in) NoteUnlisted();
    if constexpr (HasCond<P>) {
      if (CallCond(program, vertex)) {
        StoreRelaxed(&reopens_, uint8_t{1});
      } else if (!is_in) {
        AtomicSetBit(words_.data(), vertex);
      }
    }
  }
  /// Notes that vertices outside the pass's result set have set bits. Thread-safe.
  void NoteUnlisted() { StoreRelaxed(&has_unlisted_, uint8_t{1}); }
  /// Called when a pass has ended, with its result set `next`: closes the members of `next`. Clears
  /// all bits instead where they are not valid beyond the pass: without a Cond, or where a vertex
  /// that took a message would take another one.
  void EndPass(const Frontier& next, bool has_cond);
  /// Clears all bits. Afterwards matches_cond() is false.
  void Clear();

 private:
  static constexpr size_t kChunk = kVertexChunk / 64;
  static constexpr size_t kMaxListed = 4096;

  /// Sets the bits of `members`.
  void Close(const Frontier& members);

  const std::span<uint64_t> words_;
  const uint64_t num_vertices_;
  const int threads_;
  bool matches_cond_ = false;
  uint8_t reopens_ = 0;       // a vertex took a message in this pass, and would take another one
  uint8_t has_unlisted_ = 0;  // a vertex took a message in this pass, but is not in the result set
  /// The vertices with set bits, while they are few. Without a list, any bit may be set.
  std::optional<std::vector<VertexId>> listed_{std::in_place};
};

}  // namespace edgemill
