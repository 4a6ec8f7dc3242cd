// Answers of programs on a GPU, against those of textbook versions on the CPU.
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

/// A right answer by internal vertex: one of the two is there.
struct RightAnswer {
  PlainValues<uint32_t> values;  // levels, distances; least internal vertex of the component
  PlainValues<float> ranks;
  double rank_tolerance = 0;  // in all (L1)
};

/// Compares answers with right ones. Not thread-safe.
class AnswerCheck {
 public:
  /// Reads the graph's id columns once. 4 bytes a vertex of `budget`, and 8 while it checks
  /// components.
  static StatusOr<AnswerCheck> Create(const GraphStore& store, int threads, MemoryBudget& budget);

  /// InternalError that names a vertex when they differ; what reading the answer may meet.
  Status Check(RunResult& result, const RightAnswer& right);
  static Status Check(std::span<const uint32_t> values, const RightAnswer& right);
  static Status Check(std::span<const float> ranks, const RightAnswer& right);

 private:
  MemoryBudget* budget_ = nullptr;
  PlainValues<VertexId> vertices_;  // internal, by rank of the input's id
};

}  // namespace edgemill::bench
