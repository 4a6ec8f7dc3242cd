#include "engine/gpu/gpu_iteration.h"

#include <algorithm>
#include <cstring>

#include "engine/gpu_choice.h"

namespace edgemill {
namespace {

/// A loop on the card starts with so many vertices at most, of so many edges, and goes on up to
/// four times as many: one multiprocessor is faster than all of them and the host's round trip.
constexpr uint64_t kLoopVertices = 512;
constexpr uint64_t kLoopEdges = 8192;

}  // namespace

Status GpuIteration::Plan(const IterationNeeds& needs) {
  watch_.Restart();
  needs_ = needs;
  ASSIGN_OR_RETURN(main_, GpuStream::Create(gpu()));
  const bool directed = graph_.info().directed;
  const auto add = [&](Direction which, bool swept) -> Status {
    DeviceDirection& edges = direction(which);
    if (!edges.planned()) {
      RETURN_IF_ERROR(edges.Plan(graph_, which, needs.frontier, &arena_));
    }
    if (swept) feeder_.Add(which, &edges, needs.weighted);
    return OkStatus();
  };
  if (needs.push || needs.out_index || (needs.frontier && graph_.has_index(Direction::kOut))) {
    RETURN_IF_ERROR(add(Direction::kOut, needs.push));
  }
  if (needs.pull) RETURN_IF_ERROR(add(Direction::kIn, true));
  if (!directed && needs.push) RETURN_IF_ERROR(add(Direction::kOut, true));
  const uint64_t words = (graph_.num_vertices() + 63) / 64;
  frontier_bytes_ = words * sizeof(uint64_t);
  if (needs.frontier) {
    arena_.Plan(&current_, words);
    arena_.Plan(&next_, words);
    if (needs.prioritised) arena_.Plan(&waiting_, words);
    if (needs.pull) arena_.Plan(&marks_, words);
  }
  max_grid_ = static_cast<uint32_t>(gpu().properties().multiprocessors) * kBlocksPerMultiprocessor;
  arena_.Plan(&counters_, 1);
  if (needs.small_loops) {
    small_loop_.most_vertices = 4 * kLoopVertices;
    small_loop_.most_edges = 4 * kLoopEdges;
    for (VertexId*& list : small_loop_.lists) arena_.Plan(&list, small_loop_.most_vertices);
    arena_.Plan(&small_loop_.counters, 1);
  }
  if (needs.aggregate_bytes > 0) {
    arena_.Plan(&aggregates_,
                needs.aggregate_bytes * max_grid_ * (run_.options.streams + uint64_t{1}));
    arena_.Plan(&aggregate_total_, needs.aggregate_bytes);
  }
  const uint64_t control = ControlBytes(graph_.info());
  ASSIGN_OR_RETURN(reservation_, graph_.budget().Reserve(control, "counters for the GPU"));
  ASSIGN_OR_RETURN(control_, PinnedBuffer::Allocate(gpu(), control, 1));
  return feeder_.Plan(&arena_);
}

Status GpuIteration::Start() {
  RETURN_IF_ERROR(arena_.Allocate(gpu(), feeder_.rest_bytes(), "index, state and edges"));
  RETURN_IF_ERROR(feeder_.Start(arena_.rest()));
  for (DeviceDirection& direction : directions_) {
    if (direction.planned()) RETURN_IF_ERROR(direction.Upload(gpu(), main_));
  }
  for (uint64_t* const bits : {current_, next_, waiting_, marks_}) {
    if (bits != nullptr) RETURN_IF_ERROR(ClearFrontier(bits));
  }
  const DeviceCounters fresh;
  std::memcpy(control_.data(), &fresh, sizeof(fresh));
  RETURN_IF_ERROR(main_.CopyToDevice(counters_, control_.data(), sizeof(fresh)));
  if (aggregates_ != nullptr) {
    RETURN_IF_ERROR(
        main_.Fill(aggregates_, 0, needs_.aggregate_bytes * uint64_t{num_aggregate_slots()}));
  }
  if (run_.options.transfer == Transfer::kResident) RETURN_IF_ERROR(feeder_.Preload(main_));
  RETURN_IF_ERROR(main_.Synchronize());
  recorder_.AddSetupSeconds(watch_.seconds());
  return OkStatus();
}

uint32_t GpuIteration::RunGrid(uint64_t num_runs) const {
  return static_cast<uint32_t>(
      std::clamp<uint64_t>((num_runs + kVisitWarps - 1) / kVisitWarps, 1, max_grid_));
}

uint32_t GpuIteration::VertexGrid() const {
  return static_cast<uint32_t>(std::clamp<uint64_t>(
      (graph_.num_vertices() + kVisitThreads - 1) / kVisitThreads, 1, max_grid_));
}

void* GpuIteration::aggregate_slots(uint32_t stream) const {
  return aggregates_ + needs_.aggregate_bytes * uint64_t{max_grid_} * stream;
}

Status GpuIteration::SweepLists(Direction which, const uint64_t* frontier,
                                const BlockFeeder::Launch& launch) {
  DeviceDirection& edges = direction(which);
  if (edges.edges().num_edges == 0) return OkStatus();
  if (frontier == nullptr) return feeder_.Sweep(which, nullptr, {}, main_, launch);
  RETURN_IF_ERROR(main_.Fill(edges.groups(), 0, edges.group_bytes()));
  LaunchMarkGroups(edges.edges(), reinterpret_cast<const uint32_t*>(frontier), edges.groups(),
                   main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("mark groups"));
  WantedGroups wanted;
  if (!feeder_.all_resident(which)) {
    LaunchCountBlocks(edges.edges(), edges.groups(), edges.block_counts(), main_.handle());
    RETURN_IF_ERROR(gpu().AfterLaunch("count groups"));
    auto* const host = reinterpret_cast<uint32_t*>(control_.data() + kCountersBytes);
    RETURN_IF_ERROR(
        main_.CopyToHost(host, edges.block_counts(), graph_.num_blocks() * sizeof(uint32_t)));
    wanted.counts = {host, graph_.num_blocks()};
    if (feeder_.wants_groups()) {
      uint32_t* const groups = host + graph_.num_blocks();
      RETURN_IF_ERROR(main_.CopyToHost(groups, edges.groups(), edges.group_bytes()));
      wanted.groups = groups;
    }
    RETURN_IF_ERROR(main_.Synchronize());
  }
  return feeder_.Sweep(which, edges.groups(), wanted, main_, launch);
}

Status GpuIteration::ReadCounters(DeviceCounters* counters) {
  RETURN_IF_ERROR(main_.CopyToHost(control_.data(), counters_, sizeof(*counters)));
  RETURN_IF_ERROR(main_.Synchronize());
  std::memcpy(counters, control_.data(), sizeof(*counters));
  for (const Direction which : {Direction::kOut, Direction::kIn}) {
    const uint32_t block = counters->damaged[static_cast<size_t>(which)];
    if (block != ~0u) {
      return DamagedBlock(graph_.store(), graph_.neighbors(which), block,
                          "a neighbour is no vertex of the graph");
    }
  }
  return OkStatus();
}

Status GpuIteration::CountActive() {
  const DeviceDirection& out = directions_[0];
  VertexIndexView index;
  if (out.planned() && graph_.has_index(Direction::kOut)) {
    index = out.edges().index;
  } else {
    index.num_vertices = static_cast<VertexId>(graph_.num_vertices());
  }
  RETURN_IF_ERROR(main_.Fill(&counters_->frontier, 0, sizeof(counters_->frontier)));
  LaunchCountFrontier(index, reinterpret_cast<const uint32_t*>(current_), &counters_->frontier,
                      main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("count the frontier"));
  DeviceCounters counters;
  RETURN_IF_ERROR(ReadCounters(&counters));
  num_active_ = counters.frontier.vertices;
  active_edges_ = counters.frontier.edges;
  return OkStatus();
}

bool GpuIteration::MayLoop() {
  return small_loop_.counters != nullptr && num_active_ <= kLoopVertices &&
         active_edges_ <= kLoopEdges && feeder_.all_resident(Direction::kOut);
}

Status GpuIteration::StartLoop() {
  RETURN_IF_ERROR(ClearFrontier(next_));
  RETURN_IF_ERROR(main_.Fill(&small_loop_.counters->count, 0, sizeof(uint32_t)));
  LaunchListMembers(graph_.num_vertices(), reinterpret_cast<const uint32_t*>(current_),
                    small_loop_.lists[0], small_loop_.most_vertices, &small_loop_.counters->count,
                    main_.handle());
  return gpu().AfterLaunch("list the frontier");
}

Status GpuIteration::EndLoop(SmallLoopCounters* counters) {
  RETURN_IF_ERROR(ReadBack(counters, small_loop_.counters, sizeof(*counters)));
  SwapFrontiers();
  return CountActive();
}

Status GpuIteration::ReadBack(void* host, const void* device, uint64_t bytes) {
  auto* const to = static_cast<std::byte*>(host);
  const auto* const from = static_cast<const std::byte*>(device);
  if (bytes <= kCountersBytes) {
    RETURN_IF_ERROR(main_.CopyToHost(control_.data(), from, bytes));
    RETURN_IF_ERROR(main_.Synchronize());
    std::memcpy(to, control_.data(), bytes);
    return OkStatus();
  }
  return feeder_.ReadBack(to, from, bytes, main_);
}

}  // namespace edgemill
