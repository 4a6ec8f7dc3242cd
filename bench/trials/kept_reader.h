// A reader that several runs use one after the other, so that they find the blocks of earlier runs
// in its cache.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"
#include "storage/read/memory_registrar.h"

namespace edgemill::bench {

/// Passes registrations on to the registrar of the run that uses the memory. Between runs nothing
/// is registered.
class PassingRegistrar final : public MemoryRegistrar {
 public:
  /// Registers all memory with `registrar`; null: with none. Stops at the registrar's first error.
  Status Attach(MemoryRegistrar* registrar);
  /// Unregisters all memory.
  void Detach() noexcept;
  Status Register(std::span<std::byte> memory) override;
  void Unregister(std::span<std::byte> memory) noexcept override;

 private:
  MemoryRegistrar* registrar_ = nullptr;
  std::vector<std::span<std::byte>> memory_;
  size_t num_registered_ = 0;  // the first of memory_
};

/// Lends its reader to one run at a time. Each run reserves the reader's memory in its own budget.
/// Between runs the memory stays in use, though no budget counts it.
class KeptReader {
 public:
  KeptReader() = default;
  KeptReader(const KeptReader&) = delete;
  KeptReader& operator=(const KeptReader&) = delete;

  /// A ReaderFactory. Lends the kept reader if it was made with the same options, else makes a new
  /// one in its place. A run that asks for no cache gets the kept reader too, for its last reads
  /// come after its GPU is gone. The reader must be destroyed before the next call. The errors of
  /// BlockReader::Create and of the registrar.
  StatusOr<std::unique_ptr<BlockReader>> Lend(const GraphStore& store,
                                              const BlockReaderOptions& options,
                                              MemoryBudget& budget);

 private:
  class Lent;

  /// `options` with its own registrar in the place of a run's.
  BlockReaderOptions WithOwnRegistrar(const BlockReaderOptions& options);
  Status Make(const GraphStore& store, const BlockReaderOptions& options, uint64_t budget_bytes);

  PassingRegistrar registrar_;
  BlockReaderOptions options_;           // its reader's
  std::optional<MemoryBudget> counted_;  // what its reader has reserved
  uint64_t bytes_ = 0;
  std::unique_ptr<BlockReader> reader_;  // null until the first run
  bool is_lent_ = false;
};

}  // namespace edgemill::bench
