// Streaming of whole pages: copies each range of edges that has an active list, as it is.
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
    return kStreams * std::max(MinRange(), Rounded(parts_.options.max_range_edges)) * bytes_each();
  }

  Status Start(Gpu& gpu, DeviceArena& arena, uint64_t rest_bytes, MemoryBudget&,
               GpuStream& main) override {
    range_edges_ = rest_bytes / kStreams / bytes_each() / kRangeUnit * kRangeUnit;
    num_ranges_ = (parts_.graph.num_edges() + range_edges_ - 1) / range_edges_;
    for (uint32_t i = 0; i < kStreams; ++i) {
      buffers_[i] = arena.rest() + i * range_edges_ * bytes_each();
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
      RETURN_IF_ERROR(Send(pass.lists, next, &items));
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

  static uint64_t Rounded(uint64_t edges) {
    return std::max((edges + kRangeUnit - 1) / kRangeUnit, uint64_t{1}) * kRangeUnit;
  }
  uint64_t MinRange() const { return Rounded(parts_.graph.num_edges() / kMaxRanges + 1); }

  /// Puts two counts for each range into host_places_: the active vertices before its first vertex,
  /// and those before the first vertex after it. Neighbouring ranges may share a vertex.
  Status FindActive(const PlainLists& lists, RawFrontier& frontier, GpuStream& main) {
    std::vector<VertexId>& firsts = firsts_[&lists == &parts_.graph.out() ? 0 : 1];
    const uint64_t count = 2 * num_ranges_;
    if (firsts.empty()) firsts = RangeVertices(lists, range_edges_);
    // The pinned memory first holds the vertices to copy, and then gets the places.
    std::memcpy(host_places_.data(), firsts.data(), count * sizeof(VertexId));
    RETURN_IF_ERROR(main.CopyToDevice(vertices_, host_places_.data(), count * sizeof(VertexId)));
    RETURN_IF_ERROR(frontier.CountBelow(vertices_, count, places_, main));
    RETURN_IF_ERROR(main.CopyToHost(host_places_.data(), places_, count * sizeof(uint64_t)));
    return main.Synchronize();
  }

  Status Send(const PlainLists& lists, uint32_t number, RawLists* items) {
    const uint64_t count = items->end - items->begin;
    auto* const neighbors = reinterpret_cast<VertexId*>(buffers_[number]);
    auto* const weights = reinterpret_cast<int32_t*>(neighbors + range_edges_);
    RETURN_IF_ERROR(streams_[number].CopyToDevice(neighbors, lists.neighbors.data() + items->begin,
                                                  count * sizeof(VertexId)));
    if (parts_.weighted) {
      RETURN_IF_ERROR(streams_[number].CopyToDevice(weights, lists.weights.data() + items->begin,
                                                    count * sizeof(int32_t)));
    }
    link_bytes_ += count * bytes_each();
    items->neighbors = neighbors;
    items->weights = weights;
    return OkStatus();
  }

  uint64_t range_edges_ = 0;
  uint64_t num_ranges_ = 0;
  std::vector<VertexId> firsts_[2];
  VertexId* vertices_ = nullptr;
  uint64_t* places_ = nullptr;
  std::byte* buffers_[kStreams] = {};
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
