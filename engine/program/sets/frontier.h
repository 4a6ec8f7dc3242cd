// The set of active vertices: a bitmap and, while few are active, a list.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// Vertices a chunk of work over vertices: a multiple of 64, so that threads share no bitmap word.
inline constexpr size_t kVertexChunk = size_t{1} << 16;

/// Which of the numbers 64 * word + i, i < 64, lie in [begin, end): bits i. `word` is that of some,
/// or of begin.
inline uint64_t BitsWithin(uint64_t word, uint64_t begin, uint64_t end) {
  uint64_t bits = ~uint64_t{0};
  if (word == begin / 64) bits <<= begin % 64;
  if (word == end / 64) bits &= (uint64_t{1} << end % 64) - 1;
  return bits;
}

/// A set of vertices that many threads add to. Testing and adding are thread-safe; the rest is not.
class Frontier {
 public:
  /// Bytes for `num_vertices` vertices: 1 bit and, for the list, 1 bit each.
  static uint64_t SizeBytes(uint64_t num_vertices) {
    return (num_vertices + 63) / 64 * 8 + 4 * ListCapacity(num_vertices);
  }
  /// An empty set, its memory reserved in `budget`.
  static StatusOr<Frontier> Create(uint64_t num_vertices, MemoryBudget& budget);

  Frontier() = default;
  Frontier(Frontier&& other) noexcept { *this = std::move(other); }
  Frontier& operator=(Frontier&& other) noexcept;

  bool Test(VertexId vertex) const { return TestBit(words_.data(), vertex); }
  void Prefetch(VertexId vertex) const { edgemill::Prefetch(&words_[vertex / 64]); }
  /// Adds `vertex`; returns whether it was new.
  bool Add(VertexId vertex) {
    if (!AtomicSetBit(words_.data(), vertex)) return false;
    List(1, [&] { return vertex; });
    return true;
  }
  /// The vertices 64 * word + i whose bits i are set.
  struct WordBits {
    uint64_t word;
    uint64_t bits;
  };
  /// Adds all of `added`, which it uses up: one atomic operation a word, and one on the list's end,
  /// which threads share, for all of them.
  void AddWords(std::span<WordBits> added) {
    uint64_t count = 0;
    for (WordBits& some : added) {
      std::atomic_ref word(words_[some.word]);
      some.bits &= ~word.fetch_or(some.bits, std::memory_order_relaxed);
      count += static_cast<uint64_t>(std::popcount(some.bits));
    }
    if (count == 0) return;
    List(count, [some = added.data()]() mutable {
      while (some->bits == 0) ++some;
      const auto bit = static_cast<uint64_t>(std::countr_zero(some->bits));
      some->bits &= some->bits - 1;
      return static_cast<VertexId>(some->word * 64 + bit);
    });
  }
  /// Takes those of the vertices 64 * word + i out whose bits i are set, and returns which were in.
  /// Thread-safe beside a FrontierBuffer with `taken`: what its thread wrote before it added a
  /// vertex is seen here, or the vertex stays in.
  uint64_t ExtractWord(uint64_t word, uint64_t bits) {
    if (!taken_.load(std::memory_order_relaxed)) taken_.store(true, std::memory_order_relaxed);
    return bits & std::atomic_ref(words_[word]).fetch_and(~bits, std::memory_order_acq_rel);
  }
  /// Takes `vertex` out of the bitmap that BeginAssign gave. Thread-safe.
  void Decline(VertexId vertex) {
    std::atomic_ref(words_[vertex / 64])
        .fetch_and(~(uint64_t{1} << vertex % 64), std::memory_order_relaxed);
  }
  /// Bits of the vertices 64 * word + i, while others add and take.
  uint64_t Word(uint64_t word) const { return LoadRelaxed(&words_[word]); }
  /// Takes every vertex out, also after a cancellation. Cost: the list where it is whole and
  /// short, else the bitmap, on `threads` threads.
  void Clear(int threads = 1);
  /// Whether the list holds every member.
  bool is_sparse() const {
    return !overflowed_.load(std::memory_order_relaxed) &&
           listed_.load(std::memory_order_relaxed) <= list_.size();
  }
  /// Replaces all members: the bitmap to be written, then (EndAssign) the list made of it.
  std::span<uint64_t> BeginAssign() { return words_.span(); }
  void EndAssign(int threads = 1);
  /// Sorts the list (when sparse) by vertex: call after adding, before Members or ForEach. Where
  /// vertices were taken, makes the list anew.
  void Seal(int threads = 1);
  /// The members, sorted, when sparse.
  std::span<const VertexId> members() const {
    CHECK(is_sparse());
    return {list_.data(), listed_.load()};
  }
  std::span<const uint64_t> words() const { return words_.span(); }
  uint64_t num_vertices() const { return num_vertices_; }

  /// Calls `visit(vertex)` for each member in [begin, end), rising, until it returns false. Sealed
  /// sets only.
  template <typename Visit>
  void VisitRange(uint64_t begin, uint64_t end, Visit visit) const {
    if (is_sparse()) {
      const auto members = this->members();
      for (auto place = std::lower_bound(members.begin(), members.end(), begin);
           place != members.end() && *place < end; ++place) {
        if (!visit(*place)) return;
      }
      return;
    }
    for (uint64_t word = begin / 64; word * 64 < end; ++word) {
      uint64_t bits = words_[word] & BitsWithin(word, begin, end);
      for (; bits != 0; bits &= bits - 1) {
        const uint64_t vertex = word * 64 + static_cast<uint64_t>(std::countr_zero(bits));
        if (!visit(static_cast<VertexId>(vertex))) return;
      }
    }
  }
  /// Calls `visit(members)` for runs of members, rising in each, on `threads` threads. Sealed sets
  /// only.
  Status ForEach(int threads, const std::function<void(std::span<const VertexId>)>& visit) const;

 private:
  friend class FrontierBuffer;

  static uint64_t ListCapacity(uint64_t num_vertices) { return num_vertices / 32 + 64; }

  /// Appends `count` new members, next() each, to the list while that has room.
  template <typename Next>
  void List(uint64_t count, Next next) {
    if (listed_.load(std::memory_order_relaxed) < list_.size()) {
      const uint64_t first = listed_.fetch_add(count, std::memory_order_relaxed);
      const uint64_t end = std::min<uint64_t>(first + count, list_.size());
      for (uint64_t place = first; place < end; ++place) list_[place] = next();
    } else if (!overflowed_.load(std::memory_order_relaxed)) {
      overflowed_.store(true, std::memory_order_relaxed);  // once: threads share its cache line
    }
  }

  uint64_t num_vertices_ = 0;
  MemoryReservation reservation_;
  Array<uint64_t> words_;
  Array<VertexId> list_;
  alignas(64) std::atomic<uint64_t> listed_{0};  // apart from what threads only read
  std::atomic<bool> overflowed_{false};
  std::atomic<bool> taken_{false};  // some: the list may name them still, or others twice
};

/// Adds one thread's vertices, in any order. Keeps what the list gets until it has a line full:
/// threads share the list's end. All are in once it is gone.
class FrontierBuffer {
 public:
  /// `taken`: vertices are taken out (ExtractWord) while others are added.
  explicit FrontierBuffer(Frontier& frontier, bool taken = false)
      : frontier_(frontier), taken_(taken) {}
  ~FrontierBuffer() { Flush(); }
  FrontierBuffer(const FrontierBuffer&) = delete;
  FrontierBuffer& operator=(const FrontierBuffer&) = delete;

  void Add(VertexId vertex) {
    if (!(taken_ ? SetOrdered(vertex) : AtomicSetBit(frontier_.words_.data(), vertex))) return;
    if (count_ == added_.size()) Flush();
    added_[count_++] = vertex;
  }

 private:
  /// Does not look before it writes: what it saw might be taken out at that moment, by a thread
  /// that does not see yet what this one wrote.
  bool SetOrdered(VertexId vertex) {
    const uint64_t mask = uint64_t{1} << (vertex % 64);
    std::atomic_ref<uint64_t> word(frontier_.words_[vertex / 64]);
    return (word.fetch_or(mask, std::memory_order_acq_rel) & mask) == 0;
  }
  void Flush() {
    if (count_ == 0) return;
    frontier_.List(std::exchange(count_, 0),
                   [place = added_.data()]() mutable { return *place++; });
  }

  Frontier& frontier_;
  const bool taken_;
  uint32_t count_ = 0;
  std::array<VertexId, 64> added_;
};

/// Adds one thread's vertices, in rising order, some words of the bitmap at a time: atomic
/// operations keep the reads after them waiting. All are in once it is gone.
class FrontierBatch {
 public:
  explicit FrontierBatch(Frontier& frontier) : frontier_(frontier) {}
  ~FrontierBatch() { Flush(); }
  FrontierBatch(const FrontierBatch&) = delete;
  FrontierBatch& operator=(const FrontierBatch&) = delete;

  void Add(VertexId vertex) { AddWord(vertex / 64, uint64_t{1} << vertex % 64); }
  /// Adds the vertices 64 * word + i whose bits i are set.
  void AddWord(uint64_t word, uint64_t bits) {
    if (count_ > 0 && added_[count_ - 1].word == word) {
      added_[count_ - 1].bits |= bits;
      return;
    }
    if (count_ == added_.size()) Flush();
    added_[count_++] = {word, bits};
  }

 private:
  void Flush() { frontier_.AddWords(std::span(added_).first(std::exchange(count_, 0))); }

  Frontier& frontier_;
  size_t count_ = 0;
  std::array<Frontier::WordBits, 64> added_;
};

}  // namespace edgemill
