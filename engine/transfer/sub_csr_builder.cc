#include "engine/transfer/sub_csr_builder.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "common/check.h"
#include "common/clock.h"
#include "engine/cost/tuning.h"
#include "engine/plan/staging_layout.h"
#include "engine/program/sets/frontier.h"

namespace edgemill {

template <typename Visit>
bool SubCsrBuilder::VisitActive(const BlockEdges& edges, Visit visit) const {
  const uint64_t begin = edges.owned_begin - (edges.continues ? 1 : 0);
  const uint64_t end = edges.owned_end;
  for (uint64_t word = begin / 64; word * 64 < end; ++word) {
    uint64_t bits = members_[word] & BitsWithin(word, begin, end);
    for (; bits != 0; bits &= bits - 1) {
      const auto vertex =
          static_cast<VertexId>(word * 64 + static_cast<uint64_t>(std::countr_zero(bits)));
      const EdgeIndex first = index_.first_edge(vertex), last = index_.first_edge(vertex + 1);
      if (first < last && !visit(vertex, first, last)) return false;
    }
  }
  return true;
}

SubCsr SubCsrBuilder::Measure(const BlockEdges& edges) const {
  SubCsr sizes{.weight_bytes = edges.weights == WeightType::kNone      ? 0u
                               : edges.weights == WeightType::kFloat64 ? 8u
                                                                       : 4u};
  VisitActive(edges, [&](VertexId, EdgeIndex first, EdgeIndex last) {
    if (sizes.num_lists++ == 0 && first < edges.begin) {
      sizes.previous = edges.neighbors.header(0).base;
    }
    sizes.num_edges +=
        static_cast<uint32_t>(std::min(last, edges.end) - std::max(first, edges.begin));
    return true;
  });
  return sizes;
}

template <typename Weight>
bool SubCsrBuilder::BuildWith(const BlockEdges& edges, SubCsr* to) const {
  // The memory was given to be written. SubCsr only shows it for reading.
  auto* const vertices = const_cast<VertexId*>(to->vertices());
  auto* const offsets = const_cast<uint32_t*>(to->offsets());
  auto* const neighbors = const_cast<VertexId*>(to->neighbors());
  [[maybe_unused]] auto* const weights = static_cast<Weight*>(const_cast<void*>(to->weights()));
  ListCursor<Weight> cursor(edges, index_.num_vertices);
  uint32_t list = 0, edge = 0;
  const bool sound = VisitActive(edges, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
    vertices[list] = vertex;
    offsets[list++] = edge;
    return cursor.VisitList(vertex, first, last, [&](const ListChunk<Weight>& chunk) {
      for (uint32_t i = 0; i < chunk.size; ++i) neighbors[edge + i] = chunk.target(i);
      if constexpr (!std::is_same_v<Weight, NoWeight>) {
        std::copy_n(chunk.weights, chunk.size, weights + edge);
      }
      edge += chunk.size;
      return true;
    });
  });
  offsets[list] = edge;
  CHECK(!sound || (list == to->num_lists && edge == to->num_edges));
  return sound;
}

bool SubCsrBuilder::Build(const BlockEdges& edges, const SubCsr& sizes, std::byte* to) const {
  CHECK_EQ(reinterpret_cast<uintptr_t>(to) % SubCsr::kArrayAlignment, 0u);
  SubCsr* const made = std::construct_at(reinterpret_cast<SubCsr*>(to), sizes);
  const auto build = [&] {
    switch (edges.weights) {
      case WeightType::kInt32:
        return BuildWith<int32_t>(edges, made);
      case WeightType::kFloat32:
        return BuildWith<float>(edges, made);
      case WeightType::kFloat64:
        return BuildWith<double>(edges, made);
      case WeightType::kNone:
        break;
    }
    return BuildWith<NoWeight>(edges, made);
  };
  if (build()) return true;
  *made = {};
  *const_cast<uint32_t*>(made->offsets()) = 0;
  return false;
}

StatusOr<SubCsrBuilder::Outcome> SubCsrBuilder::Put(const BlockEdges& edges,
                                                    StagingQueue& queue) const {
  const Stopwatch watch;
  const SubCsr sizes = Measure(edges);
  const double whole = static_cast<double>(edges.payload.size() + edges.weights_payload.size());
  const uint64_t bytes = sizes.bytes();
  if (static_cast<double>(bytes) > kMostSubCsrShare * whole) return Outcome::kWhole;
  const double measuring = watch.seconds();
  const uint64_t aligned = StagingLayout::Aligned(bytes);
  ASSIGN_OR_RETURN(
      const StagingQueue::Claimed place,
      queue.Claim({.host_bytes = aligned, .device_bytes = StagingLayout::DeviceBytes(bytes)}));
  const Stopwatch building;
  const bool sound = Build(edges, sizes, place.to);
  StagedBlock block{.index = place.index, .transfer = Transfer::kSubCsr, .moved_bytes = bytes};
  block.place = {edges.block, {reinterpret_cast<const uint64_t*>(place.to), nullptr}};
  block.copies[0] = {place.to, bytes};
  block.seconds = measuring + building.seconds();
  queue.Finish(*place.batch, block);
  return sound ? Outcome::kBuilt : Outcome::kDamaged;
}

}  // namespace edgemill
