// Compares answers from a GPU with those of textbook programs on the CPU.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bench/plain/plain_algorithms.h"
#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// A right answer by internal id. It has either values or ranks.
struct RightAnswer {
  PlainValues<uint32_t> values;  // levels, distances, or the least internal id of the component
  PlainValues<float> ranks;
  double rank_tolerance = 0;  // of the sum of all differences (L1)
};

/// Compares answers with right ones. Not thread-safe.
class AnswerCheck {
 public:
  /// Reads the graph's id columns once. Takes 4 bytes a vertex of `budget`, and 8 more during a
  /// check of components.
  static StatusOr<AnswerCheck> Create(const GraphStore& store, int threads, MemoryBudget& budget);

  /// Returns InternalError when the answers differ, and the errors of reading the answer.
  Status Check(RunResult& result, const RightAnswer& right);
  static Status Check(std::span<const uint32_t> values, const RightAnswer& right);
  /// `more_tolerance` is added to that of `right`.
  static Status Check(std::span<const float> ranks, const RightAnswer& right,
                      double more_tolerance = 0);

 private:
  MemoryBudget* budget_ = nullptr;
  PlainValues<VertexId> vertices_;  // internal ids, by rank of the input's id
};

}  // namespace edgemill::bench
