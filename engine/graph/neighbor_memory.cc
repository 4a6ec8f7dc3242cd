#include "engine/graph/neighbor_memory.h"

#include <utility>

#include "common/check.h"

namespace edgemill {

void NeighborMemory::SetSpare(uint64_t bytes, bool from_disk) {
  for (const auto& sampled : sampled_)
    CHECK(!sampled.has_value());  // its memory was of the spare bytes
  spare_bytes_ = bytes;
  from_disk_ = from_disk;
}

Status NeighborMemory::SampleNeighbors(Direction direction) {
  std::optional<SampledNeighbors>& sampled = sampled_[SideOf(info(), direction)];
  const uint64_t bytes = SampledNeighbors::SizeBytes(info().num_vertices);
  if (sampled.has_value() || spare_bytes_ < bytes) return OkStatus();
  const SampledNeighbor which = info().renumbering == Renumbering::kDegree ? SampledNeighbor::kFirst
                                : from_disk_ ? SampledNeighbor::kHighest
                                             : SampledNeighbor::kFound;
  ASSIGN_OR_RETURN(sampled, SampledNeighbors::Create(info().num_vertices, which, context_.threads,
                                                     context_.budget));
  spare_bytes_ -= bytes;
  return OkStatus();
}

bool NeighborMemory::samples_from_disk() const {
  return from_disk_ && spare_bytes_ >= SampledNeighbors::SizeBytes(info().num_vertices);
}

SampledNeighbors* NeighborMemory::sampled_neighbors(Direction direction) {
  std::optional<SampledNeighbors>& sampled = sampled_[SideOf(info(), direction)];
  return sampled.has_value() ? &*sampled : nullptr;
}

uint64_t NeighborMemory::LastNeighborsBytes(const GraphInfo& info) {
  return info.num_duplicates == 0 ? 0 : info.num_blocks() * sizeof(VertexId);
}

Status NeighborMemory::FindLastNeighbors(Direction direction) {
  LastNeighbors& last = last_[SideOf(info(), direction)];
  const uint64_t bytes = LastNeighborsBytes(info());
  if (!last.of_blocks.empty() || bytes == 0) return OkStatus();
  LastNeighbors found;
  ASSIGN_OR_RETURN(found.reservation,
                   context_.budget.Reserve(bytes, "the last neighbours of blocks"));
  ASSIGN_OR_RETURN(found.of_blocks, Array<VertexId>::Allocate(info().num_blocks()));
  const VertexIndexView index = indexes_.view(direction);
  RETURN_IF_ERROR(blocks_.VisitAll(direction, false, [&](int, const BlockEdges& edges) {
    const VertexId source =
        index.OwnerOf(edges.end - 1, edges.owned_begin - edges.continues, edges.owned_end);
    ListCursor<NoWeight> cursor(edges, index.num_vertices);
    return StatusOr<bool>(
        cursor.VisitList(source, index.first_edge(source), index.first_edge(source + 1),
                         [&](const ListChunk<NoWeight>& chunk) {
                           found.of_blocks[edges.block] = chunk.target(chunk.size - 1);
                           return true;
                         }));
  }));
  last = std::move(found);
  return OkStatus();
}

void NeighborMemory::Clear() {
  for (std::optional<SampledNeighbors>& sampled : sampled_) sampled.reset();
  for (LastNeighbors& last : last_) last = LastNeighbors();
}

}  // namespace edgemill
