#include "engine/transfer/stream/staged_transfer.h"

#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/cost/tuning.h"
#include "engine/transfer/sub_csr_builder.h"
#include "kernels/gpu/edge_kernels.h"

namespace edgemill {

Status StagedTransfer::Create(const StagingSizes& sizes, double tlb_coverage_bytes, bool combines) {
  CHECK(buffers_.empty());
  CHECK_GT(sizes.num_buffers, 0u);
  sizes_ = sizes;
  const uint64_t host_bytes = StagingLayout::HostBytes(sizes.buffer_bytes);
  ASSIGN_OR_RETURN(reservation_,
                   graph_.budget().Reserve(sizes.num_buffers * host_bytes, "buffers for the GPU"));
  buffers_.resize(sizes.num_buffers);
  std::vector<std::byte*> memory;
  for (Buffer& buffer : buffers_) {
    ASSIGN_OR_RETURN(buffer.memory, PinnedBuffer::Allocate(gpu_, host_bytes, graph_.threads()));
    // These streams go before the main stream's kernels over resident blocks. Otherwise buffers
    // would wait for those kernels, and copies would stop.
    ASSIGN_OR_RETURN(buffer.stream, GpuStream::Create(gpu_, true));
    PassTimer::BatchMarks& marks = buffer.marks;
    for (GpuEvent* const event : {&marks.begun, &marks.copied, &marks.done}) {
      ASSIGN_OR_RETURN(*event, GpuEvent::Create(gpu_, true));
    }
    memory.push_back(buffer.memory.data());
  }
  const StagingLimits limits{
      .buffer_bytes = sizes.buffer_bytes,
      .zero_copy_bytes = static_cast<uint64_t>(tlb_coverage_bytes / sizes.num_buffers),
      .num_blocks = combines ? StagingLayout::kMaxBlocks : 1};
  queue_.emplace(memory, limits, timer_.clock());
  return OkStatus();
}

Status StagedTransfer::Start(std::byte* memory, bool managed) {
  CHECK(queue_.has_value() && !writer_.has_value());  // call Start once, after Create
  for (Buffer& buffer : buffers_) {
    buffer.device_numbers = reinterpret_cast<uint32_t*>(memory);
    memory += StagedNumbersBytes(1);
    if (!sizes_.on_device) continue;
    buffer.device = memory;
    memory += sizes_.buffer_bytes;
  }
  resident_memory_ = memory;
  if (managed) {
    ASSIGN_OR_RETURN(managed_, DeviceBuffer::AllocateManaged(
                                   gpu_, places_.resident().capacity_bytes(), "edges"));
    resident_memory_ = managed_.data();
  }
  writer_.emplace(*queue_, places_.resident(), resident_memory_);
  return OkStatus();
}

Status StagedTransfer::Bring(const Pass& pass, const EdgeLaunch& launch) {
  CHECK(writer_.has_value());
  queue_->Reset();
  if (pass.plan.from_reader.empty()) {
    queue_->EndFilling();
    return Feed(pass, launch);
  }
  const Status streamed = RunThreads(2, [&](int thread) {
    if (thread == 1) return Read(pass);
    const Status fed = Feed(pass, launch);
    if (!fed.ok()) queue_->Fail();
    return fed;
  });
  // After an error, copies that are under way still read memory that leases hold.
  if (!streamed.ok()) {
    for (Buffer& buffer : buffers_) (void)buffer.stream.Synchronize();
  }
  return streamed;
}

Status StagedTransfer::Read(const Pass& pass) {
  const TransferPlan& plan = pass.plan;
  const size_t side = places_.SideOf(pass.direction);
  const bool keeps_cached = places_.pinned().keeps(side);
  const SubCsrBuilder sub_csrs(graph_.index(pass.direction), pass.members);
  const Status read = graph_.blocks().Visit(
      pass.direction, pass.side.with_weights, {plan.from_reader.begin(), plan.from_reader.end()},
      [&](int, const BlockEdges& edges) -> StatusOr<bool> {
        StagingWriter::Order order{.transfer = plan.transfers[edges.block],
                                   .wanted_groups = plan.wanted_groups[edges.block],
                                   .groups = pass.host_groups,
                                   .keeps_cached = keeps_cached};
        bool sound = true;
        if (order.transfer == Transfer::kSubCsr) {
          ASSIGN_OR_RETURN(const SubCsrBuilder::Outcome outcome, sub_csrs.Put(edges, *queue_));
          if (outcome == SubCsrBuilder::Outcome::kWhole) order.transfer = Transfer::kFilter;
          sound = outcome != SubCsrBuilder::Outcome::kDamaged;
        }
        if (order.transfer != Transfer::kSubCsr) RETURN_IF_ERROR(writer_->Put(edges, order));
        places_.pinned().Offer(side, edges);
        return sound;
      });
  queue_->EndFilling();
  return read;
}

StagedBatch* StagedTransfer::FillFromPinned(const Pass& pass, size_t* next) {
  const TransferPlan& plan = pass.plan;
  const size_t side = places_.SideOf(pass.direction);
  StagedBatch* const batch = queue_->AcquireFree();
  for (; batch != nullptr && *next < plan.pinned.size(); ++*next) {
    const uint64_t block = plan.pinned[*next];
    if (!writer_->PutPinned(
            *batch, block, places_.pinned().lease(side, block),
            {.transfer = plan.transfers[block], .wanted_groups = plan.wanted_groups[block]},
            pass.side.edges->edges().block_groups(block))) {
      break;
    }
  }
  return batch;
}

Status StagedTransfer::Feed(const Pass& pass, const EdgeLaunch& launch) {
  size_t next_pinned = 0;
  while (true) {
    const bool has_pinned = next_pinned < pass.plan.pinned.size();
    StagingQueue::Next next = queue_->NextFull(!has_pinned);
    if (next.full == nullptr && has_pinned) {
      next.full = FillFromPinned(pass, &next_pinned);
      // If no batch is free, the readers have the buffers.
      if (next.full == nullptr && next.oldest == nullptr) next = queue_->NextFull(true);
    }
    if (next.full != nullptr) {
      RETURN_IF_ERROR(Submit(pass, *next.full, launch));
      queue_->Submitted(*next.full);
    } else if (next.oldest != nullptr) {
      PassTimer::BatchMarks& marks = buffers_[queue_->NumberOf(*next.oldest)].marks;
      RETURN_IF_ERROR(marks.done.Synchronize());
      RETURN_IF_ERROR(timer_.EndBatch(marks));
      queue_->Free(*next.oldest);
    } else if (!has_pinned) {
      return OkStatus();
    }
  }
}

Status StagedTransfer::Submit(const Pass& pass, StagedBatch& batch, const EdgeLaunch& launch) {
  const auto number = static_cast<uint32_t>(queue_->NumberOf(batch));
  Buffer& buffer = buffers_[number];
  GpuStream& stream = buffer.stream;
  const BatchParts parts = OrderByPart(&batch);
  RETURN_IF_ERROR(stream.WaitFor(timer_.ready()));
  RETURN_IF_ERROR(stream.Record(buffer.marks.begun));
  RETURN_IF_ERROR(QueueCopies(batch, buffer, parts.resident));
  RETURN_IF_ERROR(stream.Record(buffer.marks.copied));
  RETURN_IF_ERROR(PlaceBlocks(pass, batch, buffer, parts));
  timer_.BeginBatch(batch, number, &buffer.marks);
  RETURN_IF_ERROR(Launch(pass, batch, buffer, parts, launch));
  return stream.Record(buffer.marks.done);
}

Status StagedTransfer::Launch(const Pass& pass, const StagedBatch& batch, Buffer& buffer,
                              const BatchParts& parts, const EdgeLaunch& launch) {
  const auto number = static_cast<uint32_t>(&buffer - buffers_.data());
  const DeviceEdges& edges = pass.side.edges->edges();
  if (parts.sub_csrs > 0) {
    const TileSelection lists{.sub_csrs = batch.places() + parts.packed,
                              .num_sub_csrs = parts.sub_csrs};
    RETURN_IF_ERROR(launch(lists, uint64_t{parts.sub_csrs} * kVisitWarps, buffer.stream, number));
  }
  if (parts.packed == 0) return OkStatus();
  TileSelection source;
  source.groups = pass.groups;
  source.blocks = buffer.device_numbers;
  source.num_blocks = parts.packed;
  if (!batch.copies.empty()) source.places = batch.places();
  RETURN_IF_ERROR(
      launch(source, uint64_t{parts.packed} << edges.block_tiles_shift(), buffer.stream, number));
  if (parts.resident == parts.packed) return OkStatus();
  LaunchForgetBlocks(buffer.device_numbers + parts.resident, parts.packed - parts.resident,
                     pass.side.edges->blocks(), buffer.stream.handle());
  return gpu_.AfterLaunch("forget blocks");
}

Status StagedTransfer::QueueCopies(StagedBatch& batch, Buffer& buffer, uint32_t num_resident) {
  std::byte* staged = buffer.device;
  uint32_t by_kernel = 0;
  for (const JoinedCopy& joined : JoinCopies(&batch, num_resident)) {
    const uint64_t bytes = StagingLayout::Aligned(joined.bytes);  // kernels read whole lines
    std::byte* to = staged;
    if (joined.stays) {
      to = resident_memory_ + places_.resident().Allocate(bytes);
    } else {
      staged += bytes;
    }
    for (size_t i = joined.first; i < joined.end; ++i) {
      const StagedCopy& copy = batch.copies[i];
      std::byte* const at = to + (copy.from - joined.from);
      DeviceBlock& place = batch.places()[copy.index].bytes;
      if (copy.is_weights) {
        place.weights = at;
      } else {
        place.neighbors = reinterpret_cast<const uint64_t*>(at);
      }
    }
    if (bytes < kMinCopyBytes) {
      batch.copy_list()[by_kernel++] = {joined.from, to, bytes};
      gpu_.CountCopied(bytes);
    } else {
      RETURN_IF_ERROR(buffer.stream.CopyToDevice(to, joined.from, bytes));
    }
  }
  if (by_kernel == 0) return OkStatus();
  LaunchCopyRanges(batch.copy_list(), by_kernel, buffer.stream.handle());
  return gpu_.AfterLaunch("copy");
}

Status StagedTransfer::PlaceBlocks(const Pass& pass, StagedBatch& batch, Buffer& buffer,
                                   const BatchParts& parts) {
  if (parts.packed == 0) return OkStatus();
  DeviceDirection& edges = *pass.side.edges;
  LaunchPlaceBlocks(batch.places(), parts.packed, edges.blocks(), buffer.device_numbers,
                    buffer.stream.handle());
  RETURN_IF_ERROR(gpu_.AfterLaunch("place blocks"));
  if (parts.resident == 0) return OkStatus();
  const size_t side = places_.SideOf(pass.direction);
  ResidentSet& resident = places_.resident();
  LaunchPlaceBlocks(batch.places(), parts.resident, edges.blocks(),
                    edges.resident() + resident.num_resident(side), buffer.stream.handle());
  RETURN_IF_ERROR(gpu_.AfterLaunch("place blocks"));
  for (uint32_t i = 0; i < parts.resident; ++i) resident.Admit(side, batch.places()[i].block);
  return OkStatus();
}

std::span<std::byte> StagedTransfer::idle_buffer() {
  return {buffers_.front().memory.data() + StagingLayout::kListsBytes, sizes_.buffer_bytes};
}

}  // namespace edgemill
