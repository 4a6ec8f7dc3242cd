// Lists of neighbours of the C interface.
#include <algorithm>
#include <memory>
#include <utility>

#include "common/strings.h"
#include "common/units.h"
#include "edgemill/c/arguments.h"
#include "edgemill/c/caller.h"
#include "edgemill/c/graph.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/output/neighbor_lists.h"

namespace edgemill::c {

/// A graph that is open for reading lists. Thread-safe.
class OpenedLists {
 public:
  /// `graph` stays open as long as this. Reads the ids and names.
  static StatusOr<std::unique_ptr<OpenedLists>> Open(std::shared_ptr<OpenedGraph> graph,
                                                     const Resources& resources);

  /// The lists. UsageError once the graph is closed, MissingError once another one has its place.
  StatusOr<NeighborLists*> lists() const;
  const GraphStore& store() const { return *store_; }
  Status FindNames(std::span<const char* const> names, uint64_t* ids) const;
  StatusOr<Names> NamesOf(std::span<const ExternalId> ids) const;

 private:
  OpenedLists(std::shared_ptr<OpenedGraph> graph, const Resources& resources, int threads)
      : graph_(std::move(graph)),
        threads_(threads),
        budget_(resources.memory_bytes > 0 ? resources.memory_bytes : DefaultMemoryBytes()) {}
  /// Makes the reader: it gets the memory that ids, names and indexes leave, except for a half.
  Status MakeReader();
  Status CheckNames() const;

  const std::shared_ptr<OpenedGraph> graph_;
  const int threads_;
  MemoryBudget budget_;
  Progress progress_;
  std::unique_ptr<GraphStore> store_;
  std::unique_ptr<BlockReader> reader_;
  LoadedNames names_;
  std::unique_ptr<NeighborLists> lists_;
};

StatusOr<std::unique_ptr<OpenedLists>> OpenedLists::Open(std::shared_ptr<OpenedGraph> graph,
                                                         const Resources& resources) {
  Operation operation(resources);  // for its progress, which a caller can cancel
  operation.progress.StartStage("opening the lists", "vertices", 0);
  ASSIGN_OR_RETURN(const auto opened, graph->graph());
  const int threads = operation.threads;
  std::unique_ptr<OpenedLists> lists(new OpenedLists(std::move(graph), resources, threads));
  ASSIGN_OR_RETURN(lists->store_, OpenForRun(*opened, lists->budget_));
  RETURN_IF_ERROR(lists->MakeReader());
  const GraphContext context = {*lists->store_, *lists->reader_, lists->threads_, lists->budget_,
                                lists->progress_};
  ASSIGN_OR_RETURN(lists->lists_, NeighborLists::Load(context));
  ASSIGN_OR_RETURN(lists->names_, LoadedNames::Load(*lists->store_, *lists->reader_,
                                                    lists->threads_, lists->budget_));
  return lists;
}

Status OpenedLists::MakeReader() {
  constexpr uint64_t kLeastForLists = uint64_t{1} << 20;
  BlockReaderOptions options;
  options.threads = threads_;
  const uint64_t beside = NeighborLists::MemoryBytes(*store_) + LoadedNames::SizeBytes(*store_) +
                          BlockReader::OverheadBytes(*store_, options) + kLeastForLists;
  const uint64_t buffers = BlockReader::MinimumBufferBytes(*store_, threads_);
  if (budget_.available_bytes() < beside + buffers) {
    const uint64_t least = MemoryBudget::kProcessBytes + store_->table_bytes() + beside + buffers;
    return BudgetError(StrCat(store_->path(), ": reading lists needs at least --memory ",
                              FormatMebibytesUp(least), ", and has ",
                              FormatBytes(budget_.total_bytes())));
  }
  // The index of a second direction finds room where there is some.
  const uint64_t second = store_->info().directed ? VertexIndex::SizeBytes(store_->info()) : 0;
  const uint64_t rest = budget_.available_bytes() - beside - buffers;
  const uint64_t spare = rest - std::min(rest, second);
  options.buffer_bytes =
      std::clamp(spare / 4, buffers, std::max(buffers, BlockReaderOptions().buffer_bytes));
  uint64_t all_blocks = 0;
  for (size_t column = 0; column < kNumColumns; ++column) {
    all_blocks += BlockReader::CacheBytes(*store_, static_cast<ColumnKind>(column));
  }
  options.cache_bytes = std::min(all_blocks, spare / 4);
  if (BlockReader::OverheadBytes(*store_, options) > spare / 4) options.cache_bytes = 0;
  ASSIGN_OR_RETURN(reader_, BlockReader::Create(*store_, options, budget_));
  return OkStatus();
}

StatusOr<NeighborLists*> OpenedLists::lists() const {
  RETURN_IF_ERROR(graph_->graph().status());
  RETURN_IF_ERROR(CheckNotReplaced(*store_));
  return lists_.get();
}

Status OpenedLists::CheckNames() const {
  if (HasNames(*store_)) return OkStatus();
  return UsageError(StrCat(store_->path(), ": vertices have numbers as ids, and no names"));
}

Status OpenedLists::FindNames(std::span<const char* const> names, uint64_t* ids) const {
  RETURN_IF_ERROR(lists().status());
  RETURN_IF_ERROR(CheckNames());
  const NameDictionary dictionary(*store_, *reader_);
  for (const char* const name : names) {
    ASSIGN_OR_RETURN(*ids++, dictionary.FindOrSuggest(name, threads_));
  }
  return OkStatus();
}

StatusOr<Names> OpenedLists::NamesOf(std::span<const ExternalId> ids) const {
  RETURN_IF_ERROR(lists().status());
  RETURN_IF_ERROR(CheckNames());
  const uint64_t count = store_->info().num_vertices;
  Names names;
  for (const ExternalId id : ids) {
    if (id >= count) {
      return UsageError(StrCat(store_->path(), ": ", id, " is not a vertex: ranks of names are ",
                               "below ", count));
    }
    names.Add(names_.Of(id));
  }
  return names;
}

namespace {

/// Lists as a C caller gets them.
struct HeldLists : edgemill_neighbors {
  explicit HeldLists(IdLists given) : lists(std::move(given)) {
    static_cast<edgemill_neighbors&>(*this) = {
        .num_lists = lists.vertices.size(),
        .num_edges = lists.neighbors.size(),
        .vertices = lists.vertices.data(),
        .offsets = lists.offsets.data(),
        .neighbors = lists.neighbors.data(),
        .weights = lists.weights.empty() ? nullptr : lists.weights.data(),
        .sources = lists.sources.empty() ? nullptr : lists.sources.data(),
        .next = lists.next};
  }

  const IdLists lists;
};

Direction DirectionOf(int32_t flags) {
  return (flags & EDGEMILL_LIST_IN) != 0 ? Direction::kIn : Direction::kOut;
}

ListOptions OptionsOf(int32_t flags) {
  return {.direction = DirectionOf(flags),
          .weights = (flags & EDGEMILL_LIST_WEIGHTS) != 0,
          .sources = (flags & EDGEMILL_LIST_SOURCES) != 0,
          .once = (flags & EDGEMILL_LIST_ONCE) != 0};
}

}  // namespace
}  // namespace edgemill::c

struct edgemill_lists {
  std::unique_ptr<edgemill::c::OpenedLists> opened;

  /// Gives a C caller the lists that `read` returns.
  template <typename Read>
  edgemill_error* Give(int32_t flags, const edgemill_neighbors** neighbors, const Read& read) {
    return edgemill::c::Guarded([&]() -> edgemill::Status {
      ASSIGN_OR_RETURN(edgemill::NeighborLists* const lists, opened->lists());
      ASSIGN_OR_RETURN(edgemill::IdLists found, read(*lists, edgemill::c::OptionsOf(flags)));
      *neighbors = std::make_unique<edgemill::c::HeldLists>(std::move(found)).release();
      return edgemill::OkStatus();
    });
  }
};

using edgemill::ListOptions;
using edgemill::NeighborLists;
using edgemill::OkStatus;
using edgemill::Status;
using edgemill::c::Guarded;

edgemill_error* edgemill_lists_open(const edgemill_graph* graph, const edgemill_call* call,
                                    edgemill_lists** lists) {
  return Guarded([&]() -> Status {
    edgemill::c::SharedArguments arguments("lists", {.data_help = ""});
    edgemill::c::Caller caller(call);
    RETURN_IF_ERROR(arguments.set.Parse(caller.arguments()));
    const auto shared = graph->opened->With(arguments.shared);
    const edgemill::Resources resources = caller.ResourcesOf(shared.memory_bytes, shared.threads);
    std::unique_ptr<edgemill::c::OpenedLists> opened;
    RETURN_IF_ERROR(caller.Serve([&]() -> Status {
      ASSIGN_OR_RETURN(opened, edgemill::c::OpenedLists::Open(graph->opened, resources));
      return OkStatus();
    }));
    *lists = std::make_unique<edgemill_lists>(edgemill_lists{std::move(opened)}).release();
    return OkStatus();
  });
}

void edgemill_lists_close(edgemill_lists* lists) {
  if (edgemill::c::IsForked()) return;
  const std::unique_ptr<edgemill_lists> owned(lists);
}

edgemill_error* edgemill_lists_vertices(edgemill_lists* lists, uint64_t* ids) {
  return Guarded([&]() -> Status {
    ASSIGN_OR_RETURN(const NeighborLists* const found, lists->opened->lists());
    found->WriteIds({ids, lists->opened->store().info().num_vertices});
    return OkStatus();
  });
}

edgemill_error* edgemill_lists_find(edgemill_lists* lists, const char* const* names, uint64_t count,
                                    uint64_t* ids) {
  return Guarded([&] { return lists->opened->FindNames({names, count}, ids); });
}

edgemill_error* edgemill_lists_names(edgemill_lists* lists, const uint64_t* ids, uint64_t count,
                                     const edgemill_names** names) {
  return Guarded([&]() -> Status {
    ASSIGN_OR_RETURN(auto found, lists->opened->NamesOf({ids, count}));
    *names = edgemill::c::GiveNames(std::make_shared<const edgemill::c::Names>(std::move(found)));
    return OkStatus();
  });
}

edgemill_error* edgemill_lists_degrees(edgemill_lists* lists, const uint64_t* ids, uint64_t count,
                                       int32_t flags, uint64_t* degrees) {
  return Guarded([&]() -> Status {
    const edgemill::Direction direction = edgemill::c::DirectionOf(flags);
    ASSIGN_OR_RETURN(NeighborLists* const found, lists->opened->lists());
    if (ids != nullptr) return found->WriteDegrees({ids, count}, direction, {degrees, count});
    return found->WriteAllDegrees(direction, {degrees, lists->opened->store().info().num_vertices});
  });
}

edgemill_error* edgemill_lists_read(edgemill_lists* lists, const uint64_t* ids, uint64_t count,
                                    int32_t flags, const edgemill_neighbors** neighbors) {
  return lists->Give(flags, neighbors, [&](NeighborLists& of, const ListOptions& options) {
    return of.Read({ids, count}, options);
  });
}

edgemill_error* edgemill_lists_sample(edgemill_lists* lists, const edgemill_draw* draw,
                                      const edgemill_neighbors** neighbors) {
  return lists->Give(draw->flags, neighbors, [&](NeighborLists& of, const ListOptions& options) {
    return of.Sample({draw->ids, draw->count}, draw->most, draw->seed, options);
  });
}

edgemill_error* edgemill_lists_edges(edgemill_lists* lists, uint64_t first, uint64_t most,
                                     int32_t flags, const edgemill_neighbors** neighbors) {
  return lists->Give(flags, neighbors, [&](NeighborLists& of, const ListOptions& options) {
    return of.ReadEdges(first, std::max<uint64_t>(most, 1), options);
  });
}

void edgemill_neighbors_free(const edgemill_neighbors* neighbors) {
  const std::unique_ptr<const edgemill::c::HeldLists> owned(
      static_cast<const edgemill::c::HeldLists*>(neighbors));
}
