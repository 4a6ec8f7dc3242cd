// The figures and tables of the papers that Edgemill unites, as rows and columns over runs.
//
// Papers   Garaph: Ma et al., USENIX ATC 2017. MultiGraph: Hong et al., PACT 2017. Subway: Sabet,
//          Zhao, Gupta, EuroSys 2020. HyTGraph: Wang et al., ICDE 2023. EMOGI: Min et al., VLDB
//          2021.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/papers/paper_way.h"
#include "engine/report/gpu_preparation.h"
#include "engine/report/iteration_report.h"
#include "storage/format/graph_info.h"

namespace edgemill::bench {

/// The trials of an algorithm in one way. Lists have one figure for each trial.
struct PaperRun {
  std::vector<double> seconds;  // of the iterations and what they move; without loading
  std::vector<double> link_bytes;
  std::vector<double> bytes_read;
  std::vector<double> num_iterations;
  std::vector<double> edges_per_second;
  /// Requests across the link for 32, 64, 96 and 128 bytes: medians, of rivals' zero-copy.
  std::array<double, 4> requests = {};
  /// Of the last trial. Rivals' engines report seconds and active vertices alone.
  std::vector<IterationReport> iterations;
  CellReport cells;  // of the last trial
  // Of Garaph's shards:
  std::vector<double> page_seconds;  // of the kernel on each page, in the last trial
  double mean_copies = 0;            // of a value
};

/// What figures are relative to.
struct PaperGraph {
  GraphInfo info;
  uint64_t gpu_memory_bytes = 0;  // the bound of the GPU's memory
  // Of the row's algorithm: whether it reads weights, and whether it sends along both directions'
  // lists of a directed graph.
  bool weighted = false;
  bool both_ways = false;

  double vertices() const { return static_cast<double>(info.num_vertices); }
  double edges() const { return static_cast<double>(info.num_edges); }
  /// The edges along which an iteration sends where all vertices are active.
  double edges_sent() const { return edges() * (both_ways ? 2 : 1); }
  /// Of 4-byte neighbours, and of 4-byte weights where they are read.
  double raw_bytes() const { return edges() * (weighted ? 8 : 4); }
};

/// What a column shows of a run or of an iteration.
struct PaperQuantity {
  std::string_view unit;  // "s", "%"; empty for counts
  int decimals = 0;
  double (*of_run)(const PaperRun& run, const PaperGraph& graph) = nullptr;
  double (*of_iteration)(const IterationReport& iteration, const PaperGraph& graph) = nullptr;
  double (*of_page)(double seconds) = nullptr;
  /// Instead of a number.
  std::string_view (*text_of_iteration)(const IterationReport& iteration) = nullptr;
};

/// How a column's value is made from what was measured.
enum class PaperRelation : uint8_t {
  kOwn,      // as measured
  kSpeedup,  // the first column's over this one's
  kShare,    // this one's over the first column's
  kLeast,    // the least of the columns before that show this quantity; `way` is not run
  /// By iteration: what a choice by sampling takes (MultiGraph, 6), without the time for samples.
  /// It knows the first of the columns before that show this quantity in each iteration, and the
  /// second in the first iteration alone. `way` is not run.
  kSampled,
};

struct PaperColumn {
  std::string_view name;  // as in the paper
  const PaperWay* way = nullptr;
  const PaperQuantity* quantity = nullptr;
  PaperRelation relation = PaperRelation::kOwn;
};

struct PaperRow {
  std::string_view name;       // as in the paper: "PR"
  std::string_view algorithm;  // as bench run names it: "delta-zero"
};

/// A figure or table. It has either rows and columns, or a reason why it is left out.
struct PaperFigure {
  std::string_view name;   // "subway-10"; a table: "subway-t3"
  std::string_view title;  // "Subway, figure 10: numbers of outer iterations"
  std::vector<PaperRow> rows;
  std::vector<PaperColumn> columns;
  /// A table for each row, whose rows are iterations.
  bool by_iteration = false;
  bool has_totals = false;  // a last row has sums of times, over iterations
  /// A table for each row, whose rows are pages, then the least, the median and the most of them.
  bool by_page = false;
  std::string_view note;  // what differs from the paper
  std::string_view left_out;
};

/// All figures and tables with results of all papers, paper after paper.
const std::vector<PaperFigure>& PaperFigures();

/// All of `parts`, one after the other.
std::vector<PaperFigure> Joined(std::vector<std::vector<PaperFigure>> parts);

// Those of each paper, by which PaperFigures is made.
std::vector<PaperFigure> GaraphFigures();
std::vector<PaperFigure> MultigraphFigures();
std::vector<PaperFigure> SubwayFigures();
std::vector<PaperFigure> HytgraphFigures();
std::vector<PaperFigure> EmogiFigures();

}  // namespace edgemill::bench
