// What `bench io` shows: its table, and its page.
#pragma once

#include <string>

#include "bench/io/io_grid_run.h"
#include "cli/bench/result_page.h"
#include "common/page/text_table.h"

namespace edgemill::cli {

/// The measurements of one directory, or of all together: `where` of IoMeasurement.
TextTable IoTable(const bench::IoGridRunResult& result, const std::string& where);

/// Rates and latencies by the size of requests, a line for each depth.
ResultPage IoPage(const bench::IoGridRunResult& result);

}  // namespace edgemill::cli
