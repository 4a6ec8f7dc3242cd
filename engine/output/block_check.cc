#include "engine/output/block_check.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "common/check.h"
#include "common/random.h"
#include "common/strings.h"
#include "engine/graph/source_walk.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

uint64_t EdgeHash(uint64_t source, uint64_t target) { return Mix64(source << 32 | target); }

StatusOr<BlockFacts> CheckNeighbors(const GraphStore& store, bool incoming, uint64_t block,
                                    const VertexIndexView& index, const PackedView& view) {
  CHECK_EQ(index.num_vertices, store.info().num_vertices);  // the index is this graph's
  const EdgeIndex begin = block * store.info().block_edges;
  SourceWalk walk(index, begin);
  BlockFacts facts;
  Status fault;
  VertexId previous = 0;
  const auto source_of = [&](uint32_t edge) { return walk.At(begin + edge); };
  VisitNeighbors(view, 0, view.num_values(), source_of,
                 [&](uint32_t edge, VertexId vertex, VertexId neighbor) {
                   if (!fault.ok()) return;
                   const uint64_t word = uint64_t{vertex} << 32 | neighbor;
                   if (neighbor >= index.num_vertices) {
                     fault = BadDataError(StrCat("edge ", begin + edge, " leads to vertex ",
                                                 neighbor, " of ", index.num_vertices));
                   } else if (edge > 0 && word < facts.last) {
                     fault = BadDataError(StrCat("edge ", begin + edge, " to ", neighbor,
                                                 " comes after one to ", previous,
                                                 ": the list is not sorted"));
                   }
                   if (edge == 0) facts.first = word;
                   facts.duplicates += edge > 0 && word == facts.last;
                   facts.self_loops += vertex == neighbor;
                   const VertexId source = incoming ? neighbor : vertex;
                   const VertexId target = incoming ? vertex : neighbor;
                   facts.forward_hash += EdgeHash(source, target);
                   facts.backward_hash += EdgeHash(target, source);
                   facts.last = word;
                   previous = neighbor;
                 });
  if (!fault.ok()) return fault;
  return facts;
}

template <typename Float>
StatusOr<BlockFacts> CheckFloats(std::span<const std::byte> payload, uint32_t num_values) {
  if (payload.size() < num_values * sizeof(Float)) {
    return BadDataError(StrCat("the payload is too short for ", num_values, " weights"));
  }
  for (uint32_t i = 0; i < num_values; ++i) {
    Float value;
    std::memcpy(&value, payload.data() + i * sizeof(Float), sizeof(Float));
    if (!std::isfinite(value)) return BadDataError(StrCat("weight ", i, " is not finite"));
  }
  return BlockFacts{};
}

StatusOr<BlockFacts> CheckRising(std::string_view what, std::span<const std::byte> payload,
                                 uint32_t num_values) {
  if (payload.size() < num_values * sizeof(uint64_t)) {
    return BadDataError(StrCat("the payload is too short for ", num_values, " values"));
  }
  BlockFacts facts;
  uint64_t id = 0;
  for (uint32_t i = 0; i < num_values; ++i) {
    uint64_t gap;
    std::memcpy(&gap, payload.data() + i * sizeof(gap), sizeof(gap));
    if (i > 0 && (gap == 0 || id + gap < id)) {
      return BadDataError(StrCat(what, " ", i, " does not rise"));
    }
    id += gap;
    if (i == 0) facts.first = id;
  }
  facts.last = id;
  return facts;
}

StatusOr<BlockFacts> CheckPermutation(const PackedView& view, uint64_t num_vertices) {
  std::vector<uint32_t> values(size_t{view.num_groups()} * kGroupSize);
  UnpackValues(view, values.data());
  BlockFacts facts;
  for (uint32_t i = 0; i < view.num_values(); ++i) {
    if (values[i] >= num_vertices) {
      return BadDataError(StrCat("value ", i, " is vertex ", values[i], " of ", num_vertices));
    }
    // A permutation of 0 .. V - 1 sums to the same hash as 0 .. V - 1.
    facts.forward_hash += Mix64(values[i]);
  }
  return facts;
}

StatusOr<BlockFacts> CheckBelow(const PackedView& view, size_t num_texts) {
  std::vector<uint32_t> values(size_t{view.num_groups()} * kGroupSize);
  UnpackValues(view, values.data());
  for (uint32_t i = 0; i < view.num_values(); ++i) {
    if (values[i] >= num_texts) {
      return BadDataError(StrCat("value ", i, " is text ", values[i], " of ", num_texts));
    }
  }
  return BlockFacts{};
}

}  // namespace

StatusOr<BlockFacts> CheckPayload(const GraphStore& store, ColumnKind column, uint64_t block,
                                  const std::optional<VertexIndexView>& index,
                                  std::span<const std::byte> payload) {
  const GraphInfo& info = store.info();
  const uint32_t num_values = store.block_values(column, block);
  const bool weights = column == ColumnKind::kOutWeights || column == ColumnKind::kInWeights;
  const std::optional<size_t> number = EdgeColumnOf(column);
  const EdgeColumn* const values = number.has_value() ? &info.edge_columns[*number] : nullptr;
  const WeightType type = weights             ? info.weights
                          : values != nullptr ? values->type
                                              : WeightType::kNone;
  if (type == WeightType::kFloat32) return CheckFloats<float>(payload, num_values);
  if (type == WeightType::kFloat64) return CheckFloats<double>(payload, num_values);
  if (column == ColumnKind::kExternalIds) return CheckRising("external id", payload, num_values);
  if (column == ColumnKind::kNameGroups) return CheckRising("group end", payload, num_values);
  if (column == ColumnKind::kNames) {
    if (payload.size() >= num_values) return BlockFacts{};
    return BadDataError(StrCat("the payload is too short for ", num_values, " bytes"));
  }
  ASSIGN_OR_RETURN(const PackedView view, PackedView::Open(payload, num_values));
  if (values != nullptr && values->kind == ValueKind::kText) {
    return CheckBelow(view, values->texts.size());
  }
  if (column == ColumnKind::kInternalOfRank) return CheckPermutation(view, info.num_vertices);
  if (!IsNeighborColumn(column) || !index.has_value()) return BlockFacts{};
  return CheckNeighbors(store, column == ColumnKind::kInNeighbors, block, *index, view);
}

}  // namespace edgemill
