// Names of vertices in files, which are looked up together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/strings.h"
#include "engine/graph/names/name_dictionary.h"

namespace edgemill {

/// Lines whose vertices have names, and what else a line has. The names are looked up together, in
/// their order, so that the names of the graph are read only once.
template <typename T>
class NamedLines {
 public:
  struct Line {
    size_t begin, size;  // of its name, in the text
    uint64_t number;
    T value;
  };

  /// What Create reserves of a budget that then has `left` bytes left, at most.
  static uint64_t BytesBeside(uint64_t left) { return std::clamp(left / 3 + 1, kMin, kMax); }
  /// Reserves a part of what is left of the budget.
  static StatusOr<NamedLines> Create(MemoryBudget& budget) {
    const uint64_t bytes = std::clamp(budget.available_bytes() / 4, kMin, kMax);
    NamedLines lines;
    ASSIGN_OR_RETURN(lines.memory_, budget.Reserve(bytes, "the names of values"));
    lines.text_.reserve(bytes / 2);
    constexpr size_t kLineBytes =
        sizeof(Line) + sizeof(std::string_view) + sizeof(std::optional<uint64_t>);
    lines.lines_.reserve(bytes / 2 / kLineBytes);
    return lines;
  }

  /// Whether there is space for this name. Any name fits when there are no lines.
  bool Fits(std::string_view name) const {
    return lines_.size() < lines_.capacity() && text_.size() + name.size() <= text_.capacity();
  }
  void Add(std::string_view name, uint64_t number, T value) {
    lines_.push_back({text_.size(), name.size(), number, value});
    text_ += name;
  }

  /// Calls `found` with each line and its rank, in the order of names, and then clears the lines.
  /// If the dictionary lacks names, returns BadDataError with the first of their lines in `file`,
  /// and with similar names, which are looked for on `threads` threads.
  template <typename Found>
  Status Find(const NameDictionary& dictionary, std::string_view file, int threads,
              const Found& found) {
    const auto name_of = [&](const Line& line) {
      return std::string_view(text_).substr(line.begin, line.size);
    };
    const auto by_name = [&](const Line& a, const Line& b) { return name_of(a) < name_of(b); };
    if (!std::is_sorted(lines_.begin(), lines_.end(), by_name)) {
      std::sort(lines_.begin(), lines_.end(), by_name);
    }
    std::vector<std::string_view> names;
    names.reserve(lines_.size());
    for (const Line& line : lines_) names.push_back(name_of(line));
    std::vector<std::optional<uint64_t>> ranks(lines_.size());
    RETURN_IF_ERROR(dictionary.FindAll(names, ranks));
    const Line* first_missing = nullptr;
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (ranks[i].has_value()) {
        RETURN_IF_ERROR(found(line, *ranks[i]));
      } else if (first_missing == nullptr || line.number < first_missing->number) {
        first_missing = &line;
      }
    }
    if (first_missing != nullptr) {
      const Status status = dictionary.FindOrSuggest(name_of(*first_missing), threads).status();
      if (status.code() != Code::kUsage) return status;
      return BadDataError(StrCat(file, ":", first_missing->number, ": ", status.message()));
    }
    text_.clear();
    lines_.clear();
    return OkStatus();
  }

 private:
  static constexpr uint64_t kMin = uint64_t{4} << 20;
  static constexpr uint64_t kMax = uint64_t{64} << 20;

  MemoryReservation memory_;
  std::string text_;
  std::vector<Line> lines_;
};

}  // namespace edgemill
