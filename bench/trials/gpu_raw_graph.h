// A graph as raw CSR in the host's memory, which the engines beside Edgemill's run on.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bench/plain/plain_csr.h"
#include "bench/trials/gpu_trials.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/device/gpu.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// Owns the lists, which `gpu` can read, the memory they are in, and where trials start.
class RawGraph {
 public:
  /// Reads all of `store` into options.csr_memory_bytes at most; `sources` are its vertices, one a
  /// trial. `gpu` must outlive it. The errors of PlainCsr::Load and IdMap::Find.
  static StatusOr<std::unique_ptr<RawGraph>> Load(const GraphStore& store,
                                                  const std::vector<ExternalId>& sources,
                                                  const GpuTrialOptions& options, Gpu& gpu,
                                                  Progress& progress);

  const PlainCsr& csr() const { return *csr_; }
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
  std::vector<VertexId> sources_;
};

}  // namespace edgemill::bench
