// The kind of graph that an ingest makes of its input. Decided before the edges are processed.
#pragma once

#include <optional>
#include <span>

#include "common/status.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/context/edge_intake.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Which columns a graph gets.
struct StoredColumns {
  bool out = true;
  bool in = false;           // only of directed graphs
  bool out_weights = false;  // beside `out`
  bool in_weights = false;   // beside `in`
  bool vertices = true;      // ids, names and order; a pass for an edge column finds them stored
  size_t edge_columns = 0;   // how many are added by further passes
};

/// The kind of graph that an input becomes. Depends only on the input's declarations, the options
/// and, if `renumbering` is unset, the input's first edges.
struct GraphSchema {
  bool directed = true;
  bool both_ways = false;       // each edge is stored both ways (--undirected)
  bool symmetrize = false;      // missing directions are added (-s)
  bool check_symmetry = false;  // the input promises both directions (--symmetric)
  StoredColumns columns;
  bool weighted = false;
  WeightChoice weights;
  SpilledWeight spilled_weight = SpilledWeight::kNone;
  DuplicateRule duplicates = DuplicateRule::kKeep;
  std::optional<Renumbering> renumbering;  // unset: the first edges decide
  uint64_t renumber_seed = 0;              // of Renumbering::kRandom
  CompressionPolicy compression = CompressionPolicy::kWhereItPays;

  /// Whether vertices are renumbered. If so, edges go to one log first, since their ids are not
  /// final when they are read.
  bool renumbers() const { return renumbering.value_or(Renumbering::kNone) != Renumbering::kNone; }
  /// The directions in which edges with final ids become keys.
  KeyDirections directions() const {
    return {.both_ways = both_ways, .reversed = symmetrize || columns.in};
  }
};

/// If `schema->renumbering` is unset, sets it by the input's first edges (WantsOrderByDegree).
void DecideRenumbering(std::span<const NarrowEdge> first_edges, GraphSchema* schema);

/// Decides by `options` and by `info` of the source. UsageError when they contradict each other.
StatusOr<GraphSchema> DecideSchema(const EdgeSourceInfo& info, const IngestOptions& options);

/// Returns the type of stored weights, by the weights that were seen in the input.
WeightType DecideWeightType(const GraphSchema& schema, const IntakeStats& stats);

}  // namespace edgemill
