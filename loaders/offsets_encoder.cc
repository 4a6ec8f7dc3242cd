#include "loaders/offsets_encoder.h"

#include <algorithm>

#include "storage/group_codec.h"

namespace edgemill {

Status OffsetsEncoder::Fill(uint64_t vertex, EdgeIndex first_edge) {
  if (next_vertex_ > vertex) return OkStatus();
  // A list that spans several multiples makes the vertex after it appear once for each.
  for (; multiples_passed_ < first_edge >> 32; ++multiples_passed_) {
    crossings_.push_back(static_cast<VertexId>(next_vertex_));
  }
  const uint32_t value = static_cast<uint32_t>(first_edge);
  while (next_vertex_ <= vertex) {
    const uint64_t room = writer_.block_values() - block_.size();
    const uint64_t count = std::min(room, vertex + 1 - next_vertex_);
    block_.insert(block_.end(), count, value);
    next_vertex_ += count;
    if (block_.size() == writer_.block_values()) RETURN_IF_ERROR(FlushBlock());
  }
  return OkStatus();
}

Status OffsetsEncoder::Finish(uint64_t num_vertices, EdgeIndex num_edges) {
  RETURN_IF_ERROR(Fill(num_vertices, num_edges));
  return FlushBlock();
}

Status OffsetsEncoder::FlushBlock() {
  if (block_.empty()) return OkStatus();
  std::byte* const payload = writer_.Scratch(MaxPackedBytes(static_cast<uint32_t>(block_.size())));
  const size_t bytes = PackAscending(block_, previous_, payload);
  previous_ = block_.back();
  const auto count = static_cast<uint32_t>(block_.size());
  block_.clear();
  return writer_.Append(Codec::kPackedAscending, count, {payload, bytes});
}

void OffsetsEncoder::PutState(StateWriter* out) const {
  out->Put(next_vertex_);
  out->Put(previous_);
  out->Put(multiples_passed_);
  out->PutArray(std::span<const uint32_t>(block_));
  out->PutArray(std::span<const VertexId>(crossings_));
}

void OffsetsEncoder::SetState(StateReader* in) {
  next_vertex_ = in->Get<uint64_t>();
  previous_ = in->Get<uint32_t>();
  multiples_passed_ = in->Get<uint64_t>();
  block_ = in->GetArray<uint32_t>();
  crossings_ = in->GetArray<VertexId>();
}

}  // namespace edgemill
