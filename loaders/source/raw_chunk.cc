#include "loaders/source/raw_chunk.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"

namespace edgemill {

void EdgeChunk::Clear() {
  sequence = 0;
  narrow.clear();
  wide.clear();
  weights.clear();
  vertices.clear();
  names.Clear();
  input_bytes = 0;
  stored_bytes = 0;
}

LocatedEdge EdgeChunk::Edge(size_t i) const {
  LocatedEdge edge;
  edge.source = narrow.empty() ? wide[i].source : narrow[i].source;
  edge.target = narrow.empty() ? wide[i].target : narrow[i].target;
  if (!weights.empty()) edge.weight = weights[i];
  return edge;
}

void EdgeChunk::NameEnds(LocatedEdge* edge) const {
  edge->source_name = names.Find(edge->source);
  edge->target_name = names.Find(edge->target);
}

std::string_view NameList::Find(uint64_t id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [id](const Entry& entry) { return entry.id == id; });
  return found == entries_.end() ? std::string_view() : TextOf(*found);
}

std::string LocatedEdge::Text() const {
  if (source_name.empty()) return StrCat(source, " -> ", target);
  return StrCat(QuotedText(source_name), " -> ", QuotedText(target_name));
}

void InputPreview::AddRows(const EdgeChunk& chunk, std::optional<uint64_t> line) {
  for (size_t i = 0; i < chunk.num_edges() && rows.size() < kMaxRows; ++i) {
    LocatedEdge edge = chunk.Edge(i);
    chunk.NameEnds(&edge);
    Row row{.line = line};
    row.source = edge.source_name.empty() ? StrCat(edge.source) : edge.source_name;
    row.target = edge.source_name.empty() ? StrCat(edge.target) : edge.target_name;
    if (!chunk.weights.empty()) row.weight = edge.weight;
    rows.push_back(row);
  }
}

void RawBuffer::Grow(size_t size, size_t kept) {
  if (size <= capacity_) return;
  CHECK_LE(kept, capacity_);
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
