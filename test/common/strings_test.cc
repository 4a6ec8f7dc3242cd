// Text is shown so that people and terminals can read it.
#include "common/strings.h"

#include <gtest/gtest.h>

namespace edgemill {
namespace {

TEST(ShownText, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(ShownText("a\x1b[31mb\tc\nd\x7f"), "a\\x1b[31mb\\tc\\nd\\x7f");
  EXPECT_EQ(ShownText("\xc2\x9b\xc2\xa0\xc3\xa9"), "\\u009b\xc2\xa0\xc3\xa9");
  EXPECT_EQ(ShownText("a\xe4\"b\\"), "a\\xe4\"b\\");
  EXPECT_EQ(QuotedText("a b"), "\"a b\"");
  EXPECT_EQ(QuotedText("a\xe4\"b\\"), "\"a\\xe4\\\"b\\\\\"");
  std::string wide = "x";  // all further characters have two bytes
  for (int i = 0; i < 100; ++i) wide += "\xc3\xa9";
  EXPECT_EQ(ShownText(wide), wide.substr(0, 79) + "...");
}

}  // namespace
}  // namespace edgemill
