// The account of a run, as JSON and as a page with charts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/run/vertex_label.h"
#include "common/status.h"
#include "engine/report/histogram.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// What was run, in addition to RunReport.
struct RunDescription {
  std::string algorithm;
  std::string graph;
  std::string uuid;
  uint64_t num_vertices = 0;
  EdgeIndex num_edges = 0;
  uint64_t memory_bytes = 0;
  uint64_t graph_bytes = 0;  // of all columns, as stored
  int threads = 0;
  bool verified = false;  // the answer was checked by its definition, and its values have converged
  double answer_seconds = 0;  // from the command's start to the first trial's answer
  std::vector<double> trial_seconds;
  std::vector<ResultFact> facts;
  std::vector<VertexLabel> sources;
  OptionValues options;  // the algorithm's, as they were given
  struct TopLine {
    VertexLabel vertex;
    std::variant<uint64_t, double> value;
  };
  std::vector<TopLine> top;                  // RunResult::Top
  std::vector<TopLine> bottom;               // RunResult::Bottom
  std::optional<std::vector<TopLine>> path;  // of an answer that is one: its vertices in order
  std::optional<Histogram> histogram;        // where it was asked for
  std::string names_file;                    // beside the answer; empty when there is none
  std::string_view top_name;                 // what these values are: "rank"
  std::string_view value_name;               // what all values are
  std::vector<std::string> warnings;         // reasons why the answer may be less than expected
  bool gpu_missed = false;                   // the user expects to read why no GPU was used
  struct DiskShare {
    std::string path;
    uint64_t stored_bytes = 0;  // of the graph
  };
  std::vector<DiskShare> disks;  // the data directories
  /// The measured bytes a second of the disk for reads of the run's size; 0: nothing was measured.
  double disk_rate = 0;
  std::string command_line;
  std::string time;  // UTC, of the run's end
  /// Command, version, machine, disks: names and texts.
  std::vector<std::pair<std::string, std::string>> surroundings;
};

/// Bytes read from devices over the stored bytes of the graph: 1 means that everything was read
/// once.
double IoAmplification(const RunDescription& description, const RunReport& report);

/// The value of a line, "0.025". Real values have 7 significant digits.
std::string TopValueText(const std::variant<uint64_t, double>& value);
/// "50: 0.025".
std::string TopText(const RunDescription::TopLine& line);

/// A JSON object, with an entry for each iteration.
std::string RunReportJson(const RunDescription& description, const RunReport& report);

/// One HTML page that needs no other file: what bound the run, figures, shares, charts by
/// iteration, a table.
std::string RunReportHtml(const RunDescription& description, const RunReport& report);

/// Writes the report to `path`, in the format of its suffix (.json or .html).
Status WriteRunReport(const std::string& path, const RunDescription& description,
                      const RunReport& report);

/// Returns UsageError unless WriteRunReport knows the suffix.
Status CheckReportSuffix(const std::string& path);

}  // namespace edgemill::cli
