// Making a graph on disk: blocks appended in order, checkpoints, and one atomic commit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/uuid.h"
#include "common/status.h"
#include "storage/format/block_format.h"
#include "storage/format/graph_info.h"

namespace edgemill {

struct CreateOptions {
  Uuid uuid = Uuid::Generate();
  /// DIRs for blocks; empty: one inside the graph directory. Each must exist or be creatable, and
  /// be writable.
  std::vector<std::string> data_directories;
  /// DIRs for temporary files; empty: beside the blocks, one in each data directory. Each must
  /// exist or be creatable, and be writable.
  std::vector<std::string> spill_directories;
  uint32_t block_edges = 1u << 15;  // a power of two, 128 to 65,536
  uint32_t page_blocks = 256;
  /// First remove a graph (or unfinished ingest) that is already there.
  bool replace = false;
  /// The path of the graph that this one will replace (InheritPlace), if any. Data directories that
  /// the old graph's ingest made count as made by this one's, even if the old graph is removed
  /// meanwhile.
  std::string replaces;
  /// The journal's first values (PutJournal), which are written together with the graph's first
  /// records.
  std::map<std::string, std::string> journal;
};

/// A graph being written, under its exclusive lock. Until Commit no reader sees it; after a crash,
/// Resume continues from its last Checkpoint. Not thread-safe except where said. Memory: 8 MiB of
/// blocks not yet written (kWriteBehindBytes in segment_writer.h), RocksDB's, and 24 bytes a block
/// since the last Checkpoint.
class GraphWriter {
 public:
  /// Makes the graph directory, data directories with identity files, and catalog. OutputError when
  /// `path` exists and is not to be replaced. The message says whether it is a graph, an unfinished
  /// ingest to --resume, or something else.
  static StatusOr<std::unique_ptr<GraphWriter>> Create(const std::string& path,
                                                       const CreateOptions& options);
  /// Opens an unfinished ingest at its last Checkpoint: segments are cut back to it. MissingError
  /// when there is none; OutputError when the graph is already whole.
  static StatusOr<std::unique_ptr<GraphWriter>> Resume(
      const std::string& path, const std::vector<std::string>& data_directories);
  virtual ~GraphWriter() = default;

  virtual const Uuid& uuid() const = 0;
  virtual uint32_t block_edges() const = 0;
  virtual uint32_t page_blocks() const = 0;
  /// Existing directories for temporary files (spills), which Create was given, or one on each data
  /// directory. Commit and RemoveGraph delete them with all they hold.
  virtual const std::vector<std::string>& spill_directories() const = 0;

  /// Sets a small named value in the ingest's journal. The next Checkpoint keeps it; GetJournal
  /// returns it, also after Resume.
  virtual void PutJournal(std::string_view key, std::string_view value) = 0;
  virtual std::optional<std::string> GetJournal(std::string_view key) const = 0;

  /// Appends the next block of `column` (numbers rise from 0 without holes): `stored` is
  /// BlockSealer's output and `location` what it returned. Chooses the data directory (rendezvous
  /// hashing of uuid, column and block over the directories' uuids, weighted by capacity) and
  /// writes in the background; waits when too much is unwritten. The sequence of calls decides the
  /// segments' bytes, so the same blocks give the same files with any number of threads.
  virtual Status AppendBlock(ColumnKind column, BlockLocation location,
                             std::vector<std::byte> stored) = 0;
  /// Describes the next page of `column`, a neighbour column. Call it once for each page, in order,
  /// before the page's first block or after its last.
  virtual Status AppendPage(ColumnKind column, const PageInfo& page) = 0;
  virtual uint64_t num_blocks(ColumnKind column) const = 0;

  /// Makes everything appended so far, and the journal, survive a crash: waits for writes,
  /// fdatasync, then one synced WriteBatch.
  virtual Status Checkpoint() = 0;

  /// Makes the graph whole and visible: Checkpoint, the header record and root hash in one synced
  /// batch, spill directories removed, segments' unused space given back. `info.uuid`, block_edges
  /// and page_blocks are filled in.
  virtual Status Commit(GraphInfo info) = 0;
  /// Whether the graph is whole, or may be: Commit may have failed while it wrote the header
  /// record, or later, while it cleaned up.
  virtual bool committed() const = 0;

  /// Bytes of all blocks so far, headers and padding included, those before a Resume too.
  virtual uint64_t stored_bytes() const = 0;
};

/// Deletes a graph or an unfinished ingest: its blocks on every data directory and its own
/// directory, and nothing else. Also deletes data directories that ingest made and that are empty
/// then. Deletes an empty directory at `path` too, because an earlier removal may have stopped
/// there. Refuses a directory that is not a graph. LockedError while the graph is in use.
Status RemoveGraph(const std::string& path, const std::vector<std::string>& data_directories);

}  // namespace edgemill
