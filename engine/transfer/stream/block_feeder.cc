#include "engine/transfer/stream/block_feeder.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "common/parallel.h"
#include "common/units.h"
#include "engine/plan/staging_memory.h"

namespace edgemill {
namespace {

/// Host threads copy answers in pieces of this size.
constexpr size_t kCopyGrain = size_t{1} << 20;

}  // namespace

void BlockFeeder::Add(Direction direction, DeviceDirection* edges, bool with_weights) {
  Side& side = this->side(direction);
  side.edges = edges;
  side.with_weights |= with_weights;
  side.resident.resize(graph_.num_blocks());
}

bool BlockFeeder::all_resident(Direction direction) {
  return side(direction).num_resident == graph_.num_blocks();
}

Status BlockFeeder::Preload(GpuStream& main) {
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (sides_[static_cast<size_t>(direction)].edges == nullptr) continue;
    RETURN_IF_ERROR(BringAll(direction, main));
  }
  record_.Clear();
  return OkStatus();
}

Status BlockFeeder::SweepResident(Side& side, const uint32_t* groups, const WantedGroups& wanted,
                                  GpuStream& main, const Launch& launch) {
  if (side.num_resident == 0) return main.Record(ready_);
  DeviceDirection& edges = *side.edges;
  const uint64_t most_runs = uint64_t{side.num_resident} << edges.edges().block_runs_shift();
  RunSource source;
  source.groups = groups;
  if (groups == nullptr) {
    source.blocks = edges.resident();
    source.num_blocks = side.num_resident;
  } else {
    RETURN_IF_ERROR(main.Fill(edges.run_counts(), 0, sizeof(RunCounts)));
    const uint32_t shift = edges.edges().block_runs_shift();
    LaunchListRuns(edges.edges(), groups, wanted.blocks.begin << shift,
                   std::min(wanted.blocks.end << shift, edges.edges().num_runs()), edges.runs(),
                   edges.run_counts(), main.handle());
    RETURN_IF_ERROR(run_.gpu.AfterLaunch("list runs"));
    source.runs = edges.runs();
    source.num_runs = &edges.run_counts()->runs;
  }
  // From here on batches may come in: what is listed as resident must not change before.
  RETURN_IF_ERROR(main.Record(ready_));
  const uint64_t num_runs = std::min(most_runs, edges.edges().num_runs());
  ResidentLaunch* timed = nullptr;
  if (batch_.resident.blocks > 0) {
    ASSIGN_OR_RETURN(timed, TimeResident(batch_.resident, batch_.kernel));
    RETURN_IF_ERROR(main.Record(timed->begun));
  }
  RETURN_IF_ERROR(launch(source, num_runs, main, num_slots_));
  if (timed == nullptr) return OkStatus();
  RETURN_IF_ERROR(main.Record(timed->done));
  return groups == nullptr || !wanted.counts.empty() ? OkStatus() : CountLater(edges, timed, main);
}

Status BlockFeeder::Sweep(Direction direction, EdgeKernel kernel, const uint32_t* groups,
                          const WantedGroups& wanted, GpuStream& main, const Launch& launch) {
  Side& side = this->side(direction);
  const uint64_t num_blocks = side.resident.size();
  if (num_blocks == 0) return OkStatus();
  record_.Start(num_slots_, slots_->Now());
  repeated_ = wanted.repeated;
  const bool may_renew = MayRenew(wanted);
  if (may_renew) RETURN_IF_ERROR(RenewRoom(main));
  const bool again = batch_.StillHolds(side, kernel, wanted);
  if (!again) ListWanted(side, kernel, wanted);
  // While engines are chosen, the card has something to do.
  RETURN_IF_ERROR(SweepResident(side, groups, wanted, main, launch));
  if (batch_.missing.empty()) return OkStatus();
  if (again) return SweepOthers(direction, groups, nullptr, launch);
  room_planned_ = room_used_;
  PlanChoices(side);
  if (may_renew) WeighRoom();
  ChooseTransfers(side);
  PutInOrder(side);
  const uint32_t* host_groups = nullptr;
  if (wanted.groups && Compacts()) {
    ASSIGN_OR_RETURN(host_groups, wanted.groups());
  }
  return SweepOthers(direction, groups, host_groups, launch);
}

void BlockFeeder::ListWanted(Side& side, EdgeKernel kernel, const WantedGroups& wanted) {
  const uint64_t num_blocks = side.resident.size();
  batch_.Clear();
  batch_.side = &side;
  batch_.kernel = kernel;
  batch_.blocks = wanted.blocks;
  batch_.once = wanted.once;
  batch_.whole = wanted.counts.empty();
  batch_.num_resident = side.num_resident;
  batch_.wanted_groups = wanted.counts;
  if (batch_.whole) {
    const DeviceEdges& edges = side.edges->edges();
    if (side.num_resident == num_blocks) {
      batch_.resident.blocks = wanted.blocks.size();
      batch_.resident.groups = batch_.resident.wanted_groups =
          edges.groups_before(wanted.blocks.end) - edges.groups_before(wanted.blocks.begin);
      return;
    }
    batch_.alike.assign(num_blocks, side.block.num_groups);
    batch_.alike.back() = edges.block_groups(num_blocks - 1);
    batch_.wanted_groups = batch_.alike;
  }
  batch_.Count(side);
}

Status BlockFeeder::SweepOthers(Direction direction, const uint32_t* groups,
                                const uint32_t* host_groups, const Launch& launch) {
  Side& side = this->side(direction);
  slots_->Reset();
  if (batch_.unread.empty()) {
    slots_->EndFilling();
    return Feed(side, groups, launch);
  }
  const bool keeps = !side.kept.empty();
  const Status swept = RunThreads(2, [&](int thread) -> Status {
    if (thread == 0) {
      const Status fed = Feed(side, groups, launch);
      if (!fed.ok()) slots_->Fail();
      return fed;
    }
    const Status read =
        graph_.Sweep(direction, side.with_weights, batch_.unread,
                     [&](int, const BlockEdges& edges) -> StatusOr<bool> {
                       const uint64_t block = edges.block;
                       RETURN_IF_ERROR(slots_->Put(edges, batch_.transfers[block], host_groups,
                                                   batch_.wanted_groups[block], keeps));
                       if (keeps && edges.lease->registered() && edges.lease->cached()) {
                         Keep(side, edges);
                       }
                       return true;
                     });
    slots_->EndFilling();
    return read;
  });
  // Copies that are under way after an error still read what leases hold.
  if (!swept.ok()) {
    for (BlockSlot& slot : slots_->slots()) (void)slot.stream.Synchronize();
  }
  return swept;
}

BlockSlot* BlockFeeder::FillFromKept(const Side& side, size_t* next) {
  BlockSlot* const slot = slots_->TakeFree();
  for (; slot != nullptr && *next < batch_.kept.size(); ++*next) {
    const uint64_t block = batch_.kept[*next];
    if (!slots_->PutInPlace(*slot, block, side.kept[block], batch_.transfers[block],
                            side.edges->edges().block_groups(block), batch_.wanted_groups[block])) {
      break;
    }
  }
  return slot;
}

Status BlockFeeder::Feed(Side& side, const uint32_t* groups, const Launch& launch) {
  size_t next = 0;  // of the batch's kept blocks
  while (true) {
    const bool has_kept = next < batch_.kept.size();
    BlockSlot* oldest = nullptr;
    BlockSlot* full = slots_->NextFull(!has_kept, &oldest);
    if (full == nullptr && has_kept) {
      full = FillFromKept(side, &next);
      // Else the readers have the slots.
      if (full == nullptr && oldest == nullptr) full = slots_->NextFull(true, &oldest);
    }
    if (full != nullptr) {
      RETURN_IF_ERROR(Submit(side, *full, batch_.kernel, groups, launch));
      slots_->Submitted(*full);
    } else if (oldest != nullptr) {
      RETURN_IF_ERROR(oldest->done.Synchronize());
      RETURN_IF_ERROR(ReadTimes(*oldest));
      slots_->Free(*oldest);
    } else if (!has_kept) {
      return OkStatus();
    }
  }
}

uint32_t BlockFeeder::PutStayingFirst(BlockSlot& slot) {
  const auto stays = [](Transfer transfer) {
    return transfer == Transfer::kResident || transfer == Transfer::kManaged;
  };
  const auto transfers = std::span(slot.transfers).first(slot.num_blocks);
  const auto num_staying =
      static_cast<uint32_t>(std::count_if(transfers.begin(), transfers.end(), stays));
  if (num_staying == 0 || num_staying == slot.num_blocks) return num_staying;
  std::vector<uint32_t> place_of(slot.num_blocks);
  std::vector<BlockPlace> ordered;
  ordered.reserve(slot.num_blocks);
  for (const bool staying : {true, false}) {
    for (uint32_t i = 0; i < slot.num_blocks; ++i) {
      if (stays(transfers[i]) != staying) continue;
      place_of[i] = static_cast<uint32_t>(ordered.size());
      ordered.push_back(slot.places()[i]);
    }
  }
  std::copy(ordered.begin(), ordered.end(), slot.places());
  for (BlockSlot::Piece& piece : slot.pieces) piece.index = place_of[piece.index];
  return num_staying;
}

Status BlockFeeder::QueueCopies(BlockSlot& slot, uint32_t num_staying) {
  // In the order of the host's memory, so that what lies together is copied together.
  std::sort(slot.pieces.begin(), slot.pieces.end(),
            [](const BlockSlot::Piece& a, const BlockSlot::Piece& b) { return a.from < b.from; });
  std::byte* staged = slot.device;
  struct Run {
    const std::byte* from = nullptr;
    uint64_t bytes = 0;
    std::byte* to = nullptr;
    bool stays = false;
    Transfer transfer = Transfer::kFilter;
  } run;
  uint32_t by_kernel = 0;
  const auto copy = [&] {
    if (run.bytes == 0) return OkStatus();
    BatchWork& work = slot.work[static_cast<size_t>(run.transfer)];
    const uint64_t bytes =
        StagingLayout::Aligned(run.bytes);  // what kernels look at, in whole lines
    if (bytes < CostModel::kLeastCopyBytes) {
      slot.copies()[by_kernel++] = {run.from, run.to, bytes};
      work.kernel_bytes += bytes;
      run_.gpu.CountCopied(bytes);
      return OkStatus();
    }
    ++work.copies;
    return slot.stream.CopyToDevice(run.to, run.from, bytes);
  };
  for (const BlockSlot::Piece& piece : slot.pieces) {
    const bool stays = piece.index < num_staying;
    const auto gap = piece.from - (run.from + run.bytes);
    // Payloads that are joined lie as far from lines: so they take no more than DeviceBytes.
    if (run.bytes == 0 || stays != run.stays || gap < 0 ||
        gap >= static_cast<int64_t>(StagingLayout::kMostGap) ||
        (piece.from - run.from) % static_cast<int64_t>(StagingLayout::kAlignment) != 0) {
      RETURN_IF_ERROR(copy());
      std::byte*& next = run.stays ? room_ : staged;
      if (run.bytes > 0) next += StagingLayout::Aligned(run.bytes);
      run = {piece.from, 0, stays ? room_ : staged, stays, piece.transfer};
    }
    run.bytes = static_cast<uint64_t>(piece.from - run.from) + piece.bytes;
    std::byte* const to = run.to + (piece.from - run.from);
    DeviceBlock& bytes = slot.places()[piece.index].bytes;
    if (piece.is_weights) {
      bytes.weights = to;
    } else {
      bytes.neighbors = reinterpret_cast<const uint64_t*>(to);
    }
  }
  RETURN_IF_ERROR(copy());
  if (run.stays) room_ += StagingLayout::Aligned(run.bytes);
  if (by_kernel == 0) return OkStatus();
  LaunchCopyPieces(slot.copies(), by_kernel, slot.stream.handle());
  return run_.gpu.AfterLaunch("copy");
}

Status BlockFeeder::Submit(Side& side, BlockSlot& slot, EdgeKernel kernel, const uint32_t* groups,
                           const Launch& launch) {
  Gpu& gpu = run_.gpu;
  DeviceDirection& edges = *side.edges;
  const uint32_t num_staying = PutStayingFirst(slot);
  std::byte* const room_before = room_;
  RETURN_IF_ERROR(slot.stream.WaitFor(ready_));
  RETURN_IF_ERROR(slot.stream.Record(slot.begun));
  RETURN_IF_ERROR(QueueCopies(slot, num_staying));
  RETURN_IF_ERROR(slot.stream.Record(slot.copied));
  room_used_ += static_cast<uint64_t>(room_ - room_before);
  LaunchPlaceBlocks(slot.places(), slot.num_blocks, edges.blocks(), slot.device_numbers,
                    slot.stream.handle());
  RETURN_IF_ERROR(gpu.AfterLaunch("place blocks"));
  if (num_staying > 0) {
    LaunchPlaceBlocks(slot.places(), num_staying, edges.blocks(),
                      edges.resident() + side.num_resident, slot.stream.handle());
    RETURN_IF_ERROR(gpu.AfterLaunch("place blocks"));
    for (uint32_t i = 0; i < num_staying; ++i) side.resident[slot.places()[i].block] = 1;
    side.num_resident += num_staying;
  }
  RunSource source;
  source.groups = groups;
  source.blocks = slot.device_numbers;
  source.num_blocks = slot.num_blocks;
  if (!slot.pieces.empty()) source.places = slot.places();
  const uint32_t number = static_cast<uint32_t>(&slot - slots_->slots().data());
  Record(slot, number, kernel);
  RETURN_IF_ERROR(launch(source, uint64_t{slot.num_blocks} << edges.edges().block_runs_shift(),
                         slot.stream, number));
  if (num_staying < slot.num_blocks) {
    LaunchForgetBlocks(slot.device_numbers + num_staying, slot.num_blocks - num_staying,
                       edges.blocks(), slot.stream.handle());
    RETURN_IF_ERROR(gpu.AfterLaunch("forget blocks"));
  }
  return slot.stream.Record(slot.done);
}

Status BlockFeeder::ReadBack(std::byte* host, const std::byte* device, uint64_t bytes,
                             GpuStream& main) {
  if (num_slots_ == 0) {
    RETURN_IF_ERROR(main.CopyToHost(host, device, bytes));
    return main.Synchronize();
  }
  // While one piece crosses the link, the one before goes to its place.
  RETURN_IF_ERROR(main.Record(ready_));
  std::vector<BlockSlot>& slots = slots_->slots();
  const uint64_t num_pieces = (bytes + slot_bytes_ - 1) / slot_bytes_;
  const auto size = [&](uint64_t piece) {
    return std::min(slot_bytes_, bytes - piece * slot_bytes_);
  };
  for (uint64_t piece = 0; piece < num_pieces + slots.size(); ++piece) {
    BlockSlot& slot = slots[piece % slots.size()];
    if (piece >= slots.size()) {
      const uint64_t came = piece - slots.size();
      if (came >= num_pieces) break;
      RETURN_IF_ERROR(slot.done.Synchronize());
      RETURN_IF_ERROR(
          ParallelFor(size(came), kCopyGrain, graph_.threads(), [&](size_t begin, size_t end) {
            std::memcpy(host + came * slot_bytes_ + begin, slot.bytes() + begin, end - begin);
            return OkStatus();
          }));
    }
    if (piece >= num_pieces) continue;
    RETURN_IF_ERROR(slot.stream.WaitFor(ready_));
    RETURN_IF_ERROR(
        slot.stream.CopyToHost(slot.bytes(), device + piece * slot_bytes_, size(piece)));
    RETURN_IF_ERROR(slot.stream.Record(slot.done));
  }
  return OkStatus();
}

}  // namespace edgemill
