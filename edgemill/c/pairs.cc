// Similarities of pairs of vertices of the C interface.
#include <algorithm>
#include <memory>
#include <span>

#include "edgemill/c/arguments.h"
#include "edgemill/c/caller.h"
#include "edgemill/c/given_vertices.h"
#include "edgemill/c/graph.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "engine/output/pairs/pair_similarity.h"

namespace edgemill::c {
namespace {

/// Pairs of vertices, and what they take of the memory.
struct GivenPairs {
  MemoryReservation memory;
  Array<VertexPair> pairs;
};

StatusOr<GivenPairs> FindPairs(const edgemill_pair_list& list, const GraphStore& store,
                               BlockReader& reader, Operation& operation) {
  const uint64_t count = list.count;
  GivenPairs given;
  ASSIGN_OR_RETURN(given.memory, operation.budget.Reserve(count * sizeof(VertexPair), "pairs"));
  ASSIGN_OR_RETURN(
      const MemoryReservation finding,
      operation.budget.Reserve(count * (kFindingBytes + sizeof(VertexId)), "finding vertices"));
  ASSIGN_OR_RETURN(given.pairs, Array<VertexPair>::Allocate(count));
  for (const bool is_one : {true, false}) {
    ASSIGN_OR_RETURN(
        const Array<VertexId> found,
        FindGiven({is_one ? list.ones : list.others, count}, store, reader, operation.threads));
    for (size_t i = 0; i < count; ++i) {
      (is_one ? given.pairs[i].one : given.pairs[i].other) = found[i];
    }
  }
  return given;
}

Status CompareForC(const Graph& graph, const edgemill_pair_list& list, const PairOptions& options,
                   Operation& operation, std::span<double> similarities) {
  constexpr uint64_t kPairBytes = sizeof(VertexPair) + kFindingBytes + sizeof(VertexId);
  ASSIGN_OR_RETURN(const auto store, OpenForRun(graph, operation.budget));
  const uint64_t beside = PairMemoryBytes(*store, list.count, options) + list.count * kPairBytes;
  ASSIGN_OR_RETURN(const auto reader, ReaderBeside(*store, "pairs", beside, operation));
  ASSIGN_OR_RETURN(const GivenPairs given, FindPairs(list, *store, *reader, operation));
  return FindSimilarities(
      {*store, *reader, operation.threads, operation.budget, operation.progress},
      given.pairs.span(), options, similarities);
}

}  // namespace
}  // namespace edgemill::c

edgemill_error* edgemill_pairs(const edgemill_graph* graph, const edgemill_pair_list* pairs,
                               const edgemill_call* call, double* similarities) {
  using edgemill::Status;
  return edgemill::c::Guarded([&]() -> Status {
    edgemill::c::PairArguments arguments;
    edgemill::c::Caller caller(call);
    RETURN_IF_ERROR(arguments.set.Parse(caller.arguments()));
    const auto shared = graph->opened->With(arguments.shared);
    const edgemill::Resources resources = caller.ResourcesOf(shared.memory_bytes, shared.threads);
    ASSIGN_OR_RETURN(const auto opened, graph->opened->graph());
    return caller.Serve([&]() -> Status {
      edgemill::Operation operation(resources);
      return edgemill::c::CompareForC(*opened, *pairs, arguments.flags.Options(), operation,
                                      {similarities, pairs->count});
    });
  });
}
