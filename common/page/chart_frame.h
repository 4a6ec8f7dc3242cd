// The parts that all charts have: title, legend, axes, elements of SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/page/chart.h"

namespace edgemill {

/// One name in a legend.
struct LegendEntry {
  std::string name;
  int hue = 0;
  bool dashed = false;
  bool line = false;  // shown as a line, else as a square
};

/// A chart that is being drawn: title and legend at the top, then a field with axes. Lengths are in
/// the units of the drawing, in which text is 12 high.
class ChartFrame {
 public:
  static constexpr double kWidth = 460;
  static constexpr double kLeft = 52, kRight = 14;

  /// Draws title and legend. The field below is `height` high.
  ChartFrame(std::string_view title, const std::vector<LegendEntry>& legend, double height,
             double width = kWidth);

  double left() const { return kLeft; }
  double right() const { return width_ - kRight; }
  double top() const { return top_; }
  double bottom() const { return top_ + height_; }
  /// Draws marks and lines of an axis that lies below the field, and its label. Marks are `shift`
  /// to the right of their values: half a bar where bars stand for whole numbers.
  void DrawX(const Scale& scale, double shift = 0);
  /// The same of an axis at the left of the field. Has no label: it is the chart's title.
  void DrawY(const Scale& scale);
  void Add(std::string_view element) { body_ += element; }
  /// The drawing; `title` is told to screen readers.
  Drawing Finish(std::string_view title);

 private:
  const double height_, width_;
  double top_ = 0;
  double below_ = 8;  // what is drawn below the field
  std::string body_;
};

/// A text at (x, y). `anchor` is "start", "middle" or "end", `kind` a class of ChartStyle.
std::string SvgText(double x, double y, std::string_view anchor, std::string_view kind,
                    std::string_view text);
std::string SvgLine(double x1, double y1, double x2, double y2, std::string_view kind);
/// A rectangle that shows `tip` as its tooltip.
std::string SvgTip(double x, double y, double width, double height, std::string_view tip);
/// About how wide a text is.
double TextWidth(std::string_view text);

}  // namespace edgemill
