// A graph in plain CSR, as most programs keep it in memory: raw ids and 8-byte offsets. Benchmarks
// compare Edgemill with it where other programs cannot be run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "storage/read/graph_store.h"
#include "storage/read/memory_registrar.h"

namespace edgemill::bench {

/// The lists of one direction.
struct PlainLists {
  Array<uint64_t> offsets;    // one for each vertex, and one for the end
  Array<VertexId> neighbors;  // sorted in each list
  Array<int32_t> weights;     // empty when there are none
  /// The registrations of neighbours and weights with a device. They are declared after the arrays,
  /// so that they are destroyed before them.
  RegisteredMemory registered[2];

  uint64_t degree(VertexId vertex) const { return offsets[vertex + 1] - offsets[vertex]; }
  std::span<const VertexId> of(VertexId vertex) const {
    return {neighbors.data() + offsets[vertex], degree(vertex)};
  }
};

/// A whole graph in memory, by internal ids. Immutable; thread-safe.
class PlainCsr {
 public:
  /// Bytes that a graph takes as plain CSR: 8 a vertex and 4 an edge for each direction stored, 4
  /// an edge for weights.
  static uint64_t SizeBytes(const GraphInfo& info);

  /// Reads all of `store` into memory reserved in `budget`. A directed graph must have both
  /// directions. Registers neighbours and weights with `registrar`, if there is one, which must
  /// outlive the graph. Returns BudgetError with the bytes that are enough. Returns UsageError for
  /// a graph that lacks a direction or has weights other than 32-bit integers. Also returns the
  /// errors of reading.
  static StatusOr<PlainCsr> Load(const GraphStore& store, int threads, MemoryBudget& budget,
                                 Progress& progress, MemoryRegistrar* registrar = nullptr);

  uint64_t num_vertices() const { return out_.offsets.size() - 1; }
  uint64_t num_edges() const { return out_.neighbors.size(); }
  bool directed() const { return in_.has_value(); }
  bool has_negative_weight() const { return has_negative_weight_; }
  const PlainLists& out() const { return out_; }
  /// The lists of in-neighbours, without weights. For a symmetric graph they are those of out().
  const PlainLists& in() const { return in_.has_value() ? *in_ : out_; }

 private:
  PlainLists out_;
  std::optional<PlainLists> in_;
  bool has_negative_weight_ = false;
  MemoryReservation reservation_;
};

}  // namespace edgemill::bench
