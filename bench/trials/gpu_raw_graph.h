// A graph as raw CSR in the host's memory. The engines that Edgemill is compared with run on it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bench/plain/plain_csr.h"
#include "bench/rivals/wide_neighbors.h"
#include "bench/trials/gpu_trials.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/device/gpu.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// Owns the lists, which a GPU can read, their memory, and the vertices where trials start.
class RawGraph {
 public:
  /// Reads all of `store` into at most options.csr_memory_bytes. `sources` has the start of each
  /// trial, by input id. `gpu` must outlive the graph. Returns the errors of PlainCsr::Load and
  /// IdMap::Find.
  static StatusOr<std::unique_ptr<RawGraph>> Load(const GraphStore& store,
                                                  const std::vector<ExternalId>& sources,
                                                  const GpuTrialOptions& options, Gpu& gpu,
                                                  Progress& progress);

  const PlainCsr& csr() const { return *csr_; }
  /// The neighbours in 8 bytes each; null if options.edge_bytes is 4.
  const WideNeighbors* wide() const { return wide_.has_value() ? &*wide_ : nullptr; }
  /// Where a trial starts, by internal id.
  VertexId source(uint64_t trial) const { return sources_[trial]; }
  /// What is left of the memory.
  MemoryBudget& budget() { return budget_; }

 private:
  RawGraph(const GpuTrialOptions& options, Gpu& gpu)
      : budget_(options.csr_memory_bytes), registrar_(gpu, options.threads) {}

  MemoryBudget budget_;
  PinningRegistrar registrar_;
  std::optional<PlainCsr> csr_;
  std::optional<WideNeighbors> wide_;
  std::vector<VertexId> sources_;
};

}  // namespace edgemill::bench
