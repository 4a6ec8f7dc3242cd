// Which extents to read, in which order, to get the wanted blocks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "storage/format/group_codec.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// What a stream does about one block of one column.
enum class BlockSource : uint8_t {
  kDisk,   // read it
  kAdmit,  // read it, and keep it in the cache
  kCache,  // it is in the cache
  kDone,   // it has been handed out, or given up
};

/// A block inside a planned read.
struct ReadPart {
  uint32_t index = 0;    // of the block in the stream's list
  uint8_t column = 0;    // index into the stream's columns
  uint32_t scratch = 0;  // where its payload is decompressed to, in bytes from scratch_begin()
};

/// One extent of one segment file, with the blocks wanted from it.
struct PlannedRead {
  uint32_t segment = 0;  // index into GraphStore::segments()
  uint8_t directory = 0;
  uint64_t begin = 0;  // of the extent, rounded out to sectors
  uint64_t end = 0;
  uint64_t wanted_bytes = 0;   // of the blocks wanted
  uint64_t gap_bytes = 0;      // between the wanted blocks
  uint64_t scratch_bytes = 0;  // for payloads that come compressed and do not go to the cache
  bool closed = false;
  std::vector<ReadPart> parts;

  uint64_t extent_bytes() const { return end - begin; }
  /// Where scratch starts in the read's memory. Slack lies before it, because decoders may read
  /// behind the last payload while another thread writes to scratch.
  uint64_t scratch_begin() const { return end - begin + kDecodeSlackBytes; }
  /// Memory that the read needs.
  uint64_t buffer_bytes() const { return scratch_begin() + scratch_bytes; }
};

struct ReadLimits {
  // Reads of more than one block take no more than these.
  uint64_t max_read_bytes = uint64_t{1} << 20;
  uint64_t max_buffer_bytes = uint64_t{2} << 20;
  uint64_t max_gap_bytes = uint64_t{64} << 10;
};

/// Joins neighbouring wanted blocks into reads, a little ahead of their use, so that a plan's size
/// does not grow with the graph. Reads come in the order of their first blocks. A block is handed
/// out when all its columns have arrived. So a stream that has handed out all complete blocks holds
/// memory only for reads that wait for another column. Reads are in order, so there is at most one
/// such read for each column and data directory. Therefore small buffers cannot cause a deadlock.
class ReadPlanner {
 public:
  /// `blocks` rise. `sources` has columns.size() entries for each block; an entry may change to
  /// kDone while planning. `store`, `blocks` and `sources` must outlive the planner.
  ReadPlanner(const GraphStore& store, std::span<const ColumnKind> columns,
              std::span<const uint64_t> blocks, std::span<const BlockSource> sources,
              const ReadLimits& limits);

  /// The next read, or nullptr at the end.
  const PlannedRead* Front();
  PlannedRead Pop();
  /// Takes back a read that was popped. Reads that were taken back come first again, in order.
  void Return(PlannedRead read);

  /// Memory to read only `location`: its sectors, and its payload if it may be compressed.
  static uint64_t SingleReadBytes(const BlockLocation& location);

 private:
  /// Puts the block at `index` of column `column` into a read.
  void Add(uint32_t index, uint8_t column);
  bool Joins(const PlannedRead& read, uint32_t segment, const BlockLocation& location,
             uint64_t scratch) const;

  const GraphStore& store_;
  std::array<ColumnKind, 2> columns_{};
  const uint8_t num_columns_;
  std::span<const uint64_t> blocks_;
  std::span<const BlockSource> sources_;
  const ReadLimits limits_;
  uint32_t next_ = 0;  // index of the first block not yet planned
  std::deque<PlannedRead> reads_;
  std::deque<PlannedRead> returned_;  // reads taken back, all before reads_
  uint64_t num_popped_ = 0;
  /// By column and data directory: the number (counted from the planner's first) of the read that
  /// may grow, plus 1.
  std::array<std::array<uint64_t, 256>, 2> open_{};
};

}  // namespace edgemill
