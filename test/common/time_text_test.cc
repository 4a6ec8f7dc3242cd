#include "common/text/time_text.h"

#include <gtest/gtest.h>

#include <ctime>

#include "common/random.h"

namespace edgemill {
namespace {

int64_t TimeOf(std::string_view text) {
  int64_t time = INT64_MIN;
  EXPECT_TRUE(ParseTime(text, &time)) << text;
  return time;
}

TEST(TimeText, ReadsDatesAndTimes) {
  EXPECT_EQ(TimeOf("1970-01-01"), 0);
  EXPECT_EQ(TimeOf("1970-01-02T00:00:01"), 86'401'000'000);
  EXPECT_EQ(TimeOf("1970-01-01 00:01"), 60'000'000);
  EXPECT_EQ(TimeOf("1969-12-31T23:59:59.999999"), -1);
  EXPECT_EQ(TimeOf("2026-01-31T09:30:00Z"), TimeOf("2026-01-31 09:30"));
  EXPECT_EQ(TimeOf("2026-01-31T09:30:00+01:30"), TimeOf("2026-01-31T08:00:00"));
  EXPECT_EQ(TimeOf("2026-01-31T09:30:00-0130"), TimeOf("2026-01-31T11:00"));
  EXPECT_EQ(TimeOf("2026-01-31 09:30:00+02"), TimeOf("2026-01-31T07:30"));
  EXPECT_EQ(TimeOf("2026-01-31T09:30:00.5"), TimeOf("2026-01-31T09:30:00,500000"));
  EXPECT_EQ(TimeOf("2024-02-29"), TimeOf("2024-03-01") - 86'400'000'000);
}

TEST(TimeText, RefusesWhatIsNone) {
  for (const std::string_view text : {"",
                                      "2026",
                                      "2026-1-1",
                                      "2026-13-01",
                                      "2026-02-30",
                                      "2025-02-29",
                                      "2026-01-01T",
                                      "0000-01-01",
                                      "1699-12-31",
                                      "2201-01-01",
                                      "2026-01-01T10:30.5",
                                      "2026-01-01T24:00",
                                      "2026-01-01T10:60",
                                      "2026-01-01T10:00:60",
                                      "2026-01-01T10:00:00.",
                                      "2026-01-01T10:00:00Zx",
                                      "2026-01-01T10:00:00+25:00",
                                      "31.01.2026",
                                      "1/2/2026",
                                      "now",
                                      "2026-01-01x",
                                      "-2026-01-01",
                                      "9999-01-01",
                                      "2026-01-01T10"}) {
    int64_t time = 0;
    EXPECT_FALSE(ParseTime(text, &time)) << text;
  }
}

TEST(TimeText, WritesWhatItReads) {
  EXPECT_EQ(FormatTime(0), "1970-01-01");
  EXPECT_EQ(FormatTime(-1), "1969-12-31T23:59:59.999999");
  EXPECT_EQ(FormatTime(1'000'000), "1970-01-01T00:00:01");
  Random random(7);
  const int64_t least = TimeOf("1700-01-01"), most = TimeOf("2200-12-31T23:59:59.999999");
  for (int i = 0; i < 20'000; ++i) {
    const int64_t time =
        least + static_cast<int64_t>(random.Below(static_cast<uint64_t>(most - least)));
    ASSERT_EQ(TimeOf(FormatTime(time)), time) << FormatTime(time);
    // The C library's calendar agrees.
    const time_t seconds = time / 1'000'000 - (time % 1'000'000 < 0 ? 1 : 0);
    tm parts;
    ASSERT_NE(gmtime_r(&seconds, &parts), nullptr);
    char text[32];
    std::snprintf(text, sizeof(text), "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1,
                  parts.tm_mday);
    ASSERT_EQ(FormatTime(time).substr(0, 10), text);
  }
}

}  // namespace
}  // namespace edgemill
