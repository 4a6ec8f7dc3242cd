// Charts as SVG: bars, lines, ranges and spans of time, with axes, ticks and units.
//
// A chart is a Drawing. A page takes drawings inline (html_page.h), and SvgFile makes a picture of
// them. Neither refers to another file. Tooltips tell the values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/page/scale.h"

namespace edgemill {

/// A finished chart: the inside of an <svg> element, its size, and what it shows.
struct Drawing {
  std::string title;
  double width = 0;
  double height = 0;
  std::string body;
};

/// A name in a legend, and its hue (markup.h).
struct ChartSeries {
  std::string name;
  int hue = 0;
};

/// Bars over parts of a horizontal axis. A bar stacks one value for each series.
struct BarChart {
  struct Bar {
    double begin = 0, end = 0;  // on the horizontal axis
    std::string name;           // in its tooltip
    std::vector<double> values;
  };
  std::string title;  // what the vertical axis shows, without the unit
  Quantity quantity = Quantity::kPlain;
  AxisSpec x;
  std::vector<ChartSeries> series;
  std::vector<Bar> bars;
};
Drawing DrawBars(const BarChart& chart);

/// Points joined in order, or dots alone. Points that an axis cannot show are left out.
struct LineChart {
  struct Line {
    std::string name;
    int hue = 0;
    bool dashed = false;
    bool joined = true;
    std::vector<std::pair<double, double>> points;
  };
  std::string title;  // as of BarChart
  AxisSpec x, y;      // the label of `y` is not drawn
  std::vector<Line> lines;
};
Drawing DrawLines(const LineChart& chart);

/// Rows with a name, a range and a point in it: trials and their median, for example.
struct RangeChart {
  struct Row {
    std::string name;
    int hue = 0;
    double low = 0, middle = 0, high = 0;
    std::string text;  // the figures, at the row's right end
  };
  std::string title;
  AxisSpec x;
  double reference = 0;  // a value that all rows are seen against; 0: none
  std::vector<Row> rows;
};
Drawing DrawRanges(const RangeChart& chart);

/// When each worker was busy: rows of spans over an axis of seconds.
struct SpanChart {
  struct Row {
    std::string name;
    int hue = 0;
    std::vector<std::pair<double, double>> spans;
  };
  std::string title;
  std::vector<Row> rows;
};
Drawing DrawSpans(const SpanChart& chart);

/// The drawing as an element of an HTML page whose style has ChartStyle.
std::string InlineSvg(const Drawing& drawing);
/// A picture: drawings side by side under a title, and notes below. A complete SVG file.
std::string SvgFile(std::string_view title, const std::vector<Drawing>& drawings,
                    const std::vector<std::string>& notes);
/// CSS for drawings; needs ColorStyle.
std::string_view ChartStyle();

}  // namespace edgemill
