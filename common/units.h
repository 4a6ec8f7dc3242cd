// Sizes and counts as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill {

inline constexpr uint64_t kMebibyte = uint64_t{1} << 20;

/// Bytes from "4096", "192MiB", "1.5 GiB", "64K": K M G T P and KiB to PiB are powers of 1024.
/// UsageError when the text is no such size, is negative or exceeds 2^62.
StatusOr<uint64_t> ParseBytes(std::string_view text);

/// "1.5 GiB": the largest unit that keeps the figure at or above 1; for messages.
std::string FormatBytes(uint64_t bytes);

/// `bytes` rounded up to whole MiB, as an option's value: "192MiB".
std::string FormatMebibytesUp(uint64_t bytes);

/// "520,753,420".
std::string FormatCount(uint64_t count);

}  // namespace edgemill
