// The options of how a graph is stored, which ingest and generate share, and the report that both
// end with.
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
  /// Options of storage: columns, weights, renumbering, blocks. `own_ids`: also those that only an
  /// input from outside has (direction, ids, duplicates).
  void Declare(OptionSet& options, bool own_ids);
  /// What was typed, checked. UsageError for values and combinations that do not go.
  StatusOr<IngestOptions> Take(const OptionSet& given, const Session& session);
  /// UsageError for an option that cannot act on such edges.
  Status CheckSource(const EdgeSourceInfo& info, const IngestOptions& options) const;
  bool resume() const { return resume_; }
  bool replace() const { return replace_; }
  bool verbose() const { return verbose_; }
  /// Whether any option was typed that shapes the graph, so that --resume must find it the same.
  bool shapes() const { return shapes_; }
  const std::string& weights() const { return weights_; }

 private:
  Status TakeDirection(IngestOptions* options) const;
  Status TakeIds(const OptionSet& given, IngestOptions* options);
  Status TakeBlocks(IngestOptions* options) const;

  bool own_ids_ = false;
  bool directed_ = false;
  bool undirected_ = false;
  bool symmetric_ = false;
  bool symmetrize_ = false;
  std::string columns_ = "both";
  std::string weights_ = "auto";
  std::string ids_ = "auto";
  uint64_t max_vertex_id_ = 0;
  uint64_t num_vertices_ = 0;
  bool keep_duplicates_ = false;
  std::string merge_;
  bool keep_loops_ = false;
  bool drop_loops_ = false;
  std::string renumber_ = "none";
  std::string codec_ = "auto";
  uint64_t block_edges_ = 1u << 15;
  uint64_t page_edges_ = 0;
  std::string uuid_;
  bool resume_ = false;
  bool replace_ = false;
  std::vector<std::string> spill_directories_;
  bool verbose_ = false;
  bool shapes_ = false;
};

/// "none", "auto", "int", "float", "float32", "float64", "random:LO:HI:SEED" to a choice;
/// UsageError otherwise.
StatusOr<WeightChoice> ParseWeights(std::string_view text);

/// Prints the report of an ingest (or of generate: `command`), each stage's time when `verbose`,
/// and sets the JSON. A graph without vertices is warned of, under --quiet too.
Status ReportIngest(std::string_view command, const std::string& out, const IngestReport& report,
                    double seconds, bool verbose, Session& session);

}  // namespace edgemill::cli
