#include "loaders/context/graph_schema.h"

#include "common/check.h"
#include "common/strings.h"
#include "loaders/sort/id_locality.h"

namespace edgemill {
namespace {

SpilledWeight SpilledWeightOf(const WeightChoice& choice) {
  switch (choice.kind) {
    case WeightChoice::Kind::kRandom:
    case WeightChoice::Kind::kInt32:
      return SpilledWeight::kInt32;
    case WeightChoice::Kind::kFloat32:
      return SpilledWeight::kFloat32;
    default:
      return SpilledWeight::kFloat64;
  }
}

EdgeDirection DirectionOf(const EdgeSourceInfo& info, EdgeDirection choice) {
  if (choice != EdgeDirection::kAsSource) return choice;
  return info.undirected  ? EdgeDirection::kUndirected
         : info.symmetric ? EdgeDirection::kSymmetric
                          : EdgeDirection::kDirected;
}

}  // namespace

StatusOr<GraphSchema> DecideSchema(const EdgeSourceInfo& info, const IngestOptions& options) {
  GraphSchema schema;
  using Kind = WeightChoice::Kind;
  schema.weights = options.weights;
  const Kind kind = options.weights.kind;
  schema.weighted = kind == Kind::kRandom || (info.weighted && kind != Kind::kNone);
  if (!schema.weighted && kind != Kind::kNone && kind != Kind::kAuto) {
    return UsageError(
        "the input has no weights: use --weights none, auto or "
        "random:LO:HI:SEED");
  }
  if (kind == Kind::kRandom && options.weights.low > options.weights.high) {
    return UsageError(StrCat("--weights random:", options.weights.low, ":", options.weights.high,
                             ": the least weight is above the largest"));
  }
  if (schema.weighted) schema.spilled_weight = SpilledWeightOf(options.weights);
  const EdgeDirection direction = DirectionOf(info, options.direction);
  schema.directed = direction == EdgeDirection::kDirected;
  schema.both_ways = direction == EdgeDirection::kUndirected;
  schema.symmetrize = direction == EdgeDirection::kSymmetrize;
  schema.check_symmetry = direction == EdgeDirection::kSymmetric;
  schema.columns.out = !schema.directed || options.columns != ColumnChoice::kIn;
  schema.columns.in = schema.directed && options.columns != ColumnChoice::kOut;
  CHECK(schema.columns.out || schema.columns.in);
  const bool both = schema.columns.out && schema.columns.in;
  schema.columns.out_weights =
      schema.weighted && schema.columns.out && !(both && options.weights_in == ColumnChoice::kIn);
  schema.columns.in_weights =
      schema.weighted && schema.columns.in && !(both && options.weights_in == ColumnChoice::kOut);
  schema.columns.edge_columns = options.edge_columns.size();
  schema.duplicates = options.duplicates;
  schema.renumbering = options.renumbering;
  schema.renumber_seed = options.renumber_seed;
  schema.compression = options.compression;
  return schema;
}

void DecideRenumbering(std::span<const NarrowEdge> first_edges, GraphSchema* schema) {
  if (schema->renumbering.has_value()) return;
  schema->renumbering = WantsOrderByDegree(first_edges) ? Renumbering::kDegree : Renumbering::kNone;
}

WeightType DecideWeightType(const GraphSchema& schema, const IntakeStats& stats) {
  if (!schema.weighted) return WeightType::kNone;
  using Kind = WeightChoice::Kind;
  switch (schema.weights.kind) {
    case Kind::kInt32:
    case Kind::kRandom:
      return WeightType::kInt32;
    case Kind::kFloat32:
      return WeightType::kFloat32;
    case Kind::kFloat64:
      return WeightType::kFloat64;
    default: {
      // Sums of floats may need more bits than their terms.
      const bool sums = schema.duplicates == DuplicateRule::kSum;
      return stats.weights_fit_int32              ? WeightType::kInt32
             : stats.weights_fit_float32 && !sums ? WeightType::kFloat32
                                                  : WeightType::kFloat64;
    }
  }
}

}  // namespace edgemill
