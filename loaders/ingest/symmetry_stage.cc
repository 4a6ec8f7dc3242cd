// Finds the edge that makes a --symmetric input not symmetric.
#include <algorithm>

#include "loaders/ingest/ingest_job.h"
#include "loaders/sort/duplicate_merger.h"
#include "loaders/spill/replay_source.h"

namespace edgemill {
namespace {

constexpr std::string_view kNoReverse =
    "has no edge the other way, and the input is said to be symmetric";
constexpr std::string_view kOtherWeight =
    "has another weight than its reverse, and the input is said to be symmetric";

}  // namespace

Status IngestJob::OneWay(uint32_t u, uint32_t v, std::string_view what) const {
  const ExternalId source = names_.NameOf(u), target = names_.NameOf(v);
  return places_.AtEdge(source, target,
                        BadDataError(StrCat("edge ", source, " -> ", target, " ", what,
                                            ": use -s to add missing directions, or --directed")));
}

Status IngestJob::ExplainAsymmetry() {
  // The edges once more, now with the reversed ones beside them, and compared in the order of their
  // keys.
  symmetrize_ = true;
  rules_.check_symmetry = false;
  RETURN_IF_ERROR(Repartition([](uint32_t id) { return id; }));
  BucketSet& set = *forward_;
  // Both directions are in memory at once, each in a sorter of its own.
  plan_.max_sort_edges = std::max<uint64_t>(plan_.max_sort_edges / 2, 1);
  RETURN_IF_ERROR(SplitLargeBuckets(set));
  uint64_t most = 1;
  for (const Bucket& bucket : set.buckets()) most = std::max(most, bucket.count());
  most = std::min(most, plan_.max_sort_edges);
  ASSIGN_OR_RETURN(SortedBucket forward, SortedBucket::Create(most, weighted_, budget_));
  ASSIGN_OR_RETURN(SortedBucket backward, SortedBucket::Create(most, weighted_, budget_));
  BucketRules rules;
  rules.weights = weighted_ ? WeightType::kFloat64 : WeightType::kNone;
  for (size_t i = 0; i < set.buckets().size(); ++i) {
    const Bucket& bucket = set.buckets()[i];
    if (bucket.count() > most) {
      RETURN_IF_ERROR(CompareRepeated(bucket));
      continue;
    }
    RETURN_IF_ERROR(forward.Load(set, {i, 0, bucket.count(0), true, 0}, rules));
    RETURN_IF_ERROR(backward.Load(set, {i, 0, bucket.count(1), true, 1}, rules));
    const auto a = forward.keys();
    const auto b = backward.keys();
    for (size_t j = 0; j < std::max(a.size(), b.size()); ++j) {
      const bool only_forward = j < a.size() && (j >= b.size() || a[j] < b[j]);
      const bool only_backward = j < b.size() && (j >= a.size() || b[j] < a[j]);
      // A reversed edge v -> u without u -> v means that u -> v of the input lacks its reverse.
      const uint64_t key = only_backward ? ReverseKey(b[j]) : j < a.size() ? a[j] : 0;
      const auto u = static_cast<uint32_t>(key >> 32);
      const auto v = static_cast<uint32_t>(key);
      if (only_forward || only_backward) {
        return OneWay(u, v, kNoReverse);
      }
    }
    if (weighted_) RETURN_IF_ERROR(CompareWeights(forward, backward));
  }
  return InternalError("the input's symmetry check found a difference that is not there");
}

Status IngestJob::CompareRepeated(const Bucket& bucket) const {
  ASSIGN_OR_RETURN(const bool agree, SidesAgree(bucket, spilled_weight_));
  if (agree) return OkStatus();
  // A reversed edge v -> u that is there more often than v -> u is an edge u -> v too many.
  const bool forward = bucket.count(0) >= bucket.count(1);
  const uint64_t key = forward ? bucket.first_key : ReverseKey(bucket.first_key);
  return OneWay(static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key),
                bucket.count(0) == bucket.count(1) ? kOtherWeight : kNoReverse);
}

Status IngestJob::CompareWeights(const SortedBucket& forward, const SortedBucket& backward) const {
  const auto keys = forward.keys();
  for (size_t begin = 0, end; begin < keys.size(); begin = end) {
    for (end = begin + 1; end < keys.size() && keys[end] == keys[begin];) ++end;
    const auto sorted = [&](std::span<const double> weights) {
      std::vector<double> run(weights.begin() + static_cast<ptrdiff_t>(begin),
                              weights.begin() + static_cast<ptrdiff_t>(end));
      std::sort(run.begin(), run.end());
      return run;
    };
    if (sorted(forward.weights()) != sorted(backward.weights())) {
      return OneWay(static_cast<uint32_t>(keys[begin] >> 32), static_cast<uint32_t>(keys[begin]),
                    kOtherWeight);
    }
  }
  return OkStatus();
}

}  // namespace edgemill
