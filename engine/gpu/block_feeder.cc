#include "engine/gpu/block_feeder.h"

#include <algorithm>

#include "common/check.h"
#include "common/parallel.h"
#include "common/units.h"
#include "engine/gpu_choice.h"

namespace edgemill {
namespace {

/// The share of the card's memory for edges that slots may take.
constexpr uint64_t kSlotShare = 8;

uint64_t RoundUp(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

void BlockFeeder::Add(Direction direction, DeviceDirection* edges, bool with_weights) {
  Side& side = this->side(direction);
  side.edges = edges;
  side.with_weights |= with_weights;
  side.resident.resize(graph_.num_blocks());
}

bool BlockFeeder::all_resident(Direction direction) const {
  const Side& side = const_cast<BlockFeeder*>(this)->side(direction);
  return side.num_resident == graph_.num_blocks();
}

uint64_t BlockFeeder::AllBytes() const {
  uint64_t bytes = 0;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const Side& side = sides_[static_cast<size_t>(direction)];
    if (side.edges == nullptr) continue;
    const auto add = [&](ColumnKind column) {
      bytes += graph_.store().column(column).payload_bytes + 128 * graph_.num_blocks();
    };
    add(graph_.neighbors(direction));
    if (side.with_weights) add(graph_.weights(direction));
  }
  return bytes;
}

Status BlockFeeder::Plan(DeviceArena* arena) {
  if (graph_.num_blocks() == 0) return OkStatus();
  Gpu& gpu = run_.gpu;
  for (Side& side : sides_) {
    if (side.edges != nullptr) arena->Plan(&side.device_numbers, graph_.num_blocks());
  }
  const bool weights = sides_[0].with_weights || sides_[1].with_weights;
  const uint64_t most_block = MostBlockBytes(graph_.info(), weights);
  const uint64_t numbers_bytes =
      run_.options.streams * RoundUp(BlockSlot::kMostBlocks * sizeof(uint32_t), 256);
  const uint64_t fixed = arena->bytes() + numbers_bytes;
  const uint64_t card = (gpu.memory_bytes() - std::min(gpu.memory_bytes(), gpu.used_bytes())) /
                        DeviceBuffer::kGranularity * DeviceBuffer::kGranularity;
  const uint64_t left = card > fixed ? card - fixed : 0;
  const uint64_t all = AllBytes();
  const Transfer transfer = run_.options.transfer;
  const bool all_fits = transfer != Transfer::kFilter && all <= left;
  if (!all_fits && (left < most_block || transfer == Transfer::kResident)) {
    const uint64_t least =
        gpu.used_bytes() +
        DeviceBuffer::Footprint(
            fixed + (transfer == Transfer::kResident ? all : std::min(all, most_block)));
    return BudgetError(StrCat(graph_.store().path(), " needs at least --gpu-memory ",
                              FormatMebibytesUp(least),
                              transfer == Transfer::kResident ? " with all edges on the card" : "",
                              ", and has ", FormatBytes(gpu.memory_bytes())));
  }
  slots_on_card_ = !all_fits;
  const uint64_t for_slots = all_fits ? run_.options.streams * run_.options.batch_bytes
                                      : std::max(left / kSlotShare, most_block);
  // As many slots as both memories hold, each of at least one block.
  const uint64_t host = run_.staging_bytes;
  const uint64_t count = std::min({uint64_t{run_.options.streams}, for_slots / most_block,
                                   host / BlockSlots::HostBytes(most_block)});
  num_slots_ = static_cast<uint32_t>(std::max<uint64_t>(1, count));
  const uint64_t overhead = BlockSlots::HostBytes(0);
  const uint64_t host_slot = host / num_slots_ > overhead ? host / num_slots_ - overhead : 0;
  slot_bytes_ = std::max(most_block,
                         std::min({run_.options.batch_bytes, for_slots / num_slots_, host_slot})) /
                128 * 128;
  resident_bytes_ = all_fits                        ? all
                    : transfer == Transfer::kFilter ? 0
                                                    : left - num_slots_ * slot_bytes_;
  rest_bytes_ = numbers_bytes + resident_bytes_ + (slots_on_card_ ? num_slots_ * slot_bytes_ : 0);
  ASSIGN_OR_RETURN(
      slots_, BlockSlots::Create(gpu, num_slots_, slot_bytes_, graph_.threads(), graph_.budget()));
  ASSIGN_OR_RETURN(ready_, GpuEvent::Create(gpu));
  return OkStatus();
}

void BlockFeeder::Start(std::byte* rest) {
  if (num_slots_ == 0) return;
  for (BlockSlot& slot : slots_->slots()) {
    slot.device_numbers = reinterpret_cast<uint32_t*>(rest);
    rest += RoundUp(BlockSlot::kMostBlocks * sizeof(uint32_t), 256);
    if (!slots_on_card_) continue;
    slot.device = rest;
    rest += slot_bytes_;
  }
  resident_ = rest;
}

Status BlockFeeder::SweepResident(Side& side, const uint32_t* groups, GpuStream& main,
                                  const Launch& launch) {
  if (side.num_resident == 0) return main.Record(ready_);
  DeviceDirection& edges = *side.edges;
  const uint64_t most_runs = uint64_t{side.num_resident} << edges.edges().block_runs_shift();
  RunSource source;
  source.groups = groups;
  if (groups == nullptr) {
    source.blocks = side.device_numbers;
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

Status BlockFeeder::Sweep(Direction direction, const uint32_t* groups,
                          std::span<const uint32_t> counts, GpuStream& main, const Launch& launch) {
  Side& side = this->side(direction);
  std::vector<uint64_t> others;
  uint64_t resident = 0;
  for (uint64_t block = 0; block < side.resident.size(); ++block) {
    if (!counts.empty() && counts[block] == 0) continue;
    if (side.resident[block]) {
      ++resident;
    } else {
      others.push_back(block);
    }
  }
  counts_.Add(Transfer::kResident, resident, 0);
  RETURN_IF_ERROR(SweepResident(side, groups, main, launch));
  if (others.empty()) return OkStatus();
  return SweepOthers(direction, std::move(others), groups, launch);
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

Status BlockFeeder::SweepOthers(Direction direction, std::vector<uint64_t> blocks,
                                const uint32_t* groups, const Launch& launch) {
  Side& side = this->side(direction);
  slots_->Reset();
  return RunThreads(2, [&](int thread) -> Status {
    if (thread == 0) {
      const Status fed = Feed(side, groups, launch);
      if (!fed.ok()) slots_->Fail();
      return fed;
    }
    const Status read = graph_.Sweep(
        direction, side.with_weights, std::move(blocks),
        [&](int, const BlockEdges& edges) -> StatusOr<bool> {
          RETURN_IF_ERROR(slots_->Put(edges.block, edges.payload, edges.weights_payload));
          return true;
        });
    slots_->EndFilling();
    return read;
  });
}

Status BlockFeeder::Feed(Side& side, const uint32_t* groups, const Launch& launch) {
  while (true) {
    BlockSlot* oldest = nullptr;
    BlockSlot* const full = slots_->NextFull(&oldest);
    if (full != nullptr) {
      RETURN_IF_ERROR(Submit(side, *full, groups, launch));
      slots_->Submitted(*full);
    } else if (oldest != nullptr) {
      RETURN_IF_ERROR(oldest->done.Synchronize());
      slots_->Free(*oldest);
    } else {
      return OkStatus();
    }
  }
}

Status BlockFeeder::Submit(Side& side, BlockSlot& slot, const uint32_t* groups,
                           const Launch& launch) {
  Gpu& gpu = run_.gpu;
  DeviceDirection& edges = *side.edges;
  const bool stays = slot.used_bytes <= resident_bytes_ - resident_used_;
  CHECK(stays || slots_on_card_);
  std::byte* const to = stays ? resident_ + resident_used_ : slot.device;
  uint32_t* const numbers = stays ? side.device_numbers + side.num_resident : slot.device_numbers;
  const auto moved = [&](const void* from) {
    return from == nullptr ? nullptr : to + (static_cast<const std::byte*>(from) - slot.bytes());
  };
  for (uint32_t i = 0; i < slot.num_blocks; ++i) {
    BlockPlace& place = slot.places()[i];
    place.bytes = {reinterpret_cast<const uint64_t*>(moved(place.bytes.neighbors)),
                   moved(place.bytes.weights)};
    if (stays) side.resident[place.block] = true;
  }
  RETURN_IF_ERROR(slot.stream.WaitFor(ready_));
  RETURN_IF_ERROR(slot.stream.CopyToDevice(to, slot.bytes(), slot.used_bytes));
  LaunchPlaceBlocks(slot.places(), slot.num_blocks, edges.blocks(), numbers, slot.stream.handle());
  RETURN_IF_ERROR(gpu.AfterLaunch("place blocks"));
  RunSource source;
  source.groups = groups;
  source.blocks = numbers;
  source.num_blocks = slot.num_blocks;
  const uint32_t number = static_cast<uint32_t>(&slot - slots_->slots().data());
  RETURN_IF_ERROR(launch(source, uint64_t{slot.num_blocks} << edges.edges().block_runs_shift(),
                         slot.stream, number));
  if (stays) {
    side.num_resident += slot.num_blocks;
    resident_used_ += slot.used_bytes;
  } else {
    LaunchForgetBlocks(numbers, slot.num_blocks, edges.blocks(), slot.stream.handle());
    RETURN_IF_ERROR(gpu.AfterLaunch("forget blocks"));
  }
  counts_.Add(stays ? Transfer::kResident : Transfer::kFilter, slot.num_blocks, slot.used_bytes);
  return slot.stream.Record(slot.done);
}

}  // namespace edgemill
