// What benchmarks show beside their figures, and the pages and pictures that --plot writes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/record/result_file.h"
#include "cli/options/option_set.h"
#include "cli/session.h"
#include "common/page/chart.h"
#include "common/page/text_table.h"
#include "common/status.h"

namespace edgemill::cli {

/// Prints `tables` with what surrounds them, and sets the JSON of `result`.
Status PrintResult(const bench::BenchmarkResult& result, std::string_view tables, Session& session);

/// What a benchmark shows of its result.
struct ResultPage {
  std::string title;
  std::string lead;  // the result in one sentence
  std::vector<Drawing> drawings;
  std::vector<std::pair<std::string, TextTable>> tables;  // with their headings
  std::vector<std::string> remarks;
};

/// The option --plot of a benchmark.
class PlotFlag {
 public:
  /// Declares --plot, which draws `what`.
  void Declare(OptionSet& options, std::string_view what);
  /// Checks, before work starts, the suffix and that the file can be made. UsageError for a suffix
  /// other than .html and .svg; the errors of CheckOutputPath.
  Status Check(std::string_view command) const;
  bool wanted() const { return !path_.empty(); }
  /// Writes the page or, as .svg, its drawings. `surroundings` are those of the result.
  Status Write(const ResultPage& page, const bench::BenchmarkResult& result) const;

 private:
  std::string path_;
};

}  // namespace edgemill::cli
