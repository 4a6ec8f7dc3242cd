// The catalog's records as bytes: keys, values, and their checks (docs/FORMAT.md, "Catalog").
//
// Everything is little-endian and of fixed width, except numbers inside keys, which are big-endian
// so that keys sort by them. Decoding checks every length before use, and refuses bytes that are
// left over.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "storage/format/block_format.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// The catalog format this program writes, and the only one it reads.
inline constexpr uint32_t kCatalogVersion = 2;
/// Vertices have names: two more columns follow in the header.
inline constexpr uint64_t kNamesFeature = 1;
/// The lists of one direction have weights, those of the other have none.
inline constexpr uint64_t kOneWayWeightsFeature = 2;
/// Edges have columns beside their weights, which follow last in the header.
inline constexpr uint64_t kEdgeColumnsFeature = 4;
/// Feature flags that this program knows. A reader refuses unknown incompatible flags; a writer
/// refuses unknown compatible ones too.
inline constexpr uint64_t kKnownIncompatibleFeatures =
    kNamesFeature | kOneWayWeightsFeature | kEdgeColumnsFeature;
inline constexpr uint64_t kKnownCompatibleFeatures = 0;

/// Data directories are numbered by a byte in BlockLocation.
inline constexpr uint32_t kMaxDataDirectories = 256;
/// The most bytes of an edge column's name.
inline constexpr size_t kMaxEdgeColumnName = 255;
/// A page's record must stay a small value: at most this many blocks (24 bytes each).
inline constexpr uint32_t kMaxPageBlocks = uint32_t{1} << 16;

/// The first byte of a key.
enum class RecordKind : char {
  kDirectory = 'D',  // + index, 1 byte
  kHeader = 'H',
  kJournal = 'J',  // + name; unfinished graphs only
  kPage = 'P',     // + column, 1 byte + page, 4 bytes big-endian
  kRoot = 'R',
  kSegment = 'S',  // + column, 1 byte + directory, 1 byte + number, 2 bytes big-endian
};

std::string HeaderKey();
std::string RootKey();
std::string DirectoryKey(uint32_t index);
std::string JournalKey(std::string_view name);
std::string PageKey(ColumnKind column, uint32_t page);

/// Names a segment file; ordered by column, directory, number, as its keys are.
struct SegmentKey {
  ColumnKind column = ColumnKind::kOutOffsets;
  uint8_t directory = 0;
  uint16_t number = 0;
  auto operator<=>(const SegmentKey&) const = default;

  std::string Encode() const;
  /// "out-neighbors.0000.seg": its name inside DIR/<graph uuid>/.
  std::string FileName() const;
};

/// The parts of a key; only the fields of its kind are set.
struct ParsedKey {
  RecordKind kind = RecordKind::kHeader;
  uint32_t directory = 0;
  ColumnKind column = ColumnKind::kOutOffsets;
  uint32_t page = 0;
  SegmentKey segment;
  std::string journal;
};
/// BadDataError when `key` is not one of these.
StatusOr<ParsedKey> ParseKey(std::string_view key);

/// The page that block number `block` of a column is in. OutputError when the page's number needs
/// more than 32 bits.
StatusOr<uint32_t> PageOfBlock(uint64_t block, uint32_t page_blocks);

/// The graph as a whole, and whether its ingest has finished.
struct HeaderRecord {
  bool whole =
      false;  // committed; an unfinished graph has only uuid, block_edges and page_blocks in `info`
  GraphInfo info;
  uint32_t num_directories = 0;
  std::array<ColumnInfo, kNumColumns> columns;
};
std::string EncodeHeader(const HeaderRecord& record);
/// BadDataError when the version or an incompatible feature is unknown (the message shows both
/// versions). Also when bytes are missing or left over, or a field is out of its range.
StatusOr<HeaderRecord> DecodeHeader(std::string_view bytes);
/// BadDataError when the header has features that readers may ignore but writers may not.
Status CheckWritable(std::string_view header_bytes);

/// One data directory.
struct DirectoryRecord {
  Uuid uuid;
  uint32_t weight = 1;  // share of the blocks it is given (storage/write/placement.h)
  /// Where it was at creation: relative to the graph directory when inside it. A hint only.
  std::string path;
};
/// Whether `path` may be such a hint: absolute, or one plain component that cannot lead out of the
/// graph directory.
bool IsHint(std::string_view path);
std::string EncodeDirectory(const DirectoryRecord& record);
StatusOr<DirectoryRecord> DecodeDirectory(std::string_view bytes);

/// The blocks of one page of one column; fewer than page_blocks in a column's last page and while
/// the page is being written.
struct PageRecord {
  std::optional<PageInfo> info;  // neighbour columns
  std::vector<BlockLocation> blocks;
};
std::string EncodePage(const PageRecord& record);
StatusOr<PageRecord> DecodePage(std::string_view bytes);

/// Length in bytes of a segment's blocks.
std::string EncodeSegment(uint64_t length);
StatusOr<uint64_t> DecodeSegment(std::string_view bytes);

/// Binds all other records: their number, and the sum of their RecordHash values modulo 2^64.
struct RootRecord {
  uint64_t num_records = 0;
  uint64_t hash = 0;
  bool operator==(const RootRecord&) const = default;
};
std::string EncodeRoot(const RootRecord& record);
StatusOr<RootRecord> DecodeRoot(std::string_view bytes);
/// XXH3-64 of the value, seeded by XXH3-64 of the key: a value under another key counts as altered.
uint64_t RecordHash(std::string_view key, std::string_view value);

/// Values that `column` must have in a graph like `info`.
uint64_t ExpectedValues(const GraphInfo& info, ColumnKind column);

}  // namespace edgemill
