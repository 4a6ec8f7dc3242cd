// run --histogram: how often values of an answer occur, as text, JSON and a part of a page.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/page/html_page.h"
#include "common/status.h"
#include "engine/api/answer.h"
#include "engine/report/histogram.h"

namespace edgemill::cli {

/// Returns UsageError for a column of vertices that are no groups, such as parents.
Status CheckHistogram(const ResultColumn& column);
/// A line for each bin: its values, its count, and a bar in proportion to that.
std::vector<std::string> HistogramLines(const Histogram& histogram);
/// "values" or "groups", which the bins count.
std::string_view CountedIn(const Histogram& histogram);
/// The histogram for programs.
template <typename Json>
Json HistogramJson(const Histogram& histogram) {
  const auto number = [](const std::variant<uint64_t, double>& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
  };
  Json bins = Json::array();
  for (const HistogramBin& bin : histogram.bins) {
    bins.push_back({{"first", number(bin.first)},
                    {"last", number(bin.last)},
                    {std::string(CountedIn(histogram)), bin.count}});
  }
  return {{"counts", CountedIn(histogram)},
          {"bins", std::move(bins)},
          {"without_value", histogram.without_value}};
}
/// Adds a section with a table.
void AddHistogram(const Histogram& histogram, std::string_view value_name, HtmlPage* page);

}  // namespace edgemill::cli
