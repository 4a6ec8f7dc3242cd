#include "bench/trials/generated_graph.h"

#include <memory>

#include "bench/io/scratch_file.h"
#include "common/os/file.h"
#include "common/strings.h"
#include "loaders/ingest/ingest.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/graph_state.h"
#include "storage/write/graph_writer.h"

namespace edgemill::bench {
namespace {

/// Disk space that a graph takes while it is made, for each edge drawn. It holds both directions,
/// sorted on disk, and the blocks of the graph. 30 bytes were measured.
constexpr uint64_t kDiskBytesAnEdge = 36;

/// The uuid of every BenchmarkGraph.
Uuid GraphUuid() { return Uuid{}.Derive(0x7363616c6573); }

/// Removes what a killed run has left at `path`. Returns an error for anything else.
Status RemoveLeftover(const std::string& path) {
  const StatusOr<File> directory = OpenGraphDirectory(path);
  if (directory.status().code() == Code::kMissing) return OkStatus();
  const Status foreign = OutputError(StrCat(path, " exists: remove it with edgemill remove"));
  if (directory.status().code() == Code::kBadData) return foreign;
  RETURN_IF_ERROR(directory.status());
  ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(*directory));
  if (report.state != GraphState::kEmpty && report.state != GraphState::kLeftovers) {
    const StatusOr<GraphIdentity> identity = IdentityOf(*directory);
    if (identity.status().code() == Code::kIo) return identity.status();
    if (!identity.ok() || identity->graph != GraphUuid()) return foreign;
  }
  return RemoveGraph(path, {});
}

}  // namespace

Status MakeGeneratedGraph(const GeneratedGraphOptions& options, const std::string& path,
                          Progress& progress) {
  IngestOptions ingest;
  SetIngestDefaults(options.generator.kind, &ingest);
  ingest.weights = options.weights;
  if (options.by_degree) ingest.renumbering = Renumbering::kDegree;
  ingest.block_edges = options.block_edges;
  ingest.threads = options.threads;
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, MakeGenerator(options.generator));
  CreateOptions create;
  create.uuid = options.uuid;
  create.block_edges = ingest.block_edges;
  create.page_blocks = ingest.page_blocks;
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphWriter> writer, GraphWriter::Create(path, create));
  MemoryBudget budget(options.memory_bytes);
  return IngestInto(*source, *writer, ingest, budget, progress).status();
}

Status CheckSpaceForGraph(const std::string& directory, uint64_t scale, uint64_t edge_factor,
                          std::string_view advice) {
  return CheckFreeDisk(directory, (kDiskBytesAnEdge * edge_factor) << scale, advice);
}

BenchmarkGraph::BenchmarkGraph(const std::string& directory, std::string_view name)
    : path_(StrCat(directory, "/edgemill-", name, ".mill")) {}

Status BenchmarkGraph::Make(GeneratedGraphOptions options, Progress& progress) {
  RETURN_IF_ERROR(RemoveLeftover(path_));
  is_own_ = true;
  options.uuid = GraphUuid();
  return MakeGeneratedGraph(options, path_, progress);
}

Status BenchmarkGraph::Make(EdgeSource& source, IngestOptions options, MemoryBudget& budget,
                            Progress& progress) {
  RETURN_IF_ERROR(RemoveLeftover(path_));
  is_own_ = true;
  options.uuid = GraphUuid();
  options.removes_unfinished = true;
  return Ingest(source, path_, options, budget, progress).status();
}

Status BenchmarkGraph::Remove() {
  return is_own_ && PathExists(path_) ? RemoveGraph(path_, {}) : OkStatus();
}

}  // namespace edgemill::bench
