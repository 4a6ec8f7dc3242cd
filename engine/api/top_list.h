// The vertices of greatest value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/types.h"

namespace edgemill {

/// Keeps the greatest of the values that it is given, with their vertices; of equal values those of
/// the least ids. Not thread-safe.
template <typename Value>
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
  /// The least value of a full list: smaller values need not be added.
  const Value& least() const {
    CHECK(full() && !entries_.empty());
    return entries_.front().first;
  }
  /// The entries, the greatest first.
  std::vector<Entry> Sorted() const {
    std::vector<Entry> sorted = entries_;
    std::sort(sorted.begin(), sorted.end(), IsBefore);
    return sorted;
  }

 private:
  static bool IsBefore(const Entry& a, const Entry& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  }

  size_t most_;
  std::vector<Entry> entries_;  // a heap with the last entry in front
};

}  // namespace edgemill
