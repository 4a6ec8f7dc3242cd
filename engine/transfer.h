// How a block's edges reach a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace edgemill {

/// The transfer engines (HyTGraph V), and who chooses among them.
enum class Transfer : uint8_t {
  kAuto,
  kResident,    // in the GPU's memory since an earlier iteration, or from this one on
  kFilter,      // copied whole, used, forgotten
  kCompaction,  // only groups that are wanted, gathered on the host
  kZeroCopy,    // read across the link by the kernel itself
  kManaged,     // unified memory
};
inline constexpr int kNumTransfers = 6;

/// "auto", "resident", "filter", "compaction", "zero-copy", "managed".
std::string_view TransferName(Transfer transfer);

/// What one iteration moved to a GPU, by engine.
struct TransferCounts {
  std::array<uint64_t, kNumTransfers> blocks{};
  std::array<uint64_t, kNumTransfers> bytes{};  // over the link

  void Add(Transfer transfer, uint64_t more_blocks, uint64_t more_bytes) {
    blocks[static_cast<size_t>(transfer)] += more_blocks;
    bytes[static_cast<size_t>(transfer)] += more_bytes;
  }
  uint64_t total_bytes() const {
    uint64_t sum = 0;
    for (const uint64_t count : bytes) sum += count;
    return sum;
  }
};

}  // namespace edgemill
