#include "engine/graph/decode_scratch.h"

namespace edgemill {
namespace {

/// Bytes for a block's weights of the largest type, with the last group filled up.
uint64_t WeightsBytes(const GraphInfo& info) {
  return (info.block_edges + kGroupSize - 1) / kGroupSize * kGroupSize * sizeof(double);
}

}  // namespace

uint64_t DecodeScratch::SizeBytes(const GraphInfo& info, int threads, bool weights) {
  return static_cast<uint64_t>(threads) *
         (BlockIds::SizeBytes(info.block_edges) + (weights ? WeightsBytes(info) : 0));
}

Status DecodeScratch::Reserve(bool weights) {
  if (!ids_.empty() && (!weights || !weights_.empty())) return OkStatus();
  Free();
  const uint64_t bytes = SizeBytes(info_, threads_, weights);
  ASSIGN_OR_RETURN(reservation_, budget_.Reserve(bytes, "ids and weights of blocks"));
  ASSIGN_OR_RETURN(memory_, Buffer::Allocate(bytes));
  std::byte* next = memory_.data();
  for (int thread = 0; thread < threads_; ++thread) {
    ids_.emplace_back(next, info_.block_edges);
    next += BlockIds::SizeBytes(info_.block_edges);
    if (!weights) continue;
    weights_.push_back(next);
    next += WeightsBytes(info_);
  }
  CHECK_LE(static_cast<uint64_t>(next - memory_.data()), bytes);  // what SizeBytes promised
  return OkStatus();
}

void DecodeScratch::Free() {
  ids_.clear();
  weights_.clear();
  memory_ = Buffer();
  reservation_ = MemoryReservation();
}

}  // namespace edgemill
