#include "edgemill/open_graph.h"

#include <utility>

#include "common/os/file.h"
#include "common/strings.h"
#include "storage/catalog/data_directory.h"

namespace edgemill {
namespace {

Status ReplacedError(const std::string& path) {
  return MissingError(
      StrCat(path, ": another graph has taken its place since it was opened: open it again"));
}

}  // namespace

Graph::Graph(std::unique_ptr<GraphStore> store, std::vector<std::string> data_directories)
    : store_(std::move(store)), data_directories_(std::move(data_directories)) {}

Graph::~Graph() = default;

const std::string& Graph::path() const { return store_->path(); }

const GraphInfo& Graph::info() const { return store_->info(); }

StatusOr<std::unique_ptr<Graph>> OpenGraph(const std::string& path,
                                           std::vector<std::string> data_directories) {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) {
    return MissingError(StrCat(path, ": there is no such graph directory: check the name"));
  }
  MemoryBudget budget(MemoryBudget::kProcessBytes);  // without a block table it takes nothing
  ASSIGN_OR_RETURN(
      std::unique_ptr<GraphStore> store,
      GraphStore::Open(path, {.data_directories = data_directories, .block_table = false}, budget));
  return std::unique_ptr<Graph>(new Graph(std::move(store), std::move(data_directories)));
}

StatusOr<std::unique_ptr<GraphStore>> OpenForRun(const Graph& graph, MemoryBudget& budget) {
  const OpenOptions options{.data_directories = graph.data_directories()};
  ASSIGN_OR_RETURN(std::unique_ptr<GraphStore> store,
                   GraphStore::Open(graph.path(), options, budget));
  if (store->info().uuid == graph.info().uuid) return store;
  return ReplacedError(graph.path());
}

Status CheckNotReplaced(const GraphStore& store) {
  return WasReplaced(store.directory()) ? ReplacedError(store.path()) : OkStatus();
}

}  // namespace edgemill
