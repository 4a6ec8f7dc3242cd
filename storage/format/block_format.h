// The stored form of a block: a 64-byte header that says what and where the block is, a payload in
// one of the codecs, and padding (docs/FORMAT.md has every byte).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/uuid.h"
#include "common/status.h"

namespace edgemill {

/// The columns a graph may have. The values are stored: never renumber.
enum class ColumnKind : uint8_t {
  kOutOffsets = 0,    // low 32 bits of each vertex's first out-edge number; V + 1 values
  kOutNeighbors = 1,  // targets, sorted by source (CSR)
  kOutWeights = 2,    // weights of kOutNeighbors' edges
  kInOffsets = 3,     // the same three for in-edges (CSC): sorted by target, neighbours are sources
  kInNeighbors = 4,
  kInWeights = 5,
  kExternalIds = 6,  // sparse ids only: the input's ids, rising; V values
  kInternalOfRank =
      7,            // renumbered graphs only: rank (place by external id) to internal id; V values
  kNames = 8,       // named vertices only: front-coded, by rank (name_coding.h); a value is a byte
  kNameGroups = 9,  // where each group of names ends in kNames
  kFirstValues = 10,  // edge column i: values of kOutNeighbors' edges in 10 + 2 i, of
                      // kInNeighbors' edges in 11 + 2 i
};
/// How many a graph without names and edge columns may have.
inline constexpr int kNumColumnsWithoutNames = 8;
/// How many a graph without edge columns may have.
inline constexpr int kNumFixedColumns = 10;
/// The most edge columns, beside the weights, that a graph may have.
inline constexpr int kMaxEdgeColumns = 16;
inline constexpr int kNumColumns = kNumFixedColumns + 2 * kMaxEdgeColumns;

/// Where edge column `index` (from 0) of a graph is stored: the values of out-edges or in-edges.
constexpr ColumnKind ValuesColumn(size_t index, bool incoming) {
  return static_cast<ColumnKind>(static_cast<size_t>(ColumnKind::kFirstValues) + 2 * index +
                                 (incoming ? 1 : 0));
}
/// The number of the edge column whose values `column` has; nullopt for other columns.
constexpr std::optional<size_t> EdgeColumnOf(ColumnKind column) {
  if (column < ColumnKind::kFirstValues) return std::nullopt;
  return (static_cast<size_t>(column) - static_cast<size_t>(ColumnKind::kFirstValues)) / 2;
}

/// "out-neighbors" and so on: in segment names and messages.
std::string_view ColumnName(ColumnKind column);
/// Whether its values are neighbours: the ends of edges, in the order of their lists.
bool IsNeighborColumn(ColumnKind column);

/// How a payload's bytes give its values. Stored: never renumber.
enum class Codec : uint8_t {
  kPackedNeighbors = 1,  // storage/format/group_codec.h
  kPackedAscending = 2,
  kPackedValues = 3,
  kRaw32 = 4,      // 4 bytes a value (float weights)
  kRaw64 = 5,      // 8 bytes a value (double weights)
  kRaw64Gaps = 6,  // 8 bytes a value: the first value, then gaps (external ids)
  kRaw8 = 7,       // a byte a value
};

/// How the stored bytes hold the payload. Stored: never renumber.
enum class Compression : uint8_t {
  kNone = 0,      // the payload
  kZstd = 1,      // a Zstandard frame of the payload (raw codecs)
  kByteForm = 2,  // a Zstandard frame of the payload's byte form (packed codecs)
};

/// Whether a payload is stored through Zstandard.
enum class CompressionPolicy {
  kNever,
  kWhereItPays,  // when it saves at least kZstdMinimumSaving of the payload; a sample is tried
                 // first
};
inline constexpr double kZstdMinimumSaving = 0.15;

/// Blocks start at multiples of this in their segment, so that reads, copies and zero-copy stay
/// aligned.
inline constexpr uint32_t kBlockAlignment = 128;
inline constexpr uint32_t kBlockMagic = 0x314b4c42;  // "BLK1"
inline constexpr uint16_t kBlockVersion = 2;

/// What a block is: bound into its checksum, so that a right block in the wrong place is an error.
struct BlockIdentity {
  Uuid graph;
  ColumnKind column;
  uint32_t page = 0;
  uint64_t block = 0;  // within the column

  auto operator<=>(const BlockIdentity&) const = default;
};

/// What a block holds, or what its column requires.
struct BlockContents {
  Codec codec;
  uint32_t num_values;
};

/// The first 64 bytes of a stored block, little-endian.
struct BlockHeader {
  uint32_t magic;
  uint16_t version;
  ColumnKind column;
  Codec codec;
  Compression compression;
  std::array<uint8_t, 3> reserved;  // zero
  uint32_t page;
  std::array<uint8_t, 16> graph;
  uint64_t block;
  uint32_t num_values;
  uint32_t stored_bytes;   // of the payload as stored
  uint32_t payload_bytes;  // of the payload once decompressed; equal when not compressed
  uint32_t reserved2;      // zero
  uint64_t checksum;       // XXH3-64 of the stored payload, seeded by XXH3-64 of the 56 bytes above
};
static_assert(sizeof(BlockHeader) == 64);

/// Where a block is stored, as the catalog says: 24 bytes a block, in memory and on disk.
struct BlockLocation {
  uint64_t checksum;    // equal to the header's
  uint32_t offset_low;  // of the header in the segment, in units of kBlockAlignment
  uint8_t offset_high;
  uint8_t directory;       // index of the data directory
  uint16_t segment;        // number of the segment file of this column there
  uint32_t stored_bytes;   // header, payload and padding: a multiple of kBlockAlignment
  uint32_t payload_bytes;  // once decompressed

  uint64_t offset() const { return (uint64_t{offset_high} << 32 | offset_low) * kBlockAlignment; }
  void set_offset(uint64_t bytes) {
    offset_low = static_cast<uint32_t>(bytes / kBlockAlignment);
    offset_high = static_cast<uint8_t>(bytes / kBlockAlignment >> 32);
  }
  bool operator==(const BlockLocation&) const = default;
};
static_assert(sizeof(BlockLocation) == 24);

/// Builds stored blocks. Keeps a Zstandard context and scratch memory, so each thread needs its
/// own. Where a sample does not compress well, only the sample is compressed.
class BlockSealer {
 public:
  BlockSealer();
  ~BlockSealer();
  BlockSealer(BlockSealer&&) noexcept;
  BlockSealer& operator=(BlockSealer&&) noexcept;

  /// Appends the stored form of `payload` (8-byte aligned, kDecodeSlackBytes readable after it) to
  /// `out`: header, payload, padding to kBlockAlignment. Returns its location with checksum and
  /// lengths filled in; the writer adds where it went.
  BlockLocation Seal(const BlockIdentity& identity, const BlockContents& contents,
                     std::span<const std::byte> payload, CompressionPolicy policy,
                     std::vector<std::byte>* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Checks a block as read from disk against what it should be. In order: magic, version, identity,
/// lengths, the checksum in `location`, that of the payload, the codec and number of values that
/// its column needs. `stored` is location.stored_bytes long. Returns its header. Otherwise a
/// BadDataError names what differs ("checksum of block 7 of out-neighbors ..."); the caller adds
/// file and offset. Thread-safe. Cost: one pass of XXH3 over the payload.
StatusOr<BlockHeader> CheckBlock(const BlockIdentity& expected, const BlockContents& contents,
                                 const BlockLocation& location, std::span<const std::byte> stored);

/// The payload's bytes inside a stored block that CheckBlock accepted.
std::span<const std::byte> StoredPayload(const BlockHeader& header,
                                         std::span<const std::byte> stored);

/// Decompresses the payload into `out`, which has header.payload_bytes and is 8-byte aligned.
/// BadDataError when the frame has another size, or its contents are not a byte form as they must
/// be. Thread-safe: each thread has its own context and scratch.
Status DecompressPayload(const BlockHeader& header, std::span<const std::byte> stored,
                         std::span<std::byte> out);

/// XXH3-64 of `bytes` with `seed`. Detects accidents, not attackers.
uint64_t Checksum64(std::span<const std::byte> bytes, uint64_t seed = 0);

}  // namespace edgemill
