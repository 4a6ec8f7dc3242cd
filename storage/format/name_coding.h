// Names of vertices as bytes: sorted by their bytes, front-coded in groups (docs/FORMAT.md,
// "Names").
//
// Within a group, each name but the first is stored as the number of bytes shared with the name
// before, and the other bytes. A column holds the end of each group, so reading a name takes one
// group (Witten, Moffat and Bell, Managing Gigabytes, 1999, 4.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill {

/// The most bytes of a name. Names are UTF-8 and not empty.
inline constexpr size_t kMaxNameBytes = size_t{1} << 16;
/// The most bytes that a coded name takes, its two lengths included.
inline constexpr size_t kMaxCodedNameBytes = kMaxNameBytes + 6;
inline constexpr uint64_t kNamesPerGroup = 16;
inline constexpr size_t kMaxNameGroupBytes = kNamesPerGroup * kMaxCodedNameBytes;

inline constexpr uint64_t NumNameGroups(uint64_t num_names) {
  return (num_names + kNamesPerGroup - 1) / kNamesPerGroup;
}

/// Codes names, which come in rising order.
class NameEncoder {
 public:
  /// Appends `name`, which is above the one before, to `*out`.
  void Append(std::string_view name, std::string* out);
  uint64_t num_names() const { return num_names_; }
  /// Whether the next name begins a group.
  bool between_groups() const { return num_names_ % kNamesPerGroup == 0; }

 private:
  std::string previous_;
  uint64_t num_names_ = 0;
};

/// Walks over coded names.
class NameDecoder {
 public:
  /// `coded` begins with a group.
  explicit NameDecoder(std::string_view coded) : rest_(coded) {}

  /// Decodes the next name. False when the bytes are no name, or the name is not above the one
  /// before. `*name` is valid until the next call.
  bool Next(std::string_view* name);
  /// The bytes that are not decoded yet. The caller may move them, add more behind them, and call
  /// SetRest.
  std::string_view rest() const { return rest_; }
  void SetRest(std::string_view rest) { rest_ = rest; }

 private:
  std::string_view rest_;
  std::string name_;
  uint64_t num_names_ = 0;
};

/// Calls `visit` with each of the `count` names, 1 to kNamesPerGroup, of the group `coded`, until
/// it returns an error. BadDataError, without a place, when the bytes are not such a group.
Status DecodeNameGroup(std::string_view coded, uint64_t count,
                       const std::function<Status(std::string_view name)>& visit);

}  // namespace edgemill
