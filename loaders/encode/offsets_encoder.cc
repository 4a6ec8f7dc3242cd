#include "loaders/encode/offsets_encoder.h"

#include <algorithm>

#include "common/check.h"
#include "storage/format/group_codec.h"

namespace edgemill {

bool OffsetsEncoder::Fill(uint64_t vertex, EdgeIndex first_edge) {
  if (next_vertex_ > vertex) return false;
  // If a list spans several multiples, the vertex after it is added once for each of them.
  for (; multiples_passed_ < first_edge >> 32; ++multiples_passed_) {
    crossings_.push_back(static_cast<VertexId>(next_vertex_));
  }
  const uint64_t room = block_values_ - block_.size();
  const uint64_t count = std::min(room, vertex + 1 - next_vertex_);
  block_.insert(block_.end(), count, static_cast<uint32_t>(first_edge));
  next_vertex_ += count;
  return count == room;
}

size_t OffsetsEncoder::PackBlock(std::byte* out) const {
  CHECK(!block_.empty());
  return PackAscending(block_, previous_, out);
}

void OffsetsEncoder::NextBlock() {
  CHECK(!block_.empty());  // the next block is packed relative to this block's last value
  previous_ = block_.back();
  block_.clear();
}

}  // namespace edgemill
