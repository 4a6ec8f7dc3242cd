// The account of a run as JSON and as a page that draws it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/run/vertex_label.h"
#include "common/status.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// What was run, besides RunReport.
struct RunDescription {
  std::string algorithm;
  std::string graph;
  std::string uuid;
  uint64_t num_vertices = 0;
  EdgeIndex num_edges = 0;
  uint64_t memory_bytes = 0;
  uint64_t graph_bytes = 0;  // of the columns that the run may have read
  int threads = 0;
  bool verified = false;      // the answer was checked by its definition, and has settled
  double answer_seconds = 0;  // from the command's start to the first trial's answer
  std::vector<double> trial_seconds;
  std::vector<ResultFact> facts;
  std::vector<VertexLabel> sources;
  OptionValues options;  // the algorithm's, as they were given
  struct TopLine {
    VertexLabel vertex;
    std::variant<uint64_t, double> value;
  };
  std::vector<TopLine> top;           // RunResult::Top
  std::string names_file;             // beside the answer; empty: there is none
  std::string_view top_name;          // what their values are: "rank"
  std::vector<std::string> warnings;  // what makes the answer say less than was hoped for
  bool gpu_missed = false;            // the user expects to hear why no GPU was used
};

/// Bytes read from devices over the bytes of the blocks that were needed at least once: 1 reads
/// everything once.
double IoAmplification(const RunDescription& description, const RunReport& report);

/// "50: 0.025", real values with 7 significant digits.
std::string TopText(const RunDescription::TopLine& line);

/// A JSON object, with an entry an iteration.
std::string RunReportJson(const RunDescription& description, const RunReport& report);

/// One self-contained HTML page: figures, charts by iteration, a table.
std::string RunReportHtml(const RunDescription& description, const RunReport& report);

/// Writes the report to `path`, as its suffix (.json or .html) says.
Status WriteRunReport(const std::string& path, const RunDescription& description,
                      const RunReport& report);

/// UsageError unless the suffix is one that WriteRunReport knows.
Status CheckReportSuffix(const std::string& path);

}  // namespace edgemill::cli
