#include "bench/rivals/raw_mover.h"

#include <cstring>
#include <iterator>

namespace edgemill::bench {

std::unique_ptr<RawMover> RawMover::Make(const RawParts& parts) {
  switch (parts.options.engine) {
    case RawEngine::kInMemory:
      return MakeInMemoryMover(parts);
    case RawEngine::kZeroCopy:
    case RawEngine::kZeroCopyMerged:
    case RawEngine::kZeroCopyStrided:
      return MakeZeroCopyMover(parts);
    case RawEngine::kSubCsr:
    case RawEngine::kSubCsrAsync:
      return MakeSubCsrMover(parts);
    case RawEngine::kWholePages:
    case RawEngine::kKeptPages:
      break;
    case RawEngine::kSparse:
      return MakeSegmentsMover(parts);
    case RawEngine::kShards:
      return MakeShardsMover(parts);
  }
  return MakeWholePagesMover(parts);
}

void RawMover::Plan(DeviceArena* arena) {
  for (uint32_t stream = 0; stream < num_streams(); ++stream) {
    arena->Plan(&slices_[stream], MostRawSlices(parts_.graph.num_edges()));
    arena->Plan(&num_slices_[stream], 1);
  }
}

RawLists RawMover::ListsOnStream(const RawFrontier& frontier, const uint64_t* offsets,
                                 uint32_t stream) const {
  RawLists items = frontier.items();
  items.offsets = offsets;
  items.end = parts_.graph.num_edges();
  items.slices = slices_[stream];
  items.num_slices = num_slices_[stream];
  return items;
}

namespace {

/// Everything is on the GPU before the first iteration.
class InMemoryMover final : public RawMover {
 public:
  explicit InMemoryMover(const RawParts& parts) : RawMover(parts) {}

  void Plan(DeviceArena* arena) override {
    RawMover::Plan(arena);
    const uint64_t num_edges = parts_.graph.num_edges();
    for (Copy& copy : copies_) {
      if (copy.lists == nullptr) continue;
      arena->Plan(&copy.neighbors, num_edges);
      if (parts_.weighted) arena->Plan(&copy.weights, num_edges);
    }
  }

  Status Start(Gpu&, DeviceArena&, uint64_t, MemoryBudget&, GpuStream& main) override {
    for (const Copy& copy : copies_) {
      if (copy.lists == nullptr || copy.lists->neighbors.empty()) continue;
      RETURN_IF_ERROR(main.CopyToDevice(copy.neighbors, copy.lists->neighbors.data(),
                                        copy.lists->neighbors.size_bytes()));
      if (!parts_.weighted) continue;
      RETURN_IF_ERROR(main.CopyToDevice(copy.weights, copy.lists->weights.data(),
                                        copy.lists->weights.size_bytes()));
    }
    return OkStatus();
  }

  Status RunPass(const RawPass& pass, GpuStream& main) override {
    RawLists items = ListsOnStream(pass.frontier, pass.offsets, 0);
    const Copy& copy = copies_[copies_[0].lists == &pass.lists ? 0 : 1];
    items.neighbors = copy.neighbors;
    items.weights = copy.weights;
    return pass.visit(items, main);
  }

  StatusOr<RawTraffic> Traffic(GpuStream&) override { return RawTraffic(); }

 private:
  struct Copy {
    const PlainLists* lists = nullptr;
    VertexId* neighbors = nullptr;
    int32_t* weights = nullptr;
  };
  /// PageRank reads only in-lists, and components of a directed graph both. All others read only
  /// out-lists.
  Copy copies_[2] = {
      {parts_.options.algorithm == RawAlgorithm::kPageRank ? nullptr : &parts_.graph.out()},
      {parts_.options.algorithm == RawAlgorithm::kPageRank ||
               (parts_.options.algorithm == RawAlgorithm::kComponents && parts_.graph.directed())
           ? &parts_.graph.in()
           : nullptr}};
};

/// Copies no edges: the kernels read them from the host's memory.
class ZeroCopyMover final : public RawMover {
 public:
  explicit ZeroCopyMover(const RawParts& parts) : RawMover(parts) {}

  void Plan(DeviceArena* arena) override {
    RawMover::Plan(arena);
    arena->Plan(&requests_, std::size(RawTraffic().requests));
  }

  Status Start(Gpu& gpu, DeviceArena&, uint64_t, MemoryBudget&, GpuStream& main) override {
    ASSIGN_OR_RETURN(host_requests_, PinnedBuffer::Allocate(gpu, sizeof(RawTraffic::requests), 1));
    return main.Fill(requests_, 0, sizeof(RawTraffic::requests));
  }

  Status RunPass(const RawPass& pass, GpuStream& main) override {
    RawLists items = ListsOnStream(pass.frontier, pass.offsets, 0);
    const RawReads reads = ReadsOf(parts_.options);
    items.neighbors = pass.lists.neighbors.data();
    if (reads.wide) items.neighbors = parts_.options.wide->of(pass.lists);
    items.weights = pass.lists.weights.data();
    RETURN_IF_ERROR(pass.frontier.AddRequestsOf(reads, pass.offsets, requests_, main));
    return pass.visit(items, main);
  }

  StatusOr<RawTraffic> Traffic(GpuStream& main) override {
    RawTraffic traffic;
    RETURN_IF_ERROR(main.CopyToHost(host_requests_.data(), requests_, sizeof(traffic.requests)));
    RETURN_IF_ERROR(main.Synchronize());
    std::memcpy(traffic.requests.data(), host_requests_.data(), sizeof(traffic.requests));
    for (size_t i = 0; i < traffic.requests.size(); ++i) {
      traffic.bytes += traffic.requests[i] * (i + 1) * kSectorBytes;
    }
    return traffic;
  }

 private:
  unsigned long long* requests_ = nullptr;
  PinnedBuffer host_requests_;
};

}  // namespace

std::unique_ptr<RawMover> MakeInMemoryMover(const RawParts& parts) {
  return std::make_unique<InMemoryMover>(parts);
}

std::unique_ptr<RawMover> MakeZeroCopyMover(const RawParts& parts) {
  return std::make_unique<ZeroCopyMover>(parts);
}

}  // namespace edgemill::bench
