// The file of a checkpoint: sections of bytes in checksummed blocks, and a table at the end
// (docs/FORMAT.md, "Checkpoints"). A file is read only if every byte of it is as it was written.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/os/file.h"
#include "common/os/memory_budget.h"
#include "common/os/uuid.h"
#include "common/status.h"
#include "storage/format/block_format.h"

namespace edgemill {

inline constexpr uint32_t kCheckpointVersion = 1;

/// Which run a checkpoint is of: one with the same graph, algorithm and parameters goes on from it.
struct CheckpointIdentity {
  Uuid graph;
  std::string algorithm;
  std::string parameters;  // "--source 5 --iterations 10"

  /// "bfs --source 5 on graph 0123...".
  std::string Text() const;
  bool operator==(const CheckpointIdentity&) const = default;
  template <typename Visitor, typename Self>
  static void ListFields(Visitor& visitor, Self& self) {
    visitor.Fields(self.graph, self.algorithm, self.parameters);
  }
};

/// What the bytes of a section are. The values are stored: never renumber.
enum class SectionKind : uint8_t {
  kJournal = 0,
  kOperator = 1,  // an operator that was under way
  kArray = 2,     // of the State, by its number there
  kSet = 3,       // a set that the driver held, by its number: words of a bitmap
  kLeft = 4,      // the vertices that the operator under way goes on with: words of a bitmap
};

struct CheckpointSection {
  SectionKind kind = SectionKind::kJournal;
  uint64_t number = 0;
  std::string name = {};
  uint64_t bytes = 0;
  uint64_t first_block = 0;  // in the table

  template <typename Visitor, typename Self>
  static void ListFields(Visitor& visitor, Self& self) {
    visitor.Fields(self.kind, self.number, self.name, self.bytes, self.first_block);
  }
};

/// A stored block of a section.
struct CheckpointBlock {
  BlockLocation location;
  uint64_t checksum = 0;  // of all its stored bytes, with padding
};

/// What the table of a checkpoint says.
struct CheckpointTable {
  CheckpointIdentity identity;
  uint64_t sequence = 0;  // a later checkpoint of a run has a greater one
  uint64_t passes = 0;    // how many passes the run has done, those before a resume included
  std::vector<CheckpointSection> sections;
  std::vector<CheckpointBlock> blocks;

  template <typename Visitor, typename Self>
  static void ListFields(Visitor& visitor, Self& self) {
    visitor.Fields(self.identity, self.sequence, self.passes, self.sections, self.blocks);
  }
};

/// The end of a file whose blocks take `offset` bytes: the table's bytes, and a trailer with their
/// checksum.
std::string CheckpointEnd(std::string table, uint64_t offset);

/// Writes a checkpoint. One thread calls it; it compresses on several.
class CheckpointWriter {
 public:
  /// Bytes of memory that a writer or reader takes on `threads` threads.
  static uint64_t MemoryBytes(int threads);
  /// Starts the empty file `file`. `table` has identity, sequence and passes.
  CheckpointWriter(File file, CheckpointTable table, int threads);

  /// Starts a section, to which the next calls of Add append. IoError.
  void Begin(SectionKind kind, uint64_t number, std::string name = "");
  Status Add(std::span<const std::byte> bytes);
  /// Writes the table. Afterwards the file is whole, but not synced. IoError.
  Status Finish();
  uint64_t bytes_written() const { return offset_; }
  const File& file() const { return file_; }

 private:
  Status AddBlocks(std::span<const std::span<const std::byte>> payloads);

  File file_;
  CheckpointTable table_;
  const int threads_;
  std::vector<BlockSealer> sealers_;            // one a thread
  std::vector<std::vector<std::byte>> stored_;  // the same
  uint64_t offset_ = 0;
};

/// Reads a checkpoint. All errors are BadDataError, which names the file, or IoError.
class CheckpointReader {
 public:
  /// Checks the table. BadDataError with both versions where it is of another format.
  static StatusOr<CheckpointReader> Open(const std::string& path);
  /// Opens, and then checks each block. Costs a read of the file.
  static StatusOr<CheckpointReader> OpenWhole(const std::string& path, int threads);

  const CheckpointTable& table() const { return table_; }
  const std::string& path() const { return file_.path(); }
  uint64_t file_bytes() const { return file_bytes_; }
  /// The section of this kind and number; null where there is none.
  const CheckpointSection* Find(SectionKind kind, uint64_t number = 0) const;
  /// Calls `visit(offset, bytes)` for the parts of a section; on several threads at a time.
  Status Visit(
      const CheckpointSection& section, int threads,
      const std::function<Status(uint64_t offset, std::span<const std::byte>)>& visit) const;
  /// Copies a section, which has as many bytes as `out`.
  Status Read(const CheckpointSection& section, int threads, std::span<std::byte> out) const;

 private:
  Status CheckTable() const;
  Status BadData(std::string_view what) const;

  File file_;
  uint64_t file_bytes_ = 0;
  CheckpointTable table_;
};

}  // namespace edgemill
