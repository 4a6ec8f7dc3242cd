// Charts are complete, self-contained SVG with axes and units, and show every value that they get.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <vector>

#include "common/page/chart.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "common/page/text_table.h"
#include "common/strings.h"

namespace edgemill {
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
    if (entity != "&lt" && entity != "&gt" && entity != "&amp" && entity != "&quot") {
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

LineChart Growth() {
  return {.title = "ns",
          .x = {.label = "edges", .quantity = Quantity::kCount, .logarithmic = true},
          .y = {.logarithmic = true},
          .lines = {{.name = "bfs, engine", .hue = 3, .points = {{1e6, 1}, {1e7, 10}, {1e8, 100}}},
                    {.name = "bfs, plain", .hue = 3, .dashed = true, .points = {{1e6, 2}}}}};
}

TEST(Charts, LinesGoThroughEveryPointOnLogarithmicAxes) {
  const std::string svg = SvgFile("growth", {DrawLines(Growth())}, {"commit: 1234"});
  EXPECT_TRUE(WellFormed(svg));
  const auto dots = Dots(svg);
  ASSERT_EQ(dots.size(), 4u);
  // A factor of ten is the same distance anywhere on an axis, and larger values are higher.
  EXPECT_NEAR(dots[1].first - dots[0].first, dots[2].first - dots[1].first, 0.2);
  EXPECT_NEAR(dots[1].second - dots[0].second, dots[2].second - dots[1].second, 0.2);
  EXPECT_GT(dots[1].first, dots[0].first + 50);
  EXPECT_LT(dots[1].second, dots[0].second - 50);
  for (const char* text : {">growth<", ">ns<", ">edges<", ">bfs, engine<", ">10M<", ">1M<", " l3",
                           ">commit: 1234<", "prefers-color-scheme:dark"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  for (const char* outside : {"href", "url(", "<script", "@import", "<image"}) {
    EXPECT_EQ(svg.find(outside), std::string::npos) << outside;
  }
  // The line, and its place in the legend.
  EXPECT_EQ(Count(svg, " dashed\""), 2u);
}

TEST(Charts, AxesHaveTicksInTheUnitOfTheirValues) {
  const auto bars = [](Quantity quantity, double most) {
    return InlineSvg(DrawBars({.title = "what",
                               .quantity = quantity,
                               .x = {.label = "iteration", .quantity = Quantity::kCount},
                               .series = {{"one", 0}},
                               .bars = {{0, 1, "iteration 0", {most}}}}));
  };
  const std::string time = bars(Quantity::kSeconds, 0.025);
  for (const char* text : {">what, ms<", ">10<", ">20<", ">iteration<", "one 25 ms"}) {
    EXPECT_NE(time.find(text), std::string::npos) << text << " in " << time;
  }
  const std::string bytes = bars(Quantity::kBytes, 3 << 20);
  for (const char* text : {">what, MiB<", ">1<", ">3<", "one 3.00 MiB"}) {
    EXPECT_NE(bytes.find(text), std::string::npos) << text << " in " << bytes;
  }
  const std::string count = bars(Quantity::kCount, 4e5);
  for (const char* text : {">what, thousands<", ">400<", "one 400,000"}) {
    EXPECT_NE(count.find(text), std::string::npos) << text << " in " << count;
  }
  EXPECT_NE(bars(Quantity::kCount, 0).find(">what<"), std::string::npos);
}

TEST(Charts, BarsStackTheirValues) {
  const std::string svg =
      InlineSvg(DrawBars({.title = "blocks",
                          .x = {.label = "iteration"},
                          .series = {{"disk", 1}, {"cache", 2}},
                          .bars = {{0, 1, "0", {30, 10}}, {1, 3, "1-2", {0, 40}}}}));
  EXPECT_TRUE(WellFormed(svg));
  // The second series begins where the first ends; empty bars are not drawn.
  const size_t first = svg.find("class=\"f1\" d=\"M"), second = svg.find("class=\"f2\" d=\"M");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_EQ(Count(svg.substr(first, svg.find("/>", first) - first), "Z"), 1u);
  EXPECT_EQ(Count(svg.substr(second, svg.find("/>", second) - second), "Z"), 2u);
  const auto upper = [&](size_t at) {
    const size_t v = svg.find('V', at);
    return svg.substr(v + 1, svg.find('H', v) - v - 1);
  };
  EXPECT_NE(svg.find(" " + upper(first) + "V", second), std::string::npos);
  EXPECT_NE(svg.find("<title>0: disk 30, cache 10</title>"), std::string::npos);
}

TEST(Charts, RangesHaveTheirPointInside) {
  const std::string svg = InlineSvg(
      DrawRanges({.title = "ratio",
                  .x = {.label = "ratio", .logarithmic = true},
                  .reference = 1,
                  .rows = {{.name = "a", .low = 0.5, .middle = 1, .high = 2, .text = "1.0"}}}));
  EXPECT_TRUE(WellFormed(svg));
  const auto dots = Dots(svg);
  ASSERT_EQ(dots.size(), 1u);
  const std::string x = LengthText(dots[0].first);
  EXPECT_NE(svg.find("M" + x + " "), std::string::npos) << "the reference is at 1, too";
  EXPECT_EQ(Count(svg, "class=\"reference\""), 1u);
}

TEST(Charts, SpansLieOnAnAxisOfTime) {
  const std::string svg = InlineSvg(DrawSpans(
      {.title = "who", .rows = {{"disk 0", 1, {{0, 0.5}, {1, 2}}}, {"copy 0", 0, {{0.5, 1}}}}}));
  EXPECT_TRUE(WellFormed(svg));
  for (const char* text : {">disk 0<", ">copy 0<", "set-up, s<", ">2<"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

TEST(Charts, OddPointsAndNamesDoNotBreakThem) {
  const double infinity = std::numeric_limits<double>::infinity();
  const LineChart odd{.title = "a < b & \x01",
                      .x = {.label = "<x>", .logarithmic = true},
                      .y = {.logarithmic = true},
                      .lines = {{.name = "x<\"y", .points = {{1, 0}, {-1, 2}, {3, infinity}}},
                                {.name = "one \xff", .points = {{5, 5}}}}};
  const std::string svg =
      SvgFile("a < b & c > d", {DrawLines(odd), DrawLines({}), DrawBars({})}, {});
  EXPECT_TRUE(WellFormed(svg)) << svg;
  EXPECT_EQ(Dots(svg).size(), 1u);
  for (const char* wrong : {"nan", "inf", "\x01", "\xff"}) {
    EXPECT_EQ(svg.find(wrong), std::string::npos) << wrong;
  }
  EXPECT_TRUE(WellFormed(SvgFile("nothing", {}, {})));
}

TEST(Charts, FlatAndTinyValuesHaveAxes) {
  for (const double value : {1e-12, 1.0, 1e15}) {
    for (const bool logarithmic : {false, true}) {
      const std::string svg = InlineSvg(DrawLines(
          {.title = "t",
           .x = {.label = "x", .quantity = Quantity::kSeconds, .logarithmic = logarithmic},
           .y = {.quantity = Quantity::kSeconds, .logarithmic = logarithmic},
           .lines = {{.name = "a", .points = {{value, value}, {value, value}}}}}));
      EXPECT_TRUE(WellFormed(svg));
      EXPECT_EQ(Dots(svg).size(), 2u);
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_LT(svg.size(), 20'000u);
    }
  }
}

TEST(TextTables, AreTextMarkdownAndHtml) {
  TextTable table({"name", "n"}, 1);
  table.Add({"a|b", "1"});
  table.Add({"<c>", "1,000"});
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.Text(), "name      n\na|b       1\n<c>   1,000\n");
  EXPECT_EQ(table.Markdown(), "| name | n |\n| --- | ---: |\n| a\\|b | 1 |\n| \\<c\\> | 1,000 |\n");
  EXPECT_TRUE(WellFormed(table.Html()));
  EXPECT_NE(table.Html().find("<td class=\"l\">&lt;c&gt;</td><td>1,000</td>"), std::string::npos);
}

TEST(HtmlPages, HaveWhatTheyWereGiven) {
  HtmlPage page("a <title>", "The disk bound it.", {{"command", "edgemill run"}});
  page.Section("Shares");
  page.Shares({{.name = "time", .parts = {{"disk", 1, 1, "25 %"}, {"cpu", 2, 3, "75 %"}}},
               {.name = "memory", .parts = {{"used", 0, 5, "5 B"}}, .whole = 4, .text = "5 of 4"}});
  page.AddFacts({{"edges", "7"}});
  const std::string html = page.Text();
  for (const char* text :
       {"<title>a &lt;title&gt;</title>", "<p class=\"lead\">The disk bound it.</p>",
        "name=\"viewport\"", "width:25.00%", "width:75.00%", "width:100.00%", "5 of 4",
        "<dt>edges</dt><dd>7</dd>", "command <span>edgemill run</span>", "@media print",
        "prefers-color-scheme:dark"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
  for (const char* outside : {"href", "src=", "url(", "<script", "@import", "http"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

}  // namespace
}  // namespace edgemill
