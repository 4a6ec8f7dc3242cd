// Graph500's benchmark: its graph, its number of searches, and its block of statistics.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/record/result_file.h"
#include "bench/trials/generated_graph.h"

namespace edgemill::bench {

/// The number of search keys, and the edges drawn for each vertex.
constexpr uint64_t kGraph500Keys = 64;
constexpr uint64_t kGraph500EdgeFactor = 16;
/// Weights are whole numbers below 2^24. They are the uniform weights in [0, 1), in units of 2^-24.
constexpr int kGraph500WeightBits = 24;

/// The Kronecker graph of a scale: A = .57, B = C = .19, undirected, with shuffled ids, without
/// duplicates and loops. The caller sets threads and memory_bytes.
GeneratedGraphOptions Graph500Graph(uint64_t scale, uint64_t seed);

/// Statistics as in the reference code of Graph500. A quartile between two samples is their mean.
struct Graph500Statistics {
  double min = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double max = 0;
  double mean = 0;
  double stddev = 0;  // of the sample; 0 for a single one
};
/// There must be a sample.
Graph500Statistics Graph500StatisticsOf(std::span<const double> samples);

/// What was measured in one kernel. Each list has one figure for each search.
struct Graph500Kernel {
  std::string name;  // "bfs", "sssp"
  std::vector<double> seconds;
  std::vector<double> edges;  // of the key's component: stored undirected edges, each once
  std::vector<double> validation_seconds;
};

/// What was measured on one graph.
struct Graph500Report {
  uint64_t scale = 0;
  uint64_t num_keys = 0;
  double construction_seconds = 0;  // generation included
  std::vector<Graph500Kernel> kernels;
};

/// Names and values of Graph500's block of output, in its order: "SCALE", "bfs min_time". TEPS are
/// edges over seconds. Their quartiles are those of seconds an edge, and their mean is harmonic.
/// Its standard deviation is Norris's (Annals of Mathematical Statistics 11 (4), 1940).
std::vector<std::pair<std::string, double>> Graph500Figures(const Graph500Report& report);
/// The block as text, a figure a line.
std::string Graph500Text(const Graph500Report& report);
/// Adds the construction time and each kernel's TEPS to the metrics of `result`. Puts the block, as
/// "graph500", and the earlier details, as "trials", into its details.
void AddGraph500(const Graph500Report& report, BenchmarkResult* result);

}  // namespace edgemill::bench
