// Numbers for the texts of an edge column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/thread_annotations.h"

namespace edgemill {

/// The texts that were seen, each with a number. Numbers are in the order in which threads saw the
/// texts; Ranks gives the same order for any number of threads. Thread-safe.
class TextCodes {
 public:
  /// The most bytes of all texts together, each with kTextBytes for what is beside it in memory.
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 20;
  static constexpr uint64_t kTextBytes = 64;

  /// The number of `text`, a new one if it was not seen. False when there are too many texts.
  bool Find(std::string_view text, uint32_t* code);

  /// Whether there were too many texts.
  bool full() const;

  /// The texts, rising by their bytes.
  std::vector<std::string> Sorted() const;
  /// For each number, the place of its text in Sorted().
  std::vector<uint32_t> Ranks() const;

 private:
  static uint64_t NextSerial();
  bool FindShared(std::string_view text, uint32_t* code);

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  const uint64_t serial_ =
      NextSerial();  // of all objects, so that threads know whose texts they keep
  mutable Mutex mutex_;
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> codes_ GUARDED_BY(mutex_);
  uint64_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace edgemill
