// Vertices that a verifier finds level by level, and whose lists it then reads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel_sort.h"
#include "engine/state/state.h"

namespace edgemill {

inline namespace EM_VIEWS_NAMESPACE {

/// A list of vertices, each at most once, in levels: 4 bytes a vertex. The cost of a level depends
/// on its members only, not on the graph's size.
class FoundVertices {
 public:
  FoundVertices(State& state, const char* name) : members_(state, name) {}

  void Clear() { begin_ = 0, end_ = 0; }
  /// Ends the level of vertices added since the last call, and returns it in rising order. Empty
  /// when none was added. The returned memory does not move.
  std::span<const VertexId> NextLevel(int threads) {
    const uint64_t end = end_.load(std::memory_order_relaxed);
    const uint64_t begin = std::exchange(begin_, end);
    CHECK(begin <= end && end <= members_.size());  // each vertex is found once
    const std::span<VertexId> level = members_.mutable_span().subspan(begin, end - begin);
    ParallelSort(level, threads, std::less<>());
    return level;
  }

  /// All levels that have ended, in their order.
  std::span<const VertexId> levels() const { return members_.span().first(begin_); }

  /// Adds what one thread finds. Copies begin empty. All vertices are added once all copies are
  /// destroyed.
  class Adder {
   public:
    explicit Adder(FoundVertices& found) : found_(found) {}
    Adder(const Adder& other) : found_(other.found_) {}
    Adder& operator=(const Adder&) = delete;
    ~Adder() { Flush(); }

    void Add(VertexId vertex) {
      if (count_ == some_.size()) Flush();
      some_[count_++] = vertex;
    }

   private:
    void Flush() {
      if (count_ == 0) return;  // most are empty, and need not touch the shared end
      const uint64_t place = found_.end_.fetch_add(count_, std::memory_order_relaxed);
      std::copy_n(some_.begin(), count_, &found_.members_.mutable_span()[place]);
      count_ = 0;
    }

    FoundVertices& found_;
    size_t count_ = 0;
    std::array<VertexId, 64> some_;
  };

 private:
  VertexArray<VertexId> members_;
  uint64_t begin_ = 0;  // start of the level under way
  std::atomic<uint64_t> end_{0};
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
