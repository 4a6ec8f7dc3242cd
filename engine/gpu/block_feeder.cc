#include "engine/gpu/block_feeder.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "common/parallel.h"
#include "common/units.h"
#include "engine/gpu_choice.h"
#include "engine/transfer_choice.h"

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
    RETURN_IF_ERROR(
        Sweep(direction, nullptr, {}, main,
              [](const RunSource&, uint64_t, GpuStream&, uint32_t) { return OkStatus(); }));
  }
  counts_ = {};
  return OkStatus();
}

Status BlockFeeder::SweepResident(Side& side, const uint32_t* groups, GpuStream& main,
                                  const Launch& launch) {
  if (side.num_resident == 0) return main.Record(ready_);
  DeviceDirection& edges = *side.edges;
  const uint64_t most_runs = uint64_t{side.num_resident} << edges.edges().block_runs_shift();
  RunSource source;
  source.groups = groups;
  if (groups == nullptr) {
    source.blocks = edges.resident();
    source.num_blocks = side.num_resident;
  } else {
    RETURN_IF_ERROR(main.Fill(edges.num_runs(), 0, sizeof(uint32_t)));
    LaunchListRuns(edges.edges(), groups, edges.runs(), edges.num_runs(), main.handle());
    RETURN_IF_ERROR(run_.gpu.AfterLaunch("list runs"));
    source.runs = edges.runs();
    source.num_runs = edges.num_runs();
  }
  // From here on batches may come in: what is listed as resident must not change before.
  RETURN_IF_ERROR(main.Record(ready_));
  return launch(source, std::min(most_runs, edges.edges().num_runs()), main, num_slots_);
}

Status BlockFeeder::Sweep(Direction direction, const uint32_t* groups, const WantedGroups& wanted,
                          GpuStream& main, const Launch& launch) {
  Side& side = this->side(direction);
  const uint64_t num_blocks = side.resident.size();
  if (num_blocks == 0) return OkStatus();
  Batch batch;
  uint64_t resident = 0;
  if (side.num_resident < num_blocks) {
    batch.transfers.resize(num_blocks);
    batch.wanted_groups.resize(num_blocks);
  }
  for (uint64_t block = 0; block < num_blocks; ++block) {
    if (!wanted.counts.empty() && wanted.counts[block] == 0) continue;
    if (side.resident[block]) {
      ++resident;
      continue;
    }
    const uint32_t wanted_groups =
        wanted.counts.empty() ? side.edges->edges().block_groups(block) : wanted.counts[block];
    const Transfer transfer = ChooseFor(side, block, wanted_groups, wanted.once);
    batch.wanted_groups[block] = wanted_groups;
    batch.transfers[block] = transfer;
    const bool kept = !side.kept.empty() && side.kept[block].registered() &&
                      transfer != Transfer::kCompaction && transfer != Transfer::kManaged;
    (kept ? batch.kept : batch.unread).push_back(block);
  }
  const bool managed = run_.options.transfer == Transfer::kManaged;
  counts_.Add(managed ? Transfer::kManaged : Transfer::kResident, resident, 0);
  RETURN_IF_ERROR(SweepResident(side, groups, main, launch));
  if (batch.kept.empty() && batch.unread.empty()) return OkStatus();
  return SweepOthers(direction, std::move(batch), groups, wanted.groups, launch);
}

Transfer BlockFeeder::ChooseFor(const Side& side, uint64_t block, uint32_t wanted_groups,
                                bool once) const {
  const BlockSituation situation{
      .num_groups = side.edges->edges().block_groups(block),
      .wanted_groups = wanted_groups,
      .room_on_card = !slots_on_card_ || (!once && room_bytes_ - room_used_ >= slot_bytes_)};
  return ChooseTransfer(run_.options.transfer, situation);
}

Status BlockFeeder::SweepOthers(Direction direction, Batch batch, const uint32_t* groups,
                                const uint32_t* host_groups, const Launch& launch) {
  Side& side = this->side(direction);
  slots_->Reset();
  if (batch.unread.empty()) {
    slots_->EndFilling();
    return Feed(side, batch, groups, launch);
  }
  std::vector<BlockLease> leases;  // of registered blocks, where they are not kept for good
  if (side.kept.empty()) leases.resize(graph_.num_blocks());
  std::vector<BlockLease>& keep = side.kept.empty() ? leases : side.kept;
  const Status swept = RunThreads(2, [&](int thread) -> Status {
    if (thread == 0) {
      const Status fed = Feed(side, batch, groups, launch);
      if (!fed.ok()) slots_->Fail();
      return fed;
    }
    const Status read =
        graph_.Sweep(direction, side.with_weights, batch.unread,
                     [&](int, const BlockEdges& edges) -> StatusOr<bool> {
                       const uint64_t block = edges.block;
                       RETURN_IF_ERROR(slots_->Put(edges, batch.transfers[block], host_groups,
                                                   batch.wanted_groups[block]));
                       if (edges.lease->registered()) keep[block] = std::move(*edges.lease);
                       return true;
                     });
    slots_->EndFilling();
    return read;
  });
  // Copies that are under way after an error still read what the leases hold.
  if (!swept.ok()) {
    for (BlockSlot& slot : slots_->slots()) (void)slot.stream.Synchronize();
  }
  return swept;
}

BlockSlot* BlockFeeder::FillFromKept(const Side& side, const Batch& batch, size_t* next) {
  BlockSlot* const slot = slots_->TakeFree();
  for (; slot != nullptr && *next < batch.kept.size(); ++*next) {
    const uint64_t block = batch.kept[*next];
    const double share =
        static_cast<double>(batch.wanted_groups[block]) / side.edges->edges().block_groups(block);
    if (!slots_->PutInPlace(*slot, block, side.kept[block], batch.transfers[block], share)) break;
  }
  return slot;
}

Status BlockFeeder::Feed(Side& side, const Batch& batch, const uint32_t* groups,
                         const Launch& launch) {
  size_t next = 0;  // of the batch's kept blocks
  while (true) {
    BlockSlot* oldest = nullptr;
    BlockSlot* full = slots_->NextFull(next == batch.kept.size(), &oldest);
    if (full == nullptr && next < batch.kept.size()) full = FillFromKept(side, batch, &next);
    if (full == nullptr && oldest == nullptr && next < batch.kept.size()) {
      full = slots_->NextFull(true, &oldest);  // the readers have the slots
    }
    if (full != nullptr) {
      RETURN_IF_ERROR(Submit(side, *full, groups, launch));
      slots_->Submitted(*full);
    } else if (oldest != nullptr) {
      RETURN_IF_ERROR(oldest->done.Synchronize());
      slots_->Free(*oldest);
    } else if (next == batch.kept.size()) {
      return OkStatus();
    }
  }
}

uint32_t BlockFeeder::PutStayingFirst(BlockSlot& slot) {
  std::vector<uint32_t> place_of(slot.num_blocks);
  const auto stays = [&](uint32_t i) {
    return slot.transfers[i] == Transfer::kResident || slot.transfers[i] == Transfer::kManaged;
  };
  std::vector<BlockPlace> ordered;
  ordered.reserve(slot.num_blocks);
  uint32_t num_staying = 0;
  for (const bool staying : {true, false}) {
    for (uint32_t i = 0; i < slot.num_blocks; ++i) {
      if (stays(i) != staying) continue;
      place_of[i] = static_cast<uint32_t>(ordered.size());
      ordered.push_back(slot.places()[i]);
    }
    if (staying) num_staying = static_cast<uint32_t>(ordered.size());
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
  } run;
  const auto copy = [&] {
    return run.bytes == 0 ? OkStatus() : slot.stream.CopyToDevice(run.to, run.from, run.bytes);
  };
  for (const BlockSlot::Piece& piece : slot.pieces) {
    const bool stays = piece.index < num_staying;
    const auto gap = piece.from - (run.from + run.bytes);
    if (run.bytes == 0 || stays != run.stays || gap < 0 ||
        gap >= static_cast<int64_t>(BlockSlots::kAlignment)) {
      RETURN_IF_ERROR(copy());
      std::byte*& next = run.stays ? room_ : staged;
      if (run.bytes > 0) next += BlockSlots::Aligned(run.bytes);
      run = {piece.from, 0, stays ? room_ : staged, stays};
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
  if (run.stays) room_ += BlockSlots::Aligned(run.bytes);
  return OkStatus();
}

Status BlockFeeder::Submit(Side& side, BlockSlot& slot, const uint32_t* groups,
                           const Launch& launch) {
  Gpu& gpu = run_.gpu;
  DeviceDirection& edges = *side.edges;
  const uint32_t num_staying = PutStayingFirst(slot);
  std::byte* const room_before = room_;
  RETURN_IF_ERROR(slot.stream.WaitFor(ready_));
  RETURN_IF_ERROR(QueueCopies(slot, num_staying));
  room_used_ += static_cast<uint64_t>(room_ - room_before);
  LaunchPlaceBlocks(slot.places(), slot.num_blocks, edges.blocks(), slot.device_numbers,
                    slot.stream.handle());
  RETURN_IF_ERROR(gpu.AfterLaunch("place blocks"));
  if (num_staying > 0) {
    LaunchPlaceBlocks(slot.places(), num_staying, edges.blocks(),
                      edges.resident() + side.num_resident, slot.stream.handle());
    RETURN_IF_ERROR(gpu.AfterLaunch("place blocks"));
    for (uint32_t i = 0; i < num_staying; ++i) side.resident[slot.places()[i].block] = true;
    side.num_resident += num_staying;
  }
  RunSource source;
  source.groups = groups;
  source.blocks = slot.device_numbers;
  source.num_blocks = slot.num_blocks;
  const uint32_t number = static_cast<uint32_t>(&slot - slots_->slots().data());
  RETURN_IF_ERROR(launch(source, uint64_t{slot.num_blocks} << edges.edges().block_runs_shift(),
                         slot.stream, number));
  if (num_staying < slot.num_blocks) {
    LaunchForgetBlocks(slot.device_numbers + num_staying, slot.num_blocks - num_staying,
                       edges.blocks(), slot.stream.handle());
    RETURN_IF_ERROR(gpu.AfterLaunch("forget blocks"));
  }
  for (size_t i = 0; i < slot.counts.blocks.size(); ++i) {
    counts_.Add(static_cast<Transfer>(i), slot.counts.blocks[i], slot.counts.bytes[i]);
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
