// Loads and sorts a bucket's edges, merges duplicates and turns ids into ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/ids/id_ranks.h"
#include "loaders/options/ingest_options.h"
#include "loaders/sort/record_sort.h"
#include "loaders/source/input_name.h"

namespace edgemill {

/// What to do with a bucket's edges.
struct BucketRules {
  DuplicateRule duplicates = DuplicateRule::kKeep;
  /// Side 1 holds reversed edges, which are added if side 0 lacks them (-s).
  bool symmetrize = false;
  WeightType weights = WeightType::kNone;
  bool sums_keys = false;        // whether SortedBucket::keys_sum is needed
  const IdRanks* ids = nullptr;  // null: the keys hold final ids
  /// Final ids are below this.
  uint64_t num_vertices = ~uint64_t{0};
  /// Returns what the input calls an id of a key, for messages.
  std::function<InputName(uint32_t id)> input_name;
  /// Returns `error` with the place where the edge with these input ids was read.
  std::function<Status(ExternalId source, ExternalId target, const Status& error)> at;

  bool weighted() const { return weights != WeightType::kNone; }
  /// Whether parallel edges with different weights must keep their order.
  bool order_matters() const {
    return duplicates == DuplicateRule::kKeep || duplicates == DuplicateRule::kFirst;
  }
  InputName InputNameOf(uint32_t id) const { return input_name ? input_name(id) : InputName(id); }
};

/// Where a list starts: its vertex and the place of its first edge in the bucket.
struct SourceStart {
  uint32_t vertex;
  uint32_t edge;
};

/// Records that become edges together. Only a bucket with a single key may have more records than
/// fit memory. It is loaded in slices if each record is an edge, and folded if all records are one
/// edge.
struct SortUnit {
  enum class Kind : uint8_t {
    kWhole,  // all records of a bucket, sorted and treated by the rules
    kSlice,  // some records of `side`, all with one key, as they are
    kFold,   // all records of a bucket with one key, merged as they are read
  };
  size_t bucket = 0;
  uint64_t first = 0;  // of the records of `side`
  uint64_t count = 0;  // of a slice: records of `side`; otherwise records of both sides
  bool ends_bucket = true;
  int side = 0;
  Kind kind = Kind::kWhole;
};

/// Bucket `index` of `set` as one unit. At most `max_edges` edges are in memory at a time.
SortUnit WholeBucket(const BucketSet& set, size_t index, uint64_t max_edges);
/// All records of `set` in order, as units. At most `max_edges` edges are in memory at a time.
std::vector<SortUnit> UnitsOf(const BucketSet& set, uint64_t max_edges, DuplicateRule rule);

/// One thread's memory for sorting, and the sorted edges in it.
class SortedBucket {
 public:
  /// Memory that a SortedBucket for up to `max_edges` takes, in bytes.
  static uint64_t MemoryBytes(uint64_t max_edges, bool weighted);
  static StatusOr<SortedBucket> Create(uint64_t max_edges, bool weighted, MemoryBudget& budget);

  /// Loads and sorts `unit` of `set`. BadDataError in these cases: weights contradict each other or
  /// add up to more than their type holds; a key lies outside the bucket's range or has an end that
  /// is no vertex; the records of a side are not those that were appended (not checked for slices).
  Status Load(const BucketSet& set, const SortUnit& unit, const BucketRules& rules);

  /// Sorted; vertex << 32 | neighbour in final ids.
  std::span<const uint64_t> keys() const { return keys_; }
  std::span<const double> weights() const { return weights_; }
  std::span<const SourceStart> starts() const { return starts_; }
  /// For a slice: the sum of RecordHash over its records, for the caller to compare with its side's
  /// once all slices are loaded.
  uint64_t slice_sum() const { return slice_sum_; }
  bool has_negative_weight() const { return has_negative_weight_; }
  uint64_t loops() const { return counts_.loops; }
  /// How many edges of this unit equal the edge before and are kept.
  uint64_t duplicates() const { return counts_.duplicates; }
  /// How many edges were merged into an equal edge.
  uint64_t merged() const { return counts_.merged; }
  /// The sum of a hash of each key, modulo 2^64, by which two inputs are compared.
  uint64_t keys_sum() const { return counts_.keys_sum; }

 private:
  // These functions return memory that the keys do not use.
  StatusOr<std::byte*> LoadUnweighted(const BucketSet& set, const SortUnit& unit,
                                      const BucketRules& rules);
  StatusOr<std::byte*> LoadWeighted(const BucketSet& set, const SortUnit& unit,
                                    const BucketRules& rules);
  StatusOr<std::byte*> LoadFolded(const BucketSet& set, const SortUnit& unit,
                                  const BucketRules& rules);
  /// Loads records with integer weights, which are in scratch_, by sorting words of key and weight.
  /// False if these do not fit 64 bits, or would exchange parallel edges whose order matters.
  StatusOr<bool> LoadWords(const BucketRules& rules, std::span<const std::byte> records,
                           const KeyRange& range, const RecordFacts& facts);
  /// Keeps `sum`, the hash of the records. For a whole side, compares it with what was appended.
  Status VerifySum(const Bucket& bucket, const SortUnit& unit, int side, uint64_t sum);
  /// Turns the keys' ids into final ids, and finds where lists start. False when an id is no
  /// vertex.
  bool FinishKeys(const BucketRules& rules, std::byte* starts_memory);

  MemoryReservation reservation_;
  uint64_t max_edges_ = 0;
  Buffer data_;
  Buffer scratch_;
  std::span<uint64_t> keys_;
  std::span<double> weights_;
  std::span<SourceStart> starts_;
  uint64_t slice_sum_ = 0;
  bool has_negative_weight_ = false;
  struct {
    uint64_t loops = 0;
    uint64_t duplicates = 0;
    uint64_t merged = 0;
    uint64_t keys_sum = 0;
  } counts_;
};

}  // namespace edgemill
