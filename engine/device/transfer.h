// How a block's edges reach a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace edgemill {

/// The transfer engines (HyTGraph, section V), and kAuto, which chooses among them.
enum class Transfer : uint8_t {
  kAuto,
  kResident,    // stays in the GPU's memory
  kFilter,      // copied whole, used and dropped
  kCompaction,  // the host gathers and sends only the wanted groups
  kZeroCopy,    // kernels read it across the link
  kManaged,     // unified memory
  kSubCsr,      // the host decodes and sends only the active lists (Subway)
};
inline constexpr int kNumTransfers = 7;

/// "auto", "resident", "filter", "compaction", "zero-copy", "managed", "subcsr".
std::string_view TransferName(Transfer transfer);

/// Which blocks in pinned memory go to a GPU first in an asynchronous push (HyTGraph, VI). Vertices
/// that become active send in the same iteration where their block comes later.
enum class BlockPriority : uint8_t {
  kNone,   // by rising number
  kHub,    // blocks of the longest lists
  kDelta,  // blocks whose active vertices have most to pass on (Tuning::Pending)
};

/// "none", "hub", "delta".
std::string_view BlockPriorityName(BlockPriority priority);

/// What one engine did in an iteration.
struct TransferAccount {
  uint64_t blocks = 0;          // visited by edge passes; persistent kernels count none
  uint64_t bytes = 0;           // over the link
  double measured_seconds = 0;  // this engine's share of the time of bringing and visiting

  bool empty() const { return blocks == 0 && bytes == 0; }
  void Add(const TransferAccount& other) {
    blocks += other.blocks;
    bytes += other.bytes;
    measured_seconds += other.measured_seconds;
  }
};

/// What one iteration moved to a GPU, by engine.
struct TransferAccounts {
  std::array<TransferAccount, kNumTransfers> engines{};

  TransferAccount& operator[](Transfer transfer) { return engines[static_cast<size_t>(transfer)]; }
  const TransferAccount& operator[](Transfer transfer) const {
    return engines[static_cast<size_t>(transfer)];
  }
  void Add(const TransferAccounts& other) {
    for (size_t i = 0; i < engines.size(); ++i) engines[i].Add(other.engines[i]);
  }
  TransferAccount total() const {
    TransferAccount sum;
    for (const TransferAccount& engine : engines) sum.Add(engine);
    return sum;
  }
};

}  // namespace edgemill
