#include <algorithm>

#include "common/page/chart_frame.h"
#include "common/page/markup.h"
#include "common/strings.h"

namespace edgemill {
namespace {

constexpr double kBarFieldHeight = 130;
constexpr double kMostBarWidth = 40;

double Sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// Where a bar lies across: its slot, less a gap where there is room for one.
std::pair<double, double> Across(const BarChart::Bar& bar, const Scale& x) {
  const double slot = x.At(bar.begin), slot_end = x.At(bar.end), width = slot_end - slot;
  double inner = width > 4 ? width * 0.86 : width;
  // Few bars are not drawn as walls.
  inner = std::min(inner, std::max(kMostBarWidth, kMostBarWidth * (bar.end - bar.begin)));
  return {slot + (width - inner) / 2, slot + (width + inner) / 2};
}

std::string TipText(const BarChart& chart, const BarChart::Bar& bar) {
  std::string text = bar.name;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    text += StrCat(i == 0 ? ": " : ", ", chart.series[i].name, " ",
                   QuantityText(chart.quantity, bar.values[i]));
  }
  return text;
}

}  // namespace

Drawing DrawBars(const BarChart& chart) {
  std::vector<LegendEntry> legend;
  if (chart.series.size() > 1) {
    for (const ChartSeries& series : chart.series) legend.push_back({series.name, series.hue});
  }
  std::vector<double> heights, ends;
  for (const BarChart::Bar& bar : chart.bars) {
    heights.push_back(Sum(bar.values));
    ends.push_back(bar.end);
  }
  AxisSpec vertical{.label = chart.title, .quantity = chart.quantity};
  const std::string title = Scale(vertical, heights, 0, 1).Label();
  ChartFrame frame(title, legend, kBarFieldHeight);
  const Scale x(chart.x, ends, frame.left(), frame.right());
  const Scale y(vertical, heights, frame.bottom(), frame.top());
  frame.DrawY(y);
  std::vector<double> below(chart.bars.size(), 0);
  for (size_t i = 0; i < chart.series.size(); ++i) {
    std::string path;
    for (size_t b = 0; b < chart.bars.size(); ++b) {
      const BarChart::Bar& bar = chart.bars[b];
      const double low = y.At(below[b]), high = y.At(below[b] += bar.values[i]);
      if (low - high < 0.005) continue;
      const auto [left, right] = Across(bar, x);
      path += StrCat("M", FormatFixed(left, 2), " ", FormatFixed(low, 2), "V", FormatFixed(high, 2),
                     "H", FormatFixed(right, 2), "V", FormatFixed(low, 2), "Z");
    }
    if (!path.empty()) {
      frame.Add(StrCat("<path class=\"f", chart.series[i].hue, "\" d=\"", path, "\"/>\n"));
    }
  }
  for (const BarChart::Bar& bar : chart.bars) {
    const double left = x.At(bar.begin);
    frame.Add(SvgTip(left, frame.top(), x.At(bar.end) - left, frame.bottom() - frame.top(),
                     TipText(chart, bar)));
  }
  const bool single = std::all_of(chart.bars.begin(), chart.bars.end(),
                                  [](const auto& bar) { return bar.end - bar.begin == 1; });
  frame.DrawX(x, single ? (x.At(1) - x.At(0)) / 2 : 0);
  return frame.Finish(title);
}

}  // namespace edgemill
