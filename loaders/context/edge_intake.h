// The first step for a chunk of input: notes ids, treats loops and weights, and makes keys in the
// wanted directions.
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

/// Facts about the input so far. They are only sums, extremes and conjunctions, so chunks may be
/// added in any order.
struct IntakeStats {
  uint64_t edges = 0;
  uint64_t loops = 0;
  uint64_t bytes = 0;
  uint64_t max_id = 0;
  uint64_t min_id = ~uint64_t{0};
  /// Sum over edges of a hash of the unordered pair and the weight, with the sign of the direction.
  /// It is 0 when each edge occurs equally often in both directions.
  uint64_t asymmetry = 0;
  bool weights_fit_int32 = true;
  bool weights_fit_float32 = true;

  void Add(const IntakeStats& other);
  bool any_id() const { return min_id <= max_id; }
};

/// How chunks are treated. The rules are the same for all chunks.
struct EdgeRules {
  bool drop_loops = false;
  bool check_symmetry = false;
  bool weighted = false;  // weights are stored, from the input or random
  WeightChoice weights;
  /// The ids that occur in edges, and the ids that a vertex list names; null when not needed.
  SeenIds* seen = nullptr;
  SeenIds* listed = nullptr;
  /// Set if vertices have names. All ids are wide then.
  NameIntake* names = nullptr;
  /// Ids from this one on are treated as wide when `wide_allowed`, and are an error otherwise.
  uint64_t id_limit = kMaxVertices;
  bool wide_allowed = false;
  /// Larger ids are an error, since the user said that there are none.
  ExternalId max_id = ~ExternalId{0};
};

/// The directions in which an edge becomes keys, in addition to its own.
struct KeyDirections {
  /// Each edge is stored both ways, loops once (--undirected).
  bool both_ways = false;
  /// Reversed edges become separate keys: for the in-columns, or to find missing directions.
  bool reversed = false;
};

/// Some of a chunk's edges, as keys for sorting.
struct EdgeBatch {
  std::vector<uint64_t> keys;
  std::vector<uint64_t> reversed;
  std::vector<double> weights;  // one for each key, or empty
};

/// What ApplyRules found in a chunk.
struct ChunkFacts {
  IntakeStats stats;
  bool is_wide = false;  // some id is not below the limit, or vertices have names
};

/// Computes a weight in [low, high] from the seed and the two ids. Both directions get the same.
int32_t RandomWeight(const WeightChoice& choice, ExternalId u, ExternalId v);

/// Returns the error for which ApplyRules refuses this edge by `rules`, if any.
Status CheckEdge(const EdgeRules& rules, const LocatedEdge& edge);

/// Treats `chunk` by `rules`. Removes names that are stored already from `chunk.names`, makes
/// random weights or drops weights, and drops loops. Moves all edges to `chunk.narrow` unless one
/// is wide. BadDataError for an id beyond the limit, or a weight that the chosen type cannot hold.
/// Thread-safe.
StatusOr<ChunkFacts> ApplyRules(const EdgeRules& rules, EdgeChunk& chunk);

/// Replaces the contents of `batch` by the keys of `edges` in `directions`, with their weights. Ids
/// are final.
void AddKeys(const KeyDirections& directions, std::span<const NarrowEdge> edges,
             std::span<const double> weights, EdgeBatch* batch);

}  // namespace edgemill
