// A graph in figures, as text, as JSON and as a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/page/chart.h"
#include "engine/stats/graph_stats.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// The figures of one graph.
struct StatsReport {
  std::string graph;
  GraphInfo info;
  StatsOptions options;
  GraphStats stats;
  std::string command_line;
  double seconds = 0;
};

/// The lines of the page: names and texts. Estimates say their sample and their error.
std::vector<std::pair<std::string, std::string>> StatsFacts(const StatsReport& report);

/// A JSON object with all figures, and the whole distributions.
std::string StatsJson(const StatsReport& report);

/// Degrees, sizes of components and distances.
std::vector<Drawing> StatsCharts(const StatsReport& report);

/// The page in one HTML file, or as .svg its charts. `path` ends in either.
std::string StatsPicture(const StatsReport& report, const std::string& path);

}  // namespace edgemill::cli
