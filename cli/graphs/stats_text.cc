#include <nlohmann/json.hpp>

#include "cli/display/json_text.h"
#include "cli/graphs/stats_report.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string ShortFigure(double value) {
  return FormatFixed(value, value >= 100 ? 0 : value >= 1 ? 2 : 4);
}

/// "0.3121, between 0.3030 and 0.3213 (95 %, 10,000 edges)", or "0.25, of all 12 edges".
std::string EstimateText(const ShareEstimate& estimate, std::string_view members) {
  if (estimate.sample == 0) return StrCat("none: there are no ", members);
  const std::string value = FormatFixed(estimate.value, 4);
  if (estimate.exact) {
    return StrCat(value, ", exact, of ", FormatCount(estimate.sample), " ", members);
  }
  return StrCat(value, ", between ", FormatFixed(estimate.low, 4), " and ",
                FormatFixed(estimate.high, 4), " (95 %, ", FormatCount(estimate.sample), " ",
                members, " sampled)");
}

std::string DegreesText(const DegreeCounts& degrees) {
  return StrCat("mean ", ShortFigure(degrees.mean()), ", median ",
                FormatCount(degrees.Quantile(0.5)), ", 99 % up to ",
                FormatCount(degrees.Quantile(0.99)), ", most ", FormatCount(degrees.most()));
}

std::string ComponentsText(const ComponentCounts& components, const GraphInfo& info) {
  const double share = info.num_vertices == 0 ? 0
                                              : 100 * static_cast<double>(components.largest) /
                                                    static_cast<double>(info.num_vertices);
  return StrCat(FormatCount(components.count), info.directed ? ", weakly connected" : "",
                "; the largest has ", FormatCount(components.largest), " vertices, ",
                FormatFixed(share, 1), " %");
}

std::string SourcesText(const DistanceEstimates& distances) {
  return distances.exact ? StrCat("exact, from all ", FormatCount(distances.sources), " vertices")
                         : StrCat(FormatCount(distances.sources), " sources sampled");
}

std::string MeanText(const DistanceEstimates& distances) {
  std::string text = ShortFigure(distances.mean);
  if (distances.exact || !distances.mean_low.has_value()) {
    return StrCat(text, ", ", SourcesText(distances));
  }
  return StrCat(text, ", between ", ShortFigure(*distances.mean_low), " and ",
                ShortFigure(*distances.mean_high), " (95 %, ", SourcesText(distances), ")");
}

std::string DiameterText(const DistanceEstimates& distances) {
  const std::string low = FormatCount(distances.diameter_low);
  if (distances.exact) return StrCat(low, ", exact: the longest shortest path");
  if (!distances.diameter_high.has_value()) return StrCat("at least ", low);
  if (*distances.diameter_high == distances.diameter_low) return StrCat(low, ", exact");
  return StrCat("from ", low, " to ", FormatCount(*distances.diameter_high),
                ", of the largest component");
}

Json EstimateJson(const std::optional<ShareEstimate>& estimate) {
  if (!estimate.has_value() || estimate->sample == 0) return nullptr;
  return {{"value", estimate->value},
          {"low", estimate->low},
          {"high", estimate->high},
          {"exact", estimate->exact},
          {"sample", estimate->sample}};
}

Json DegreesJson(const std::optional<DegreeCounts>& degrees) {
  if (!degrees.has_value()) return nullptr;
  Json counts = Json::array();
  for (const DegreeCounts::Count& count : degrees->counts()) {
    counts.push_back({count.degree, count.vertices});
  }
  return {{"mean", degrees->mean()},
          {"median", degrees->Quantile(0.5)},
          {"percentile_99", degrees->Quantile(0.99)},
          {"most", degrees->most()},
          {"degree_and_vertices", std::move(counts)}};
}

Json ComponentsJson(const std::optional<ComponentCounts>& components) {
  if (!components.has_value()) return nullptr;
  Json sizes = Json::array();
  for (const auto& [size, count] : components->sizes) sizes.push_back({size, count});
  return {{"count", components->count},
          {"largest", components->largest},
          {"size_and_components", std::move(sizes)}};
}

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value.has_value() ? Json(*value) : Json();
}

Json DistancesJson(const std::optional<DistanceEstimates>& distances) {
  if (!distances.has_value()) return nullptr;
  return {{"sources", distances->sources},
          {"exact", distances->exact},
          {"mean", distances->mean},
          {"mean_low", OrNull(distances->mean_low)},
          {"mean_high", OrNull(distances->mean_high)},
          {"effective_diameter", distances->effective_diameter},
          {"diameter_low", distances->diameter_low},
          {"diameter_high", OrNull(distances->diameter_high)},
          {"pairs_by_distance", distances->pairs}};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> StatsFacts(const StatsReport& report) {
  const GraphInfo& info = report.info;
  const GraphStats& stats = report.stats;
  const std::string none = stats.isolated.has_value()
                               ? StrCat(", ", FormatCount(*stats.isolated), " without edges")
                               : "";
  std::vector<std::pair<std::string, std::string>> facts = {
      {"graph", ShownText(report.graph)},
      {"vertices", StrCat(FormatCount(info.num_vertices), none)},
      {"edges", StrCat(FormatCount(info.num_edges),
                       info.directed ? ", directed" : ", symmetric (each direction counted)")},
      {"loops", FormatCount(info.num_self_loops)},
      {"duplicates", FormatCount(info.num_duplicates)}};
  if (stats.out_degrees.has_value()) {
    facts.emplace_back(info.directed ? "out-degrees" : "degrees", DegreesText(*stats.out_degrees));
  }
  if (stats.in_degrees.has_value()) {
    facts.emplace_back("in-degrees", DegreesText(*stats.in_degrees));
  }
  if (stats.components.has_value()) {
    facts.emplace_back("components", ComponentsText(*stats.components, info));
  }
  if (stats.reciprocity.has_value()) {
    facts.emplace_back("reciprocity", EstimateText(*stats.reciprocity, "edges"));
  }
  if (stats.clustering.has_value()) {
    facts.emplace_back("clustering", EstimateText(stats.clustering->local, "vertices"));
    facts.emplace_back("transitivity",
                       EstimateText(stats.clustering->global, "paths of two edges"));
  }
  if (stats.distances.has_value()) {
    const DistanceEstimates& distances = *stats.distances;
    facts.emplace_back("mean distance", MeanText(distances));
    facts.emplace_back("90 % within", StrCat(ShortFigure(distances.effective_diameter), " edges"));
    facts.emplace_back("diameter", DiameterText(distances));
  }
  for (const std::string& reason : stats.left_out) facts.emplace_back("left out", reason);
  return facts;
}

std::string StatsJson(const StatsReport& report) {
  const GraphInfo& info = report.info;
  const GraphStats& stats = report.stats;
  const bool clusters = stats.clustering.has_value();
  return JsonText(Json{{"command", "stats"},
                       {"graph", report.graph},
                       {"uuid", info.uuid.ToString()},
                       {"vertices", info.num_vertices},
                       {"isolated_vertices", OrNull(stats.isolated)},
                       {"edges", info.num_edges},
                       {"directed", info.directed},
                       {"self_loops", info.num_self_loops},
                       {"duplicates", info.num_duplicates},
                       {"sample", report.options.sample.size},
                       {"seed", report.options.sample.seed},
                       {"out_degrees", DegreesJson(stats.out_degrees)},
                       {"in_degrees", DegreesJson(stats.in_degrees)},
                       {"components", ComponentsJson(stats.components)},
                       {"reciprocity", EstimateJson(stats.reciprocity)},
                       {"clustering", clusters ? EstimateJson(stats.clustering->local) : Json()},
                       {"transitivity", clusters ? EstimateJson(stats.clustering->global) : Json()},
                       {"distances", DistancesJson(stats.distances)},
                       {"left_out", stats.left_out},
                       {"seconds", report.seconds}});
}

}  // namespace edgemill::cli
