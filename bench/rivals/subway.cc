// Subway's synchronous engine: gathers active lists on the host, copies them, and visits them. The
// steps in its paper, 3.1, are:
// - 1 to 3: flag, scan and list active vertices (RawFrontier::Advance), on the GPU;
// - 4 and 5: get their degrees and scan these (ScanDegrees), on the GPU;
// - 6: copy their edges together by the host's threads.
// What does not fit on the GPU is visited in parts (3.1). Where more than 80 % of all edges are
// active, nothing is gathered, and whole pages are copied (3.1).
#include <algorithm>
#include <cstring>

#include "bench/rivals/raw_mover.h"
#include "bench/rivals/sub_csr.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kMinEdges = 1024;
/// The share of active edges above which gathering does not pay: the paper's threshold.
constexpr double kMostActiveShare = .8;

class SubCsrMover final : public RawMover {
 public:
  explicit SubCsrMover(const RawParts& parts)
      : RawMover(parts),
        whole_pages_(MakeWholePagesMover(parts)),
        max_lists_(std::min(std::max<uint64_t>(parts.options.max_sub_lists, 1),
                            std::max<uint64_t>(parts.graph.num_vertices(), 1))) {}

  void Plan(DeviceArena* arena) override {
    RawMover::Plan(arena);
    whole_pages_->Plan(arena);
    arena->Plan(&sub_offsets_, max_lists_ + 1);
    arena->Plan(&active_edges_, 1);
  }
  uint64_t LeastRestBytes() const override {
    return std::max(kMinEdges * bytes_each(), whole_pages_->LeastRestBytes());
  }
  uint64_t AmpleRestBytes() const override {
    const uint64_t most = std::min(parts_.options.max_sub_edges, parts_.graph.num_edges());
    return std::max((most / kMinEdges + 1) * kMinEdges * bytes_each(),
                    whole_pages_->AmpleRestBytes());
  }
  uint64_t max_scanned() const override { return max_lists_ + 1; }

  Status Start(Gpu& gpu, DeviceArena& arena, uint64_t rest_bytes, MemoryBudget& budget,
               GpuStream& main) override {
    // Pages and SubCSRs are never there at the same time, so that they share the memory.
    RETURN_IF_ERROR(whole_pages_->Start(
        gpu, arena, std::min(rest_bytes, whole_pages_->AmpleRestBytes()), budget, main));
    max_edges_ = rest_bytes / bytes_each() / kMinEdges * kMinEdges;
    on_gpu_ = arena.rest();
    const uint64_t staging = max_edges_ * bytes_each();
    const uint64_t lists = max_lists_ * sizeof(VertexId), offsets = (max_lists_ + 2) * 8;
    ASSIGN_OR_RETURN(reservation_, budget.Reserve(staging + lists + offsets, "gathered edges"));
    ASSIGN_OR_RETURN(staging_, PinnedBuffer::Allocate(gpu, staging, parts_.options.threads));
    ASSIGN_OR_RETURN(host_list_, PinnedBuffer::Allocate(gpu, lists, parts_.options.threads));
    ASSIGN_OR_RETURN(host_offsets_, PinnedBuffer::Allocate(gpu, offsets, parts_.options.threads));
    return main.Synchronize();
  }

  Status RunPass(const PlainLists& lists, const uint64_t* offsets, RawFrontier& frontier,
                 GpuStream& main, const RawLaunch& launch) override {
    if (frontier.list() == nullptr) {  // all edges are active
      return whole_pages_->RunPass(lists, offsets, frontier, main, launch);
    }
    const double most_active = kMostActiveShare * static_cast<double>(parts_.graph.num_edges());
    RETURN_IF_ERROR(frontier.CountEdges(offsets, active_edges_, main));
    for (uint64_t first = 0; first < frontier.size(); first += max_lists_) {
      ASSIGN_OR_RETURN(const SubLists sub, Scan(offsets, frontier, first, main));
      if (static_cast<double>(ActiveEdges()) > most_active) {
        return whole_pages_->RunPass(lists, offsets, frontier, main, launch);
      }
      const uint64_t count = sub.offsets.size() - 1;
      for (uint64_t begin = 0; begin < sub.offsets[count]; begin += max_edges_) {
        RawLists items = ListsOnStream(frontier, sub_offsets_, 0);
        items.offsets_by_item = true;
        items.first_item = first;
        items.num_items = count;
        items.begin = items.base = begin;
        items.end = std::min(begin + max_edges_, sub.offsets[count]);
        Narrow(sub.offsets, &items);
        RETURN_IF_ERROR(SendPart(lists, sub, main, &items));
        RETURN_IF_ERROR(launch(items, main));
      }
    }
    return OkStatus();
  }

  StatusOr<RawTraffic> Traffic(GpuStream& main) override {
    ASSIGN_OR_RETURN(RawTraffic traffic, whole_pages_->Traffic(main));
    traffic.bytes += link_bytes_;
    return traffic;
  }

 private:
  /// The active lists from number `first` on, as many as may be scanned together. Also brings the
  /// number of active edges to the host. Waits.
  StatusOr<SubLists> Scan(const uint64_t* offsets, RawFrontier& frontier, uint64_t first,
                          GpuStream& main) {
    const uint64_t count = std::min(max_lists_, frontier.size() - first);
    auto* const on_host = reinterpret_cast<uint64_t*>(host_offsets_.data());
    RETURN_IF_ERROR(frontier.ScanDegrees(offsets, first, count, sub_offsets_, main));
    RETURN_IF_ERROR(main.CopyToHost(on_host, active_edges_, 8));
    RETURN_IF_ERROR(main.CopyToHost(on_host + 1, sub_offsets_, (count + 1) * 8));
    RETURN_IF_ERROR(
        main.CopyToHost(host_list_.data(), frontier.list() + first, count * sizeof(VertexId)));
    RETURN_IF_ERROR(main.Synchronize());
    return SubLists{{reinterpret_cast<const VertexId*>(host_list_.data()), count},
                    {on_host + 1, count + 1}};
  }
  uint64_t ActiveEdges() { return *reinterpret_cast<const uint64_t*>(host_offsets_.data()); }

  /// Keeps only the items that have edges in [begin, end) of `items`.
  static void Narrow(std::span<const uint64_t> offsets, RawLists* items) {
    const auto first = std::upper_bound(offsets.begin(), offsets.end(), items->begin) - 1;
    const auto last = std::lower_bound(offsets.begin(), offsets.end(), items->end);
    items->offsets += first - offsets.begin();
    items->first_item += static_cast<uint64_t>(first - offsets.begin());
    items->num_items = static_cast<uint64_t>(last - first);
  }

  Status SendPart(const PlainLists& lists, const SubLists& sub, GpuStream& main, RawLists* items) {
    const uint64_t count = items->end - items->begin;
    const auto arrays_in = [&](std::byte* memory) {
      auto* const neighbors = reinterpret_cast<VertexId*>(memory);
      return EdgeArrays{neighbors, parts_.weighted
                                       ? reinterpret_cast<int32_t*>(neighbors + max_edges_)
                                       : nullptr};
    };
    const EdgeArrays from = arrays_in(staging_.data()), to = arrays_in(on_gpu_);
    RETURN_IF_ERROR(main.Synchronize());  // the copy of the part before has ended
    GatherSubCsr(lists, {sub, items->begin, items->end}, team_, from);
    RETURN_IF_ERROR(main.CopyToDevice(to.neighbors, from.neighbors, count * sizeof(VertexId)));
    if (parts_.weighted) {
      RETURN_IF_ERROR(main.CopyToDevice(to.weights, from.weights, count * sizeof(int32_t)));
    }
    link_bytes_ += count * bytes_each();
    items->neighbors = to.neighbors;
    items->weights = to.weights;
    return OkStatus();
  }

  const std::unique_ptr<RawMover> whole_pages_;
  const uint64_t max_lists_;
  uint64_t max_edges_ = 0;
  ThreadTeam team_{parts_.options.threads};
  uint64_t* sub_offsets_ = nullptr;
  unsigned long long* active_edges_ = nullptr;
  std::byte* on_gpu_ = nullptr;
  MemoryReservation reservation_;
  PinnedBuffer staging_;
  PinnedBuffer host_list_;
  PinnedBuffer host_offsets_;  // the number of active edges, then offsets
  uint64_t link_bytes_ = 0;
};

}  // namespace

std::unique_ptr<RawMover> MakeSubCsrMover(const RawParts& parts) {
  return std::make_unique<SubCsrMover>(parts);
}

}  // namespace edgemill::bench
