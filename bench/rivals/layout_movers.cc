// MultiGraph's and Garaph's engines: all edges are on the GPU before the first iteration, laid out
// for their kernels.
#include <utility>
#include <vector>

#include "bench/layouts/segments.h"
#include "bench/layouts/shards.h"
#include "bench/rivals/raw_layouts.h"
#include "bench/rivals/raw_mover.h"
#include "common/clock.h"

namespace edgemill::bench {
namespace {

/// Calls `add(lists, reversed)` for each direction in which messages are sent, with the lists of
/// sources and those of targets. Components of a directed graph go both ways.
template <typename Add>
void ForEachDirection(const RawParts& parts, Add add) {
  add(parts.graph.out(), parts.graph.in());
  const bool both = parts.options.algorithm == RawAlgorithm::kComponents;
  if (both && parts.graph.directed()) add(parts.graph.in(), parts.graph.out());
}

/// Queues a copy of all of `from`, if there is anything.
template <typename T>
Status Upload(const T& from, void* to, GpuStream& main) {
  if (from.size() == 0) return OkStatus();
  return main.CopyToDevice(to, from.data(), from.size() * sizeof(*from.data()));
}

class SegmentsMover final : public RawMover {
 public:
  explicit SegmentsMover(const RawParts& parts) : RawMover(parts) {
    const uint32_t least = parts.options.sparse.in_degree;
    ForEachDirection(parts, [&](const PlainLists& out, const PlainLists& in) {
      directions_.push_back({&out, SegmentTargets(in.offsets.span(), least)});
    });
  }

  void Plan(DeviceArena* arena) override {
    for (Direction& direction : directions_) {
      const uint64_t num_edges = parts_.graph.num_edges();
      const uint64_t segments = NumSegments(direction.targets.size());
      arena->Plan(&direction.neighbors, num_edges);
      if (parts_.weighted) arena->Plan(&direction.weights, num_edges);
      arena->Plan(&direction.splits, segments * parts_.graph.num_vertices());
      arena->Plan(&direction.gpu_targets, direction.targets.size());
      direction.pass.num_segments = static_cast<uint32_t>(segments);
      layout_.bytes += num_edges * bytes_each() + sizeof(uint32_t) * direction.targets.size() +
                       sizeof(uint32_t) * segments * parts_.graph.num_vertices();
    }
  }

  Status Start(Gpu&, DeviceArena&, uint64_t, MemoryBudget& budget, GpuStream& main) override {
    for (Direction& direction : directions_) {
      const Stopwatch watch;
      ASSIGN_OR_RETURN(const SegmentedLists made,
                       LayOutSegments(*direction.lists, direction.targets, parts_.weighted,
                                      parts_.options.threads, budget));
      layout_.build_seconds += watch.seconds();
      RETURN_IF_ERROR(Upload(made.neighbors, direction.neighbors, main));
      RETURN_IF_ERROR(Upload(made.weights, direction.weights, main));
      RETURN_IF_ERROR(Upload(made.splits, direction.splits, main));
      RETURN_IF_ERROR(Upload(direction.targets, direction.gpu_targets, main));
      direction.pass.splits = direction.splits;
      direction.pass.targets = direction.gpu_targets;
      direction.pass.num_targets = static_cast<uint32_t>(direction.targets.size());
      direction.pass.num_vertices = parts_.graph.num_vertices();
      RETURN_IF_ERROR(main.Synchronize());  // the host's copy goes
    }
    return OkStatus();
  }

  Status RunPass(const RawPass& pass, GpuStream& main) override {
    const Direction& direction = directions_[directions_[0].lists == &pass.lists ? 0 : 1];
    RawLists lists = ListsOnStream(pass.frontier, pass.offsets, 0);
    lists.neighbors = direction.neighbors;
    lists.weights = direction.weights;
    lists.segments = &direction.pass;
    return pass.visit(lists, main);
  }

  StatusOr<RawTraffic> Traffic(GpuStream&) override { return RawTraffic(); }
  RawLayout layout() const override { return layout_; }

 private:
  struct Direction {
    const PlainLists* lists;
    std::vector<VertexId> targets;
    // On the GPU:
    VertexId* neighbors = nullptr;
    int32_t* weights = nullptr;
    uint32_t* splits = nullptr;
    VertexId* gpu_targets = nullptr;
    SegmentedPass pass = {};
  };
  std::vector<Direction> directions_;
  RawLayout layout_;
};

class ShardsMover final : public RawMover {
 public:
  explicit ShardsMover(const RawParts& parts) : RawMover(parts) {
    const ShardTuning& tuning = parts.options.shards;
    ForEachDirection(parts, [&](const PlainLists& out, const PlainLists& in) {
      Direction direction{{out, in, parts.weighted}, CutShards(in.offsets.span(), tuning)};
      direction.parts = CutParts(direction.shards, tuning.part_edges);
      directions_.push_back(std::move(direction));
    });
  }

  void Plan(DeviceArena* arena) override {
    for (Direction& direction : directions_) {
      const uint64_t num_edges = parts_.graph.num_edges();
      arena->Plan(&direction.sources, num_edges);
      arena->Plan(&direction.targets, num_edges);
      if (parts_.weighted) arena->Plan(&direction.weights, num_edges);
      arena->Plan(&direction.gpu_parts, direction.parts.size());
      layout_.bytes += num_edges * (bytes_each() + sizeof(uint16_t)) +
                       direction.parts.size() * sizeof(ShardPart);
    }
    layout_.mean_copies = MeanCopies(directions_[0].shards);
  }

  Status Start(Gpu&, DeviceArena&, uint64_t, MemoryBudget& budget, GpuStream& main) override {
    for (Direction& direction : directions_) {
      const Stopwatch watch;
      ASSIGN_OR_RETURN(const ShardedEdges edges, LayOutShards(direction.lists, direction.shards,
                                                              parts_.options.shards.by_target,
                                                              parts_.options.threads, budget));
      layout_.build_seconds += watch.seconds();
      RETURN_IF_ERROR(Upload(edges.sources, direction.sources, main));
      RETURN_IF_ERROR(Upload(edges.targets, direction.targets, main));
      RETURN_IF_ERROR(Upload(edges.weights, direction.weights, main));
      RETURN_IF_ERROR(Upload(direction.parts, direction.gpu_parts, main));
      direction.pass = {
          {direction.gpu_parts, direction.sources, direction.targets, direction.weights},
          direction.parts};
      RETURN_IF_ERROR(main.Synchronize());  // the host's copy goes
    }
    return OkStatus();
  }

  Status RunPass(const RawPass& pass, GpuStream& main) override {
    const Direction& direction = directions_[&directions_[0].lists.out == &pass.lists ? 0 : 1];
    RawLists lists = ListsOnStream(pass.frontier, pass.offsets, 0);
    lists.shards = &direction.pass;
    return pass.visit(lists, main);
  }

  StatusOr<RawTraffic> Traffic(GpuStream&) override { return RawTraffic(); }
  RawLayout layout() const override { return layout_; }

 private:
  struct Direction {
    ShardedLists lists;
    std::vector<Shard> shards;
    std::vector<ShardPart> parts = {};
    // On the GPU:
    VertexId* sources = nullptr;
    uint16_t* targets = nullptr;
    int32_t* weights = nullptr;
    ShardPart* gpu_parts = nullptr;
    ShardedPass pass = {};
  };
  std::vector<Direction> directions_;
  RawLayout layout_;
};

}  // namespace

std::unique_ptr<RawMover> MakeSegmentsMover(const RawParts& parts) {
  return std::make_unique<SegmentsMover>(parts);
}

std::unique_ptr<RawMover> MakeShardsMover(const RawParts& parts) {
  return std::make_unique<ShardsMover>(parts);
}

}  // namespace edgemill::bench
