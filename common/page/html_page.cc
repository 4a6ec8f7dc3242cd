#include "common/page/html_page.h"

#include <algorithm>

#include "common/page/markup.h"
#include "common/strings.h"

namespace edgemill {
namespace {

constexpr std::string_view kPageStyle =
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}"
    "body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif;"
    "overflow-wrap:anywhere}"
    "main{max-width:66rem;margin:0 auto;padding:1.5rem 1rem 3rem}"
    "h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}"
    "h2{font-size:1.15rem;margin:2.25rem 0 .75rem;padding-bottom:.25rem;"
    "border-bottom:1px solid var(--line)}"
    ".lead{font-size:1.15rem;line-height:1.45;margin:0 0 .75rem;padding:.75rem 1rem;"
    "background:var(--panel);border-left:4px solid var(--c0);border-radius:0 6px 6px 0}"
    ".about{color:var(--soft);font-size:.85rem;margin:0}.about span{color:var(--ink)}"
    "p{margin:.5rem 0}.note{color:var(--soft);font-size:.85rem}"
    "dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));"
    "gap:0 2rem;margin:0}dl div{display:flex;justify-content:space-between;gap:1rem;"
    "padding:.25rem 0;border-bottom:1px solid "
    "var(--line)}dt{color:var(--soft);overflow-wrap:normal}"
    "dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}"
    "dl.texts{display:block}dl.texts dt{flex:0 0 8rem}dl.texts dd{flex:1;text-align:left}"
    ".charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr));"
    "gap:1.25rem;margin:1.25rem 0 "
    "0}figure{margin:0;padding:.5rem;background:var(--panel);border-radius:8px;"
    "min-width:0;break-inside:avoid}figure.wide{overflow-x:auto;margin:.75rem 0}"
    "figure.wide svg{min-width:34rem}svg{display:block;width:100%;height:auto}"
    ".shares{margin:.75rem 0}.share{margin:0 0 .9rem;break-inside:avoid}"
    ".share b{font-weight:600}.share .says{color:var(--soft);float:right;"
    "font-variant-numeric:tabular-nums}.bar{display:flex;clear:both;height:.8rem;margin:.2rem 0;"
    "border-radius:4px;overflow:hidden;background:var(--line)}.bar i{display:block;height:100%}"
    ".key{display:flex;flex-wrap:wrap;gap:0 1.1rem;color:var(--soft);font-size:.85rem}"
    ".key i{display:inline-block;width:.7rem;height:.7rem;border-radius:2px;margin-right:.35rem}"
    ".h0{background:var(--c0)}.h1{background:var(--c1)}.h2{background:var(--c2)}"
    ".h3{background:var(--c3)}.h4{background:var(--c4)}.h5{background:var(--c5)}"
    ".h6{background:var(--c6)}.h7{background:var(--c7)}"
    ".scroll{overflow:auto;max-height:32rem;border:1px solid var(--line);border-radius:8px;"
    "margin:.5rem 0}table{border-collapse:collapse;font-size:.82rem;min-width:100%;"
    "font-variant-numeric:tabular-nums;overflow-wrap:normal}"
    "th,td{padding:.3rem .65rem;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}th{position:sticky;top:0;background:var(--panel);"
    "font-weight:600}.l{text-align:left}"
    "a:focus,.scroll:focus-visible{outline:2px solid var(--c0)}"
    "@media print{body{font-size:10pt}main{max-width:none;padding:0}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    ".scroll{max-height:none;overflow:visible;border:0}table{font-size:6.5pt}"
    "th{position:static}th,td{padding:.1rem .25rem;white-space:normal}figure{border:1px solid "
    "var(--line)}}";

/// How much of a bar `value` is, from 0 to 100.
std::string Percent(double value, double whole) {
  return FormatFixed(whole <= 0 ? 0 : std::clamp(100 * value / whole, 0.0, 100.0), 2);
}

std::string ShareMarkup(const ShareRow& row) {
  double whole = row.whole;
  if (whole <= 0) {
    for (const ShareRow::Part& part : row.parts) whole += part.value;
  }
  std::string bar, key;
  for (const ShareRow::Part& part : row.parts) {
    bar += StrCat("<i class=\"h", part.hue, "\" style=\"width:", Percent(part.value, whole),
                  "%\" title=\"", EscapeMarkup(StrCat(part.name, ": ", part.text)), "\"></i>");
    key += StrCat("<span><i class=\"h", part.hue, "\"></i>", EscapeMarkup(part.name), " ",
                  EscapeMarkup(part.text), "</span>");
  }
  std::string text = StrCat("<div class=\"share\"><b>", EscapeMarkup(row.name), "</b>");
  if (!row.text.empty())
    text += StrCat(" <span class=\"says\">", EscapeMarkup(row.text), "</span>");
  text += StrCat("<div class=\"bar\">", bar, "</div>");
  if (row.text.empty()) text += StrCat("<div class=\"key\">", key, "</div>");
  return text + "</div>\n";
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title, std::string_view lead, const Facts& about)
    : title_(title) {
  body_ = StrCat("<h1>", EscapeMarkup(title), "</h1>\n<p class=\"lead\">", EscapeMarkup(lead),
                 "</p>\n");
  for (const auto& [name, text] : about) {
    body_ += StrCat("<p class=\"about\">", EscapeMarkup(name), " <span>", EscapeMarkup(text),
                    "</span></p>\n");
  }
}

void HtmlPage::Section(std::string_view heading) {
  body_ += StrCat("<h2>", EscapeMarkup(heading), "</h2>\n");
}

void HtmlPage::Paragraph(std::string_view text) {
  body_ += StrCat("<p class=\"note\">", EscapeMarkup(text), "</p>\n");
}

void HtmlPage::AddFacts(const Facts& facts) { AddList("<dl>\n", facts); }

void HtmlPage::AddTexts(const Facts& texts) { AddList("<dl class=\"texts\">\n", texts); }

void HtmlPage::AddList(std::string_view tag, const Facts& facts) {
  body_ += tag;
  for (const auto& [name, value] : facts) {
    body_ +=
        StrCat("<div><dt>", EscapeMarkup(name), "</dt><dd>", EscapeMarkup(value), "</dd></div>\n");
  }
  body_ += "</dl>\n";
}

void HtmlPage::Shares(const std::vector<ShareRow>& rows) {
  body_ += "<div class=\"shares\">\n";
  for (const ShareRow& row : rows) body_ += ShareMarkup(row);
  body_ += "</div>\n";
}

void HtmlPage::Charts(const std::vector<Drawing>& drawings) {
  body_ += "<div class=\"charts\">\n";
  for (const Drawing& drawing : drawings) {
    body_ += StrCat("<figure>", InlineSvg(drawing), "</figure>\n");
  }
  body_ += "</div>\n";
}

void HtmlPage::WideChart(const Drawing& drawing) {
  body_ += StrCat("<figure class=\"wide\">", InlineSvg(drawing), "</figure>\n");
}

void HtmlPage::Table(const TextTable& table) {
  body_ += StrCat("<div class=\"scroll\" tabindex=\"0\">", table.Html(), "</div>\n");
}

std::string HtmlPage::Text() const {
  return StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
      EscapeMarkup(title_), "</title>\n<style>", ColorStyle(), ChartStyle(), kPageStyle,
      "</style>\n</head>\n<body><main>\n", body_, "</main></body>\n</html>\n");
}

}  // namespace edgemill
