#include "engine/graph/names/nearest_names.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "common/edit_distance.h"
#include "common/thread_annotations.h"
#include "common/threads/parallel.h"
#include "engine/graph/names/name_dictionary.h"

namespace edgemill {
namespace {

/// Longer names are not compared, so that the tables of distances stay small.
constexpr size_t kLongestName = 256;
constexpr size_t kMaxDistance = 8;
/// The most threads. Each has a cursor, whose memory is not reserved.
constexpr int kMaxThreads = 8;

struct NearName {
  size_t distance;
  uint64_t rank;
  std::string name;
  bool operator<(const NearName& other) const {
    return std::pair(distance, rank) < std::pair(other.distance, other.rank);
  }
};

/// Keeps the nearest of the names that are added.
class NearList {
 public:
  explicit NearList(size_t most) : most_(most) {}

  /// Names of a higher rank than those here are taken up to this distance.
  size_t most() const { return most_; }
  /// Whether no name of a higher rank is taken.
  bool done() const { return names_.size() == kNearestNames && names_.back().distance == 0; }
  void Add(NearName name) {
    names_.insert(std::upper_bound(names_.begin(), names_.end(), name), std::move(name));
    if (names_.size() > kNearestNames) names_.pop_back();
    if (names_.size() == kNearestNames) most_ = std::max<size_t>(names_.back().distance, 1) - 1;
  }
  std::vector<NearName>& names() { return names_; }

 private:
  size_t most_;
  std::vector<NearName> names_;
};

}  // namespace

StatusOr<std::vector<std::string>> NearestNames(const GraphStore& store, BlockReader& reader,
                                                std::string_view name, int threads) {
  std::vector<std::string> nearest;
  if (name.size() > kLongestName) return nearest;
  const size_t most = std::min((name.size() + 1) / 2, kMaxDistance);
  const uint64_t num_names = store.info().num_vertices;
  Mutex mutex;
  NearList all(most);
  std::atomic<size_t> bound{most};
  // A multiple of a block's names, so that each block of groups' ends is read once.
  const uint64_t grain = store.info().block_edges * kNamesPerGroup;
  const auto scan = [&](size_t begin, size_t end) -> Status {
    NameCursor cursor(store, reader);
    cursor.Seek(begin);
    EditDistance distance_from(name);
    NearList near(bound.load(std::memory_order_relaxed));
    for (uint64_t rank = begin; rank < end && !near.done(); ++rank) {
      ASSIGN_OR_RETURN(const std::string_view other, cursor.Next());
      const size_t limit = std::min(near.most(), bound.load(std::memory_order_relaxed));
      const size_t distance = distance_from.To(other, limit);
      if (distance <= limit) near.Add({distance, rank, std::string(other)});
    }
    MutexLock lock(mutex);
    for (NearName& found : near.names()) all.Add(std::move(found));
    // Chunks end in any order: an equally near name may be of a lower rank.
    if (all.names().size() == kNearestNames) bound = all.names().back().distance;
    return OkStatus();
  };
  RETURN_IF_ERROR(ParallelFor(num_names, grain, std::min(threads, kMaxThreads), scan));
  for (NearName& found : all.names()) nearest.push_back(std::move(found.name));
  return nearest;
}

}  // namespace edgemill
