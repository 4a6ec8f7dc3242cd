// The options for how a graph is stored, which ingest and generate share.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/option_set.h"
#include "cli/session.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Values of the options as typed.
class IngestFlags {
 public:
  /// Declares the options of storage: columns, weights, renumbering, blocks. If `own_ids`, also
  /// declares those that only apply to a user's input: direction, ids, duplicates.
  void Declare(OptionSet& options, bool own_ids);
  /// Checks and returns what was typed. Returns UsageError for bad values and combinations.
  StatusOr<IngestOptions> Parse(const OptionSet& given,
                                const std::vector<std::string>& data_directories, int threads);
  /// Returns UsageError for an option that has no effect on such edges.
  Status CheckSource(const EdgeSourceInfo& info, const IngestOptions& options) const;
  bool resume() const { return resume_; }
  bool replace() const { return replace_; }
  bool verbose() const { return verbose_; }
  /// Whether an option was typed that influences the graph: --resume must then find it the same.
  bool changes_graph() const { return changes_graph_; }
  const std::string& weights() const { return weights_; }

 private:
  /// What the edges of a user's input mean.
  struct EdgeFlags {
    bool directed = false;
    bool undirected = false;
    bool symmetric = false;
    bool symmetrize = false;
    std::string ids = "auto";
    uint64_t num_vertices = 0;
    uint64_t max_vertex_id = 0;
    bool keep_duplicates = false;
    std::string merge;
    bool keep_loops = false;
    bool drop_loops = false;
    std::vector<std::string> columns;  // "NAME[:TYPE]"

    void Declare(OptionSet& options);
    Status Parse(const OptionSet& given, IngestOptions* options) const;
  };
  /// Options for experiments: other blocks, a fixed uuid.
  struct ExperimentFlags {
    std::string codec = "auto";
    uint64_t block_edges = 1u << 15;
    uint64_t page_edges = 0;
    std::string uuid;

    void Declare(OptionSet& options);
    Status Parse(IngestOptions* options) const;
  };

  bool own_ids_ = false;
  EdgeFlags edges_;  // if own_ids_
  std::string weights_ = "auto";
  std::string columns_ = "both";
  std::string weights_in_ = "both";
  struct {
    std::string kind = "auto";
    uint64_t seed = 0;
  } renumber_;
  bool resume_ = false;
  bool replace_ = false;
  bool verbose_ = false;
  std::vector<std::string> spill_directories_;
  ExperimentFlags experiments_;
  bool changes_graph_ = false;
};

/// Parses "none", "auto", "int", "float", "float32", "float64" or "random:LO:HI:SEED". Returns
/// UsageError for other text.
StatusOr<WeightChoice> ParseWeights(std::string_view text);

}  // namespace edgemill::cli
