// Plots of lines on logarithmic axes, as a self-contained SVG.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgemill::bench {

/// Points joined in order. Those that are not above 0 are left out.
struct PlotLine {
  std::string name;   // in the legend, which shows each name once
  std::string color;  // "#0072b2"
  bool dashed = false;
  std::vector<std::pair<double, double>> points;
};

/// One pair of axes, both logarithmic.
struct PlotPanel {
  std::string title;    // the quantity on the vertical axis, with its unit
  std::string x_label;  // the quantity on the horizontal axis
  std::vector<PlotLine> lines;
};

/// Draws the panels side by side under `title`, with one legend. Returns the text of an SVG file,
/// which refers to no other file. Tooltips show the values of points. Pure.
std::string DrawPlot(std::string_view title, const std::vector<PlotPanel>& panels);

}  // namespace edgemill::bench
