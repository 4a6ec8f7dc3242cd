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

/// Vertices in a chunk of work: a multiple of 64, so that threads share no word of a bitmap.
inline constexpr size_t kVertexChunk = size_t{1} << 16;

/// Bit i says whether 64 * word + i lies in [begin, end). Some of these numbers must lie there, or
/// `word` must be the word of `begin`.
inline uint64_t BitsWithin(uint64_t word, uint64_t begin, uint64_t end) {
  uint64_t bits = ~uint64_t{0};
  if (word == begin / 64) bits <<= begin % 64;
  if (word == end / 64) bits &= (uint64_t{1} << end % 64) - 1;
  return bits;
}

/// A set of vertices, to which many threads add. Only testing and adding are thread-safe.
class Frontier {
 public:
  /// Bytes for `num_vertices` vertices: for each one, 1 bit of the bitmap and 1 bit of the list.
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
  /// Adds `vertex`. Returns whether it was new.
  bool Add(VertexId vertex) {
    if (!AtomicSetBit(words_.data(), vertex)) return false;
    AppendToList(1, [&] { return vertex; });
    return true;
  }
  /// The vertices 64 * word + i whose bits i are set.
  struct WordBits {
    uint64_t word;
    uint64_t bits;
  };
  /// Adds all of `added`, whose bits it changes. It takes one atomic operation for each word, and
  /// one for all on the list's end, which threads share.
  void AddWords(std::span<WordBits> added) {
    uint64_t count = 0;
    for (WordBits& some : added) {
      std::atomic_ref word(words_[some.word]);
      some.bits &= ~word.fetch_or(some.bits, std::memory_order_relaxed);
      count += static_cast<uint64_t>(std::popcount(some.bits));
    }
    if (count == 0) return;
    AppendToList(count, [some = added.data()]() mutable {
      while (some->bits == 0) ++some;
      const auto bit = static_cast<uint64_t>(std::countr_zero(some->bits));
      some->bits &= some->bits - 1;
      return static_cast<VertexId>(some->word * 64 + bit);
    });
  }
  /// Removes the vertices 64 * word + i whose bits i are set. Returns the bits of those that were
  /// members. Thread-safe while FrontierBuffers with `with_removals` add: what a thread wrote
  /// before it added a removed vertex is visible here.
  uint64_t ExtractWord(uint64_t word, uint64_t bits) {
    if (!taken_.load(std::memory_order_relaxed)) taken_.store(true, std::memory_order_relaxed);
    return bits & std::atomic_ref(words_[word]).fetch_and(~bits, std::memory_order_acq_rel);
  }
  /// Removes `vertex` from the bitmap that BeginAssign returned. Thread-safe.
  void RemoveAssigned(VertexId vertex) {
    std::atomic_ref(words_[vertex / 64])
        .fetch_and(~(uint64_t{1} << vertex % 64), std::memory_order_relaxed);
  }
  /// Bits of the vertices 64 * word + i. Other threads may add and remove at the same time.
  uint64_t Word(uint64_t word) const { return LoadRelaxed(&words_[word]); }
  /// Removes all vertices, also after a cancellation. Goes through the list where it is complete
  /// and short, else through the bitmap on `threads` threads.
  void Clear(int threads = 1);
  /// Whether the list holds every member.
  bool is_sparse() const {
    return !overflowed_.load(std::memory_order_relaxed) &&
           listed_.load(std::memory_order_relaxed) <= list_.size();
  }
  /// Replaces all members. BeginAssign returns the bitmap, which the caller writes; then EndAssign
  /// makes the list from it.
  std::span<uint64_t> BeginAssign() { return words_.span(); }
  void EndAssign(int threads = 1);
  /// Sorts the list (when sparse) by vertex. Call it after adding, before members() or ForEach.
  /// Where vertices were removed, also removes them from the list.
  void Seal(int threads = 1);
  /// The members, sorted, when sparse.
  std::span<const VertexId> members() const {
    CHECK(is_sparse());
    return {list_.data(), listed_.load()};
  }
  std::span<const uint64_t> words() const { return words_.span(); }
  uint64_t num_vertices() const { return num_vertices_; }

  /// Calls `visit(vertex)` for each member in [begin, end), in rising order, until `visit` returns
  /// false. For sealed sets only.
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
  /// Calls `visit(members)` for chunks of members, in rising order within each, on `threads`
  /// threads. For sealed sets only.
  Status ForEach(int threads, const std::function<void(std::span<const VertexId>)>& visit) const;

 private:
  friend class FrontierBuffer;

  static uint64_t ListCapacity(uint64_t num_vertices) { return num_vertices / 32 + 64; }

  /// Appends `count` new members to the list while it has space. Each next() returns one of them.
  template <typename Next>
  void AppendToList(uint64_t count, Next next) {
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
  alignas(64) std::atomic<uint64_t> listed_{0};  // not beside fields that threads only read
  std::atomic<bool> overflowed_{false};
  std::atomic<bool> taken_{false};  // vertices were removed: the list may have them, or repeat some
};

/// Adds one thread's vertices, in any order. Appends them to the list many at a time, because
/// threads share the list's end. All are members once the buffer is destroyed.
class FrontierBuffer {
 public:
  /// `with_removals`: vertices are removed (ExtractWord) while others are added.
  explicit FrontierBuffer(Frontier& frontier, bool with_removals = false)
      : frontier_(frontier), with_removals_(with_removals) {}
  ~FrontierBuffer() { Flush(); }
  FrontierBuffer(const FrontierBuffer&) = delete;
  FrontierBuffer& operator=(const FrontierBuffer&) = delete;

  void Add(VertexId vertex) {
    if (!(with_removals_ ? SetOrdered(vertex) : AtomicSetBit(frontier_.words_.data(), vertex)))
      return;
    if (count_ == added_.size()) Flush();
    added_[count_++] = vertex;
  }

 private:
  /// Writes without a look at the bit: a set bit may be cleared at that moment, by a thread that
  /// does not see this thread's writes yet.
  bool SetOrdered(VertexId vertex) {
    const uint64_t mask = uint64_t{1} << (vertex % 64);
    std::atomic_ref<uint64_t> word(frontier_.words_[vertex / 64]);
    return (word.fetch_or(mask, std::memory_order_acq_rel) & mask) == 0;
  }
  void Flush() {
    if (count_ == 0) return;
    frontier_.AppendToList(std::exchange(count_, 0),
                           [place = added_.data()]() mutable { return *place++; });
  }

  Frontier& frontier_;
  const bool with_removals_;
  uint32_t count_ = 0;
  std::array<VertexId, 64> added_;
};

/// Adds one thread's vertices, in rising order, some words of the bitmap at a time: reads after an
/// atomic operation must wait for it. All are members once the batch is destroyed.
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
