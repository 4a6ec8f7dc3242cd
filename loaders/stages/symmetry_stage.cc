#include "loaders/stages/symmetry_stage.h"

#include <algorithm>

#include "loaders/sort/duplicate_merger.h"
#include "loaders/sort/sorted_bucket.h"
#include "loaders/stages/bucket_splitter.h"
#include "loaders/stages/edge_partitioner.h"

namespace edgemill {
namespace {

constexpr std::string_view kNoReverse =
    "has no edge the other way, and the input is said to be symmetric";
constexpr std::string_view kOtherWeight =
    "has another weight than its reverse, and the input is said to be symmetric";

/// Makes the error for an edge u -> v that is given as a key.
class OneWayEdge {
 public:
  OneWayEdge(const VertexIdMap& names, const EdgeErrorLocator& places)
      : names_(names), places_(places) {}

  Status Error(uint64_t key, std::string_view what) const {
    const InputName source = names_.InputNameOf(static_cast<uint32_t>(key >> 32));
    const InputName target = names_.InputNameOf(static_cast<uint32_t>(key));
    return places_.AtEdge(
        source.id, target.id,
        BadDataError(StrCat("edge ", source.text, " -> ", target.text, " ", what,
                            ": use -s to add missing directions, or --directed")));
  }

 private:
  const VertexIdMap& names_;
  const EdgeErrorLocator& places_;
};

/// Compares both directions of an edge that occurs too often to be sorted.
Status CompareRepeated(const Bucket& bucket, SpilledWeight weight, const OneWayEdge& one_way) {
  ASSIGN_OR_RETURN(const bool agree, SidesAgree(bucket, weight));
  if (agree) return OkStatus();
  // If the reversed edge v -> u occurs more often than v -> u, the input has too many edges u -> v.
  const bool forward = bucket.count(0) >= bucket.count(1);
  return one_way.Error(forward ? bucket.first_key : ReverseKey(bucket.first_key),
                       bucket.count(0) == bucket.count(1) ? kOtherWeight : kNoReverse);
}

/// Compares the keys of both directions.
Status CompareKeys(std::span<const uint64_t> a, std::span<const uint64_t> b,
                   const OneWayEdge& one_way) {
  for (size_t j = 0; j < std::max(a.size(), b.size()); ++j) {
    const bool only_forward = j < a.size() && (j >= b.size() || a[j] < b[j]);
    const bool only_backward = j < b.size() && (j >= a.size() || b[j] < a[j]);
    // A reversed edge v -> u without u -> v means that u -> v of the input lacks its reverse.
    if (only_backward) return one_way.Error(ReverseKey(b[j]), kNoReverse);
    if (only_forward) return one_way.Error(a[j], kNoReverse);
  }
  return OkStatus();
}

/// Compares the weights of both directions, whose keys are equal.
Status CompareWeights(const SortedBucket& forward, const SortedBucket& backward,
                      const OneWayEdge& one_way) {
  const auto keys = forward.keys();
  for (size_t begin = 0, end; begin < keys.size(); begin = end) {
    for (end = begin + 1; end < keys.size() && keys[end] == keys[begin];) ++end;
    const auto sorted = [&](std::span<const double> weights) {
      std::vector<double> equal(weights.begin() + static_cast<ptrdiff_t>(begin),
                                weights.begin() + static_cast<ptrdiff_t>(end));
      std::sort(equal.begin(), equal.end());
      return equal;
    };
    if (sorted(forward.weights()) != sorted(backward.weights())) {
      return one_way.Error(keys[begin], kOtherWeight);
    }
  }
  return OkStatus();
}

}  // namespace

Status ExplainAsymmetry(const IngestContext& context, const GraphSchema& schema,
                        const VertexIdMap& names, SpilledEdges& edges) {
  // Partitions the edges again, now with the reversed ones beside them, and compares both in the
  // order of keys.
  GraphSchema both = schema;
  both.symmetrize = true;
  RETURN_IF_ERROR(Repartition(
      context, both, [](std::span<NarrowEdge>) { return true; }, edges));
  BucketSet& set = *edges.forward;
  // Both directions are in memory at once, each in a sorter of its own.
  uint64_t& max_edges = context.plan.sort.max_edges;
  max_edges = std::max<uint64_t>(max_edges / 2, 1);
  RETURN_IF_ERROR(SplitLargeBuckets(context, set, edges.retired));
  uint64_t most = 1;
  for (const Bucket& bucket : set.buckets()) most = std::max(most, bucket.count());
  most = std::min(most, max_edges);
  ASSIGN_OR_RETURN(SortedBucket forward,
                   SortedBucket::Create(most, schema.weighted, context.budget));
  ASSIGN_OR_RETURN(SortedBucket backward,
                   SortedBucket::Create(most, schema.weighted, context.budget));
  const OneWayEdge one_way(names, context.places);
  BucketRules rules;
  rules.weights = schema.weighted ? WeightType::kFloat64 : WeightType::kNone;
  for (size_t i = 0; i < set.buckets().size(); ++i) {
    const Bucket& bucket = set.buckets()[i];
    if (bucket.count() > most) {
      RETURN_IF_ERROR(CompareRepeated(bucket, schema.spilled_weight, one_way));
      continue;
    }
    RETURN_IF_ERROR(forward.Load(set, {i, 0, bucket.count(0), true, 0}, rules));
    RETURN_IF_ERROR(backward.Load(set, {i, 0, bucket.count(1), true, 1}, rules));
    RETURN_IF_ERROR(CompareKeys(forward.keys(), backward.keys(), one_way));
    if (schema.weighted) RETURN_IF_ERROR(CompareWeights(forward, backward, one_way));
  }
  return InternalError("the input's symmetry check found a difference that is not there");
}

}  // namespace edgemill
