// Which ranges of a temporary file are taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace edgemill {

/// Gives out ranges of a file that grows as it has to. Not thread-safe.
class ExtentAllocator {
 public:
  /// A contiguous part of the file.
  struct Range {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    uint64_t end() const { return offset + bytes; }
  };

  /// Takes `bytes` and returns their offset: in the first gap that is large enough, otherwise at
  /// the file's end.
  uint64_t Allocate(uint64_t bytes) {
    const auto gap = std::find_if(gaps_.begin(), gaps_.end(),
                                  [bytes](const auto& free) { return free.second >= bytes; });
    if (gap == gaps_.end()) return std::exchange(end_, end_ + bytes);
    const auto [offset, size] = *gap;
    gaps_.erase(gap);
    if (size > bytes) gaps_.emplace(offset + bytes, size - bytes);
    return offset;
  }
  /// Frees `range`, which was taken.
  void Free(Range range) {
    if (range.bytes == 0) return;
    auto next = gaps_.lower_bound(range.offset);
    if (next != gaps_.end() && next->first == range.end()) {
      range.bytes += next->second;
      next = gaps_.erase(next);
    }
    if (next != gaps_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == range.offset) {
        before->second += range.bytes;
        return;
      }
    }
    gaps_.emplace(range.offset, range.bytes);
  }
  /// Takes all free ranges before `end`.
  std::vector<Range> TakeFreeRanges(uint64_t end) {
    std::vector<Range> ranges;
    for (const auto& [offset, bytes] : gaps_) ranges.push_back({offset, bytes});
    gaps_.clear();
    if (end > end_) ranges.push_back({end_, end - end_});
    end_ = std::max(end_, end);
    return ranges;
  }
  /// Frees everything except the ranges in `taken`, which may overlap.
  void Restore(std::vector<Range> taken) {
    gaps_.clear();
    end_ = 0;
    std::sort(taken.begin(), taken.end(),
              [](const Range& a, const Range& b) { return a.offset < b.offset; });
    for (const Range& range : taken) {
      if (range.offset > end_) gaps_.emplace(end_, range.offset - end_);
      end_ = std::max(end_, range.end());
    }
  }
  /// The offset behind the last byte that was ever taken.
  uint64_t end() const { return end_; }

 private:
  std::map<uint64_t, uint64_t> gaps_;  // bytes of each free range, by its offset
  uint64_t end_ = 0;
};

}  // namespace edgemill
