#include "common/text/time_text.h"

#include <chrono>

#include "common/strings.h"

namespace edgemill {
namespace {

constexpr int64_t kMicrosecondsPerSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 86'400;
/// Times of these years are exact as doubles.
constexpr int kFirstYear = 1700, kLastYear = 2200;

/// Takes `digits` digits from the front of `*text` as a number.
bool TakeDigits(size_t digits, std::string_view* text, int* number) {
  *number = 0;
  if (text->size() < digits) return false;
  for (size_t i = 0; i < digits; ++i) {
    const char c = (*text)[i];
    if (c < '0' || c > '9') return false;
    *number = *number * 10 + (c - '0');
  }
  text->remove_prefix(digits);
  return true;
}

bool TakeChar(std::string_view any_of, std::string_view* text) {
  if (text->empty() || any_of.find((*text)[0]) == std::string_view::npos) return false;
  text->remove_prefix(1);
  return true;
}

/// Takes hours and minutes, with or without a colon between them, as seconds.
bool TakeZone(std::string_view* text, int64_t* seconds) {
  if (TakeChar("Zz", text)) return true;
  const bool west = text->starts_with('-');
  int hours = 0, minutes = 0;
  if (!TakeChar("+-", text) || !TakeDigits(2, text, &hours)) return false;
  if (!text->empty()) {
    TakeChar(":", text);
    if (!TakeDigits(2, text, &minutes)) return false;
  }
  *seconds = (hours * 60 + minutes) * (west ? -60 : 60);
  return hours < 24 && minutes < 60;
}

/// Takes a time of day as microseconds, and a time zone as seconds.
bool TakeTimeOfDay(std::string_view* text, int64_t* time, int64_t* zone) {
  int hours = 0, minutes = 0, seconds = 0;
  if (!TakeDigits(2, text, &hours) || !TakeChar(":", text) || !TakeDigits(2, text, &minutes)) {
    return false;
  }
  const bool has_seconds = TakeChar(":", text);
  if (has_seconds && !TakeDigits(2, text, &seconds)) return false;
  int64_t part = 0;
  if (has_seconds && TakeChar(".,", text)) {
    int digit = 0;
    int64_t unit = kMicrosecondsPerSecond / 10;
    if (!TakeDigits(1, text, &digit)) return false;
    do {
      part += digit * unit;
      unit /= 10;
    } while (TakeDigits(1, text, &digit));
  }
  *time = (hours * 3600 + minutes * 60 + seconds) * kMicrosecondsPerSecond + part;
  if (hours > 23 || minutes > 59 || seconds > 59) return false;
  TakeChar(" ", text);
  return text->empty() || TakeZone(text, zone);
}

/// `number` with zeros on its left, up to `digits`.
std::string Padded(int64_t number, size_t digits) {
  std::string text = StrCat(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

}  // namespace

bool ParseTime(std::string_view field, int64_t* time) {
  int year = 0, month = 0, day = 0;
  std::string_view rest = field;
  if (!TakeDigits(4, &rest, &year) || !TakeChar("-", &rest) || !TakeDigits(2, &rest, &month) ||
      !TakeChar("-", &rest) || !TakeDigits(2, &rest, &day)) {
    return false;
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok() || year < kFirstYear || year > kLastYear) return false;
  int64_t of_day = 0, zone = 0;
  if (TakeChar("T ", &rest) && !TakeTimeOfDay(&rest, &of_day, &zone)) return false;
  if (!rest.empty()) return false;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  *time = (days * kSecondsPerDay - zone) * kMicrosecondsPerSecond + of_day;
  return true;
}

std::string FormatTime(int64_t time) {
  constexpr int64_t kDay = kSecondsPerDay * kMicrosecondsPerSecond;
  const int64_t days = time / kDay - (time % kDay < 0 ? 1 : 0);
  const int64_t of_day = time - days * kDay;
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  std::string text = StrCat(Padded(static_cast<int>(date.year()), 4), "-",
                            Padded(static_cast<unsigned>(date.month()), 2), "-",
                            Padded(static_cast<unsigned>(date.day()), 2));
  if (of_day == 0) return text;
  const int64_t seconds = of_day / kMicrosecondsPerSecond;
  text += StrCat("T", Padded(seconds / 3600, 2), ":", Padded(seconds / 60 % 60, 2), ":",
                 Padded(seconds % 60, 2));
  const int64_t part = of_day % kMicrosecondsPerSecond;
  return part == 0 ? text : StrCat(text, ".", Padded(part, 6));
}

}  // namespace edgemill
