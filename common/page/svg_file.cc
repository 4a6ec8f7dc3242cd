#include <algorithm>

#include "common/page/chart_frame.h"
#include "common/page/markup.h"
#include "common/strings.h"

namespace edgemill {
namespace {

constexpr double kMargin = 20, kTitle = 40, kNote = 17;
constexpr double kTitleSize = 17;
constexpr size_t kMostColumns = 3;

/// The <svg> element of a drawing, with `attributes` for its place.
std::string Element(const Drawing& drawing, std::string_view attributes) {
  return StrCat("<svg class=\"chart\" viewBox=\"0 0 ", LengthText(drawing.width), " ",
                LengthText(drawing.height), "\" role=\"img\" aria-label=\"",
                EscapeMarkup(drawing.title), "\"", attributes, ">\n", drawing.body, "</svg>\n");
}

}  // namespace

std::string_view ChartStyle() {
  return ".chart{font:12px system-ui,sans-serif;fill:var(--ink)}"
         ".chart .title{font-size:14px;font-weight:600}.chart .soft{fill:var(--soft)}"
         ".chart .axis{stroke:var(--soft);fill:none}.chart .grid{stroke:var(--line);fill:none}"
         ".chart .reference{stroke:var(--ink);stroke-dasharray:2 3;fill:none}"
         ".chart .curve{fill:none;stroke-width:1.8}.chart .dashed{stroke-dasharray:6 3}"
         ".chart .hollow{fill:var(--ground);stroke-width:1.5}.chart .dot{stroke:var(--ground)}"
         ".chart .range{fill:none;stroke-width:7;stroke-opacity:.45}"
         ".chart .tip{fill:transparent}.chart .tip:hover{fill:var(--ink);fill-opacity:.1}"
         ".chart .f0{fill:var(--c0)}.chart .f1{fill:var(--c1)}.chart .f2{fill:var(--c2)}"
         ".chart .f3{fill:var(--c3)}.chart .f4{fill:var(--c4)}.chart .f5{fill:var(--c5)}"
         ".chart .f6{fill:var(--c6)}.chart .f7{fill:var(--c7)}"
         ".chart .l0{stroke:var(--c0)}.chart .l1{stroke:var(--c1)}.chart .l2{stroke:var(--c2)}"
         ".chart .l3{stroke:var(--c3)}.chart .l4{stroke:var(--c4)}.chart .l5{stroke:var(--c5)}"
         ".chart .l6{stroke:var(--c6)}.chart .l7{stroke:var(--c7)}";
}

std::string InlineSvg(const Drawing& drawing) { return Element(drawing, ""); }

std::string SvgFile(std::string_view title, const std::vector<Drawing>& drawings,
                    const std::vector<std::string>& notes) {
  const size_t columns = std::clamp<size_t>(drawings.size(), 1, kMostColumns);
  double width = kMargin + (ChartFrame::kWidth + kMargin) * static_cast<double>(columns);
  width = std::max(width, 2 * kMargin + TextWidth(title) * kTitleSize / 12);
  for (const std::string& note : notes) width = std::max(width, 2 * kMargin + TextWidth(note));
  std::string charts;
  double y = kTitle, row_height = 0;
  for (size_t i = 0; i < drawings.size(); ++i) {
    const size_t column = i % columns;
    if (column == 0) y += std::exchange(row_height, 0) + (i == 0 ? 0 : kMargin);
    const double x = kMargin + (ChartFrame::kWidth + kMargin) * static_cast<double>(column);
    charts += Element(drawings[i], StrCat(" x=\"", LengthText(x), "\" y=\"", LengthText(y),
                                          "\" width=\"", LengthText(drawings[i].width),
                                          "\" height=\"", LengthText(drawings[i].height), "\""));
    row_height = std::max(row_height, drawings[i].height);
    width = std::max(width, x + drawings[i].width + kMargin);
  }
  y += row_height + kMargin;
  std::string text = SvgText(kMargin, 27, "start", "head", title);
  for (const std::string& note : notes) {
    text += SvgText(kMargin, y, "start", "soft", note);
    y += kNote;
  }
  return StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 ",
                LengthText(width), " ", LengthText(y), "\" width=\"", LengthText(width),
                "\" height=\"", LengthText(y), "\">\n<title>", EscapeMarkup(title),
                "</title>\n<style>", ColorStyle(), ChartStyle(),
                ".head{font-size:17px;font-weight:600}</style>\n<rect width=\"100%\" "
                "height=\"100%\" fill=\"var(--ground)\"/>\n",
                text, charts, "</svg>\n");
}

}  // namespace edgemill
