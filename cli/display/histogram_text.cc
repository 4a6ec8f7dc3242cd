#include "cli/display/histogram_text.h"

#include <algorithm>
#include <cmath>

#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

/// The characters of the longest bar.
constexpr double kBarLength = 40;

std::string NumberText(const std::variant<uint64_t, double>& value) {
  const uint64_t* const integer = std::get_if<uint64_t>(&value);
  return integer != nullptr ? FormatCount(*integer) : FormatSignificant(std::get<double>(value));
}

std::string RangeText(const HistogramBin& bin) {
  const std::string first = NumberText(bin.first);
  return bin.first == bin.last ? first : StrCat(first, " to ", NumberText(bin.last));
}

uint64_t MostOf(const Histogram& histogram) {
  uint64_t most = 1;
  for (const HistogramBin& bin : histogram.bins) most = std::max(most, bin.count);
  return most;
}

}  // namespace

std::string_view CountedIn(const Histogram& histogram) {
  return histogram.of_groups ? "groups" : "values";
}

Status CheckHistogram(const ResultColumn& column) {
  if (column.type != ResultType::kId || IsOfGroups(column.top)) return OkStatus();
  return UsageError(StrCat("--histogram is for numbers and for sizes of groups, not for ",
                           column.name, "s: leave it out"));
}

std::vector<std::string> HistogramLines(const Histogram& histogram) {
  size_t range_width = 0, count_width = 0;
  for (const HistogramBin& bin : histogram.bins) {
    range_width = std::max(range_width, RangeText(bin).size());
    count_width = std::max(count_width, FormatCount(bin.count).size());
  }
  const auto most = static_cast<double>(MostOf(histogram));
  std::vector<std::string> lines;
  for (const HistogramBin& bin : histogram.bins) {
    std::string range = RangeText(bin), count = FormatCount(bin.count);
    range.resize(range_width, ' ');
    count.insert(0, count_width - count.size(), ' ');
    const double length = std::ceil(static_cast<double>(bin.count) / most * kBarLength);
    lines.push_back(StrCat(range, "  ", count, " ", std::string(static_cast<size_t>(length), '#')));
  }
  if (histogram.without_value > 0) {
    lines.push_back(StrCat("no value: ", FormatCount(histogram.without_value)));
  }
  return lines;
}

void AddHistogram(const Histogram& histogram, std::string_view value_name, HtmlPage* page) {
  TextTable table({histogram.of_groups ? "vertices" : std::string(value_name),
                   std::string(CountedIn(histogram)), "of all, %"},
                  1);
  uint64_t all = 0;
  for (const HistogramBin& bin : histogram.bins) all += bin.count;
  for (const HistogramBin& bin : histogram.bins) {
    table.Add({RangeText(bin), FormatCount(bin.count),
               FormatFixed(100 * static_cast<double>(bin.count) /
                               static_cast<double>(std::max<uint64_t>(1, all)),
                           2)});
  }
  page->Section("Histogram");
  page->Table(table);
  if (histogram.without_value > 0) {
    page->Paragraph(StrCat(FormatCount(histogram.without_value), " have no value."));
  }
}

}  // namespace edgemill::cli
