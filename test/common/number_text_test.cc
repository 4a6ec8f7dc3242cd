// Numbers as programs read them.
#include "common/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "common/random.h"
#include "common/strings.h"

namespace edgemill {
namespace {

TEST(NumberText, IntegersAreDigitsAlone) {
  for (const double value : {1e5, 3e5, 1.6e9, 1e15, 0x1p53, -1e5, -0x1p53, 1e22 / 1e20}) {
    const std::string text = NumberText(value);
    EXPECT_EQ(text.find_first_not_of("-0123456789"), std::string::npos) << text;
    std::istringstream stream(text);
    int64_t integer = 0;
    stream >> integer;
    EXPECT_TRUE(stream.eof()) << text;
    EXPECT_EQ(static_cast<double>(integer), value);
  }
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(-0.0), "-0");
  EXPECT_EQ(NumberText(100000), "100000");
}

TEST(NumberText, OtherNumbersAreShortAndReadBackTheSame) {
  EXPECT_EQ(NumberText(.1), "0.1");
  EXPECT_EQ(NumberText(1e300), "1e+300");
  EXPECT_EQ(NumberText(1e-7), "1e-07");
  EXPECT_EQ(NumberText(1048576.25), "1048576.25");
  EXPECT_EQ(NumberText(std::numeric_limits<double>::infinity()), "inf");
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const double value = std::ldexp(static_cast<double>(random.Below(uint64_t{1} << 53)) - 0x1p52,
                                    static_cast<int>(random.Below(2000)) - 1000);
    double back = 0;
    const std::string text = NumberText(value);
    ASSERT_LE(text.size(), kMaxNumberBytes);
    ASSERT_TRUE(ParseNumber(text, &back)) << text;
    ASSERT_EQ(back, value) << text;
  }
}

}  // namespace
}  // namespace edgemill
