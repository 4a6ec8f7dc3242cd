// Streaming of whole pages: copies each range of edges that has an active list, as it is. Kept
// pages stay on the GPU, those that come first and find room.
#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/rivals/raw_mover.h"
#include "bench/rivals/sub_csr.h"

namespace edgemill::bench {
namespace {

/// The size of a range is a multiple of kRangeUnit, and at least 1 / kMaxRanges of all edges.
constexpr uint64_t kRangeUnit = 1024;
constexpr uint64_t kMaxRanges = uint64_t{1} << 14;
/// Where pages are kept, ranges are so small that the memory holds this many for each stream.
constexpr uint64_t kKeptShares = 4;

class WholePagesMover final : public RawMover {
 public:
  explicit WholePagesMover(const RawParts& parts) : RawMover(parts) {}

  void Plan(DeviceArena* arena) override {
    RawMover::Plan(arena);
    arena->Plan(&vertices_, 2 * kMaxRanges);
    arena->Plan(&places_, 2 * kMaxRanges);
  }
  uint64_t LeastRestBytes() const override { return kStreams * MinRange() * bytes_each(); }
  uint64_t AmpleRestBytes() const override {
    const uint64_t range = std::max(MinRange(), Rounded(parts_.options.max_range_edges));
    const bool both =
        parts_.graph.directed() && parts_.options.algorithm == RawAlgorithm::kComponents;
    const uint64_t all = (parts_.graph.num_edges() + range - 1) / range * (both ? 2 : 1);
    return (kStreams + (keeps() ? all : 0)) * range * bytes_each();
  }

  Status Start(Gpu& gpu, DeviceArena& arena, uint64_t rest_bytes, MemoryBudget&,
               GpuStream& main) override {
    const uint64_t shares = kStreams * (keeps() ? kKeptShares : 1);
    range_edges_ = std::max(MinRange(),
                            std::min(Rounded(parts_.options.max_range_edges),
                                     rest_bytes / shares / bytes_each() / kRangeUnit * kRangeUnit));
    num_ranges_ = (parts_.graph.num_edges() + range_edges_ - 1) / range_edges_;
    buffers_.memory = arena.rest();
    if (keeps()) buffers_.count = rest_bytes / bytes_each() / range_edges_;
    for (std::vector<std::byte*>& kept : buffers_.kept) kept.resize(num_ranges_);
    for (uint32_t i = 0; i < kStreams; ++i) {
      ASSIGN_OR_RETURN(streams_[i], GpuStream::Create(gpu));
      ASSIGN_OR_RETURN(done_[i], GpuEvent::Create(gpu));
    }
    ASSIGN_OR_RETURN(ready_, GpuEvent::Create(gpu));
    ASSIGN_OR_RETURN(host_places_,
                     PinnedBuffer::Allocate(gpu, (2 * num_ranges_ + 1) * sizeof(uint64_t), 1));
    return main.Synchronize();
  }

  Status RunPass(const RawPass& pass, GpuStream& main) override {
    if (pass.frontier.size() == 0 || num_ranges_ == 0) return OkStatus();
    RETURN_IF_ERROR(FindActive(pass.lists, pass.frontier, main));
    RETURN_IF_ERROR(main.Record(ready_));
    for (GpuStream& stream : streams_) RETURN_IF_ERROR(stream.WaitFor(ready_));
    const uint64_t* const below = reinterpret_cast<const uint64_t*>(host_places_.data());
    uint32_t next = 0;
    for (uint64_t range = 0; range < num_ranges_; ++range) {
      RawLists items = ListsOnStream(pass.frontier, pass.offsets, next);
      items.begin = range * range_edges_;
      items.end = std::min(items.begin + range_edges_, parts_.graph.num_edges());
      items.base = items.begin;
      items.first_item = below[2 * range];
      items.num_items = below[2 * range + 1] - below[2 * range];
      if (items.num_items == 0) continue;
      RETURN_IF_ERROR(Place(pass.lists, range, next, &items));
      RETURN_IF_ERROR(pass.visit(items, streams_[next]));
      next = (next + 1) % kStreams;
    }
    for (uint32_t i = 0; i < kStreams; ++i) {
      RETURN_IF_ERROR(streams_[i].Record(done_[i]));
      RETURN_IF_ERROR(main.WaitFor(done_[i]));
    }
    return OkStatus();
  }

  StatusOr<RawTraffic> Traffic(GpuStream&) override { return RawTraffic{.bytes = link_bytes_}; }

 protected:
  uint32_t num_streams() const override { return kStreams; }

 private:
  static constexpr uint32_t kStreams = 2;

  /// Memory on the GPU for a range each: one for each stream, and then those of kept ranges.
  struct RangeBuffers {
    std::byte* memory = nullptr;
    uint64_t count = kStreams;
    uint64_t used = kStreams;
    std::vector<std::byte*> kept[2];  // by direction and range; null: not kept
  };

  bool keeps() const { return parts_.options.engine == RawEngine::kKeptPages; }
  int Direction(const PlainLists& lists) const { return &lists == &parts_.graph.out() ? 0 : 1; }
  std::byte* Buffer(uint64_t number) const {
    return buffers_.memory + number * range_edges_ * bytes_each();
  }

  static uint64_t Rounded(uint64_t edges) {
    return std::max((edges + kRangeUnit - 1) / kRangeUnit, uint64_t{1}) * kRangeUnit;
  }
  uint64_t MinRange() const { return Rounded(parts_.graph.num_edges() / kMaxRanges + 1); }

  /// Puts two counts for each range into host_places_: the active vertices before its first vertex,
  /// and those before the first vertex after it. Neighbouring ranges may share a vertex.
  Status FindActive(const PlainLists& lists, RawFrontier& frontier, GpuStream& main) {
    std::vector<VertexId>& firsts = firsts_[Direction(lists)];
    const uint64_t count = 2 * num_ranges_;
    if (firsts.empty()) firsts = RangeVertices(lists, range_edges_);
    // The pinned memory first holds the vertices to copy, and then gets the places.
    std::memcpy(host_places_.data(), firsts.data(), count * sizeof(VertexId));
    RETURN_IF_ERROR(main.CopyToDevice(vertices_, host_places_.data(), count * sizeof(VertexId)));
    RETURN_IF_ERROR(frontier.CountBelow(vertices_, count, places_, main));
    RETURN_IF_ERROR(main.CopyToHost(host_places_.data(), places_, count * sizeof(uint64_t)));
    return main.Synchronize();
  }

  /// Sets where the edges of `items`, which are those of a range, are on the GPU for a stream.
  /// Copies them unless they are kept.
  Status Place(const PlainLists& lists, uint64_t range, uint32_t stream, RawLists* items) {
    std::byte*& kept = buffers_.kept[Direction(lists)][range];
    const bool there = kept != nullptr;
    if (!there && buffers_.used < buffers_.count) kept = Buffer(buffers_.used++);
    auto* const neighbors = reinterpret_cast<VertexId*>(kept != nullptr ? kept : Buffer(stream));
    auto* const weights = reinterpret_cast<int32_t*>(neighbors + range_edges_);
    items->neighbors = neighbors;
    items->weights = weights;
    if (there) return OkStatus();
    const uint64_t count = items->end - items->begin;
    RETURN_IF_ERROR(streams_[stream].CopyToDevice(neighbors, lists.neighbors.data() + items->begin,
                                                  count * sizeof(VertexId)));
    if (parts_.weighted) {
      RETURN_IF_ERROR(streams_[stream].CopyToDevice(weights, lists.weights.data() + items->begin,
                                                    count * sizeof(int32_t)));
    }
    link_bytes_ += count * bytes_each();
    return OkStatus();
  }

  uint64_t range_edges_ = 0;
  uint64_t num_ranges_ = 0;
  std::vector<VertexId> firsts_[2];
  VertexId* vertices_ = nullptr;
  uint64_t* places_ = nullptr;
  RangeBuffers buffers_;
  GpuStream streams_[kStreams];
  GpuEvent done_[kStreams];
  GpuEvent ready_;
  PinnedBuffer host_places_;
  uint64_t link_bytes_ = 0;
};

}  // namespace

std::unique_ptr<RawMover> MakeWholePagesMover(const RawParts& parts) {
  return std::make_unique<WholePagesMover>(parts);
}

}  // namespace edgemill::bench
