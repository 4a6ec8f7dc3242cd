#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "bench/plain/plain_algorithms.h"
#include "bench/plain/thread_team.h"

namespace edgemill::bench {
namespace {

/// How many vertices of a bin a thread takes at a time.
constexpr size_t kBinGrain = 64;
/// A thread drains its own bin alone, without the other threads, if the bin has fewer vertices.
constexpr size_t kSmallBin = 1000;
/// The last bin holds all vertices too far for the others. It is drained until nothing changes.
constexpr uint64_t kMaxBins = 1 << 20;
constexpr size_t kNoBin = ~size_t{0};

/// One thread's bins of vertices whose distance has become less.
struct alignas(64) Bins {
  std::vector<std::vector<VertexId>> bins;
  std::vector<VertexId> frontier;  // its part of the bin that all threads work on
  std::atomic<size_t> next{0};     // the first index in `frontier` that is not taken
  std::vector<VertexId> drained;   // vertices of a small bin, which it drains alone
  std::vector<std::vector<VertexId>> spare;
  std::vector<MemoryReservation> reservations;
  Status status;
};

class DistanceSearch {
 public:
  DistanceSearch(const PlainCsr& graph, uint32_t delta, int threads, MemoryBudget& budget)
      : graph_(graph),
        delta_(delta),
        budget_(budget),
        team_(threads),
        bins_(static_cast<size_t>(threads)) {}

  StatusOr<PlainValues<uint32_t>> From(VertexId source) {
    ASSIGN_OR_RETURN(distance_, PlainValues<uint32_t>::Allocate(graph_.num_vertices(), budget_));
    std::fill(distance_.values.begin(), distance_.values.end(), kPlainUnreached);
    distance_[source] = 0;
    Push(&bins_[0], 0, source);
    while (PopLowestBin()) {
      team_.Each([&](int thread) { WorkOn(static_cast<size_t>(thread)); });
      for (Bins& own : bins_) RETURN_IF_ERROR(own.status);
    }
    return std::move(distance_);
  }

 private:
  /// Makes the lowest bin that is not empty the frontier. False when there is none.
  bool PopLowestBin() {
    size_t lowest = kNoBin;
    for (const Bins& own : bins_) {
      for (size_t bin = current_; bin < std::min(own.bins.size(), lowest); ++bin) {
        if (!own.bins[bin].empty()) lowest = bin;
      }
    }
    if (lowest == kNoBin) return false;
    current_ = lowest;
    for (Bins& own : bins_) {
      own.frontier.clear();
      if (lowest < own.bins.size()) std::swap(own.frontier, own.bins[lowest]);
      if (lowest < own.bins.size() && own.bins[lowest].capacity() > 0) {
        own.spare.push_back(std::exchange(own.bins[lowest], {}));
      }
      own.next.store(0, std::memory_order_relaxed);
    }
    return true;
  }

  /// Takes parts of all threads' frontiers, its own first, then drains its bin while it is small.
  void WorkOn(size_t thread) {
    Bins& own = bins_[thread];
    for (size_t i = 0; i < bins_.size(); ++i) {
      Bins& from = bins_[(thread + i) % bins_.size()];
      const size_t size = from.frontier.size();
      for (size_t begin;
           (begin = from.next.fetch_add(kBinGrain, std::memory_order_relaxed)) < size;) {
        for (size_t at = begin; at < std::min(begin + kBinGrain, size); ++at) {
          Relax(&own, from.frontier[at]);
        }
      }
    }
    while (current_ < own.bins.size() && !own.bins[current_].empty() &&
           own.bins[current_].size() < kSmallBin && own.status.ok()) {
      own.drained.clear();
      std::swap(own.drained, own.bins[current_]);
      for (const VertexId vertex : own.drained) Relax(&own, vertex);
    }
  }

  void Relax(Bins* own, VertexId vertex) {
    const uint64_t distance =
        std::atomic_ref<uint32_t>(distance_[vertex]).load(std::memory_order_relaxed);
    if (distance < uint64_t{delta_} * current_) return;  // an earlier bin did this vertex
    const PlainLists& out = graph_.out();
    const uint64_t end = out.offsets[vertex + 1];
    for (uint64_t edge = out.offsets[vertex]; edge < end; ++edge) {
      const VertexId target = out.neighbors[edge];
      const uint64_t through = distance + static_cast<uint32_t>(out.weights[edge]);
      std::atomic_ref<uint32_t> to(distance_[target]);
      uint32_t known = to.load(std::memory_order_relaxed);
      while (through < known) {
        if (to.compare_exchange_weak(known, static_cast<uint32_t>(through),
                                     std::memory_order_relaxed)) {
          Push(own, static_cast<size_t>(std::min(through / delta_, kMaxBins - 1)), target);
          break;
        }
      }
    }
  }

  void Push(Bins* own, size_t bin, VertexId vertex) {
    if (bin >= own->bins.size()) own->bins.resize(bin + 1);
    std::vector<VertexId>& list = own->bins[bin];
    if (list.size() == list.capacity() && !Grow(own, &list)) return;
    list.push_back(vertex);
  }

  bool Grow(Bins* own, std::vector<VertexId>* list) {
    if (list->empty() && !own->spare.empty()) {
      *list = std::move(own->spare.back());
      own->spare.pop_back();
      return true;
    }
    const size_t size = std::max<size_t>(kBinGrain, list->size() * 2);
    StatusOr<MemoryReservation> reservation =
        budget_.Reserve((size - list->size()) * sizeof(VertexId), "plain SSSP's bins");
    if (!reservation.ok()) {
      own->status = reservation.status();
      return false;
    }
    own->reservations.push_back(std::move(*reservation));
    list->reserve(size);
    return true;
  }

  const PlainCsr& graph_;
  const uint32_t delta_;
  MemoryBudget& budget_;
  ThreadTeam team_;
  std::vector<Bins> bins_;
  PlainValues<uint32_t> distance_;
  size_t current_ = 0;
};

}  // namespace

StatusOr<PlainValues<uint32_t>> PlainSssp(const PlainCsr& graph, VertexId source, uint32_t delta,
                                          int threads, MemoryBudget& budget) {
  if (graph.out().weights.empty() && graph.num_edges() > 0) {
    return UsageError("plain SSSP: the graph has no weights");
  }
  if (graph.has_negative_weight()) {
    return UsageError("plain SSSP: the graph has a negative weight");
  }
  return DistanceSearch(graph, std::max<uint32_t>(1, delta), threads, budget).From(source);
}

}  // namespace edgemill::bench
