// The first look at a chunk of input: ids noted, loops and weights treated, directions added.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/status.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/ids/id_ranks.h"
#include "loaders/names/name_intake.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// What has been seen in the input so far. Sums and extremes only, so chunks may be added in any
/// order.
struct IntakeStats {
  uint64_t edges = 0;
  uint64_t loops = 0;
  uint64_t bytes = 0;
  uint64_t max_id = 0;
  uint64_t min_id = ~uint64_t{0};
  /// Sum over edges of a hash of (u, v, w) less that of (v, u, w): 0 when both directions are
  /// there.
  uint64_t asymmetry = 0;
  bool weights_fit_int32 = true;
  bool weights_fit_float32 = true;

  void Add(const IntakeStats& other);
  bool any_id() const { return min_id <= max_id; }
};

/// How chunks are treated; the same for all.
struct EdgeRules {
  bool drop_loops = false;
  bool check_symmetry = false;
  bool weighted = false;  // weights are stored, from the input or random
  WeightChoice weights;
  /// The ids that occur in edges, and those that a vertex list names; null when they are not
  /// needed.
  SeenIds* seen = nullptr;
  SeenIds* listed = nullptr;
  /// Where vertices have names: all ids are wide then.
  NameIntake* names = nullptr;
  /// Ids from here on go the wide way when `wide_allowed`, and are an error otherwise.
  uint64_t id_limit = kMaxVertices;
  bool wide_allowed = false;
  /// Ids beyond this are an error: the user said that there are none.
  ExternalId max_id = ~ExternalId{0};
};

/// The directions in which an edge becomes keys, besides its own.
struct KeyDirections {
  /// Each edge is stored both ways, loops once (--undirected).
  bool both_ways = false;
  /// Reversed edges are wanted apart: for the in-columns, or to find missing directions.
  bool reversed = false;
};

/// Some of a chunk's edges as keys to be sorted by.
struct EdgeBatch {
  std::vector<uint64_t> keys;
  std::vector<uint64_t> reversed;
  std::vector<double> weights;  // one a key, or none
};

/// What ApplyRules saw in a chunk.
struct ChunkFacts {
  IntakeStats stats;
  bool is_wide = false;  // some id is beyond the limit
};

/// A weight in [low, high] made from the seed and the two ids, the same in both directions.
int32_t RandomWeight(const WeightChoice& choice, ExternalId u, ExternalId v);

/// The error of one edge by `rules`: the reason why ApplyRules refuses it.
Status CheckEdge(const EdgeRules& rules, const LocatedEdge& edge);

/// Treats `chunk` by `rules`. Removes names that are stored already from `chunk.names`, makes up or
/// drops weights, and removes dropped loops. All edges are in `chunk.narrow` unless one is wide.
/// BadDataError for an id beyond the limit, or a weight that the chosen type cannot hold.
/// Thread-safe.
StatusOr<ChunkFacts> ApplyRules(const EdgeRules& rules, EdgeChunk& chunk);

/// Writes `edges` as keys into `batch`, instead of what it held, in `directions`, with their
/// weights. Ids are final.
void AddKeys(const KeyDirections& directions, std::span<const NarrowEdge> edges,
             std::span<const double> weights, EdgeBatch* batch);

}  // namespace edgemill
