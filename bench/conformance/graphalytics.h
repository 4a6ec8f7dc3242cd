// The benchmark LDBC Graphalytics (Iosup et al., VLDB 2016): its graphs, with the algorithms and
// parameters that their .properties name, and its rules for right answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/progress.h"
#include "common/status.h"
#include "engine/run/run.h"

namespace edgemill::bench {

struct GraphalyticsOptions {
  std::string directory;  // of NAME.properties, beside each the graph, and NAME-BFS and so on
  std::vector<std::string> algorithms;  // which of GraphalyticsAlgorithms run
  RunOptions run;                       // where and how each runs
  uint64_t trials = 3;
  uint64_t memory_bytes = 0;
  std::string scratch = ".";  // a directory for the graphs, which are removed
  /// A directory that exists, for answers in files as the benchmark wants them. Empty: none is
  /// written.
  std::string output;
  bool replaces_output = false;
};

/// One algorithm on one graph.
struct GraphalyticsRun {
  std::string graph;
  std::string algorithm;  // as the benchmark calls it: "pr"
  uint64_t vertices = 0;
  uint64_t edges = 0;           // an undirected one counts once
  std::vector<double> seconds;  // of each trial, without loading
  bool has_reference = false;   // else its verifier has checked the answer
};

struct GraphalyticsReport {
  std::vector<GraphalyticsRun> runs;
  std::vector<std::pair<std::string, double>> load_seconds;  // by graph: making and sorting it
  std::vector<std::string> remarks;                          // what was left out
};

/// The benchmark's algorithms, by its names.
std::vector<std::string> GraphalyticsAlgorithms();

/// Makes and runs all graphs of the directory, by name. An answer is compared with the file
/// NAME-ALGORITHM, where there is one, by the benchmark's rules: bfs and cdlp exactly, wcc up to
/// the names of components, reals within 1e-4 of the reference. Returns InternalError for the first
/// wrong answer, with the vertex; BadDataError for a parameter or a reference that cannot be;
/// MissingError without graphs; OutputError for an answer's file that exists; errors of ingests and
/// runs.
StatusOr<GraphalyticsReport> RunGraphalytics(const GraphalyticsOptions& options,
                                             Progress& progress);

}  // namespace edgemill::bench
