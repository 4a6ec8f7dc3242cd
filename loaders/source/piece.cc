#include "loaders/source/piece.h"

#include <algorithm>
#include <cstring>

namespace edgemill {

void EdgeChunk::Clear() {
  sequence = 0;
  narrow.clear();
  wide.clear();
  weights.clear();
  vertices.clear();
  input_bytes = 0;
  stored_bytes = 0;
}

void InputLook::AddRows(const EdgeChunk& chunk, std::optional<uint64_t> line) {
  for (size_t i = 0; i < chunk.num_edges() && rows.size() < kMostRows; ++i) {
    Row row{.line = line};
    row.source = chunk.narrow.empty() ? chunk.wide[i].source : chunk.narrow[i].source;
    row.target = chunk.narrow.empty() ? chunk.wide[i].target : chunk.narrow[i].target;
    if (!chunk.weights.empty()) row.weight = chunk.weights[i];
    rows.push_back(row);
  }
}

void RawBuffer::Grow(size_t size, size_t kept) {
  if (size <= capacity_) return;
  std::unique_ptr<char[]> larger(new char[size]);
  if (kept > 0) std::memcpy(larger.get(), data_.get(), kept);
  data_ = std::move(larger);
  capacity_ = size;
}

void EdgeSink::AddWide(ExternalId source, ExternalId target) {
  if (!wide_ && std::max(source, target) < UINT32_MAX) {
    chunk_->narrow.push_back({static_cast<uint32_t>(source), static_cast<uint32_t>(target)});
    return;
  }
  if (!wide_) {
    chunk_->wide.reserve(std::max(chunk_->wide.capacity(), chunk_->narrow.size() + 1));
    for (const NarrowEdge& edge : chunk_->narrow)
      chunk_->wide.push_back({edge.source, edge.target});
    chunk_->narrow.clear();
    wide_ = true;
  }
  chunk_->wide.push_back({source, target});
}

}  // namespace edgemill
