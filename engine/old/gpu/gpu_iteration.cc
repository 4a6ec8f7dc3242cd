#include "engine/old/gpu/gpu_iteration.h"

#include <algorithm>
#include <cstring>

#include "engine/plan/staging_memory.h"

namespace edgemill {
namespace {

/// What an iteration of few vertices takes from the host, beyond one of a loop on the card.
constexpr double kLoopSaves = 70e-6;

}  // namespace

Status GpuIteration::Plan(const IterationNeeds& needs) {
  watch_.Restart();
  needs_ = needs;
  ASSIGN_OR_RETURN(main_, GpuStream::Create(gpu()));
  max_grid_ = static_cast<uint32_t>(gpu().properties().multiprocessors) *
              IterationArrays::kBlocksPerMultiprocessor;
  frontier_bytes_ = (graph_.num_vertices() + 63) / 64 * sizeof(uint64_t);
  arrays_.Plan(graph_.info(), needs, max_grid_, run_.options.streams, &arena_);
  const uint64_t control = ControlBytes(graph_.info());
  ASSIGN_OR_RETURN(reservation_, graph_.budget().Reserve(control, "counters for the GPU"));
  ASSIGN_OR_RETURN(control_, PinnedBuffer::Allocate(gpu(), control, 1));
  return feeder_.Plan(needs, directions_, arena_.bytes());
}

bool GpuIteration::IsPinned(const void* host, uint64_t bytes) const {
  const auto* const begin = static_cast<const std::byte*>(host);
  const auto* const end = begin + bytes;
  return std::any_of(pinned_.begin(), pinned_.end(), [&](const PinnedArray& array) {
    return begin >= array.memory.data() && end <= array.memory.data() + array.memory.size();
  });
}

Status GpuIteration::Pin(void* host, uint64_t bytes) {
  if (IsPinned(host, bytes)) return OkStatus();
  const std::span<std::byte> memory(static_cast<std::byte*>(host), bytes);
  ASSIGN_OR_RETURN(RegisteredMemory pinned, RegisteredMemory::Register(&registrar_, memory));
  pinned_.push_back({memory, std::move(pinned)});
  return OkStatus();
}

Status GpuIteration::Start() {
  RETURN_IF_ERROR(arena_.Allocate(gpu(), feeder_.rest_bytes(), "index, state and edges"));
  RETURN_IF_ERROR(feeder_.Start(arena_.rest(), main_));
  for (const Direction which : {Direction::kOut, Direction::kIn}) {
    const DirectionArrays& arrays = arrays_.directions[static_cast<size_t>(which)];
    if (!arrays.planned) continue;
    RETURN_IF_ERROR(direction(which).Upload(graph_, which, arrays, gpu(), main_));
  }
  for (uint64_t* const bits : {current(), next(), waiting(), marks(), again(), sent()}) {
    if (bits != nullptr) RETURN_IF_ERROR(ClearFrontier(bits));
  }
  if (again_groups() != nullptr) {
    RETURN_IF_ERROR(main_.Fill(again_groups(), 0, direction(Direction::kOut).group_bytes()));
  }
  const DeviceCounters fresh;
  std::memcpy(control_.data(), &fresh, sizeof(fresh));
  RETURN_IF_ERROR(main_.CopyToDevice(arrays_.counters, control_.data(), sizeof(fresh)));
  const DeviceLoop& loop = arrays_.loop;
  if (loop.state != nullptr) RETURN_IF_ERROR(main_.Fill(loop.state, 0, sizeof(*loop.state)));
  if (loop.program != nullptr) RETURN_IF_ERROR(main_.Fill(loop.program, 0, kLoopProgramBytes));
  if (arrays_.aggregates != nullptr) {
    RETURN_IF_ERROR(main_.Fill(arrays_.aggregates, 0,
                               needs_.aggregate_bytes * uint64_t{num_aggregate_slots()}));
  }
  RETURN_IF_ERROR(feeder_.LoadBlocks(main_));
  RETURN_IF_ERROR(main_.Synchronize());
  recorder_.AddSetupSeconds(watch_.seconds());
  return OkStatus();
}

uint32_t GpuIteration::RunGrid(uint64_t num_runs) const {
  const uint64_t most = uint64_t{kRunBlocksPerMultiprocessor} *
                        static_cast<uint64_t>(run_.gpu.properties().multiprocessors);
  return static_cast<uint32_t>(
      std::clamp<uint64_t>((num_runs + kVisitWarps - 1) / kVisitWarps, 1, most));
}

uint32_t GpuIteration::VertexGrid() const {
  return static_cast<uint32_t>(std::clamp<uint64_t>(
      (graph_.num_vertices() + kVisitThreads - 1) / kVisitThreads, 1, max_grid_));
}

void* GpuIteration::aggregate_slots(uint32_t stream) const {
  return arrays_.aggregates + needs_.aggregate_bytes * uint64_t{max_grid_} * stream;
}

Status GpuIteration::MarkLists(Direction which, EdgeKernel kernel, const uint64_t* frontier,
                               const ListPart& part, bool in_parts) {
  DeviceDirection& edges = direction(which);
  marked_ = which;
  marked_kernel_ = kernel;
  marked_groups_ = nullptr;
  wanted_ = {.once = needs_.once || !part.is_whole(),
             .repeated = needs_.asynchronous &&
                         (kernel == EdgeKernel::kPush || kernel == EdgeKernel::kAdd)};
  const bool all = frontier == nullptr && part.is_whole();
  if (edges.edges().num_edges == 0 || (all && !in_parts)) return OkStatus();
  marked_groups_ = edges.groups();
  if (all) return main_.Fill(edges.groups(), 0xff, edges.group_bytes());
  RETURN_IF_ERROR(main_.Fill(edges.groups(), 0, edges.group_bytes()));
  LaunchMarkGroups(edges.edges(), reinterpret_cast<const uint32_t*>(frontier), false, part,
                   edges.groups(), main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("mark groups"));
  if (feeder_.all_resident(which)) return OkStatus();
  LaunchCountBlocks(edges.edges(), edges.groups(), edges.block_counts(), main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("count groups"));
  auto* const host = reinterpret_cast<uint32_t*>(control_.data() + kCountersBytes);
  RETURN_IF_ERROR(
      main_.CopyToHost(host, edges.block_counts(), graph_.num_blocks() * sizeof(uint32_t)));
  wanted_.counts = {host, graph_.num_blocks()};
  wanted_.groups = [this, &edges,
                    groups = host + graph_.num_blocks()]() -> StatusOr<const uint32_t*> {
    RETURN_IF_ERROR(main_.CopyToHost(groups, edges.groups(), edges.group_bytes()));
    RETURN_IF_ERROR(main_.Synchronize());
    return groups;
  };
  return main_.Synchronize();
}

Status GpuIteration::SweepMarked(BlockRange blocks, const EdgeLaunch& launch) {
  if (graph_.num_edges() == 0) return OkStatus();
  wanted_.blocks = blocks;
  return feeder_.RunPass(
      {.direction = marked_, .kernel = marked_kernel_, .groups = marked_groups_, .wanted = wanted_},
      main_, launch);
}

Status GpuIteration::Report() {
  ASSIGN_OR_RETURN(const TransferAccounts accounts, feeder_.TakeAccounts(&recorder_.timeline()));
  recorder_.AddTransfers(accounts);
  return OkStatus();
}

Status GpuIteration::ReadCounters(DeviceCounters* counters) {
  RETURN_IF_ERROR(main_.CopyToHost(control_.data(), arrays_.counters, sizeof(*counters)));
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
  VertexIndexView index;
  if (arrays_.directions[0].planned && graph_.has_index(Direction::kOut)) {
    index = directions_[0].edges().index;
  } else {
    index.num_vertices = static_cast<VertexId>(graph_.num_vertices());
  }
  RETURN_IF_ERROR(main_.Fill(&device_counters()->frontier, 0, sizeof(FrontierCounts)));
  LaunchCountFrontier(index, reinterpret_cast<const uint32_t*>(current()),
                      &device_counters()->frontier, main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("count the frontier"));
  DeviceCounters counters;
  RETURN_IF_ERROR(ReadCounters(&counters));
  num_active_ = counters.frontier.vertices;
  active_edges_ = counters.frontier.edges;
  return OkStatus();
}

bool GpuIteration::MayLoop() {
  loop_ = arrays_.loop;
  loops_far_ = false;
  if (loop_.state == nullptr || !run_.options.loops) return false;
  const auto starts_below = [&](uint32_t most_pieces) {
    return num_active_ <= most_pieces / 2 && active_edges_ <= loop_.most_edges / 2;
  };
  if (!starts_below(loop_.most_pieces)) return false;
  if (feeder_.all_resident(Direction::kOut)) return true;
  const uint32_t most_far = std::min(loop_.most_pieces, kMostFarPieces);
  const bool may_be_far = starts_below(most_far) && feeder_.AllPinned(Direction::kOut);
  // Ski rental: what was lost so far is what bringing all blocks may cost.
  if (!may_be_far) loop_seconds_ += kLoopSaves;
  if (feeder_.MayBringAll(Direction::kOut, loop_seconds_)) return true;
  if (may_be_far) loop_.most_pieces = most_far;
  loops_far_ = may_be_far;
  return may_be_far;
}

Status GpuIteration::StartLoop() {
  if (loops_far_) {
    RETURN_IF_ERROR(feeder_.ShowPinned(Direction::kOut, loop_.far, main_));
  } else {
    RETURN_IF_ERROR(feeder_.BringAll(Direction::kOut, main_));
  }
  loop_.frontiers[0] = current();
  loop_.frontiers[1] = next();
  loop_.waiting = waiting();
  RETURN_IF_ERROR(ClearFrontier(next()));
  RETURN_IF_ERROR(main_.Fill(loop_.state, 0, sizeof(*loop_.state)));
  LaunchListPieces(direction(Direction::kOut).edges().index,
                   reinterpret_cast<const uint32_t*>(current()), loop_.lists[0], loop_.most_pieces,
                   &loop_.state->begin_pieces, main_.handle());
  return gpu().AfterLaunch("list the frontier");
}

uint32_t GpuIteration::LoopGrid() const {
  const uint32_t most = static_cast<uint32_t>(run_.gpu.properties().multiprocessors);
  return std::clamp(loop_.most_pieces / (kLoopThreads / kWarpSize), 1u, most);
}

Status GpuIteration::EndLoop(LoopCounters* counters) {
  LoopState state;
  RETURN_IF_ERROR(ReadBack(&state, loop_.state, sizeof(state)));
  *counters = state.at.did;
  if (loops_far_) loop_seconds_ += feeder_.CountZeroCopied(Direction::kOut, state.far_groups);
  if (state.at.side == 1) SwapFrontiers();
  return CountActive();
}

Status GpuIteration::ReadBack(void* host, const void* device, uint64_t bytes) {
  auto* const to = static_cast<std::byte*>(host);
  const auto* const from = static_cast<const std::byte*>(device);
  if (IsPinned(to, bytes)) {
    RETURN_IF_ERROR(main_.CopyToHost(to, from, bytes));
    return main_.Synchronize();
  }
  if (bytes > kCountersBytes) return feeder_.ReadBack(to, from, bytes, main_);
  RETURN_IF_ERROR(main_.CopyToHost(control_.data(), from, bytes));
  RETURN_IF_ERROR(main_.Synchronize());
  std::memcpy(to, control_.data(), bytes);
  return OkStatus();
}

}  // namespace edgemill
