// Lines that are longer than one part of a reader are cut between numbers.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

/// Inputs whose lines are long for their size, and the options that they need.
std::vector<std::pair<std::string, std::string>> LongLines() {
  Random random(11);
  std::string hub = "# " + std::string(90, '#') + " 9 9\n7";
  std::string star = "% " + std::string(90, '%') + " 9\n40 904 11 2\n";
  for (int i = 0; i < 200; ++i) hub += StrCat(i % 9 == 0 ? "  \t" : " ", random.Below(100000));
  hub += "\n1 2\n\n3\n4 5 6 7 8 9";
  for (int v = 0; v < 40; ++v) {
    star += "6 6";
    for (int i = 0; i < (v % 10 == 3 ? 80 : 14) + v % 2 * 4; ++i) {
      star += StrCat(" ", random.Below(40) + 1, "  ", random.Below(100000));
    }
    star +=
        v % 7 == 0 ? "\n% a comment that is longer than the chunks of some of the tests\n" : "\n";
  }
  return {{"hub.adj", hub}, {"star.graph", star}};
}

TEST(EdgeReader, LongLinesAreCutAnywhere) {
  TemporaryDirectory directory;
  for (const auto& [name, text] : LongLines()) {
    const std::string path = directory.Write(name, text);
    const ReadAll whole = Read({path});
    ASSERT_TRUE(whole.status.ok()) << whole.status.message();
    ASSERT_GT(whole.edges.size(), 200u);
    for (size_t chunk = 1; chunk < 400; chunk += chunk < 40 ? 1 : 7) {
      ReadOptions options;
      options.chunk_bytes = chunk;
      options.max_line_bytes = 40;
      const ReadAll parts = Read({path}, options, chunk % 2 == 0 ? 1 : 4);
      ASSERT_TRUE(parts.status.ok()) << parts.status.message();
      ASSERT_EQ(parts.edges, whole.edges) << name << " in chunks of " << chunk;
    }
  }
}

TEST(EdgeReader, BadFieldsOfLongLines) {
  TemporaryDirectory directory;
  std::string line = "1";
  for (int i = 0; i < 300; ++i) line += i == 200 ? " x" : " 2";
  const std::string late = directory.Write("late.adj", "5 6\n" + line + "\n7 8\n");
  const std::string first = directory.Write("first.adj", "5 6\nx" + line + "\n7 8\n");
  ReadOptions options;
  options.chunk_bytes = 50;
  options.max_line_bytes = 50;
  const Status status = Read({late}, options).status;
  EXPECT_EQ(status.message().find(StrCat(late, ":2:", 2 + 2 * 200 + 1, ": not a number")), 0u)
      << status.message();
  options.max_bad_lines = 1;
  // Only the part with the bad field is left out. If the first field is bad, the whole line is left
  // out.
  const ReadAll most = Read({late}, options);
  ASSERT_TRUE(most.status.ok()) << most.status.message();
  EXPECT_EQ(most.bad_lines, 1u);
  EXPECT_GT(most.edges.size(), 302u - 50);
  EXPECT_LT(most.edges.size(), 301u);
  const ReadAll others = Read({first}, options);
  ASSERT_TRUE(others.status.ok()) << others.status.message();
  EXPECT_EQ(others.bad_lines, 1u);
  EXPECT_EQ(others.edges.size(), 2u);
}

TEST(EdgeReader, ResumeInsideLongLinesIsAsUninterrupted) {
  TemporaryDirectory directory;
  ReadOptions options;
  options.chunk_bytes = 100;
  options.max_line_bytes = 100;
  for (const auto& [name, text] : LongLines()) {
    const std::string path = directory.Write(name, text);
    const ReadAll whole = Read({path}, options);
    ASSERT_TRUE(whole.status.ok()) << whole.status.message();
    for (uint64_t stop = 1; stop <= whole.num_chunks; ++stop) {
      const ReadAll parts = ReadResumed({path}, options, stop, 2);
      ASSERT_TRUE(parts.status.ok()) << parts.status.message();
      EXPECT_EQ(parts.edges, whole.edges) << "stopped after " << stop;
      EXPECT_EQ(parts.num_chunks, whole.num_chunks);
      EXPECT_EQ(parts.bad_lines, whole.bad_lines);
    }
  }
}

}  // namespace
}  // namespace edgemill
