#include "loaders/context/ingest_shape.h"

#include "common/check.h"
#include "common/strings.h"

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

StatusOr<IngestShape> DecideShape(const EdgeSourceInfo& info, const IngestOptions& options) {
  IngestShape shape;
  using Kind = WeightChoice::Kind;
  shape.weights = options.weights;
  const Kind kind = options.weights.kind;
  shape.weighted = kind == Kind::kRandom || (info.weighted && kind != Kind::kNone);
  if (!shape.weighted && kind != Kind::kNone && kind != Kind::kAuto) {
    return UsageError(
        "the input has no weights: use --weights none, auto or "
        "random:LO:HI:SEED");
  }
  if (kind == Kind::kRandom && options.weights.low > options.weights.high) {
    return UsageError(StrCat("--weights random:", options.weights.low, ":", options.weights.high,
                             ": the least weight is above the largest"));
  }
  if (shape.weighted) shape.spilled_weight = SpilledWeightOf(options.weights);
  const EdgeDirection direction = DirectionOf(info, options.direction);
  shape.directed = direction == EdgeDirection::kDirected;
  shape.both_ways = direction == EdgeDirection::kUndirected;
  shape.symmetrize = direction == EdgeDirection::kSymmetrize;
  shape.check_symmetry = direction == EdgeDirection::kSymmetric;
  shape.write_out = !shape.directed || options.columns != ColumnChoice::kIn;
  shape.write_in = shape.directed && options.columns != ColumnChoice::kOut;
  CHECK(shape.write_out || shape.write_in);
  shape.duplicates = options.duplicates;
  shape.renumbering = options.renumbering;
  shape.compression = options.compression;
  return shape;
}

WeightType DecideWeightType(const IngestShape& shape, const IntakeStats& stats) {
  if (!shape.weighted) return WeightType::kNone;
  using Kind = WeightChoice::Kind;
  switch (shape.weights.kind) {
    case Kind::kInt32:
    case Kind::kRandom:
      return WeightType::kInt32;
    case Kind::kFloat32:
      return WeightType::kFloat32;
    case Kind::kFloat64:
      return WeightType::kFloat64;
    default: {
      // Sums of floats may need more bits than the weights do.
      const bool sums = shape.duplicates == DuplicateRule::kSum;
      return stats.weights_fit_int32              ? WeightType::kInt32
             : stats.weights_fit_float32 && !sums ? WeightType::kFloat32
                                                  : WeightType::kFloat64;
    }
  }
}

}  // namespace edgemill
