// Lines of small text inputs: ends, marks of UTF-8, blocks that end within a line, long lines.
#include "loaders/stream/stream_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "test/temporary_directory.h"

namespace edgemill {
namespace {

using NumberedLines = std::vector<std::pair<uint64_t, std::string>>;

StatusOr<NumberedLines> LinesOf(const std::string& text) {
  const TemporaryDirectory directory;
  ASSIGN_OR_RETURN(const auto input, InputStream::Open(directory.Write("lines.txt", text),
                                                       /*trust_suffix=*/false, 27));
  NumberedLines lines;
  RETURN_IF_ERROR(ForEachLine(*input, "give less", [&](uint64_t number, std::string_view line) {
    lines.emplace_back(number, line);
    return OkStatus();
  }));
  return lines;
}

TEST(StreamLinesTest, EndsAndMarks) {
  EXPECT_TRUE(LinesOf("")->empty());
  EXPECT_EQ(*LinesOf("\xef\xbb\xbf x\n\ny"), (NumberedLines{{1, " x"}, {2, ""}, {3, "y"}}));
  EXPECT_EQ(*LinesOf("x\r\n"), (NumberedLines{{1, "x\r"}}));
}

TEST(StreamLinesTest, BlocksEndWithinLines) {
  for (const size_t less : {0, 1, 2}) {
    const std::string first(InputStream::kBlockBytes - less, 'x');
    EXPECT_EQ(*LinesOf(first + "\ny\n"), (NumberedLines{{1, first}, {2, "y"}})) << less;
  }
}

TEST(StreamLinesTest, ALongLineIsNamed) {
  const Status status = LinesOf("x\n" + std::string((size_t{1} << 20) + 1, 'x')).status();
  EXPECT_EQ(status.code(), Code::kBadData);
  EXPECT_TRUE(status.message().ends_with("lines.txt:2: longer than 1 MiB: give less"))
      << status.message();
}

}  // namespace
}  // namespace edgemill
