// Graphs that benchmarks make for themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/os/memory_budget.h"
#include "common/os/uuid.h"
#include "common/progress.h"
#include "common/status.h"
#include "loaders/generate/generator.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill::bench {

/// What to make.
struct GeneratedGraphOptions {
  GeneratorOptions generator;
  WeightChoice weights;
  bool by_degree = false;
  uint32_t block_edges = 1u << 15;
  int threads = 1;
  uint64_t memory_bytes = 0;  // for making it
  Uuid uuid = Uuid::Generate();
};

/// Makes a graph at `path`, which must not exist. Returns the errors of Ingest. The caller removes
/// the graph, and also what remains after an error.
Status MakeGeneratedGraph(const GeneratedGraphOptions& options, const std::string& path,
                          Progress& progress);

/// Returns IoError, with both numbers and `advice`, unless `directory` has space to make a
/// Kronecker graph.
Status CheckSpaceForGraph(const std::string& directory, uint64_t scale, uint64_t edge_factor,
                          std::string_view advice);

/// A graph that a benchmark makes, uses and removes: DIRECTORY/edgemill-NAME.mill. All such graphs
/// have the same uuid, so that a graph which a killed benchmark left is known. No other graph is
/// ever removed.
class BenchmarkGraph {
 public:
  BenchmarkGraph(const std::string& directory, std::string_view name);

  const std::string& path() const { return path_; }
  /// Makes the graph, once, instead of one that a killed benchmark left. Returns OutputError if
  /// anything else is at the path, LockedError while another benchmark uses its graph there, and
  /// the errors of MakeGeneratedGraph.
  Status Make(GeneratedGraphOptions options, Progress& progress);
  /// Makes it of the edges of `source`. Returns the errors of Ingest instead.
  Status Make(EdgeSource& source, IngestOptions options, MemoryBudget& budget, Progress& progress);
  /// Removes what Make made, whole or not. No store may be open.
  Status Remove();

 private:
  const std::string path_;
  bool is_own_ = false;  // nothing else was at the path
};

}  // namespace edgemill::bench
