// Vertices' names by rank and ranks by name, read from the columns of names as needed
// (docs/FORMAT.md, "Names").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "storage/format/name_coding.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Whether the vertices of the graph have names.
inline bool HasNames(const GraphStore& store) { return store.info().name_bytes > 0; }

/// Reads names in the order of their ranks, from any rank on. Each block is read once where all
/// names are read in order. Holds copies of a block of each column, and of a group of names that
/// lies in several blocks. Not thread-safe.
class NameCursor {
 public:
  /// The most memory that it takes.
  static constexpr uint64_t kMaxBytes = uint64_t{2} << 20;

  /// The graph must have names. `store` and `reader` must outlive it.
  NameCursor(const GraphStore& store, BlockReader& reader) : store_(store), reader_(reader) {}

  /// Goes to `rank`: the next name is the one of that rank. Reads nothing yet.
  void Seek(uint64_t rank);
  /// The rank of the next name.
  uint64_t rank() const { return rank_; }
  /// The next name, which must exist; valid until the next call. BadDataError, with the block's
  /// place, when the blocks hold no such names, or names that do not rise; Seek must follow then.
  /// Also the reader's errors, and CancelledError.
  StatusOr<std::string_view> Next();

  /// The block of names in which the group of the last name begins.
  uint64_t block() const { return block_; }
  /// BadDataError that names that block.
  Status Damaged(std::string_view what) const;

 private:
  /// Reads the group, and goes to its first name.
  Status OpenGroup(uint64_t group);
  /// The position among the coded bytes at which the group ends.
  StatusOr<uint64_t> EndOf(uint64_t group);
  Status ReadNames(uint64_t block);
  StatusOr<std::string_view> Decode();

  const GraphStore& store_;
  BlockReader& reader_;
  uint64_t rank_ = 0;
  std::optional<NameDecoder> decoder_;  // of the group of rank_; empty: it is not read yet
  std::string previous_;                // the last name of the group before; empty: unknown
  uint64_t block_ = 0;
  std::optional<uint64_t> ends_block_;
  std::vector<uint64_t> ends_;  // of the groups of ends_block_
  std::optional<uint64_t> names_block_;
  std::string names_;  // the bytes of names_block_
  std::string group_;  // the bytes of a group that lies in several blocks
};

/// Names of one graph, which has some. Thread-safe.
class NameDictionary {
 public:
  /// `store` and `reader` must outlive it.
  NameDictionary(const GraphStore& store, BlockReader& reader) : store_(store), reader_(reader) {}

  /// The rank of the vertex with this name; none when there is no such vertex. Reads a block of
  /// names for each halving of the number of groups, and a few of their ends. Errors: NameCursor's.
  StatusOr<std::optional<uint64_t>> Find(std::string_view name) const;
  /// Finds the ranks of all `names`, which rise or repeat, and writes them to `ranks`. Reads each
  /// block once where there are many names, and no more than Find where there are few.
  Status FindAll(std::span<const std::string_view> names,
                 std::span<std::optional<uint64_t>> ranks) const;
  /// The rank of `name`, or a UsageError that lists similar names or, without any, the first and
  /// the last name. If the name is not found, reads all names, on `threads` threads.
  StatusOr<uint64_t> FindOrSuggest(std::string_view name, int threads) const;
  /// The name of the vertex of a rank (less than num_vertices). Reads a group.
  StatusOr<std::string> At(uint64_t rank) const;

 private:
  /// FindAll for names that have ranks in [first, end) or none.
  static Status FindAmong(uint64_t first, uint64_t end, std::span<const std::string_view> names,
                          std::span<std::optional<uint64_t>> ranks, NameCursor* cursor);

  const GraphStore& store_;
  BlockReader& reader_;
};

/// All names of a graph in memory, as they are coded. Immutable; thread-safe.
class LoadedNames {
 public:
  /// What Load reserves: nothing where there are no names.
  static uint64_t SizeBytes(const GraphStore& store);
  /// Reads and decodes all names once. BudgetError, BadDataError with the place, IoError.
  static StatusOr<LoadedNames> Load(const GraphStore& store, BlockReader& reader, int threads,
                                    MemoryBudget& budget);

  bool empty() const { return ends_.empty(); }
  /// The name of the vertex of a rank. Decodes a group.
  std::string Of(uint64_t rank) const;

 private:
  std::string_view Group(uint64_t group) const;
  Status Check(const GraphStore& store, int threads) const;

  MemoryReservation reservation_;
  Array<char> bytes_;
  Array<uint64_t> ends_;  // of groups
};

/// The name that was read last, which is often needed again. Not thread-safe.
class CachedName {
 public:
  const std::string& Of(const LoadedNames& names, uint64_t rank) {
    if (rank_ != rank) name_ = names.Of(rank);
    rank_ = rank;
    return name_;
  }

 private:
  std::optional<uint64_t> rank_;
  std::string name_;
};

}  // namespace edgemill
