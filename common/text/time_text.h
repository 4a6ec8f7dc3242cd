// Dates and times as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace edgemill {

/// Reads a whole field as a date or time of ISO 8601, such as "2026-01-31", "2026-01-31 09:30:00.5"
/// or "2026-01-31T09:30Z", of the years 1700 to 2200. `*time` is in microseconds since
/// 1970-01-01T00:00:00; a time zone is taken off, no zone is taken as UTC. False for other fields.
bool ParseTime(std::string_view field, int64_t* time);
/// The time as "2026-01-31T09:30:00", with microseconds where it has some, or as "2026-01-31".
std::string FormatTime(int64_t time);

}  // namespace edgemill
