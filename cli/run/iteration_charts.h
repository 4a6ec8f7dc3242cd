// Charts and a table of a run's iterations.
#pragma once

#include <vector>

#include "common/page/chart.h"
#include "common/page/text_table.h"
#include "engine/run/run.h"

namespace edgemill::cli {

/// Time, thread time by kind, active vertices and edges, bytes and blocks, each by iteration. Where
/// a bar stands for several iterations, the axis says so, and the bar shows their mean.
std::vector<Drawing> IterationCharts(const std::vector<IterationReport>& iterations);

/// A row for each report, up to kMaxIterationRows. A row of several iterations names their range
/// and has their sums.
TextTable IterationRows(const std::vector<IterationReport>& iterations);
inline constexpr size_t kMaxIterationRows = 2000;

}  // namespace edgemill::cli
