#include "engine/transfer/stream/edge_pass_runner.h"

#include <algorithm>
#include <vector>

#include "common/check.h"
#include "engine/plan/staging_memory.h"

namespace edgemill {
namespace {

/// Returns for each block a number that is the higher, the longer the lists in it are: minus the
/// number of lists that begin there.
std::vector<float> ListLengths(const LoadedGraph& graph, Direction direction) {
  std::vector<float> lengths(graph.num_blocks());
  for (uint64_t block = 0; block < lengths.size(); ++block) {
    lengths[block] = -static_cast<float>(graph.indexes().FirstOfBlock(direction, block + 1) -
                                         graph.indexes().FirstOfBlock(direction, block));
  }
  return lengths;
}

}  // namespace

Status EdgePassRunner::Plan(const ScannedLists& lists, std::span<DeviceDirection> directions,
                            uint64_t fixed_bytes) {
  CHECK(!transfer_.has_value());
  if (graph_.num_blocks() == 0) return OkStatus();
  const GpuRunOptions& options = run_.options;
  const GraphInfo& info = graph_.info();
  const uint64_t max_block = MostStagedBlockBytes(info, lists.weighted);
  DeviceMemory memory = DeviceMemoryOf(run_.gpu);
  if (run_.lists.has_value()) {
    const PassBlocks own = BlocksOfLists(graph_, *run_.lists);
    memory.part_bytes = ScannedBlocksBytes(graph_.store(), lists, &own);
  }
  ASSIGN_OR_RETURN(const DeviceShares shares,
                   ShareOutDeviceMemory(graph_.store(), lists, options, memory,
                                        fixed_bytes + StagedNumbersBytes(options.num_batches)));
  staging_ = PlanStaging(shares, options, run_.staging_bytes, max_block);
  places_.resident().SetCapacity(shares.resident_bytes);
  planner_.emplace(model_, TransferRules{.transfer = options.transfer,
                                         .exceeds_gpu = staging_.on_device,
                                         .shared = run_.shared,
                                         .buffer_bytes = staging_.buffer_bytes});
  timer_.emplace(run_.gpu, staging_.num_buffers, graph_.threads());
  transfer_.emplace(run_.gpu, graph_, places_, *timer_);
  RETURN_IF_ERROR(
      transfer_->Create(staging_, options.calibration.tlb_coverage_bytes, options.combines));
  RETURN_IF_ERROR(timer_->Create());
  AddSides(lists, directions,
           /*counts_costs=*/options.transfer == Transfer::kAuto && shares.resident_bytes > 0);
  ASSIGN_OR_RETURN(plan_reservation_,
                   graph_.budget().Reserve(ChoiceBytes(info), "choices for the GPU's blocks"));
  plan_.Reserve(graph_.num_blocks());
  if (run_.pins_cache) {  // with the memory that is left
    places_.pinned().Plan({places_.side(0).blocks.num_blocks, places_.side(1).blocks.num_blocks},
                          graph_.budget());
  }
  return OkStatus();
}

void EdgePassRunner::AddSides(const ScannedLists& lists, std::span<DeviceDirection> directions,
                              bool counts_costs) {
  const GraphInfo& info = graph_.info();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (!lists.Has(direction)) continue;
    const GraphStore& store = graph_.store();
    const bool weighted = lists.HasWeights(store, direction);
    uint64_t bytes = store.column(graph_.neighbors(direction)).payload_bytes;
    if (weighted) bytes += store.column(graph_.weights(direction)).payload_bytes;
    TransferSide side{.edges = &directions[static_cast<size_t>(direction)],
                      .with_weights = weighted,
                      .blocks = DirectionBlocks::Of(info.num_edges, info.block_edges, bytes,
                                                    weighted ? 2 : 1, model_)};
    if (run_.options.priority == BlockPriority::kHub) {
      side.list_lengths = ListLengths(graph_, direction);
    }
    places_.Add(direction, side, OwnBlocks(direction).size(), counts_costs);
  }
}

uint64_t EdgePassRunner::rest_bytes() const {
  if (graph_.num_blocks() == 0) return 0;
  const bool managed = run_.options.transfer == Transfer::kManaged;
  return StagedNumbersBytes(run_.options.num_batches) + staging_.gpu_bytes() +
         (managed ? 0 : places_.resident().capacity_bytes());
}

Status EdgePassRunner::Start(std::byte* rest, GpuStream& main) {
  if (!transfer_.has_value()) return OkStatus();
  RETURN_IF_ERROR(transfer_->Start(rest, run_.options.transfer == Transfer::kManaged));
  return timer_->Start(main);
}

Status EdgePassRunner::LoadBlocks(GpuStream& main) {
  if (!transfer_.has_value()) return OkStatus();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const size_t number = static_cast<size_t>(direction);
    const TransferSide& side = places_.side(number);
    if (side.edges == nullptr) continue;
    RETURN_IF_ERROR(places_.pinned().KeepCached(graph_, direction, side.with_weights, number));
  }
  if (run_.options.transfer != Transfer::kResident) return OkStatus();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (places_.side(static_cast<size_t>(direction)).edges == nullptr) continue;
    RETURN_IF_ERROR(BringAll(direction, main));
  }
  timer_->Clear();
  return OkStatus();
}

Status EdgePassRunner::RunPass(const EdgePassRequest& pass, GpuStream& main,
                               const EdgeLaunch& launch) {
  const TransferSide& side = places_.of(pass.direction);
  const WantedGroups& wanted = pass.wanted;
  CHECK(side.edges != nullptr);  // Plan has added this direction
  CHECK_LE(wanted.blocks.end, graph_.num_blocks());
  RETURN_IF_ERROR(timer_->BeginPass());
  const PassRequest request{.side = places_.SideOf(pass.direction),
                            .blocks = wanted.blocks,
                            .zero_copy_first = pass.zero_copy_first,
                            .rarely_reused = wanted.rarely_reused,
                            .takes_sub_csrs = wanted.members != nullptr};
  ResidentSet& resident = places_.resident();
  const double filling_seconds = model_.BulkSeconds(static_cast<double>(resident.capacity_bytes()));
  if (planner_->MayEvict(places_.InputsOf(request, wanted.counts)) &&
      resident.ShouldEvict(filling_seconds)) {
    RETURN_IF_ERROR(Evict(main));
  }
  PassInputs inputs = places_.InputsOf(request, wanted.counts);
  if (wanted.asynchronous) {
    inputs.priorities = wanted.pending.empty() ? side.list_lengths : wanted.pending;
  }
  const bool again = plan_.Serves(inputs);
  if (!again) planner_->List(inputs, &plan_);
  // The GPU works on resident blocks while transfers are chosen.
  RETURN_IF_ERROR(VisitResident(pass, main, launch));
  if (plan_.missing.empty()) return OkStatus();
  StagedTransfer::Pass missing{
      .plan = plan_, .side = side, .direction = pass.direction, .groups = pass.groups};
  if (!again) {
    planner_->Choose(inputs, &plan_);
    resident.Charge(request.side, plan_.charges);
    if (wanted.groups && plan_.Has(Transfer::kCompaction)) {
      ASSIGN_OR_RETURN(missing.host_groups, wanted.groups());
    }
    if (plan_.Has(Transfer::kSubCsr)) {
      ASSIGN_OR_RETURN(missing.members, wanted.members());
    }
  }
  return transfer_->Bring(missing, launch);
}

Status EdgePassRunner::Evict(GpuStream& main) {
  for (size_t side = 0; side < ResidentSet::kNumSides; ++side) {
    const uint32_t num_resident = places_.resident().num_resident(side);
    if (num_resident == 0) continue;
    const DeviceDirection& edges = *places_.side(side).edges;
    LaunchForgetBlocks(edges.resident(), num_resident, edges.blocks(), main.handle());
    RETURN_IF_ERROR(run_.gpu.AfterLaunch("forget blocks"));
  }
  places_.resident().Evict();
  return OkStatus();
}

Status EdgePassRunner::VisitResident(const EdgePassRequest& pass, GpuStream& main,
                                     const EdgeLaunch& launch) {
  const uint32_t num_resident = places_.resident().num_resident(places_.SideOf(pass.direction));
  if (num_resident == 0) return timer_->MarkReady(main);
  DeviceDirection& direction = *places_.of(pass.direction).edges;
  const DeviceEdges& edges = direction.edges();
  const uint32_t shift = edges.block_tiles_shift();
  TileSelection source;
  source.groups = pass.groups;
  const BlockRange& blocks = pass.wanted.blocks;
  if (pass.groups == nullptr && blocks.size() == graph_.num_blocks()) {
    source.blocks = direction.resident();
    source.num_blocks = num_resident;
  } else {
    RETURN_IF_ERROR(main.Fill(direction.num_listed_tiles(), 0, sizeof(uint32_t)));
    LaunchListTiles(edges, pass.groups, blocks.begin << shift,
                    std::min(blocks.end << shift, edges.num_tiles()), direction.tiles(),
                    direction.num_listed_tiles(), main.handle());
    RETURN_IF_ERROR(run_.gpu.AfterLaunch("list tiles"));
    source.tiles = direction.tiles();
    source.num_tiles = direction.num_listed_tiles();
  }
  // Batches wait for this mark. They may add resident blocks, so the list of tiles must be complete
  // before.
  RETURN_IF_ERROR(timer_->MarkReady(main));
  const bool timed = plan_.wanted_resident > 0;
  if (timed) {
    const bool managed = run_.options.transfer == Transfer::kManaged;
    RETURN_IF_ERROR(timer_->BeginResident(
        plan_.wanted_resident, managed ? Transfer::kManaged : Transfer::kResident, main));
  }
  const uint64_t num_tiles = std::min(uint64_t{num_resident} << shift, edges.num_tiles());
  RETURN_IF_ERROR(launch(source, num_tiles, main, staging_.num_buffers));
  return timed ? timer_->EndResident(main) : OkStatus();
}

StatusOr<TransferAccounts> EdgePassRunner::DrainAccounts(Timeline* timeline) {
  if (!timer_.has_value()) return TransferAccounts{};
  ASSIGN_OR_RETURN(TransferAccounts accounts, timer_->DrainAccounts(graph_.reader(), timeline));
  accounts[Transfer::kZeroCopy].bytes += zero_copy_.DrainBytes();
  return accounts;
}

bool EdgePassRunner::MayBringAll(Direction direction, double seconds) const {
  return planner_->MayBringAll(places_.InputsOf({.side = places_.SideOf(direction)}, {}),
                               run_.options.calibration.disk_rate, seconds);
}

double EdgePassRunner::BringSeconds(Direction direction) const {
  const BlockShape& shape = places_.of(direction).blocks.prices.shape;
  return model_.BulkSeconds(static_cast<double>(places_.NumMissing(direction)) *
                            static_cast<double>(shape.bytes));
}

Status EdgePassRunner::BringAll(Direction direction, GpuStream& main) {
  if (places_.all_resident(direction)) return OkStatus();
  RETURN_IF_ERROR(timer_->BeginPass());
  const PassRequest request{.side = places_.SideOf(direction), .blocks = OwnBlocks(direction)};
  planner_->BringAll(places_.InputsOf(request, {}), &plan_);
  RETURN_IF_ERROR(timer_->MarkReady(main));
  return transfer_->Bring(
      {.plan = plan_, .side = places_.of(direction), .direction = direction},
      [](const TileSelection&, uint64_t, GpuStream&, uint32_t) { return OkStatus(); });
}

Status EdgePassRunner::ShowPinned(Direction direction, DeviceBlock* table, GpuStream& main) {
  return zero_copy_.FillTable(direction, table, transfer_->idle_buffer(), main);
}

}  // namespace edgemill
