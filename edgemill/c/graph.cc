#include "edgemill/c/graph.h"

#include <utility>

#include "cli/ingest/graph_making.h"
#include "edgemill/c/arguments.h"
#include "edgemill/c/caller.h"
#include "edgemill/graph_names.h"
#include "edgemill/operation.h"

namespace edgemill::c {
namespace {

const char* WeightsName(WeightType type) {
  switch (type) {
    case WeightType::kInt32:
      return "int";
    case WeightType::kFloat32:
      return "float32";
    case WeightType::kFloat64:
      return "float";
    case WeightType::kNone:
      break;
  }
  return nullptr;
}

/// Names as a C caller gets them.
struct HeldNames : edgemill_names {
  explicit HeldNames(std::shared_ptr<const Names> names)
      : edgemill_names{names->size(), names->offsets.data(), names->text.data()},
        held(std::move(names)) {}

  const std::shared_ptr<const Names> held;
};

}  // namespace

const edgemill_names* GiveNames(std::shared_ptr<const Names> names) {
  return std::make_unique<HeldNames>(std::move(names)).release();
}

OpenedGraph::OpenedGraph(std::unique_ptr<Graph> graph, const cli::SharedOptions& shared)
    : shared_(shared), path_(graph->path()), uuid_(graph->info().uuid.ToString()) {
  const GraphInfo& info = graph->info();
  info_ = {.path = path_.c_str(),
           .uuid = uuid_.c_str(),
           .num_vertices = info.num_vertices,
           .num_edges = info.num_edges,
           .weights = WeightsName(info.weights),
           .directed = info.directed,
           .has_names = graph->has_names()};
  graph_ = std::move(graph);
}

StatusOr<std::shared_ptr<const Graph>> OpenedGraph::LockedGraph() const {
  if (graph_ == nullptr) return UsageError(StrCat(path_, ": is closed: open it again"));
  return graph_;
}

StatusOr<std::shared_ptr<const Graph>> OpenedGraph::graph() {
  const MutexLock lock(mutex_);
  return LockedGraph();
}

void OpenedGraph::Close() {
  const MutexLock lock(mutex_);
  graph_ = nullptr;
}

cli::SharedOptions OpenedGraph::With(cli::SharedOptions given) const {
  if (given.memory_bytes == 0) given.memory_bytes = shared_.memory_bytes;
  if (given.threads == 0) given.threads = shared_.threads;
  return given;
}

StatusOr<std::shared_ptr<const Names>> OpenedGraph::AllNames() {
  const MutexLock lock(mutex_);
  if (std::shared_ptr<const Names> known = names_.lock()) return known;
  ASSIGN_OR_RETURN(const auto graph, LockedGraph());
  const Resources resources{.memory_bytes = shared_.memory_bytes,
                            .threads = static_cast<int>(shared_.threads)};
  Operation operation(resources);
  const auto names = std::make_shared<Names>();
  RETURN_IF_ERROR(VisitNames(*graph, operation, [&](std::string_view name) { names->Add(name); }));
  names_ = names;
  return std::shared_ptr<const Names>(names);
}

StatusOr<Names> OpenedGraph::NamesOf(std::span<const ExternalId> ids) {
  ASSIGN_OR_RETURN(const auto opened, graph());
  const Resources resources{.memory_bytes = shared_.memory_bytes,
                            .threads = static_cast<int>(shared_.threads)};
  Operation operation(resources);
  Names names;
  RETURN_IF_ERROR(
      FindNames(*opened, ids, operation, [&](std::string_view name) { names.Add(name); }));
  return names;
}

}  // namespace edgemill::c

using edgemill::Status;
using edgemill::c::Guarded;

edgemill_error* edgemill_graph_open(const char* path, const edgemill_call* call,
                                    edgemill_graph** graph) {
  return Guarded([&]() -> Status {
    edgemill::c::SharedArguments arguments(
        "open", {.data_help = "where to look for data directories that have moved (repeatable)"});
    uint64_t cache_bytes = 0;
    arguments.set.Bytes("--cache", &cache_bytes, "memory for blocks that runs share");
    std::string weight;
    arguments.set.Text("--weight", &weight, "NAME",
                       "the column of the edges that is their weight (ingest --column)");
    RETURN_IF_ERROR(arguments.set.Parse(edgemill::c::Caller(call).arguments()));
    ASSIGN_OR_RETURN(auto opened, edgemill::OpenGraph(path, {arguments.shared.data_directories,
                                                             weight, cache_bytes}));
    const auto held =
        std::make_shared<edgemill::c::OpenedGraph>(std::move(opened), arguments.shared);
    *graph = std::make_unique<edgemill_graph>(edgemill_graph{held}).release();
    return edgemill::OkStatus();
  });
}

void edgemill_graph_close(edgemill_graph* graph) {
  if (edgemill::c::IsForked()) return;
  const std::unique_ptr<edgemill_graph> owned(graph);
  if (owned != nullptr) owned->opened->Close();
}

const edgemill_graph_info* edgemill_graph_describe(const edgemill_graph* graph) {
  return &graph->opened->info();
}

edgemill_error* edgemill_graph_names(const edgemill_graph* graph, const uint64_t* ids,
                                     uint64_t count, const edgemill_names** names) {
  return Guarded([&]() -> Status {
    std::shared_ptr<const edgemill::c::Names> held;
    if (ids == nullptr) {
      ASSIGN_OR_RETURN(held, graph->opened->AllNames());
    } else {
      ASSIGN_OR_RETURN(auto some, graph->opened->NamesOf({ids, count}));
      held = std::make_shared<const edgemill::c::Names>(std::move(some));
    }
    *names = edgemill::c::GiveNames(std::move(held));
    return edgemill::OkStatus();
  });
}

void edgemill_names_free(const edgemill_names* names) {
  const std::unique_ptr<const edgemill::c::HeldNames> owned(
      static_cast<const edgemill::c::HeldNames*>(names));
}

edgemill_error* edgemill_graph_remove(const char* path, const edgemill_call* call) {
  return Guarded([&]() -> Status {
    edgemill::c::SharedArguments arguments(
        "remove",
        {.memory = false, .threads = false, .data_help = "data directories (repeatable)"});
    RETURN_IF_ERROR(arguments.set.Parse(edgemill::c::Caller(call).arguments()));
    return edgemill::cli::RemoveWithRemains(path, arguments.shared.data_directories);
  });
}
