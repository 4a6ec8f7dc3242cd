#include <algorithm>
#include <cmath>
#include <set>

#include "common/page/chart_frame.h"
#include "common/page/markup.h"
#include "common/strings.h"

namespace edgemill {
namespace {

constexpr double kLineFieldHeight = 230;

bool Drawable(const LineChart& chart, const std::pair<double, double>& point) {
  const auto fits = [](const AxisSpec& axis, double value) {
    return std::isfinite(value) && (axis.logarithmic ? value > 0 : value >= 0);
  };
  return fits(chart.x, point.first) && fits(chart.y, point.second);
}

std::string DrawLine(const LineChart& chart, const LineChart::Line& line, const Scale& x,
                     const Scale& y) {
  std::string path;
  std::string dots;
  for (const auto& point : line.points) {
    if (!Drawable(chart, point)) continue;
    const std::string at_x = LengthText(x.At(point.first)), at_y = LengthText(y.At(point.second));
    path += StrCat(path.empty() ? "M" : "L", at_x, " ", at_y);
    dots += StrCat("<circle cx=\"", at_x, "\" cy=\"", at_y, "\" r=\"", line.joined ? "3" : "2.4",
                   "\" class=\"",
                   line.dashed   ? "hollow l"
                   : line.joined ? "dot f"
                                 : "f",
                   line.hue, "\"><title>", EscapeMarkup(line.name), ": ",
                   QuantityText(chart.y.quantity, point.second), " at ",
                   QuantityText(chart.x.quantity, point.first), "</title></circle>\n");
  }
  if (path.empty() || !line.joined) return dots;
  return StrCat("<path d=\"", path, "\" class=\"curve l", line.hue, line.dashed ? " dashed" : "",
                "\"/>\n", dots);
}

}  // namespace

Drawing DrawLines(const LineChart& chart) {
  std::vector<LegendEntry> legend;
  std::vector<double> xs, ys;
  for (const LineChart::Line& line : chart.lines) {
    legend.push_back({line.name, line.hue, line.dashed, line.joined});
    for (const auto& point : line.points) {
      if (!Drawable(chart, point)) continue;
      xs.push_back(point.first);
      ys.push_back(point.second);
    }
  }
  if (legend.size() == 1) legend.clear();
  AxisSpec vertical = chart.y;
  vertical.label = chart.title;
  const std::string title = Scale(vertical, ys, 0, 1).Label();
  ChartFrame frame(title, legend, kLineFieldHeight);
  const Scale x(chart.x, xs, frame.left(), frame.right());
  const Scale y(vertical, ys, frame.bottom(), frame.top());
  frame.DrawY(y);
  frame.DrawX(x);
  for (const LineChart::Line& line : chart.lines) frame.Add(DrawLine(chart, line, x, y));
  return frame.Finish(title);
}

}  // namespace edgemill
