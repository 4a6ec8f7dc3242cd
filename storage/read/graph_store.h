// One graph on disk: its description, its columns, and access to their blocks.
//
// A graph directory NAME.mill/ holds the catalog (RocksDB), a lock file, runs/ and, unless others
// were named, one data directory. GraphStore reads; GraphWriter (storage/write) makes one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/os/memory_budget.h"
#include "common/os/uuid.h"
#include "common/status.h"
#include "common/types.h"
#include "storage/format/block_format.h"
#include "storage/format/graph_info.h"

namespace edgemill {

struct DataDirectoryInfo {
  Uuid uuid;
  std::string path;       // where it is now: DIR of DIR/<graph uuid>/
  uint64_t stored_bytes;  // of this graph's blocks
};

/// A segment file of an open graph.
struct SegmentFile {
  ColumnKind column = ColumnKind::kOutOffsets;
  uint8_t directory = 0;  // index of the data directory
  uint16_t number = 0;    // among the column's segments in that directory
  uint64_t length = 0;    // bytes of blocks; zeros fill the file up to a multiple of 4,096
  bool direct = false;    // opened O_DIRECT; false where the file system refuses it
  File file;              // open for reading
};

struct OpenOptions {
  /// Where to look for data directories besides the paths in the catalog (--data).
  std::vector<std::string> data_directories;
  /// Take the exclusive lock (remove, repair) instead of the shared one.
  bool exclusive = false;
  /// The edge column whose values stand in the place of the weights: info() and the columns of
  /// weights are about it, and the graph's own weights are not seen. Empty: those. UsageError for a
  /// name that the graph does not have, or a column of texts.
  std::string weight;
  /// Keep the block table. Without it blocks() and pages() are empty and nothing is reserved. A
  /// caller can then compute the memory that work on the graph needs, even where that memory is
  /// lacking.
  bool block_table = true;
};

/// A whole, committed graph opened for reading. Thread-safe once open. Holds a shared lock.
class GraphStore {
 public:
  /// Opens the graph directory `path`. Checks the catalog's version, record counts and root hash.
  /// Finds every data directory by uuid, and checks that each segment file is there and long
  /// enough. Errors: MissingError (no graph, or missing data directories, which are listed),
  /// BadDataError (catalog damaged, version unknown, segment truncated, a swapped or foreign
  /// directory), LockedError, PermissionError, CancelledError. For an unfinished ingest, the
  /// BadDataError says how to resume. If --replace exchanges the graph meanwhile, Open opens the
  /// new one. Reads the whole catalog: about 24 bytes a block, reserved in `budget`.
  static StatusOr<std::unique_ptr<GraphStore>> Open(const std::string& path,
                                                    const OpenOptions& options,
                                                    MemoryBudget& budget);
  virtual ~GraphStore() = default;

  const std::string& path() const { return path_; }
  /// The open graph directory. After --replace, `path` leads to another directory.
  const File& directory() const { return directory_; }
  const GraphInfo& info() const { return info_; }
  /// The edge column that stands in the place of the weights; empty: the graph's own weights.
  std::string_view weight_name() const {
    return info_.weight_column.has_value() ? info_.edge_columns[*info_.weight_column].name
                                           : std::string_view();
  }
  bool has(ColumnKind column) const { return columns_[size_t(column)].num_blocks > 0; }
  const ColumnInfo& column(ColumnKind column) const { return columns_[size_t(column)]; }
  std::span<const BlockLocation> blocks(ColumnKind column) const {
    return locations_[size_t(column)];
  }
  std::span<const PageInfo> pages(ColumnKind column) const { return pages_[size_t(column)]; }
  const std::vector<DataDirectoryInfo>& data_directories() const { return data_directories_; }
  /// Every segment file, ordered by column, data directory and number.
  std::span<const SegmentFile> segments() const { return segments_; }
  uint64_t catalog_bytes() const { return catalog_bytes_; }
  /// Bytes that Open reserves: the block table's, and the pages'.
  uint64_t table_bytes() const;
  /// Memory that the largest read of one block takes (ReadPlanner::SingleReadBytes).
  uint64_t largest_read_bytes() const { return largest_read_bytes_; }

  /// Values in block `block` of `column`: block_edges, or fewer in the last block.
  uint32_t block_values(ColumnKind column, uint64_t block) const;
  /// The number of values, and the codec of the column.
  BlockContents block_contents(ColumnKind column, uint64_t block) const;
  BlockIdentity identity(ColumnKind column, uint64_t block) const;
  /// The segment file that holds a block: index into segments(), the same for the life of the
  /// store.
  uint32_t segment_file(ColumnKind column, const BlockLocation& location) const;
  /// Name of the segment file with its offset, for messages: "/data1/<uuid>/out-neighbors.0000 at
  /// 4096".
  std::string LocationText(ColumnKind column, const BlockLocation& location) const;
  /// The place of a block of `column`: its segment file and the offset there.
  FaultPlace PlaceOf(ColumnKind column, uint64_t block) const;

 protected:
  /// The column on disk that `column` is.
  ColumnKind StoredAs(ColumnKind column) const;

  std::string path_;
  File directory_;
  GraphInfo info_;
  std::array<ColumnInfo, kNumColumns> columns_;
  std::array<Codec, kNumColumns> codecs_{};
  std::array<std::vector<BlockLocation>, kNumColumns> locations_;
  std::array<std::vector<PageInfo>, kNumColumns> pages_;
  std::vector<DataDirectoryInfo> data_directories_;
  std::vector<SegmentFile> segments_;
  /// By column and data directory: where that pair's segments start in segments_.
  std::vector<uint32_t> segment_bases_;
  uint64_t catalog_bytes_ = 0;
  uint64_t largest_read_bytes_ = 4096;
};

}  // namespace edgemill
