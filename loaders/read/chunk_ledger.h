// The order of raw chunks that are parsed out of order: bad lines, totals and positions.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/os/file.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/source/input.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// How many bad lines were skipped for each reason.
using BadLineReasons = std::map<std::string, uint64_t>;

/// The place at which reading continues: the input, the position in it, and the sums so far.
struct ReaderPosition {
  uint64_t next_sequence = 0;
  uint64_t input = 0;
  InputPosition in_input;
  InputTotals totals;             // of that input
  uint64_t bad_lines = 0;         // of all inputs
  uint64_t bad_file_bytes = 0;    // length of the bad-lines file
  uint64_t symmetric_inputs = 0;  // among the inputs that were read to their end
  BadLineReasons reasons;         // of all inputs
};

/// One parsed raw chunk, or the error met instead.
struct LedgerEntry {
  size_t input = 0;
  InputPosition end;
  bool ends_input = false;
  ParseResult result;
  Status error;
};

/// Takes the results of raw chunks in any order and works through them in the input's order. The
/// first error and the skipped lines are therefore the same for any number of threads. Memory: the
/// results that wait for an earlier raw chunk, at most one for each thread that parses ahead. Each
/// raw chunk after the last position that PositionAfter returned takes about 150 bytes more.
/// Thread-safe.
class ChunkLedger {
 public:
  /// Called under the ledger's lock when all raw chunks of an input were worked through. Gets the
  /// sums of the input and the reasons of all bad lines so far, and counts the input in
  /// `now->symmetric_inputs` if it is symmetric.
  using CheckEnd = std::function<Status(size_t input, ReaderPosition* now)>;

  ChunkLedger(uint64_t max_bad_lines, std::string bad_lines_file, std::vector<std::string> names,
              CheckEnd check_end);

  /// Starts at `position` instead of at the front. Called before the first Add.
  void Start(const ReaderPosition& position);

  /// Adds the result of raw chunk `sequence`. Returns the first error in input order once it is
  /// known, before that the raw chunk's own error or ok. Sets `*error_sequence` to the raw chunk of
  /// the error.
  Status Add(uint64_t sequence, LedgerEntry entry, uint64_t* error_sequence);

  /// The position after raw chunk `sequence`. Forgets earlier positions. CHECKs that this raw chunk
  /// and all before it were added.
  ReaderPosition PositionAfter(uint64_t sequence);

  uint64_t bad_lines() const;

 private:
  Status Process(const LedgerEntry& entry) REQUIRES(mutex_);
  Status WriteBadLine(const std::string& name, const BadLine& bad) REQUIRES(mutex_);

  const uint64_t max_bad_lines_;
  const std::string bad_lines_path_;
  const std::vector<std::string> names_;
  const CheckEnd check_end_;

  mutable Mutex mutex_;
  ReaderPosition now_ GUARDED_BY(mutex_);
  std::map<uint64_t, LedgerEntry> waiting_ GUARDED_BY(mutex_);
  std::deque<ReaderPosition> positions_ GUARDED_BY(mutex_);  // consecutive, the last is now_
  Status error_ GUARDED_BY(mutex_);
  uint64_t error_sequence_ GUARDED_BY(mutex_) = 0;
  File bad_lines_ GUARDED_BY(mutex_);
};

}  // namespace edgemill
