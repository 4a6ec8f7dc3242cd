// Charts of rows: ranges and spans.
#include <algorithm>

#include "common/page/chart_frame.h"
#include "common/page/markup.h"
#include "common/strings.h"

namespace edgemill {
namespace {

constexpr double kRangeRow = 36;
constexpr double kSpanRow = 16, kSpanWidth = 960;
constexpr size_t kMostName = 48;

/// A long name without its middle.
std::string Shortened(const std::string& name) {
  if (name.size() <= kMostName) return name;
  return StrCat(name.substr(0, kMostName / 2), "...", name.substr(name.size() - kMostName / 2));
}

}  // namespace

Drawing DrawRanges(const RangeChart& chart) {
  std::vector<double> values;
  for (const RangeChart::Row& row : chart.rows) {
    values.push_back(row.low);
    values.push_back(row.high);
  }
  if (chart.reference > 0) values.push_back(chart.reference);
  ChartFrame frame(chart.title, {}, kRangeRow * static_cast<double>(chart.rows.size()));
  const Scale x(chart.x, values, 12, frame.right());
  if (chart.reference > 0) {
    frame.Add(SvgLine(x.At(chart.reference), frame.top(), x.At(chart.reference), frame.bottom(),
                      "reference"));
  }
  double y = frame.top();
  for (const RangeChart::Row& row : chart.rows) {
    const double low = x.At(row.low), high = x.At(row.high), track = y + 26;
    frame.Add(SvgText(4, y + 14, "start", "ink", Shortened(row.name)));
    frame.Add(SvgText(frame.right(), y + 14, "end", "soft", row.text));
    frame.Add(SvgLine(12, track, frame.right(), track, "grid"));
    frame.Add(StrCat("<path d=\"M", LengthText(low), " ", LengthText(track), "H",
                     LengthText(std::max(high, low + 0.5)), "\" class=\"range l", row.hue,
                     "\"/>\n<circle cx=\"", LengthText(x.At(row.middle)), "\" cy=\"",
                     LengthText(track), "\" r=\"4.5\" class=\"dot f", row.hue, "\"/>\n"));
    frame.Add(SvgTip(0, y, ChartFrame::kWidth, kRangeRow, StrCat(row.name, ": ", row.text)));
    y += kRangeRow;
  }
  frame.DrawX(x);
  return frame.Finish(chart.title);
}

Drawing DrawSpans(const SpanChart& chart) {
  std::vector<double> ends;
  double left_edge = ChartFrame::kLeft;
  for (const SpanChart::Row& row : chart.rows) {
    left_edge = std::max(left_edge, TextWidth(row.name) + 14);
    for (const auto& span : row.spans) ends.push_back(span.second);
  }
  ChartFrame frame(chart.title, {}, kSpanRow * static_cast<double>(chart.rows.size()), kSpanWidth);
  const Scale x({.label = "time since the run's set-up", .quantity = Quantity::kSeconds}, ends,
                left_edge, frame.right());
  double y = frame.top();
  for (const SpanChart::Row& row : chart.rows) {
    frame.Add(SvgText(left_edge - 6, y + kSpanRow / 2 + 4, "end", "soft", row.name));
    std::string path;
    for (const auto& [begin, end] : row.spans) {
      const double left = x.At(begin), right = std::max(x.At(end), left + 0.2);
      path += StrCat("M", FormatFixed(left, 2), " ", LengthText(y + 2), "V",
                     LengthText(y + kSpanRow - 2), "H", FormatFixed(right, 2), "V",
                     LengthText(y + 2), "Z");
    }
    frame.Add(StrCat("<path class=\"f", row.hue, "\" d=\"", path, "\"/>\n"));
    y += kSpanRow;
  }
  frame.DrawX(x);
  return frame.Finish(chart.title);
}

}  // namespace edgemill
