#include "bench/trials/answer_check.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/graph/id_map.h"
#include "storage/read/block_reader.h"

namespace edgemill::bench {
namespace {

Status Differs(uint64_t vertex, uint64_t value, uint64_t right) {
  return InternalError(
      StrCat("a wrong answer: internal vertex ", vertex, " has ", value, ", not ", right));
}

Status CheckApart(double apart, double tolerance) {
  if (apart <= tolerance) return OkStatus();
  return InternalError(
      StrCat("a wrong answer: ranks are ", apart, " apart in all, more than ", tolerance));
}

}  // namespace

StatusOr<AnswerCheck> AnswerCheck::Create(const GraphStore& store, int threads,
                                          MemoryBudget& budget) {
  AnswerCheck check;
  check.budget_ = &budget;
  ASSIGN_OR_RETURN(check.vertices_,
                   PlainValues<VertexId>::Allocate(store.info().num_vertices, budget));
  BlockReaderOptions options;
  options.threads = threads;
  options.buffer_bytes = BlockReader::MinimumBufferBytes(store, threads);
  ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                   BlockReader::Create(store, options, budget));
  IdMap ids(store, *reader);
  RETURN_IF_ERROR(ids.Visit(
      [&](uint64_t first_rank, std::span<const ExternalId>, std::span<const VertexId> vertices) {
        std::copy(vertices.begin(), vertices.end(), &check.vertices_[first_rank]);
        return OkStatus();
      }));
  return check;
}

Status AnswerCheck::Check(RunResult& result, const RightAnswer& right) {
  const bool is_component = result.top_kind() == TopKind::kGroups;
  uint64_t rank = 0;
  double apart = 0;
  // The name of a component is its least input id, which is the first that Visit gives.
  PlainValues<ExternalId> names;  // name + 1, by the component in the right answer
  if (is_component) {
    ASSIGN_OR_RETURN(names, PlainValues<ExternalId>::Allocate(result.num_vertices(), *budget_));
  }
  RETURN_IF_ERROR(result.Visit([&](std::span<const VertexValue> values) {
    for (const VertexValue& value : values) {
      const VertexId vertex = vertices_[rank++];
      if (result.type() == ResultType::kReal) {
        apart += std::abs(value.real - double{right.ranks[vertex]});
        continue;
      }
      const uint64_t expected = right.values[vertex];
      if (is_component) {
        if (names[expected] == 0) names[expected] = value.id + 1;
        if (value.integer + 1 != names[expected]) {
          return Differs(vertex, value.integer, names[expected] - 1);
        }
      } else if ((value.reached ? value.integer : kPlainUnreached) != expected) {
        return Differs(vertex, value.integer, expected);
      }
    }
    return OkStatus();
  }));
  return CheckApart(apart, right.rank_tolerance);
}

Status AnswerCheck::Check(std::span<const uint32_t> values, const RightAnswer& right) {
  for (uint64_t vertex = 0; vertex < values.size(); ++vertex) {
    if (values[vertex] != right.values[vertex]) {
      return Differs(vertex, values[vertex], right.values[vertex]);
    }
  }
  return OkStatus();
}

Status AnswerCheck::Check(std::span<const float> ranks, const RightAnswer& right,
                          double more_tolerance) {
  double apart = 0;
  for (uint64_t vertex = 0; vertex < ranks.size(); ++vertex) {
    apart += std::abs(double{ranks[vertex]} - double{right.ranks[vertex]});
  }
  return CheckApart(apart, right.rank_tolerance + more_tolerance);
}

}  // namespace edgemill::bench
