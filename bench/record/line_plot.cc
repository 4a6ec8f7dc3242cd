#include "bench/record/line_plot.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "common/strings.h"

namespace edgemill::bench {
namespace {

// Lengths in the SVG's units.
constexpr double kPanelWidth = 380, kPanelHeight = 300;
constexpr double kLeft = 52, kRight = 14;  // of a panel, around its axes
constexpr double kTop = 72, kBottom = 46;  // of the drawing, around the panels' axes
constexpr double kLegendRow = 20, kLegendColumn = 185;
constexpr std::string_view kInk = "#333", kFaint = "#e4e4e4";

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return escaped;
}

std::string Number(double value) { return FormatFixed(value, 1); }

/// "0.5", "20", "5k", "1G".
std::string Short(double value) {
  constexpr std::pair<double, std::string_view> kUnits[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [unit, letter] : kUnits) {
    if (value >= unit * 0.999) return StrCat(std::round(value / unit * 100) / 100, letter);
  }
  return value >= 1 ? StrCat(std::round(value * 100) / 100) : StrCat(value);
}

/// A logarithmic axis, which maps values to places.
class Axis {
 public:
  /// An axis from `begin` to `end` that shows `values`, which are above 0.
  Axis(const std::vector<double>& values, double begin, double end) : begin_(begin), end_(end) {
    if (!values.empty()) {
      low_ = *std::min_element(values.begin(), values.end()) / 1.15;
      high_ = *std::max_element(values.begin(), values.end()) * 1.15;
    }
  }
  double At(double value) const {
    return begin_ + (end_ - begin_) * std::log(value / low_) / std::log(high_ / low_);
  }
  /// Round values on the axis: powers of ten, or 1, 2 and 5 times each where powers would be few.
  std::vector<double> Ticks() const {
    const bool few = std::log10(high_ / low_) < 3.5;
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(std::log10(low_)));; ++power) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double value = digit * std::pow(10.0, power);
        if (value > high_) return ticks;
        if (value >= low_ && (few || digit == 1)) ticks.push_back(value);
      }
    }
  }

 private:
  double begin_, end_;
  double low_ = 1, high_ = 10;
};

std::string Text(double x, double y, std::string_view anchor, std::string_view text,
                 std::string_view extra = "") {
  return StrCat("<text x=\"", Number(x), "\" y=\"", Number(y), "\" text-anchor=\"", anchor, "\" ",
                extra, ">", Escape(text), "</text>\n");
}

std::string Rule(double x1, double y1, double x2, double y2, std::string_view color) {
  return StrCat("<line x1=\"", Number(x1), "\" y1=\"", Number(y1), "\" x2=\"", Number(x2),
                "\" y2=\"", Number(y2), "\" stroke=\"", color, "\"/>\n");
}

bool Drawable(const std::pair<double, double>& point) {
  return point.first > 0 && point.second > 0 && std::isfinite(point.first) &&
         std::isfinite(point.second);
}

std::string DrawLine(const PlotLine& line, const Axis& x, const Axis& y) {
  std::string path;
  std::string dots;
  for (const auto& point : line.points) {
    if (!Drawable(point)) continue;
    const std::string at_x = Number(x.At(point.first)), at_y = Number(y.At(point.second));
    path += StrCat(path.empty() ? "M" : " L", at_x, " ", at_y);
    dots += StrCat("<circle cx=\"", at_x, "\" cy=\"", at_y, "\" r=\"2.6\" fill=\"",
                   line.dashed ? "#fff" : line.color, "\" stroke=\"", line.color, "\"><title>",
                   Escape(line.name), ": ", Short(point.second), " at ", Short(point.first),
                   "</title></circle>\n");
  }
  if (path.empty()) return "";
  return StrCat("<path d=\"", path, "\" fill=\"none\" stroke=\"", line.color,
                "\" stroke-width=\"1.6\"", line.dashed ? " stroke-dasharray=\"5 3\"" : "", "/>\n",
                dots);
}

std::string DrawPanel(const PlotPanel& panel, double left) {
  std::vector<double> xs, ys;
  for (const PlotLine& line : panel.lines) {
    for (const auto& point : line.points) {
      if (!Drawable(point)) continue;
      xs.push_back(point.first);
      ys.push_back(point.second);
    }
  }
  const double x0 = left + kLeft, x1 = left + kPanelWidth - kRight;
  const double y0 = kTop, y1 = kTop + kPanelHeight;
  const Axis x(xs, x0, x1), y(ys, y1, y0);
  std::string svg = Text(x0, kTop - 12, "start", panel.title, "font-weight=\"600\"");
  for (const double tick : x.Ticks()) {
    svg += Rule(x.At(tick), y0, x.At(tick), y1, kFaint);
    svg += Text(x.At(tick), y1 + 16, "middle", Short(tick));
  }
  for (const double tick : y.Ticks()) {
    svg += Rule(x0, y.At(tick), x1, y.At(tick), kFaint);
    svg += Text(x0 - 6, y.At(tick) + 4, "end", Short(tick));
  }
  svg += Rule(x0, y1, x1, y1, kInk) + Rule(x0, y0, x0, y1, kInk);
  svg += Text((x0 + x1) / 2, y1 + 34, "middle", panel.x_label);
  for (const PlotLine& line : panel.lines) svg += DrawLine(line, x, y);
  return svg;
}

/// The lines with different names.
std::vector<const PlotLine*> LegendLines(const std::vector<PlotPanel>& panels) {
  std::set<std::string> seen;
  std::vector<const PlotLine*> lines;
  for (const PlotPanel& panel : panels) {
    for (const PlotLine& line : panel.lines) {
      if (seen.insert(line.name).second) lines.push_back(&line);
    }
  }
  return lines;
}

/// Draws the names of the lines in rows of equal length.
std::string DrawLegend(const std::vector<PlotPanel>& panels, double width, double* height) {
  const std::vector<const PlotLine*> lines = LegendLines(panels);
  const size_t fitting = static_cast<size_t>(std::max(1.0, (width - kLeft) / kLegendColumn));
  const size_t rows = (lines.size() + fitting - 1) / fitting;
  const size_t columns = rows == 0 ? 1 : (lines.size() + rows - 1) / rows;
  const double top = kTop + kPanelHeight + kBottom;
  std::string svg;
  for (size_t i = 0; i < lines.size(); ++i) {
    const double x = kLeft + static_cast<double>(i % columns) * kLegendColumn;
    const double y = top + static_cast<double>(i / columns) * kLegendRow + 10;
    svg += StrCat("<path d=\"M", Number(x), " ", Number(y), " h26\" stroke=\"", lines[i]->color,
                  "\" stroke-width=\"2\"", lines[i]->dashed ? " stroke-dasharray=\"5 3\"" : "",
                  "/>\n");
    svg += Text(x + 32, y + 4, "start", lines[i]->name);
  }
  *height = top + static_cast<double>(rows) * kLegendRow + 8;
  return svg;
}

}  // namespace

std::string DrawPlot(std::string_view title, const std::vector<PlotPanel>& panels) {
  const double width = kPanelWidth * static_cast<double>(std::max<size_t>(1, panels.size()));
  double height = 0;
  const std::string legend = DrawLegend(panels, width, &height);
  std::string svg = StrCat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", Number(width), " ",
      Number(height), "\" width=\"", Number(width), "\" height=\"", Number(height),
      "\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"", kInk, "\">\n<title>",
      Escape(title), "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
  svg += Text(kLeft, 26, "start", title, "font-size=\"15\"");
  for (size_t i = 0; i < panels.size(); ++i) {
    svg += DrawPanel(panels[i], kPanelWidth * static_cast<double>(i));
  }
  return svg + legend + "</svg>\n";
}

}  // namespace edgemill::bench
