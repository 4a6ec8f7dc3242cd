// The vertices of greatest or least value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/types.h"

namespace edgemill {

/// Keeps the greatest of the values that it is given, with their vertices; of equal values those of
/// the least ids. With std::less as Better, it keeps the least values. Not thread-safe.
template <typename Value, typename Better = std::greater<Value>>
class TopList {
 public:
  using Entry = std::pair<Value, ExternalId>;

  explicit TopList(size_t most) : most_(most) {}

  void Add(const Entry& entry) {
    if (most_ == 0 || (full() && !IsBefore(entry, entries_.front()))) return;
    if (full()) {
      std::pop_heap(entries_.begin(), entries_.end(), IsBefore);
      entries_.pop_back();
    }
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end(), IsBefore);
  }
  void Add(const TopList& other) {
    for (const Entry& entry : other.entries_) Add(entry);
  }

  bool full() const { return entries_.size() == most_; }
  /// The last value of a full list: those that are not as good need not be added.
  const Value& last() const {
    CHECK(full() && !entries_.empty());
    return entries_.front().first;
  }
  /// The entries, the best first.
  std::vector<Entry> Sorted() const {
    std::vector<Entry> sorted = entries_;
    std::sort(sorted.begin(), sorted.end(), IsBefore);
    return sorted;
  }

 private:
  static bool IsBefore(const Entry& a, const Entry& b) {
    return Better()(a.first, b.first) || (a.first == b.first && a.second < b.second);
  }

  size_t most_;
  std::vector<Entry> entries_;  // a heap with the last entry in front
};

}  // namespace edgemill
