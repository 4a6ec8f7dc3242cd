// Edgemill as a library: makes graphs, opens them, and runs algorithms on them. docs/LIBRARY.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/api/answer.h"
#include "engine/api/options.h"
#include "loaders/options/ingest_options.h"
#include "loaders/options/read_options.h"
#include "storage/format/graph_info.h"

namespace edgemill {

class GraphStore;

/// How far an operation has come in its stage.
struct ProgressReport {
  std::string stage;  // "reading"
  std::string unit;   // what is counted: "edges"
  uint64_t done = 0;
  uint64_t total = 0;      // 0: unknown
  uint64_t iteration = 0;  // from 1; 0: the stage has none
};

/// What an operation may use, and the functions that hear of it.
struct Resources {
  /// Hard bound of the operation's memory. 0: half of what is free.
  uint64_t memory_bytes = 0;
  /// 0: as many as the processors that this process may use.
  int threads = 0;
  /// Called some ten times a second from a thread of its own, one call at a time. If it returns
  /// false, all operations of this process that are under way end with CancelledError.
  std::function<bool(const ProgressReport&)> progress = nullptr;
  /// Called with decisions that were taken, and warnings. Calls may come from several threads.
  std::function<void(std::string_view)> note = nullptr;
};

/// Edges as arrays. The i-th edge goes from sources[i] to targets[i]. Ids are below 2^64 - 1.
struct EdgeArrays {
  std::span<const ExternalId> sources;
  std::span<const ExternalId> targets;
  std::span<const double> weights = {};  // as many as edges where the graph has weights, else none
  /// In the place of `sources` and `targets` where the settings have IdMode::kStrings.
  std::span<const std::string_view> source_names = {};
  std::span<const std::string_view> target_names = {};
};

/// Gives the next edges, none at the end. They stay valid until the next call. Calls come one at a
/// time, from several threads.
using NextEdges = std::function<StatusOr<EdgeArrays>()>;

/// How a graph is made.
struct IngestSettings {
  Resources resources;
  /// How the graph is stored. Its `threads` are those of `resources`. By default, the first edges
  /// decide whether vertices are renumbered.
  IngestOptions graph{.renumbering = std::nullopt};
  /// How files are read; ids and weights are read as `graph` wants them.
  ReadOptions read = {};
};

/// Makes the graph directory `out`, of the edges in files, in arrays, or from a function (which
/// gives weights if `weighted`). Waits until all is on disk. After any error nothing is left at
/// `out`. Errors: UsageError for settings that contradict each other; BadDataError with the place
/// of a bad edge; MissingError for an input; OutputError where `out` exists; BudgetError; IoError;
/// CancelledError; those of the function.
StatusOr<IngestReport> Ingest(const std::vector<std::string>& files, const std::string& out,
                              const IngestSettings& settings = {});
StatusOr<IngestReport> Ingest(const EdgeArrays& edges, const std::string& out,
                              const IngestSettings& settings = {});
StatusOr<IngestReport> Ingest(const NextEdges& next, bool weighted, const std::string& out,
                              const IngestSettings& settings = {});

/// How a graph is opened.
struct GraphSettings {
  /// Those that have moved since the graph was made.
  std::vector<std::string> data_directories;
  /// The edge column whose values are the weights; empty: the graph's own.
  std::string weight = {};
  /// Memory for blocks that runs on the CPU share, and find again after earlier runs. The first run
  /// takes it beside its own memory, and it stays in use until the graph is closed. 0: each run
  /// keeps blocks within its own memory, until it ends.
  uint64_t cache_bytes = 0;
};

class SharedBlocks;

/// An open graph. Thread-safe. It cannot be removed while it is open. It takes a few kilobytes, and
/// the cache of GraphSettings. A run loads the indexes that it needs within its own memory.
class Graph {
 public:
  ~Graph();

  const std::string& path() const;
  /// Numbers of vertices and edges, weights, and what else the catalog says.
  const GraphInfo& info() const;
  bool has_names() const { return info().name_bytes > 0; }
  const std::vector<std::string>& data_directories() const { return data_directories_; }
  /// GraphSettings::weight.
  const std::string& weight() const { return weight_; }
  /// What its runs share; null: nothing.
  SharedBlocks* shared_blocks() const { return shared_blocks_.get(); }

 private:
  friend StatusOr<std::unique_ptr<Graph>> OpenGraph(const std::string&, GraphSettings);
  Graph(std::unique_ptr<GraphStore> store, GraphSettings settings);

  const std::unique_ptr<GraphStore> store_;  // without its block table
  const std::vector<std::string> data_directories_;
  const std::string weight_;
  const std::unique_ptr<SharedBlocks> shared_blocks_;
};

/// Opens the graph directory `path`. Errors: MissingError; BadDataError for a damaged catalog;
/// UnfinishedError; PermissionError; LockedError while the graph is removed.
StatusOr<std::unique_ptr<Graph>> OpenGraph(const std::string& path, GraphSettings settings = {});

/// Where vertex programs run.
enum class RunDevice : uint8_t {
  kAuto,  // on a GPU where there is one that the run fits, else on the CPU
  kCpu,
  kGpu,
  kHybrid,  // on both
};

/// How an algorithm is run.
struct RunSettings {
  Resources resources;
  RunDevice device = RunDevice::kAuto;
  bool verify = false;  // check the answer by its definition: InternalError where it is wrong
  /// A file for the answer, in the place of columns in memory: .txt, .tsv, .csv, .npy,
  /// .parquet or .arrow.
  /// It appears complete or not at all. OutputError where it exists.
  std::string output;
};

/// An answer: a column with a value for each vertex, and what the run found out besides. Vertices
/// come by rising input id. The ids of vertices with names are their ranks by name. If the answer
/// has gone to a file, there is no vertex here.
struct RunAnswer {
  std::string column;                    // "level"
  ResultType type = ResultType::kCount;  // kId: values are ids, as in bfs's column "parent"
  TopKind top = TopKind::kNone;          // how values can be compared
  /// What the values of a vertex are: `column` or, where a vertex has several values, what each of
  /// them is.
  std::vector<std::string> headings;
  uint64_t num_vertices = 0;
  /// The vertices' ids; empty where they are 0, 1, 2, and so on.
  std::vector<ExternalId> ids;
  /// The values, whole numbers or real ones; the other vector is empty. Those of all vertices by
  /// the first heading come first, then those by the second one, and so on. kUnreachedInteger, or
  /// infinity: the vertex has none.
  std::vector<uint64_t> integers;
  std::vector<double> reals;
  std::vector<ResultFact> facts;      // of the graph as a whole: {"reached", "1,234 of 5,000"}
  std::vector<std::string> warnings;  // why the answer says less than expected
  uint64_t iterations = 0;
  double seconds = 0;       // of the iterations
  uint64_t bytes_read = 0;  // where runs share a cache: by all runs on the graph in that time
};

/// Runs `algorithm` ("bfs", or one of your own) on `graph`. `values` are its options as on the
/// command line: {{"--source", 42}, {"--parents", true}}. Where vertices have names, a source is
/// its name: {"--source", "alice"}. Several threads may run on one graph, each within its own
/// memory. The answer is the caller's, beyond the run's memory once this has returned.
///
/// Errors: UsageError for an unknown algorithm, option or source, and for a graph that lacks what
/// the algorithm needs; MissingError where the graph was removed or replaced meanwhile; BudgetError
/// with the least memory that works; GpuError; BadDataError for a damaged block; IoError;
/// CancelledError.
StatusOr<RunAnswer> Run(const Graph& graph, const std::string& algorithm,
                        const OptionValues& values = {}, const RunSettings& settings = {});

/// The names of a graph's vertices, by rank; none where they have no names. Errors as of Run.
StatusOr<std::vector<std::string>> ReadNames(const Graph& graph, const Resources& resources = {});

/// The version of the library: "0.1.0".
std::string_view Version();

}  // namespace edgemill
