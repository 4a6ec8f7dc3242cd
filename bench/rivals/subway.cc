// Subway's engines: they gather active lists on the host, copy them, and visit them. The steps in
// its paper, 3.1, are:
// - 1 to 3: flag, scan and list active vertices (RawFrontier::Advance), on the GPU;
// - 4 and 5: get their degrees and scan these (ScanDegrees), on the GPU;
// - 6: copy their edges together by the host's threads.
// What does not fit on the GPU is visited in parts (3.1). Where more than 80 % of all edges are
// active, nothing is gathered, and the whole graph is copied in parts (3.1).
#include <algorithm>
#include <cstring>

#include "bench/rivals/raw_mover.h"
#include "bench/rivals/sub_csr.h"
#include "common/cancel.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kMinEdges = 1024;
/// The share of active edges above which gathering does not pay: the paper's threshold.
constexpr double kMostActiveShare = .8;

/// What both engines share.
class SubCsrMover : public RawMover {
 public:
  explicit SubCsrMover(const RawParts& parts)
      : RawMover(parts),
        max_lists_(std::min(std::max<uint64_t>(parts.options.max_sub_lists, 1),
                            std::max<uint64_t>(parts.graph.num_vertices(), 1))) {}

  void Plan(DeviceArena* arena) override {
    RawMover::Plan(arena);
    arena->Plan(&sub_offsets_, max_lists_ + 1);
    arena->Plan(&active_edges_, 1);
  }
  uint64_t LeastRestBytes() const override { return kMinEdges * bytes_each(); }
  uint64_t AmpleRestBytes() const override {
    const uint64_t most = std::min(parts_.options.max_sub_edges, parts_.graph.num_edges());
    return (most / kMinEdges + 1) * kMinEdges * bytes_each();
  }
  uint64_t max_scanned() const override { return max_lists_ + 1; }

  Status Start(Gpu& gpu, DeviceArena& arena, uint64_t rest_bytes, MemoryBudget& budget,
               GpuStream& main) override {
    max_edges_ =
        std::min(rest_bytes, SubCsrMover::AmpleRestBytes()) / bytes_each() / kMinEdges * kMinEdges;
    on_gpu_ = arena.rest();
    const uint64_t staging = max_edges_ * bytes_each();
    const uint64_t lists = max_lists_ * sizeof(VertexId), offsets = (max_lists_ + 2) * 8;
    ASSIGN_OR_RETURN(reservation_, budget.Reserve(staging + lists + offsets, "gathered edges"));
    ASSIGN_OR_RETURN(staging_, PinnedBuffer::Allocate(gpu, staging, parts_.options.threads));
    ASSIGN_OR_RETURN(host_list_, PinnedBuffer::Allocate(gpu, lists, parts_.options.threads));
    ASSIGN_OR_RETURN(host_offsets_, PinnedBuffer::Allocate(gpu, offsets, parts_.options.threads));
    return main.Synchronize();
  }

  Status RunPass(const RawPass& pass, GpuStream& main) override {
    RawFrontier& frontier = pass.frontier;
    if (frontier.list() == nullptr || LoadsWhole()) return RunWhole(pass, main);
    const double most_active = kMostActiveShare * static_cast<double>(parts_.graph.num_edges());
    RETURN_IF_ERROR(frontier.CountEdges(pass.offsets, active_edges_, main));
    for (uint64_t first = 0; first < frontier.size(); first += max_lists_) {
      ASSIGN_OR_RETURN(const SubLists sub, Scan(pass, first, main));
      if (static_cast<double>(ActiveEdges()) > most_active) return RunWhole(pass, main);
      RawLists items = ListsOnStream(frontier, sub_offsets_, 0);
      items.offsets_by_item = true;
      items.first_item = first;
      RETURN_IF_ERROR(RunParts(pass, sub, items, main));
    }
    return OkStatus();
  }

  StatusOr<RawTraffic> Traffic(GpuStream&) override { return RawTraffic{.bytes = link_bytes_}; }

 protected:
  /// Whether the next pass loads the whole graph, whatever is active.
  virtual bool LoadsWhole() const { return false; }
  /// Runs a pass that loads the whole graph.
  virtual Status RunWhole(const RawPass& pass, GpuStream& main) = 0;
  /// Visits `items`, the lists of `part`, whose edges are on the GPU.
  virtual Status VisitPart(const RawPass& pass, const ListPart& part, const RawLists& items,
                           GpuStream& main) = 0;

  /// Brings the lists of `sub` to the GPU part by part, and visits them. `items` stands for all of
  /// them.
  Status RunParts(const RawPass& pass, const SubLists& sub, RawLists items, GpuStream& main) {
    const uint64_t first_item = items.first_item;
    const uint64_t* const offsets = items.offsets;
    // The edges in a part may start within a line, whose place is then left free.
    const uint64_t most = max_edges_ - kLineBytes / sizeof(VertexId);
    for (ListPart part = NextPart(sub.offsets, {}, most); part.first < part.last;
         part = NextPart(sub.offsets, part, most)) {
      items.first_item = first_item + part.first;
      items.num_items = part.last - part.first;
      if (items.offsets_by_item) items.offsets = offsets + part.first;
      items.begin = part.begin;
      items.end = part.end;
      items.base = AlignedReading<VertexId>::First(part.begin);
      RETURN_IF_ERROR(Send(pass.lists, sub, main, &items));
      RETURN_IF_ERROR(VisitPart(pass, part, items, main));
    }
    return OkStatus();
  }
  uint64_t max_lists() const { return max_lists_; }

 private:
  /// The active lists from number `first` on, as many as may be scanned together. Also brings the
  /// number of active edges to the host. Waits.
  StatusOr<SubLists> Scan(const RawPass& pass, uint64_t first, GpuStream& main) {
    RawFrontier& frontier = pass.frontier;
    const uint64_t count = std::min(max_lists_, frontier.size() - first);
    auto* const on_host = reinterpret_cast<uint64_t*>(host_offsets_.data());
    RETURN_IF_ERROR(frontier.ScanDegrees(pass.offsets, first, count, sub_offsets_, main));
    RETURN_IF_ERROR(main.CopyToHost(on_host, active_edges_, 8));
    RETURN_IF_ERROR(main.CopyToHost(on_host + 1, sub_offsets_, (count + 1) * 8));
    RETURN_IF_ERROR(
        main.CopyToHost(host_list_.data(), frontier.list() + first, count * sizeof(VertexId)));
    RETURN_IF_ERROR(main.Synchronize());
    return SubLists{{reinterpret_cast<const VertexId*>(host_list_.data()), count},
                    {on_host + 1, count + 1}};
  }
  uint64_t ActiveEdges() { return *reinterpret_cast<const uint64_t*>(host_offsets_.data()); }

  EdgeArrays ArraysIn(std::byte* memory) const {
    auto* const neighbors = reinterpret_cast<VertexId*>(memory);
    return {neighbors,
            parts_.weighted ? reinterpret_cast<int32_t*>(neighbors + max_edges_) : nullptr};
  }

  /// Copies the edges of `items` to the GPU. Gathers them before, unless they lie together.
  Status Send(const PlainLists& lists, const SubLists& sub, GpuStream& main, RawLists* items) {
    const uint64_t begin = items->begin, count = items->end - begin;
    const EdgeArrays to = ArraysIn(on_gpu_);
    items->neighbors = to.neighbors;
    items->weights = to.weights;
    if (count == 0) return OkStatus();
    EdgeArrays from = ArraysIn(staging_.data());
    if (sub.vertices.empty()) {
      from = {const_cast<VertexId*>(lists.neighbors.data()) + begin,
              parts_.weighted ? const_cast<int32_t*>(lists.weights.data()) + begin : nullptr};
    } else {
      RETURN_IF_ERROR(main.Synchronize());  // the copy of the part before has ended
      GatherSubCsr(lists, {sub, begin, items->end}, team_, from);
    }
    const uint64_t place = begin - items->base;
    RETURN_IF_ERROR(
        main.CopyToDevice(to.neighbors + place, from.neighbors, count * sizeof(VertexId)));
    if (parts_.weighted) {
      RETURN_IF_ERROR(main.CopyToDevice(to.weights + place, from.weights, count * sizeof(int32_t)));
    }
    link_bytes_ += count * bytes_each();
    return OkStatus();
  }

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

/// Each pass visits each active list once. The whole graph goes as whole pages.
class SynchronousMover final : public SubCsrMover {
 public:
  explicit SynchronousMover(const RawParts& parts)
      : SubCsrMover(parts), whole_pages_(MakeWholePagesMover(parts)) {}

  void Plan(DeviceArena* arena) override {
    SubCsrMover::Plan(arena);
    whole_pages_->Plan(arena);
  }
  uint64_t LeastRestBytes() const override {
    return std::max(SubCsrMover::LeastRestBytes(), whole_pages_->LeastRestBytes());
  }
  uint64_t AmpleRestBytes() const override {
    return std::max(SubCsrMover::AmpleRestBytes(), whole_pages_->AmpleRestBytes());
  }
  Status Start(Gpu& gpu, DeviceArena& arena, uint64_t rest_bytes, MemoryBudget& budget,
               GpuStream& main) override {
    // Pages and SubCSRs are never there at the same time, so that they share the memory.
    RETURN_IF_ERROR(whole_pages_->Start(
        gpu, arena, std::min(rest_bytes, whole_pages_->AmpleRestBytes()), budget, main));
    return SubCsrMover::Start(gpu, arena, rest_bytes, budget, main);
  }
  StatusOr<RawTraffic> Traffic(GpuStream& main) override {
    ASSIGN_OR_RETURN(RawTraffic traffic, SubCsrMover::Traffic(main));
    ASSIGN_OR_RETURN(const RawTraffic of_pages, whole_pages_->Traffic(main));
    traffic.bytes += of_pages.bytes;
    return traffic;
  }

 private:
  Status RunWhole(const RawPass& pass, GpuStream& main) override {
    return whole_pages_->RunPass(pass, main);
  }
  Status VisitPart(const RawPass& pass, const ListPart&, const RawLists& items,
                   GpuStream& main) override {
    return pass.visit(items, main);
  }

  const std::unique_ptr<RawMover> whole_pages_;
};

/// Visits each part that it loads until none of its vertices is active (3.2, algorithm 4). The
/// first pass loads the whole graph (4.5).
class AsynchronousMover final : public SubCsrMover {
 public:
  using SubCsrMover::SubCsrMover;

  void Plan(DeviceArena* arena) override {
    SubCsrMover::Plan(arena);
    arena->Plan(&chosen_, max_lists());
  }

 private:
  bool LoadsWhole() const override { return first_pass_; }

  Status RunWhole(const RawPass& pass, GpuStream& main) override {
    first_pass_ = false;
    const uint64_t num_vertices = parts_.graph.num_vertices();
    for (uint64_t first = 0; first < num_vertices; first += max_lists()) {
      const uint64_t count = std::min(max_lists(), num_vertices - first);
      RawLists items = ListsOnStream(pass.frontier, pass.offsets, 0);
      items.vertices = nullptr;
      items.first_item = first;
      const SubLists sub{{}, pass.lists.offsets.span().subspan(first, count + 1)};
      RETURN_IF_ERROR(RunParts(pass, sub, items, main));
    }
    return OkStatus();
  }

  Status VisitPart(const RawPass& pass, const ListPart& part, const RawLists& items,
                   GpuStream& main) override {
    RawLists active = items;
    active.chosen = chosen_;
    if (!part.starts_list) {  // more of the list that the part before began
      active.num_items = num_chosen_;
      return pass.visit(active, main);
    }
    do {
      RETURN_IF_ERROR(CheckCancelled());
      ASSIGN_OR_RETURN(num_chosen_, pass.frontier.TakeActive(items, chosen_, main));
      if (num_chosen_ == 0) return OkStatus();
      active.num_items = num_chosen_;
      if (pass.before) RETURN_IF_ERROR(pass.before(active, main));
      RETURN_IF_ERROR(pass.visit(active, main));
    } while (part.ends_list);
    return OkStatus();
  }

  bool first_pass_ = true;
  uint32_t* chosen_ = nullptr;  // numbers of items in a part
  uint64_t num_chosen_ = 0;
};

}  // namespace

std::unique_ptr<RawMover> MakeSubCsrMover(const RawParts& parts) {
  if (parts.options.engine == RawEngine::kSubCsrAsync) {
    return std::make_unique<AsynchronousMover>(parts);
  }
  return std::make_unique<SynchronousMover>(parts);
}

}  // namespace edgemill::bench
