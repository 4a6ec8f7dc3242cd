// A stream under way: the blocks that it hands out, the blocks that have come, and the reads that
// bring them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/buffer.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "storage/read/read_plan.h"

namespace edgemill {

struct StreamState;

/// A read from its start until the last of its blocks is released. Guarded by the pipeline's lock.
struct ReadInFlight {
  uint64_t id = 0;
  PlannedRead plan;
  StreamState* stream = nullptr;  // null once the stream is closed
  std::span<std::byte> memory;    // the extent, then scratch
  Buffer own;                     // memory of a look-up, which uses no shared buffers
  size_t users = 0;               // parts not released yet
  bool done = false;
  bool touched = false;  // some of its blocks have been handed out
  double start = 0;      // by ReadsInFlight::Now

  /// Whether its memory comes from the shared buffers.
  bool shared() const { return own.size() == 0; }
};

/// Blocks that a stream hands out, and where each comes from.
struct StreamBlocks {
  StreamBlocks(std::span<const ColumnKind> of_columns, std::vector<uint64_t> of_numbers);

  size_t size() const { return numbers.size(); }
  BlockSource& source(uint32_t index, uint8_t column) {
    return sources[size_t{index} * num_columns + column];
  }
  BlockSource source(uint32_t index, uint8_t column) const {
    return sources[size_t{index} * num_columns + column];
  }
  /// Whether all columns of a block are in the cache.
  bool cached(uint32_t index) const;

  std::array<ColumnKind, 2> columns{};
  uint8_t num_columns = 0;
  std::vector<uint64_t> numbers;     // rising
  std::vector<BlockSource> sources;  // num_columns a block
  uint64_t num_to_read = 0;          // blocks that were not all cached at the start
};

/// A block of which some or all columns have been read.
struct PendingBlock {
  std::array<ReadInFlight*, 2> reads{};  // null: cached, or still to come
  std::array<const ReadPart*, 2> parts{};
  uint8_t missing = 0;  // columns still to come from disk
};

/// The progress of a stream that has to read blocks. The pipeline's lock guards all of it except
/// `blocks.columns`, `blocks.numbers` and `blocks.num_to_read`, which do not change.
struct StreamState {
  /// The stream's reads.
  struct Reads {
    std::map<uint64_t, ReadInFlight*> live;  // by id, so in the order of starts
    uint64_t held_bytes = 0;                 // of the shared buffers
    size_t in_flight = 0;
  };
  /// Blocks that are all cached.
  struct Cached {
    uint32_t next = 0;  // index where the search for the next one starts
    uint64_t left = 0;
  };

  explicit StreamState(StreamBlocks of_blocks) : blocks(std::move(of_blocks)) {
    blocks_left = blocks.size();
  }
  /// Whether no block is ready and no read is under way. Only its next read then lets the stream go
  /// on.
  bool stuck() const { return reads.in_flight == 0 && ready.empty(); }
  /// Takes the index of a block that can be handed out now, if there is one.
  std::optional<uint32_t> PopIndex();
  /// Takes in the blocks of `read`, which is in memory. Blocks with all their columns become ready.
  void Arrive(ReadInFlight& read);
  /// Undoes Arrive, for a read that no thread has touched.
  void UndoArrive(const ReadInFlight& read);
  /// Ends the stream for every thread, with its first error.
  void Fail(Status status);

  StreamBlocks blocks;
  std::unique_ptr<ReadPlanner> planner;  // a pointer, because it is large
  bool lookup = false;                   // of ReadOne: goes first, and has memory of its own
  std::unordered_map<uint32_t, PendingBlock> pending;  // by index in blocks
  std::deque<uint32_t> ready;                          // indexes whose every column is in memory
  Reads reads;
  Cached cached;
  uint64_t blocks_left = 0;  // not handed out yet
  size_t waiting_threads = 0;
  Status error;
  CondVar changed;
};

}  // namespace edgemill
