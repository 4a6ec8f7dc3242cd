// Plots are complete, self-contained SVG, and every line goes through its points.
#include "bench/record/line_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <vector>

#include "common/strings.h"

namespace edgemill::bench {
namespace {

/// Whether every element is closed by its own end, in order, and there is one root.
testing::AssertionResult WellFormed(const std::string& xml) {
  std::vector<std::string> open;
  int roots = 0;
  for (size_t at = 0; (at = xml.find('<', at)) != std::string::npos;) {
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return testing::AssertionFailure() << "a tag without an end";
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return testing::AssertionFailure() << tag;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) {
      return testing::AssertionFailure() << "odd quotes in " << tag;
    }
    const std::string name =
        tag.substr(tag[0] == '/', tag.find_first_of(" />", 1) - (tag[0] == '/'));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name)
        return testing::AssertionFailure() << "ends " << name;
      open.pop_back();
    } else {
      if (open.empty()) ++roots;
      if (tag.back() != '/') open.push_back(name);
    }
    at = end;
  }
  if (!open.empty()) return testing::AssertionFailure() << open.back() << " is not ended";
  for (size_t at = 0; (at = xml.find('&', at)) != std::string::npos; ++at) {
    const std::string entity = xml.substr(at, xml.find(';', at) - at);
    if (entity != "&lt" && entity != "&gt" && entity != "&amp") {
      return testing::AssertionFailure() << "a bare &";
    }
  }
  return roots == 1 ? testing::AssertionSuccess()
                    : testing::AssertionFailure() << roots << " roots";
}

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++count;
  return count;
}

/// The coordinates of the dots, in order.
std::vector<std::pair<double, double>> Dots(const std::string& svg) {
  std::vector<std::pair<double, double>> dots;
  const auto number = [&](size_t at) {
    double value = -1;
    EXPECT_TRUE(ParseNumber(std::string_view(svg).substr(at, svg.find('"', at) - at), &value));
    return value;
  };
  for (size_t at = 0; (at = svg.find("<circle ", at)) != std::string::npos; ++at) {
    dots.emplace_back(number(svg.find("cx=\"", at) + 4), number(svg.find("cy=\"", at) + 4));
  }
  return dots;
}

TEST(LinePlotTest, DrawsEveryPointOnLogarithmicAxes) {
  const std::string svg = DrawPlot(
      "growth",
      {{"ns", "edges", {{"bfs, engine", "#123456", false, {{1e6, 1}, {1e7, 10}, {1e8, 100}}}}}});
  EXPECT_TRUE(WellFormed(svg));
  const auto dots = Dots(svg);
  ASSERT_EQ(dots.size(), 3u);
  // A factor of ten is the same distance anywhere on an axis, and larger values are higher.
  EXPECT_NEAR(dots[1].first - dots[0].first, dots[2].first - dots[1].first, 0.2);
  EXPECT_NEAR(dots[1].second - dots[0].second, dots[2].second - dots[1].second, 0.2);
  EXPECT_GT(dots[1].first, dots[0].first + 50);
  EXPECT_LT(dots[1].second, dots[0].second - 50);
  for (const char* text :
       {">growth<", ">ns<", ">edges<", ">bfs, engine<", ">10M<", "1M", "#123456"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  for (const char* outside : {"href", "url(", "<script", "@import", "<image"}) {
    EXPECT_EQ(svg.find(outside), std::string::npos) << outside;
  }
}

TEST(LinePlotTest, ALineIsInTheLegendOnceAndDashedWhereAsked) {
  const PlotPanel panel{"ns", "edges", {{"a", "#111111", true, {{1, 1}, {2, 2}}}}};
  const std::string svg = DrawPlot("t", {panel, panel, panel});
  EXPECT_TRUE(WellFormed(svg));
  EXPECT_EQ(Count(svg, ">a</text>"), 1u);
  EXPECT_EQ(Count(svg, "stroke-dasharray"), 4u);  // three panels and the legend
}

TEST(LinePlotTest, OddPointsAndNamesDoNotBreakIt) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string svg = DrawPlot(
      "a < b & c > d",
      {{"<y>",
        "&",
        {{"x<y", "red", false, {{1, 0}, {-1, 2}, {3, infinity}}}, {"one", "red", false, {{5, 5}}}}},
       {"none", "none", {}}});
  EXPECT_TRUE(WellFormed(svg)) << svg;
  EXPECT_EQ(Dots(svg).size(), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_TRUE(WellFormed(DrawPlot("nothing", {})));
}

}  // namespace
}  // namespace edgemill::bench
