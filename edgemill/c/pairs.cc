// Similarities of pairs of vertices of the C interface.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>

#include "common/strings.h"
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
  constexpr uint64_t kMostPairs = std::numeric_limits<uint32_t>::max();
  if (list.count > kMostPairs) {
    return UsageError(
        StrCat("pairs: ", list.count, " are too many: give at most ", kMostPairs, " at a time"));
  }
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

using edgemill::Graph;
using edgemill::Operation;
using edgemill::c::Caller;

edgemill_error* edgemill_pairs(const edgemill_graph* graph, const edgemill_pair_list* pairs,
                               const edgemill_call* call, double* similarities) {
  return edgemill::c::WorkOn<edgemill::c::PairArguments>(
      graph, call,
      [&](const Graph& opened, const edgemill::cli::PairFlags& flags, Caller&,
          Operation& operation) {
        return edgemill::c::CompareForC(opened, *pairs, flags.Options(), operation,
                                        {similarities, pairs->count});
      });
}
