#include "engine/transfer/staging_writer.h"

#include <cstring>

#include "common/check.h"
#include "common/clock.h"
#include "kernels/cpu/group_gathering.h"

namespace edgemill {
namespace {

/// Which of a block's groups are on the GPU after `transfer`.
HeldGroups HeldAfter(Transfer transfer) {
  return transfer == Transfer::kCompaction ? HeldGroups::kWanted
         : transfer == Transfer::kZeroCopy ? HeldGroups::kNone
                                           : HeldGroups::kAll;
}

uint64_t DeviceBytesOf(std::span<const std::byte> neighbors, std::span<const std::byte> weights) {
  return StagingLayout::DeviceBytes(neighbors.size()) + StagingLayout::DeviceBytes(weights.size());
}

/// Copies `bytes` to `to`.
std::span<const std::byte> CopyTo(std::byte* to, std::span<const std::byte> bytes) {
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  return {to, bytes.size()};
}

}  // namespace

Transfer StagingWriter::ReserveToStay(Transfer transfer, uint64_t bytes) {
  if (transfer != Transfer::kResident && transfer != Transfer::kManaged) return transfer;
  if (resident_.Reserve(bytes)) return transfer;
  CHECK(transfer == Transfer::kResident);  // unified memory holds all blocks
  return Transfer::kFilter;
}

StagingWriter::Form StagingWriter::CompactedForm(const BlockEdges& edges, const uint32_t* groups,
                                                 bool in_place) {
  const Stopwatch watch;
  Form form{.transfer = Transfer::kCompaction, .in_place = in_place};
  const uint64_t first = edges.begin / kGroupSize;
  const bool packed = edges.packed_weights.num_values() > 0;
  // Raw weights have no groups to gather. If they are in pinned memory, kernels read them in place.
  form.copy_weights = packed || !in_place;
  form.use.host_bytes = StagingLayout::Aligned(GatheredBytes(edges.neighbors, groups, first));
  if (packed) {
    form.use.host_bytes +=
        StagingLayout::Aligned(GatheredBytes(edges.packed_weights, groups, first));
  } else if (!in_place) {
    form.use.host_bytes += StagingLayout::Aligned(edges.weights_payload.size());
  }
  form.use.device_bytes = form.use.host_bytes + 2 * StagingLayout::kAlignment;
  form.seconds = watch.seconds();
  return form;
}

StagingWriter::Form StagingWriter::FormOf(const BlockEdges& edges, const Order& order) {
  const bool in_place = edges.lease != nullptr && edges.lease->registered();
  if (order.transfer == Transfer::kCompaction) {
    return CompactedForm(edges, order.groups, in_place);
  }
  Form form{.transfer = order.transfer, .in_place = in_place};
  if (order.transfer == Transfer::kManaged) {
    form.in_place = false;  // copied to unified memory, not into the buffer
    return form;
  }
  const std::span<const std::byte> neighbors = edges.payload;
  const std::span<const std::byte> weights = edges.weights_payload;
  if (!in_place) {
    form.use.host_bytes =
        StagingLayout::Aligned(neighbors.size()) + StagingLayout::Aligned(weights.size());
  }
  if (order.transfer == Transfer::kZeroCopy) {
    form.use.zero_copy_bytes = neighbors.size() + weights.size();
  } else {
    form.use.device_bytes = DeviceBytesOf(neighbors, weights);
  }
  return form;
}

StagingWriter::Payloads StagingWriter::Fill(const BlockEdges& edges, const Form& form,
                                            const uint32_t* groups, std::byte* to) {
  Payloads payloads{edges.payload, edges.weights_payload};
  if (form.transfer == Transfer::kCompaction) {
    const uint64_t first = edges.begin / kGroupSize;
    payloads.neighbors = {to, GatherGroups(edges.neighbors, groups, first, to)};
    to += StagingLayout::Aligned(payloads.neighbors.size());
    if (edges.packed_weights.num_values() > 0) {
      payloads.weights = {to, GatherGroups(edges.packed_weights, groups, first, to)};
    } else if (!form.in_place) {
      payloads.weights = CopyTo(to, edges.weights_payload);
    }
  } else if (!form.in_place) {
    payloads.neighbors = CopyTo(to, edges.payload);
    to += StagingLayout::Aligned(edges.payload.size());
    payloads.weights = CopyTo(to, edges.weights_payload);
  }
  return payloads;
}

uint64_t StagingWriter::MovedBytes(const BlockEdges& edges, const Form& form,
                                   const Payloads& payloads, uint32_t wanted_groups) {
  const uint64_t num_groups = edges.neighbors.num_groups();
  const auto read_by_kernel = [&](uint64_t bytes) { return bytes * wanted_groups / num_groups; };
  const uint64_t whole = edges.payload.size() + edges.weights_payload.size();
  if (form.transfer == Transfer::kZeroCopy) return read_by_kernel(whole);
  if (form.transfer == Transfer::kManaged) return whole;
  const uint64_t weights = payloads.weights.size();
  return payloads.neighbors.size() + (form.copy_weights ? weights : read_by_kernel(weights));
}

Status StagingWriter::Put(const BlockEdges& edges, const Order& order) {
  Form form = FormOf(edges, order);
  form.transfer = ReserveToStay(form.transfer, DeviceBytesOf(edges.payload, edges.weights_payload));
  ASSIGN_OR_RETURN(const StagingQueue::Claimed place, queue_.Claim(form.use));
  const Stopwatch watch;
  std::byte* to = place.to;
  if (form.transfer == Transfer::kManaged) {
    to = managed_ + resident_.Allocate(StagingLayout::Aligned(edges.payload.size()) +
                                       StagingLayout::Aligned(edges.weights_payload.size()));
  }
  const Payloads payloads = Fill(edges, form, order.groups, to);
  StagedBlock block{.index = place.index, .transfer = form.transfer};
  block.place = {edges.block,
                 {reinterpret_cast<const uint64_t*>(payloads.neighbors.data()),
                  payloads.weights.empty() ? nullptr : payloads.weights.data()},
                 HeldAfter(form.transfer)};
  block.moved_bytes = MovedBytes(edges, form, payloads, order.wanted_groups);
  if (form.transfer != Transfer::kZeroCopy && form.transfer != Transfer::kManaged) {
    block.copies[0] = payloads.neighbors;
    if (form.copy_weights) block.copies[1] = payloads.weights;
  }
  const bool is_gathered = form.transfer == Transfer::kCompaction && form.copy_weights;
  if (form.in_place && !is_gathered && !(order.keeps_cached && edges.lease->cached())) {
    block.lease = edges.lease;
  }
  if (!form.in_place || form.transfer == Transfer::kCompaction)
    block.seconds = form.seconds + watch.seconds();
  queue_.Finish(*place.batch, block);
  return OkStatus();
}

bool StagingWriter::PutPinned(StagedBatch& batch, uint64_t block, const BlockLease& lease,
                              const Order& order, uint32_t num_groups) {
  CHECK(order.transfer != Transfer::kCompaction);  // compaction would need the buffer's memory
  const std::span<const std::byte> neighbors = lease.payload(0);
  const std::span<const std::byte> weights = lease.payload(1);
  const uint64_t size = neighbors.size() + weights.size();
  const uint64_t device_bytes = DeviceBytesOf(neighbors, weights);
  const bool zero_copy = order.transfer == Transfer::kZeroCopy;
  const StagingUse use{.device_bytes = zero_copy ? 0 : device_bytes,
                       .zero_copy_bytes = zero_copy ? size : 0};
  if (!batch.Fits(use, queue_.limits()) ||
      (batch.num_blocks > 0 && zero_copy != batch.copies.empty())) {
    return false;
  }
  const Transfer transfer = ReserveToStay(order.transfer, device_bytes);
  StagedBlock staged{.index = batch.Reserve(use), .transfer = transfer};
  staged.place = {block, PointersOf(lease), HeldAfter(transfer)};
  staged.moved_bytes = zero_copy ? size * order.wanted_groups / num_groups : size;
  if (!zero_copy) staged.copies = {neighbors, weights};
  batch.Add(staged);
  return true;
}

}  // namespace edgemill
