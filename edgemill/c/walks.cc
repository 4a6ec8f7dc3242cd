// Random walks of the C interface.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cli/walks/vertex_list.h"
#include "edgemill/c/arguments.h"
#include "edgemill/c/caller.h"
#include "edgemill/c/given_vertices.h"
#include "edgemill/c/graph.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "engine/output/external_ids.h"
#include "engine/output/walks/random_walks.h"

namespace edgemill::c {
namespace {

/// Gives walks to a C caller, some at a time, with ids in the place of vertices.
class WalkPieces {
 public:
  /// What it takes: ids and offsets of a piece.
  static uint64_t MemoryBytes(const WalkOptions& options) {
    return 2 * PieceVertices(options) * sizeof(uint64_t);
  }

  WalkPieces(const edgemill_walk_request& request, const ExternalIds& ids, Caller& caller,
             const WalkOptions& options)
      : request_(request), ids_(ids), caller_(caller), most_(PieceVertices(options)) {
    offsets_.reserve(most_);
    vertices_.reserve(most_);
  }

  /// Returns false once the caller wants no more.
  bool Give(const WalkRows& rows) {
    for (size_t begin = 0; begin < rows.sizes.size();) {
      offsets_.assign(1, 0);
      vertices_.clear();
      size_t end = begin;
      for (; end < rows.sizes.size(); ++end) {
        const std::span<const VertexId> walk = rows.Of(end);
        if (vertices_.size() + walk.size() > most_) break;
        for (const VertexId v : walk) vertices_.push_back(ids_.Of(v));
        offsets_.push_back(vertices_.size());
      }
      const edgemill_walks walks = {.first = rows.first_walk + begin,
                                    .count = end - begin,
                                    .offsets = offsets_.data(),
                                    .vertices = vertices_.data()};
      int32_t ends = 0;
      caller_.Ask([&] { ends = request_.take(request_.user, &walks); });
      if (ends != 0) return false;
      begin = end;
    }
    return true;
  }

 private:
  /// A piece has at least one walk. A walk has at least one vertex.
  static uint64_t PieceVertices(const WalkOptions& options) {
    return std::max<uint64_t>(uint64_t{1} << 17, options.length + 1);
  }

  const edgemill_walk_request& request_;
  const ExternalIds& ids_;
  Caller& caller_;
  const uint64_t most_;
  std::vector<uint64_t> offsets_, vertices_;
};

Status WalkForC(const Graph& graph, const edgemill_walk_request& request,
                const cli::WalkFlags& flags, Caller& caller, Operation& operation) {
  constexpr uint64_t kMostStarts = ~uint64_t{0} / 64;
  ASSIGN_OR_RETURN(const auto store, OpenForRun(graph, operation.budget));
  ASSIGN_OR_RETURN(const WalkOptions options, flags.Options(store->info()));
  const bool from_all = request.starts == nullptr;
  const uint64_t num_starts = from_all ? store->info().num_vertices : request.num_starts;
  const uint64_t start_bytes =
      std::min(num_starts, kMostStarts) * (sizeof(VertexId) + (from_all ? 0 : kFindingBytes));
  const uint64_t own_bytes = WalkPieces::MemoryBytes(options) + (from_all ? 0 : start_bytes);
  const uint64_t beside = WalkMemoryBytes(store->info(), options) + ExternalIds::SizeBytes(*store) +
                          WalkPieces::MemoryBytes(options) + start_bytes;
  ASSIGN_OR_RETURN(const auto reader, ReaderBeside(*store, "walks", beside, operation));
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   operation.budget.Reserve(own_bytes, "walks on their way to the caller"));
  ASSIGN_OR_RETURN(const ExternalIds ids,
                   ExternalIds::Load(*store, *reader, operation.threads, operation.budget));
  cli::VertexList starts;
  if (from_all) {
    ASSIGN_OR_RETURN(starts,
                     cli::AllVertices(*store, *reader,
                                      {operation.budget, operation.progress, operation.threads}));
  } else {
    ASSIGN_OR_RETURN(starts.vertices, FindGiven({request.starts, request.num_starts}, *store,
                                                *reader, operation.threads));
  }
  WalkPieces pieces(request, ids, caller, options);
  const WalkSink sink = {
      .check = [](uint64_t) { return OkStatus(); },
      .take = [&](const WalkRows& rows) -> StatusOr<bool> { return pieces.Give(rows); }};
  return MakeWalks({*store, *reader, operation.threads, operation.budget, operation.progress},
                   starts.vertices.span(), options, sink)
      .status();
}

}  // namespace
}  // namespace edgemill::c

edgemill_error* edgemill_walk(const edgemill_graph* graph, const edgemill_walk_request* request,
                              const edgemill_call* call) {
  using edgemill::Status;
  return edgemill::c::Guarded([&]() -> Status {
    edgemill::c::WalkArguments arguments;
    edgemill::c::Caller caller(call);
    RETURN_IF_ERROR(arguments.set.Parse(caller.arguments()));
    const auto shared = graph->opened->With(arguments.shared);
    const edgemill::Resources resources = caller.ResourcesOf(shared.memory_bytes, shared.threads);
    ASSIGN_OR_RETURN(const auto opened, graph->opened->graph());
    return caller.Serve([&]() -> Status {
      edgemill::Operation operation(resources);
      return edgemill::c::WalkForC(*opened, *request, arguments.flags, caller, operation);
    });
  });
}
