#include "engine/transfer/stream/block_feeder.h"

#include <algorithm>
#include <utility>

#include "engine/plan/staging_memory.h"

namespace edgemill {

Status BlockFeeder::Plan(const SweptLists& lists, std::span<DeviceDirection> directions,
                         uint64_t fixed_bytes) {
  if (graph_.num_blocks() == 0) return OkStatus();
  const GpuRunOptions& options = run_.options;
  const GraphInfo& info = graph_.info();
  const uint64_t most_block = MostStagedBlockBytes(info, lists.weighted);
  ASSIGN_OR_RETURN(const CardShares shares,
                   ShareOutCard(graph_.store(), lists, options, CardMemoryOf(run_.gpu),
                                fixed_bytes + StagedNumbersBytes(options.streams)));
  staging_ = PlanStaging(shares, options, run_.staging_bytes, most_block);
  resident_.SetCapacity(shares.resident_bytes);
  model_.emplace(options.cost_model, options.calibration);
  planner_.emplace(*model_, TransferRules{.transfer = options.transfer,
                                          .streams = staging_.on_card,
                                          .shared = run_.shared,
                                          .buffer_bytes = staging_.buffer_bytes});
  timer_.emplace(run_.gpu, staging_.num_buffers, graph_.threads());
  streamer_.emplace(run_.gpu, graph_, resident_, pinned_, *timer_);
  RETURN_IF_ERROR(streamer_->Create(staging_, options.calibration.tlb_coverage_bytes));
  RETURN_IF_ERROR(timer_->Create());
  const bool counts_costs = options.transfer == Transfer::kAuto && shares.resident_bytes > 0;
  std::array<uint64_t, PinnedBlocks::kNumSides> num_blocks{};
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const size_t number = static_cast<size_t>(direction);
    if (!lists.Has(direction)) continue;
    Side& side = sides_[number];
    side.edges = &directions[number];
    side.with_weights = lists.weighted;
    uint64_t bytes = graph_.store().column(graph_.neighbors(direction)).payload_bytes;
    if (side.with_weights) bytes += graph_.store().column(graph_.weights(direction)).payload_bytes;
    side.blocks = DirectionBlocks::Of(info.num_edges, info.block_edges, bytes,
                                      side.with_weights ? 2 : 1, *model_);
    num_blocks[number] = side.blocks.num_blocks;
    resident_.AddSide(number, num_blocks[number], counts_costs);
  }
  ASSIGN_OR_RETURN(plan_reservation_,
                   graph_.budget().Reserve(ChoiceBytes(info), "choices for the GPU's blocks"));
  plan_.Reserve(graph_.num_blocks());
  if (run_.pins_cache) pinned_.Plan(num_blocks, graph_.budget());  // with what is left
  return OkStatus();
}

uint64_t BlockFeeder::rest_bytes() const {
  if (graph_.num_blocks() == 0) return 0;
  const bool managed = run_.options.transfer == Transfer::kManaged;
  return StagedNumbersBytes(run_.options.streams) + staging_.card_bytes() +
         (managed ? 0 : resident_.capacity_bytes());
}

Status BlockFeeder::Start(std::byte* rest, GpuStream& main) {
  if (!streamer_.has_value()) return OkStatus();
  RETURN_IF_ERROR(streamer_->Start(rest, run_.options.transfer == Transfer::kManaged));
  return timer_->Start(main);
}

Status BlockFeeder::LoadBlocks(GpuStream& main) {
  if (!streamer_.has_value()) return OkStatus();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const size_t number = static_cast<size_t>(direction);
    const Side& side = sides_[number];
    if (side.edges == nullptr) continue;
    RETURN_IF_ERROR(pinned_.KeepCached(graph_, direction, side.with_weights, number));
  }
  if (run_.options.transfer != Transfer::kResident) return OkStatus();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (sides_[static_cast<size_t>(direction)].edges == nullptr) continue;
    RETURN_IF_ERROR(BringAll(direction, main));
  }
  timer_->Clear();
  return OkStatus();
}

bool BlockFeeder::InMemory(Direction direction) {
  if (graph_.num_blocks() == 0 || all_resident(direction) || pinned_.HoldsAll(SideOf(direction))) {
    return true;
  }
  const ColumnKind column = graph_.neighbors(direction);
  return graph_.reader().CachedBlocks({&column, 1}).size() == graph_.num_blocks();
}

Status BlockFeeder::RunPass(const EdgePassRequest& pass, GpuStream& main,
                            const EdgeLaunch& launch) {
  const size_t side = SideOf(pass.direction);
  const WantedGroups& wanted = pass.wanted;
  if (sides_[side].blocks.num_blocks == 0) return OkStatus();
  RETURN_IF_ERROR(timer_->BeginPass());
  const PassRequest request{.side = side,
                            .blocks = wanted.blocks,
                            .zero_copy_first = pass.zero_copy_first,
                            .once = wanted.once};
  const double filling_seconds =
      model_->BulkSeconds(static_cast<double>(resident_.capacity_bytes()));
  if (planner_->MayEvict(InputsOf(request, wanted.counts)) &&
      resident_.ShouldEvict(filling_seconds)) {
    RETURN_IF_ERROR(Evict(main));
  }
  const PassInputs inputs = InputsOf(request, wanted.counts);
  const bool again = plan_.Serves(inputs);
  if (!again) planner_->List(inputs, &plan_);
  // While transfers are chosen, the card has something to do.
  RETURN_IF_ERROR(VisitResident(pass, main, launch));
  if (plan_.missing.empty()) return OkStatus();
  BlockStreamer::Pass streamed{.plan = plan_,
                               .edges = *sides_[side].edges,
                               .direction = pass.direction,
                               .with_weights = sides_[side].with_weights,
                               .side = side,
                               .groups = pass.groups};
  if (!again) {
    planner_->Choose(inputs, &plan_);
    resident_.Charge(side, plan_.charges);
    if (wanted.groups && plan_.Compacts()) {
      ASSIGN_OR_RETURN(streamed.host_groups, wanted.groups());
    }
  }
  return streamer_->Stream(streamed, launch);
}

Status BlockFeeder::Evict(GpuStream& main) {
  for (size_t side = 0; side < sides_.size(); ++side) {
    const uint32_t num_resident = resident_.num_resident(side);
    if (num_resident == 0) continue;
    const DeviceDirection& edges = *sides_[side].edges;
    LaunchForgetBlocks(edges.resident(), num_resident, edges.blocks(), main.handle());
    RETURN_IF_ERROR(run_.gpu.AfterLaunch("forget blocks"));
  }
  resident_.Evict();
  return OkStatus();
}

Status BlockFeeder::VisitResident(const EdgePassRequest& pass, GpuStream& main,
                                  const EdgeLaunch& launch) {
  const size_t side = SideOf(pass.direction);
  const uint32_t num_resident = resident_.num_resident(side);
  if (num_resident == 0) return timer_->MarkReady(main);
  DeviceDirection& direction = *sides_[side].edges;
  const DeviceEdges& edges = direction.edges();
  const uint32_t shift = edges.block_runs_shift();
  RunSource source;
  source.groups = pass.groups;
  const BlockRange& blocks = pass.wanted.blocks;
  if (pass.groups == nullptr && blocks.size() == graph_.num_blocks()) {
    source.blocks = direction.resident();
    source.num_blocks = num_resident;
  } else {
    RETURN_IF_ERROR(main.Fill(direction.num_listed_runs(), 0, sizeof(uint32_t)));
    LaunchListRuns(edges, pass.groups, blocks.begin << shift,
                   std::min(blocks.end << shift, edges.num_runs()), direction.runs(),
                   direction.num_listed_runs(), main.handle());
    RETURN_IF_ERROR(run_.gpu.AfterLaunch("list runs"));
    source.runs = direction.runs();
    source.num_runs = direction.num_listed_runs();
  }
  // From here on batches may come in: what is listed as resident must not change before.
  RETURN_IF_ERROR(timer_->MarkReady(main));
  const bool timed = plan_.resident_blocks > 0;
  if (timed) {
    const bool managed = run_.options.transfer == Transfer::kManaged;
    RETURN_IF_ERROR(timer_->BeginResident(
        plan_.resident_blocks, managed ? Transfer::kManaged : Transfer::kResident, main));
  }
  const uint64_t num_tiles = std::min(uint64_t{num_resident} << shift, edges.num_runs());
  RETURN_IF_ERROR(launch(source, num_tiles, main, staging_.num_buffers));
  return timed ? timer_->EndResident(main) : OkStatus();
}

Status BlockFeeder::ReadBack(std::byte* host, const std::byte* device, uint64_t bytes,
                             GpuStream& main) {
  if (streamer_.has_value()) return streamer_->ReadBack(host, device, bytes, main);
  RETURN_IF_ERROR(main.CopyToHost(host, device, bytes));
  return main.Synchronize();
}

StatusOr<TransferAccounts> BlockFeeder::TakeAccounts(Timeline* timeline) {
  if (!timer_.has_value()) return TransferAccounts{};
  ASSIGN_OR_RETURN(TransferAccounts accounts, timer_->TakeAccounts(graph_.reader(), timeline));
  for (Side& side : sides_) {
    accounts[Transfer::kZeroCopy].bytes += std::exchange(side.zero_copied_bytes, 0);
  }
  return accounts;
}

bool BlockFeeder::MayBringAll(Direction direction, double seconds) const {
  return planner_->MayBringAll(InputsOf({.side = SideOf(direction)}, {}),
                               run_.options.calibration.disk_rate, seconds);
}

double BlockFeeder::BringSeconds(Direction direction) const {
  const size_t side = SideOf(direction);
  const double missing = static_cast<double>(graph_.num_blocks() - resident_.num_resident(side));
  const BlockShape& shape = sides_[side].blocks.prices.shape;
  return model_->BulkSeconds(missing * static_cast<double>(shape.bytes));
}

Status BlockFeeder::BringAll(Direction direction, GpuStream& main) {
  const size_t side = SideOf(direction);
  if (resident_.HoldsAll(side)) return OkStatus();
  RETURN_IF_ERROR(timer_->BeginPass());
  planner_->BringAll(InputsOf({.side = side}, {}), &plan_);
  RETURN_IF_ERROR(timer_->MarkReady(main));
  return streamer_->Stream(
      {.plan = plan_,
       .edges = *sides_[side].edges,
       .direction = direction,
       .with_weights = sides_[side].with_weights,
       .side = side},
      [](const RunSource&, uint64_t, GpuStream&, uint32_t) { return OkStatus(); });
}

bool BlockFeeder::AllPinned(Direction direction) const {
  const Transfer transfer = run_.options.transfer;
  if (transfer != Transfer::kAuto && transfer != Transfer::kZeroCopy) return false;
  const size_t side = SideOf(direction);
  return sides_[side].pinned_shown || pinned_.HoldsAll(side);
}

Status BlockFeeder::ShowPinned(Direction direction, DeviceBlock* places, GpuStream& main) {
  const size_t side = SideOf(direction);
  if (sides_[side].pinned_shown) return OkStatus();
  RETURN_IF_ERROR(streamer_->ShowPinned(side, places, main));
  sides_[side].pinned_shown = true;
  return OkStatus();
}

double BlockFeeder::CountZeroCopied(Direction direction, uint64_t groups) {
  Side& side = sides_[SideOf(direction)];
  const double bytes = static_cast<double>(groups) * side.blocks.group_bytes;
  side.zero_copied_bytes += static_cast<uint64_t>(bytes);
  const double seconds = model_->BulkSeconds(bytes);
  resident_.ChargeParts(seconds);
  return seconds;
}

}  // namespace edgemill
