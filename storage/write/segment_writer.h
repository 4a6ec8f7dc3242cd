// Segments: append-only files of blocks, one series for each column and data directory, written in
// the background.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/os/file.h"
#include "common/status.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/segment_file.h"
#include "storage/format/block_format.h"
#include "storage/io/preallocation.h"
#include "storage/io/timeout_engine.h"

namespace edgemill {

/// The most memory that a SegmentWriter (and so a GraphWriter) takes for blocks not yet written.
inline constexpr uint64_t kWriteBehindBytes = uint64_t{8} << 20;

/// Writes the segments of one graph. Not thread-safe. After a failure every call returns that
/// failure: bytes that the kernel did not write are lost. To go on from the
/// last Sync, make a new writer and call its Restore with the lengths of that Sync.
class SegmentWriter {
 public:
  /// Writes below `directories`, which must outlive the writer.
  static StatusOr<std::unique_ptr<SegmentWriter>> Create(
      std::span<const DataDirectory> directories, uint64_t max_segment_bytes = kMaxSegmentBytes,
      const IoPatience& patience = {});

  /// Goes back to an earlier Sync: segments are cut to these lengths, others are deleted.
  /// BadDataError when one is shorter. Before the first Append only.
  Status Restore(const std::map<SegmentKey, uint64_t>& lengths);

  /// Appends `bytes` (a stored block: a multiple of kBlockAlignment) to the column's segment in
  /// `directory` and sets the place in `location`. Copies the bytes; waits only when
  /// kWriteBehindBytes are under way. IoError when a disk is full (the message has the bytes needed
  /// and free) or hangs. CancelledError when a disk hangs and a stop was requested.
  Status Append(ColumnKind column, uint8_t directory, std::span<const std::byte> bytes,
                BlockLocation* location);

  /// Makes everything appended durable: writes it, fdatasyncs segments, fsyncs directories with new
  /// files. Waits.
  Status Sync();

  /// Bytes of blocks in each segment, as appended.
  const std::map<SegmentKey, uint64_t>& lengths() const { return lengths_; }
  /// After a Sync or Restore: for each segment, a hash of the bytes behind its last multiple of
  /// kSegmentAlignment. These bytes are written again together with the next block.
  std::map<SegmentKey, uint64_t> TailHashes() const;

 private:
  /// The end of one column in one directory.
  struct Stream {
    SegmentKey key;
    File file;
    Preallocation ahead;
    uint64_t length = 0;          // of blocks appended
    uint64_t chunk_begin = 0;     // place in the file of the first byte to write, or to write again
    int chunk = -1;               // index of the buffer that holds the bytes from there on
    std::vector<std::byte> tail;  // or, without a buffer, those bytes: less than kSegmentAlignment
    bool dirty = false;           // written since the last Sync
  };
  /// What one buffer is being written for.
  struct Write {
    Stream* stream = nullptr;
    uint64_t bytes = 0;
  };

  SegmentWriter(std::span<const DataDirectory> directories, uint64_t max_segment_bytes);
  StatusOr<Stream*> StreamFor(ColumnKind column, uint8_t directory, uint64_t more_bytes);
  StatusOr<std::unique_ptr<Stream>> OpenStream(const SegmentKey& key, int flags);
  Status RestoreSegment(const SegmentKey& key, uint64_t length);
  Status DeleteOthers(const std::map<SegmentKey, uint64_t>& lengths);
  Status AcquireChunk(Stream& stream);
  Status WriteChunk(Stream& stream, uint64_t bytes);
  Status FlushTail(Stream& stream);
  Status FlushTails(const Stream* except);
  /// Starts what was submitted, and waits until no more than `left_in_flight` writes are under way.
  Status WaitFor(size_t left_in_flight);
  Status SyncFiles();
  /// Gives back the space that is set aside in all files in use, when disk space is short.
  Status ReleasePreallocation();
  /// Ends the file at the first multiple of kSegmentAlignment behind its last block. No write to
  /// the file may be under way.
  Status EndFile(Stream& stream);
  /// Ends the file as EndFile does, and syncs it.
  Status SyncFile(Stream& stream);
  Status Explain(const Status& status, const Stream& stream);
  /// Keeps the first failure.
  Status Fail(Status status);

  const std::span<const DataDirectory> directories_;
  const uint64_t max_segment_bytes_;
  size_t chunk_bytes_ = 0;
  std::vector<Buffer> chunks_;
  std::vector<int> free_chunks_;
  std::vector<Write> writes_;  // by chunk
  std::map<std::pair<ColumnKind, uint8_t>, std::unique_ptr<Stream>> streams_;
  std::vector<std::unique_ptr<Stream>> full_;  // rolled over, until the next Sync
  std::vector<bool> new_entries_;  // directories with files made or removed since the last Sync
  std::map<SegmentKey, uint64_t> lengths_;
  Status failure_;
  /// Last: its destructor waits for writes from the buffers above.
  std::unique_ptr<TimeoutEngine> engine_;
};

}  // namespace edgemill
