#include <algorithm>
#include <atomic>
#include <span>
#include <utility>
#include <vector>

#include "bench/plain/plain_algorithms.h"
#include "bench/plain/thread_team.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kAlpha = 15;
constexpr uint64_t kBeta = 18;
/// Frontier vertices that a thread takes at a time.
constexpr uint64_t kQueueGrain = 64;
/// Vertices that a thread collects before it adds them to the queue.
constexpr size_t kOwnQueue = 1 << 12;

/// What a thread found in one step.
struct alignas(64) Found {
  std::vector<VertexId> vertices;
  uint64_t count = 0;
};

class LevelSearch {
 public:
  static StatusOr<PlainValues<uint32_t>> Run(const PlainCsr& graph, VertexId source, int threads,
                                             MemoryBudget& budget) {
    const uint64_t size = graph.num_vertices();
    LevelSearch search(graph, threads);
    ASSIGN_OR_RETURN(search.level_, PlainValues<uint32_t>::Allocate(size, budget));
    ASSIGN_OR_RETURN(search.queue_, PlainValues<VertexId>::Allocate(size, budget));
    ASSIGN_OR_RETURN(search.front_, PlainValues<uint64_t>::Allocate(size / 64 + 1, budget));
    ASSIGN_OR_RETURN(search.next_, PlainValues<uint64_t>::Allocate(size / 64 + 1, budget));
    search.From(source);
    return std::move(search.level_);
  }

 private:
  LevelSearch(const PlainCsr& graph, int threads)
      : graph_(graph), size_(graph.num_vertices()), team_(threads) {
    found_.resize(static_cast<size_t>(threads));
    for (Found& found : found_) found.vertices.reserve(kOwnQueue);
  }

  void From(VertexId source) {
    team_.Chunks(size_, kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
      std::fill(level_.values.begin() + begin, level_.values.begin() + end, kPlainUnreached);
    });
    level_[source] = 0;
    queue_[0] = source;
    end_ = 1;
    uint64_t unexplored = graph_.num_edges();
    uint64_t scouted = graph_.out().degree(source);
    while (begin_ < end_) {
      if (scouted > unexplored / kAlpha) {
        BottomUp();
        scouted = 1;
      } else {
        unexplored -= std::min(scouted, unexplored);
        scouted = TopDown();
      }
    }
  }

  /// Runs one level top-down, from the queue to the queue. Returns the number of out-edges of the
  /// vertices that it reached.
  uint64_t TopDown() {
    const std::span<const VertexId> frontier(queue_.values.data() + begin_, end_ - begin_);
    std::atomic<uint64_t> end{end_};
    ++depth_;
    team_.Chunks(frontier.size(), kQueueGrain, [&](int thread, uint64_t first, uint64_t last) {
      Found& found = found_[static_cast<size_t>(thread)];
      for (uint64_t i = first; i < last; ++i) {
        for (const VertexId v : graph_.out().of(frontier[i])) {
          std::atomic_ref<uint32_t> level(level_[v]);
          uint32_t expected = level.load(std::memory_order_relaxed);
          if (expected != kPlainUnreached ||
              !level.compare_exchange_strong(expected, depth_, std::memory_order_relaxed)) {
            continue;
          }
          found.count += graph_.out().degree(v);
          found.vertices.push_back(v);
          if (found.vertices.size() == kOwnQueue) Flush(&found, &end);
        }
      }
    });
    uint64_t scouted = 0;
    for (Found& found : found_) {
      Flush(&found, &end);
      scouted += std::exchange(found.count, 0);
    }
    begin_ = end_;
    end_ = end;
    return scouted;
  }

  void Flush(Found* found, std::atomic<uint64_t>* end) {
    const uint64_t place = end->fetch_add(found->vertices.size(), std::memory_order_relaxed);
    std::copy(found->vertices.begin(), found->vertices.end(), queue_.values.begin() + place);
    found->vertices.clear();
  }

  /// Runs levels bottom-up while the frontier grows or is large, from the queue to the queue.
  void BottomUp() {
    team_.Chunks(front_.values.size(), kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
      std::fill(front_.values.begin() + begin, front_.values.begin() + end, 0);
    });
    for (uint64_t i = begin_; i < end_; ++i) front_[queue_[i] / 64] |= Bit(queue_[i]);
    uint64_t awake = end_ - begin_;
    uint64_t before;
    do {
      before = awake;
      awake = BottomUpLevel();
      std::swap(front_, next_);
    } while (awake >= before || awake > size_ / kBeta);
    begin_ = 0;
    std::atomic<uint64_t> end{0};
    team_.Chunks(size_, kVertexGrain, [&](int thread, uint64_t first, uint64_t last) {
      Found& found = found_[static_cast<size_t>(thread)];
      for (uint64_t v = first; v < last; ++v) {
        if ((front_[v / 64] & Bit(v)) != 0) found.vertices.push_back(static_cast<VertexId>(v));
      }
      Flush(&found, &end);
    });
    end_ = end;
  }

  /// Every unreached vertex looks for one neighbour of the frontier. Returns how many found one.
  uint64_t BottomUpLevel() {
    ++depth_;
    team_.Chunks(size_, kVertexGrain, [&](int thread, uint64_t begin, uint64_t end) {
      const uint64_t* const front = front_.values.data();
      std::fill(next_.values.begin() + begin / 64, next_.values.begin() + (end + 63) / 64, 0);
      uint64_t count = 0;
      for (uint64_t v = begin; v < end; ++v) {
        if (level_[v] != kPlainUnreached) continue;
        for (const VertexId u : graph_.in().of(static_cast<VertexId>(v))) {
          if ((front[u / 64] & Bit(u)) == 0) continue;
          level_[v] = depth_;
          next_[v / 64] |= Bit(v);
          ++count;
          break;
        }
      }
      found_[static_cast<size_t>(thread)].count += count;
    });
    uint64_t awake = 0;
    for (Found& found : found_) awake += std::exchange(found.count, 0);
    return awake;
  }

  static uint64_t Bit(uint64_t vertex) { return uint64_t{1} << (vertex % 64); }

  const PlainCsr& graph_;
  const uint64_t size_;
  ThreadTeam team_;
  PlainValues<uint32_t> level_;
  PlainValues<VertexId> queue_;  // every vertex once at most; the frontier is [begin_, end_)
  PlainValues<uint64_t> front_;  // a bit a vertex
  PlainValues<uint64_t> next_;
  std::vector<Found> found_;
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace

StatusOr<PlainValues<uint32_t>> PlainBfs(const PlainCsr& graph, VertexId source, int threads,
                                         MemoryBudget& budget) {
  return LevelSearch::Run(graph, source, threads, budget);
}

}  // namespace edgemill::bench
