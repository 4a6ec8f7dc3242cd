// Plots of lines on logarithmic axes, as a self-contained SVG.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgemill::bench {

/// Points joined in order. Those that are not above 0 are left out.
struct PlotLine {
  std::string name;   // in the legend, once however many panels have it
  std::string color;  // "#0072b2"
  bool dashed = false;
  std::vector<std::pair<double, double>> points;
};

/// One pair of axes, both logarithmic.
struct PlotPanel {
  std::string title;    // what the vertical axis is, with its unit
  std::string x_label;  // what the horizontal one is
  std::vector<PlotLine> lines;
};

/// Draws the panels side by side under `title`, with one legend. The text is a whole SVG file that
/// refers to nothing outside; points carry their values as tooltips. Pure.
std::string DrawPlot(std::string_view title, const std::vector<PlotPanel>& panels);

}  // namespace edgemill::bench
