#include "edgemill/open_graph.h"

#include <utility>

#include "common/os/file.h"
#include "common/strings.h"
#include "edgemill/shared_blocks.h"
#include "storage/catalog/data_directory.h"

namespace edgemill {
namespace {

Status ReplacedError(const std::string& path) {
  return MissingError(
      StrCat(path, ": another graph has taken its place since it was opened: open it again"));
}

}  // namespace

Graph::Graph(std::unique_ptr<GraphStore> store, GraphSettings settings)
    : store_(std::move(store)),
      data_directories_(std::move(settings.data_directories)),
      weight_(std::move(settings.weight)),
      shared_blocks_(settings.cache_bytes == 0
                         ? nullptr
                         : std::make_unique<SharedBlocks>(settings.cache_bytes)) {}

Graph::~Graph() = default;

const std::string& Graph::path() const { return store_->path(); }

const GraphInfo& Graph::info() const { return store_->info(); }

StatusOr<std::unique_ptr<Graph>> OpenGraph(const std::string& path, GraphSettings settings) {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) {
    return MissingError(StrCat(path, ": there is no such graph directory: check the name"));
  }
  MemoryBudget budget(MemoryBudget::kProcessBytes);  // without a block table it takes nothing
  const OpenOptions options{.data_directories = settings.data_directories,
                            .weight = settings.weight,
                            .block_table = false};
  ASSIGN_OR_RETURN(std::unique_ptr<GraphStore> store, GraphStore::Open(path, options, budget));
  return std::unique_ptr<Graph>(new Graph(std::move(store), std::move(settings)));
}

StatusOr<std::unique_ptr<GraphStore>> OpenForRun(const Graph& graph, MemoryBudget& budget) {
  const OpenOptions options{.data_directories = graph.data_directories(), .weight = graph.weight()};
  ASSIGN_OR_RETURN(std::unique_ptr<GraphStore> store,
                   GraphStore::Open(graph.path(), options, budget));
  if (store->info().uuid == graph.info().uuid) return store;
  return ReplacedError(graph.path());
}

StatusOr<StoreOfRun> StoreOfRun::Open(const Graph& graph, Operation& operation) {
  StoreOfRun opened;
  if (graph.shared_blocks() != nullptr) {
    ASSIGN_OR_RETURN(opened.shared_, graph.shared_blocks()->Join(graph, operation.threads));
  }
  if (opened.shared_ == nullptr) {
    ASSIGN_OR_RETURN(opened.own_, OpenForRun(graph, operation.budget));
  }
  return opened;
}

Status CheckNotReplaced(const GraphStore& store) {
  return WasReplaced(store.directory()) ? ReplacedError(store.path()) : OkStatus();
}

}  // namespace edgemill
