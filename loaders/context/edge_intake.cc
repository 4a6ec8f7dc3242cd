#include "loaders/context/edge_intake.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "common/check.h"
#include "common/random.h"

namespace edgemill {
namespace {

bool FitsInt32(double weight) {
  return weight >= std::numeric_limits<int32_t>::min() &&
         weight <= std::numeric_limits<int32_t>::max() &&
         static_cast<double>(static_cast<int32_t>(weight)) == weight &&
         !(weight == 0 && std::signbit(weight));
}
bool FitsFloat32(double weight) {
  return static_cast<double>(static_cast<float>(weight)) == weight;
}

/// Says what is wrong with `weight`; empty when nothing is wrong.
std::string_view FaultOf(const WeightChoice& choice, double weight) {
  if (std::isnan(weight)) return "is not a number";
  if (choice.kind == WeightChoice::Kind::kInt32 && !FitsInt32(weight)) {
    return choice.edge_column ? "is not a 32-bit integer: say --column NAME:int64 or NAME:float64"
                              : "is not a 32-bit integer: use --weights float or auto";
  }
  if (choice.kind == WeightChoice::Kind::kFloat32 && std::isfinite(weight) &&
      std::fabs(weight) > std::numeric_limits<float>::max()) {
    return choice.edge_column ? "is beyond 32-bit floats: say --column NAME:float64"
                              : "is beyond 32-bit floats: use --weights float64 or auto";
  }
  return {};
}

Status CheckWeight(const WeightChoice& choice, const LocatedEdge& edge) {
  const std::string_view fault = FaultOf(choice, edge.weight);
  if (fault.empty()) return OkStatus();
  return BadDataError(StrCat("the weight ", edge.weight, " of edge ", edge.Text(), " ", fault));
}

/// Checks every weight of the input, or makes random weights.
template <typename Edge>
Status PrepareWeights(const EdgeRules& rules, std::span<const Edge> edges, EdgeChunk& chunk,
                      IntakeStats* stats) {
  if (!rules.weighted) {
    chunk.weights.clear();
    return OkStatus();
  }
  if (rules.weights.kind == WeightChoice::Kind::kRandom) {
    chunk.weights.resize(edges.size());
    for (size_t i = 0; i < edges.size(); ++i) {
      chunk.weights[i] = RandomWeight(rules.weights, edges[i].source, edges[i].target);
    }
    return OkStatus();
  }
  CHECK_EQ(chunk.weights.size(), edges.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    const double weight = chunk.weights[i];
    if (!FaultOf(rules.weights, weight).empty()) [[unlikely]] {
      LocatedEdge edge = chunk.Edge(i);
      chunk.NameEnds(&edge);
      return CheckWeight(rules.weights, edge);
    }
    stats->weights_fit_int32 &= FitsInt32(weight);
    stats->weights_fit_float32 &= FitsFloat32(weight);
  }
  return OkStatus();
}

/// Adds the edges, their ids, loops and symmetry hash to `stats`.
template <typename Edge>
void Observe(const EdgeRules& rules, std::span<const Edge> edges, std::span<const double> weights,
             IntakeStats* stats) {
  uint64_t max_id = 0, min_id = ~uint64_t{0}, loops = 0, asymmetry = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    const uint64_t u = edges[i].source, v = edges[i].target;
    max_id = std::max({max_id, u, v});
    min_id = std::min({min_id, u, v});
    loops += u == v;
  }
  if (rules.check_symmetry) {
    for (size_t i = 0; i < edges.size(); ++i) {
      const uint64_t u = edges[i].source, v = edges[i].target;
      if (u == v) continue;
      // The hash of the pair is added for one direction and subtracted for the other. The sum is 0
      // when both directions occur equally often.
      uint64_t hash = (std::min(u, v) * 0x9e3779b97f4a7c15 + std::max(u, v)) * 0xd6e8feb86659fd93;
      if (!weights.empty()) hash += Mix64(std::bit_cast<uint64_t>(weights[i] + 0.0));
      hash = Mix64(hash);
      asymmetry += u < v ? hash : 0 - hash;
    }
  }
  stats->edges += edges.size();
  stats->loops += loops;
  stats->asymmetry += asymmetry;
  if (!edges.empty()) {
    stats->max_id = std::max(stats->max_id, max_id);
    stats->min_id = std::min(stats->min_id, min_id);
  }
}

bool IsTooLarge(const EdgeRules& rules, ExternalId id) {
  return id > rules.max_id || (id >= rules.id_limit && !rules.wide_allowed);
}

Status TooLarge(const EdgeRules& rules, ExternalId id) {
  if (id > rules.max_id) {
    return BadDataError(StrCat("vertex id ", id, " is beyond --max-vertex-id ", rules.max_id,
                               ": correct it, or raise --max-vertex-id"));
  }
  return BadDataError(StrCat("vertex id ", id, " is beyond the largest that dense ids may have, ",
                             rules.id_limit - 1, ": use --ids sparse"));
}

template <typename Edge>
void DropLoops(std::vector<Edge>& edges, std::vector<double>& weights) {
  size_t kept = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].source == edges[i].target) continue;
    edges[kept] = edges[i];
    if (!weights.empty()) weights[kept] = weights[i];
    ++kept;
  }
  edges.resize(kept);
  if (!weights.empty()) weights.resize(kept);
}

template <typename Edge>
Status PrepareEdges(const EdgeRules& rules, std::vector<Edge>& edges, EdgeChunk& chunk,
                    ChunkFacts* facts) {
  IntakeStats& stats = facts->stats;
  RETURN_IF_ERROR(PrepareWeights<Edge>(rules, edges, chunk, &stats));
  Observe<Edge>(rules, edges, chunk.weights, &stats);
  for (const ExternalId id : chunk.vertices) {
    stats.max_id = std::max(stats.max_id, id);
    stats.min_id = std::min(stats.min_id, id);
  }
  const bool wide = stats.any_id() && stats.max_id >= rules.id_limit;
  if (stats.any_id() && IsTooLarge(rules, stats.max_id)) return TooLarge(rules, stats.max_id);
  // The vertex of a dropped loop exists all the same, so ids are marked before loops are dropped.
  if (!wide && rules.seen != nullptr) {
    for (const Edge& edge : edges) {
      rules.seen->Mark(edge.source);
      if (!rules.check_symmetry) rules.seen->Mark(edge.target);
    }
  }
  if (!wide) {
    SeenIds* const listed = rules.listed != nullptr ? rules.listed : rules.seen;
    for (const ExternalId id : chunk.vertices) {
      if (listed != nullptr) listed->Mark(id);
    }
  }
  if (rules.drop_loops && stats.loops > 0) {
    if (wide && rules.listed == nullptr && rules.names == nullptr) {
      for (const Edge& edge : edges) {
        if (edge.source == edge.target) chunk.vertices.push_back(edge.source);
      }
    }
    DropLoops(edges, chunk.weights);
  }
  facts->is_wide = wide || rules.names != nullptr;
  if (rules.names != nullptr) rules.names->DropKnown(&chunk.names);
  return OkStatus();
}

}  // namespace

void IntakeStats::Add(const IntakeStats& other) {
  edges += other.edges;
  loops += other.loops;
  bytes += other.bytes;
  max_id = std::max(max_id, other.max_id);
  min_id = std::min(min_id, other.min_id);
  asymmetry += other.asymmetry;
  weights_fit_int32 &= other.weights_fit_int32;
  weights_fit_float32 &= other.weights_fit_float32;
}

int32_t RandomWeight(const WeightChoice& choice, ExternalId u, ExternalId v) {
  const uint64_t hash = Mix64(Mix64(std::min(u, v) + choice.seed) + std::max(u, v));
  const uint64_t range = static_cast<uint64_t>(int64_t{choice.high} - choice.low) + 1;
  const auto offset = static_cast<uint64_t>((static_cast<unsigned __int128>(hash) * range) >> 64);
  return static_cast<int32_t>(choice.low + static_cast<int64_t>(offset));
}

Status CheckEdge(const EdgeRules& rules, const LocatedEdge& edge) {
  if (rules.weighted && rules.weights.kind != WeightChoice::Kind::kRandom) {
    RETURN_IF_ERROR(CheckWeight(rules.weights, edge));
  }
  const ExternalId id = std::max(edge.source, edge.target);
  return IsTooLarge(rules, id) ? TooLarge(rules, id) : OkStatus();
}

StatusOr<ChunkFacts> ApplyRules(const EdgeRules& rules, EdgeChunk& chunk) {
  CHECK(chunk.narrow.empty() || chunk.wide.empty());  // all edges of a chunk are in one form
  ChunkFacts facts;
  facts.stats.bytes = chunk.input_bytes;
  if (chunk.wide.empty()) {
    RETURN_IF_ERROR(PrepareEdges(rules, chunk.narrow, chunk, &facts));
    return facts;
  }
  RETURN_IF_ERROR(PrepareEdges(rules, chunk.wide, chunk, &facts));
  if (facts.is_wide) return facts;
  chunk.narrow.reserve(chunk.wide.size());
  for (const WideEdge& edge : chunk.wide) {
    chunk.narrow.push_back(
        {static_cast<uint32_t>(edge.source), static_cast<uint32_t>(edge.target)});
  }
  chunk.wide.clear();
  return facts;
}

void AddKeys(const KeyDirections& directions, std::span<const NarrowEdge> edges,
             std::span<const double> weights, EdgeBatch* batch) {
  CHECK(weights.empty() || weights.size() == edges.size());
  CHECK(!directions.both_ways || !directions.reversed);
  if (directions.both_ways) {
    // Writes both keys of an edge together, so that parallel edges keep the input's order in both.
    batch->keys.resize(2 * edges.size());
    batch->weights.resize(2 * weights.size());
    size_t size = 0;
    for (size_t i = 0; i < edges.size(); ++i) {
      const NarrowEdge edge = edges[i];
      batch->keys[size] = EdgeKey(edge.source, edge.target);
      batch->keys[size + 1] = EdgeKey(edge.target, edge.source);
      if (!weights.empty()) batch->weights[size] = batch->weights[size + 1] = weights[i];
      size += edge.source == edge.target ? 1 : 2;
    }
    batch->keys.resize(size);
    batch->weights.resize(weights.empty() ? 0 : size);
    return;
  }
  batch->keys.resize(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    batch->keys[i] = EdgeKey(edges[i].source, edges[i].target);
  }
  if (directions.reversed) {
    batch->reversed.resize(edges.size());
    for (size_t i = 0; i < edges.size(); ++i) {
      batch->reversed[i] = EdgeKey(edges[i].target, edges[i].source);
    }
  }
  batch->weights.assign(weights.begin(), weights.end());
}

}  // namespace edgemill
