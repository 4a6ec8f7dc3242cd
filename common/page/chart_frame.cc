#include "common/page/chart_frame.h"

#include <algorithm>

#include "common/page/markup.h"
#include "common/strings.h"

namespace edgemill {
namespace {

constexpr double kTitleLine = 22, kLegendLine = 18;
/// A title is so much wider than a label of the same text.
constexpr double kTitleWidth = 1.3;

/// `text` in lines that are at most `width` wide, broken at blanks.
std::vector<std::string_view> Lines(std::string_view text, double width) {
  std::vector<std::string_view> lines;
  while (TextWidth(text) > width) {
    size_t blank = text.rfind(' ');
    while (blank != std::string_view::npos && TextWidth(text.substr(0, blank)) > width) {
      blank = blank == 0 ? std::string_view::npos : text.rfind(' ', blank - 1);
    }
    if (blank == std::string_view::npos || blank == 0) break;
    lines.push_back(text.substr(0, blank));
    text.remove_prefix(blank + 1);
  }
  lines.push_back(text);
  return lines;
}

}  // namespace

double TextWidth(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) == 0x80) continue;  // inside a character
    width += c == ' ' || c == ',' || c == '.' || c == 'i' || c == 'l' ? 3.9 : 6.9;
  }
  return width;
}

std::string SvgText(double x, double y, std::string_view anchor, std::string_view kind,
                    std::string_view text) {
  return StrCat("<text x=\"", LengthText(x), "\" y=\"", LengthText(y), "\" text-anchor=\"", anchor,
                "\" class=\"", kind, "\">", EscapeMarkup(text), "</text>\n");
}

std::string SvgLine(double x1, double y1, double x2, double y2, std::string_view kind) {
  return StrCat("<path d=\"M", LengthText(x1), " ", LengthText(y1), "L", LengthText(x2), " ",
                LengthText(y2), "\" class=\"", kind, "\"/>\n");
}

std::string SvgTip(double x, double y, double width, double height, std::string_view tip) {
  return StrCat("<rect class=\"tip\" x=\"", LengthText(x), "\" y=\"", LengthText(y), "\" width=\"",
                FormatFixed(width, 2), "\" height=\"", LengthText(height), "\"><title>",
                EscapeMarkup(tip), "</title></rect>\n");
}

ChartFrame::ChartFrame(std::string_view title, const std::vector<LegendEntry>& legend,
                       double height, double width)
    : height_(height), width_(width) {
  double y = 0;
  for (const std::string_view line : Lines(title, (width_ - 8) / kTitleWidth)) {
    y += kTitleLine - 4;
    body_ += SvgText(4, y, "start", "title", line);
  }
  double x = 4;
  if (!legend.empty()) y += kLegendLine;
  for (const LegendEntry& entry : legend) {
    const double entry_width = 38 + TextWidth(entry.name);
    if (x > 4 && x + entry_width > width_) {
      x = 4;
      y += kLegendLine;
    }
    if (entry.line) {
      body_ += StrCat("<path d=\"M", LengthText(x), " ", LengthText(y - 4), "h18\" class=\"curve l",
                      entry.hue, entry.dashed ? " dashed" : "", "\"/>\n");
    } else {
      body_ += StrCat("<rect x=\"", LengthText(x + 4), "\" y=\"", LengthText(y - 9),
                      "\" width=\"10\" height=\"10\" class=\"f", entry.hue, "\"/>\n");
    }
    body_ += SvgText(x + 22, y, "start", "soft", entry.name);
    x += entry_width;
  }
  top_ = y + 14;
}

void ChartFrame::DrawX(const Scale& scale, double shift) {
  double reached = 0;
  for (const Scale::Tick& tick : scale.Ticks(8)) {
    const double at = tick.at + shift;
    if (at > right() + 0.5) continue;
    body_ += SvgLine(at, bottom(), at, bottom() + 4, "axis");
    const double half = TextWidth(tick.text) / 2;
    const double middle = std::min(at, width_ - half - 1);
    if (middle - half < reached) continue;
    reached = middle + half + 8;
    body_ += SvgText(middle, bottom() + 17, "middle", "soft", tick.text);
  }
  body_ += SvgLine(scale.begin(), bottom(), right(), bottom(), "axis");
  below_ = 26;
  const std::string label = scale.Label();
  for (const std::string_view line : Lines(label, right() - left())) {
    below_ += 14;
    body_ += SvgText((left() + right()) / 2, bottom() + below_ - 5, "middle", "soft", line);
  }
}

void ChartFrame::DrawY(const Scale& scale) {
  for (const Scale::Tick& tick : scale.Ticks(6)) {
    body_ += SvgLine(left(), tick.at, right(), tick.at, "grid");
    body_ += SvgText(left() - 6, tick.at + 4, "end", "soft", tick.text);
  }
}

Drawing ChartFrame::Finish(std::string_view title) {
  return {std::string(title), width_, bottom() + below_, std::move(body_)};
}

}  // namespace edgemill
