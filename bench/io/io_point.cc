#include "bench/io/io_point.h"

#include <algorithm>
#include <functional>

#include "common/units.h"

namespace edgemill::bench {
namespace {

constexpr IoPattern kPatterns[] = {IoPattern::kSequentialRead, IoPattern::kRandomRead,
                                   IoPattern::kWrite};

/// Calls `parse` with each word between commas. Returns UsageError when a word is empty.
Status ForEachWord(std::string_view text, const std::function<Status(std::string_view)>& parse) {
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = StripSpace(text.substr(0, comma));
    if (word.empty()) return UsageError("a value is missing: write a list like A,B,C");
    RETURN_IF_ERROR(parse(word));
    if (comma == text.size()) return OkStatus();
    text.remove_prefix(comma + 1);
  }
}

template <typename T>
Status AddOnce(std::vector<T>* values, T value, std::string_view word) {
  if (std::find(values->begin(), values->end(), value) != values->end()) {
    return UsageError(StrCat(word, " is given more than once: give it once"));
  }
  values->push_back(value);
  return OkStatus();
}

}  // namespace

std::string_view PatternName(IoPattern pattern) {
  switch (pattern) {
    case IoPattern::kSequentialRead:
      return "sequential";
    case IoPattern::kRandomRead:
      return "random";
    case IoPattern::kWrite:
      return "write";
  }
  return "";
}

std::string IoPoint::Name() const {
  const uint64_t kib = size_bytes >> 10;
  return StrCat(PatternName(pattern), " ",
                kib % 1024 == 0 ? StrCat(kib / 1024, " MiB") : StrCat(kib, " KiB"), " x ", depth);
}

StatusOr<std::vector<uint64_t>> ParseIoSizes(std::string_view text) {
  std::vector<uint64_t> sizes;
  RETURN_IF_ERROR(ForEachWord(text, [&](std::string_view word) -> Status {
    ASSIGN_OR_RETURN(const uint64_t size, ParseBytes(word));
    if (size < kMinIoSize || size > kMaxIoSize || size % kMinIoSize != 0) {
      return UsageError(
          StrCat("size ", word, " is not valid: give multiples of 4 KiB from 4 KiB to 8 MiB"));
    }
    return AddOnce(&sizes, size, word);
  }));
  return sizes;
}

StatusOr<std::vector<uint64_t>> ParseIoDepths(std::string_view text) {
  std::vector<uint64_t> depths;
  RETURN_IF_ERROR(ForEachWord(text, [&](std::string_view word) -> Status {
    uint64_t depth = 0;
    if (!ParseNumber(word, &depth) || depth < 1 || depth > kMaxIoDepth) {
      return UsageError(
          StrCat("depth ", word, " is not valid: give whole numbers from 1 to ", kMaxIoDepth));
    }
    return AddOnce(&depths, depth, word);
  }));
  return depths;
}

StatusOr<std::vector<IoPattern>> ParseIoPatterns(std::string_view text) {
  std::vector<IoPattern> patterns;
  RETURN_IF_ERROR(ForEachWord(text, [&](std::string_view word) -> Status {
    for (const IoPattern pattern : kPatterns) {
      if (PatternName(pattern) == word) return AddOnce(&patterns, pattern, word);
    }
    return UsageError(StrCat("\"", word, "\" is none of sequential, random, write"));
  }));
  return patterns;
}

std::vector<IoPoint> PointsOf(const IoGrid& grid) {
  const bool all = !grid.sizes.empty() && !grid.depths.empty();
  const std::vector<IoPattern> patterns =
      grid.patterns.empty() ? std::vector<IoPattern>(std::begin(kPatterns), std::end(kPatterns))
                            : grid.patterns;
  const std::vector<uint64_t> sizes =
      grid.sizes.empty() ? std::vector<uint64_t>{4 << 10, 64 << 10, 1 << 20, 8 << 20} : grid.sizes;
  const std::vector<uint64_t> depths =
      grid.depths.empty() ? std::vector<uint64_t>{1, 8, 32, 256} : grid.depths;
  std::vector<IoPoint> points;
  for (const IoPattern pattern : patterns) {
    for (const uint64_t size : sizes) {
      for (const uint64_t depth : depths) {
        if (all || size * depth <= kDefaultBytesUnderWay) points.push_back({pattern, size, depth});
      }
    }
  }
  return points;
}

}  // namespace edgemill::bench
