// Which vertices take no more messages, in an operator whose program takes the first one that
// comes: a bit a vertex.
//
// Where the program has a Cond, a set bit says that Cond is false. A clear one says that Cond is
// true only once Know has been called; before, small passes call Cond itself. Where it has none,
// bits are set for one pass. All bits are clear between operators, for which small operators list
// what they set.
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

/// The bits, in memory of the workspace's. One thread uses it between passes; in passes, many set
/// bits.
class ClosedBits {
 public:
  ClosedBits(std::span<uint64_t> words, uint64_t num_vertices, int threads)
      : words_(words), num_vertices_(num_vertices), threads_(threads) {
    CHECK_EQ(words.size(), (num_vertices + 63) / 64);  // the workspace was planned with the bits
  }
  /// Clears all that were set.
  ~ClosedBits() { Clear(); }
  ClosedBits(const ClosedBits&) = delete;
  ClosedBits& operator=(const ClosedBits&) = delete;

  std::span<uint64_t> words() const { return words_; }
  /// Whether a clear bit says that Cond is true.
  bool is_known() const { return is_known_; }
  /// Makes clear bits say that. Calls `cond(vertex)`.
  template <typename Cond>
  void Know(Cond cond) {
    if (is_known_) return;
    is_known_ = true;
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
  /// Notes that `vertex` has taken its message, and whether it is in the pass's result set: where
  /// that set does not tell that the vertex is closed, sets its bit. Thread-safe.
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
  /// Notes that bits are set of vertices that are not in the pass's result set. Thread-safe.
  void NoteUnlisted() { StoreRelaxed(&has_unlisted_, uint8_t{1}); }
  /// Called when a pass has ended; its result set is `next`. Sets the bits to those of Cond. Clears
  /// them where they say nothing beyond the pass: without a Cond, or where a vertex that took a
  /// message would take another.
  void EndPass(const Frontier& next, bool has_cond);
  /// Clears all bits: nothing is known.
  void Clear();

 private:
  static constexpr size_t kChunk = kVertexChunk / 64;
  static constexpr size_t kMaxListed = 4096;

  /// Sets the bits of `members`.
  void Close(const Frontier& members);

  const std::span<uint64_t> words_;
  const uint64_t num_vertices_;
  const int threads_;
  bool is_known_ = false;
  uint8_t reopens_ = 0;       // in this pass, a vertex took a message, and would take another
  uint8_t has_unlisted_ = 0;  // in this pass, one took a message, and is not in the result set
  /// The vertices with set bits, while these are few; none: any may be set.
  std::optional<std::vector<VertexId>> listed_{std::in_place};
};

}  // namespace edgemill
