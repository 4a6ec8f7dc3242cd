// What an ingest is to make of its input, decided before the first edge is read.
#pragma once

#include <optional>
#include <span>

#include "common/status.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/context/edge_intake.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// The graph that the edges of an input become. Follows from the input and the options alone; what
/// is open, from the input's first edges.
struct GraphSchema {
  bool directed = true;
  bool both_ways = false;       // each edge is stored both ways (--undirected)
  bool symmetrize = false;      // missing directions are added (-s)
  bool check_symmetry = false;  // the input promises both directions (--symmetric)
  bool write_out = true;        // the out-columns
  bool write_in = false;        // the in-columns, of directed graphs
  bool weighted = false;
  WeightChoice weights;
  SpilledWeight spilled_weight = SpilledWeight::kNone;
  DuplicateRule duplicates = DuplicateRule::kKeep;
  std::optional<Renumbering> renumbering;  // unset: the first edges decide
  CompressionPolicy compression = CompressionPolicy::kWhereItPays;

  /// Edges go to one log first, since their ids are not final when they are read.
  bool renumbers() const { return renumbering.value_or(Renumbering::kNone) != Renumbering::kNone; }
  /// The directions in which edges with final ids become keys.
  KeyDirections directions() const {
    return {.both_ways = both_ways, .reversed = symmetrize || write_in};
  }
};

/// Decides whether to renumber, where that is open, by the input's first edges: WantsOrderByDegree.
void DecideRenumbering(std::span<const NarrowEdge> first_edges, GraphSchema* schema);

/// Decides by `info`, which the source gives, and `options`. UsageError when they contradict each
/// other.
StatusOr<GraphSchema> DecideSchema(const EdgeSourceInfo& info, const IngestOptions& options);

/// The type that stored weights get, by what was seen in the input.
WeightType DecideWeightType(const GraphSchema& schema, const IntakeStats& stats);

}  // namespace edgemill
