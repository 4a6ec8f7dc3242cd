// Text files of walks and samples, written in parallel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"
#include "common/status.h"
#include "engine/output/output_file.h"
#include "engine/output/tables/table_writer.h"
#include "storage/format/name_coding.h"

namespace edgemill::cli {

/// Checks that `path` may be written as text: .txt, .tsv or .csv, or - for standard output.
/// UsageError for other suffixes; the errors of CheckOutputPath.
StatusOr<TableFormat> CheckTextOutput(std::string_view command, const std::string& path,
                                      bool may_exist);

/// Returns IoError of a full disk, with numbers, if `path` is a file, or the place of a new one,
/// whose disk has less free space than `least_bytes`. `what` is what takes them. Outputs that are
/// written in place take no space, and are ok: standard output, pipes, devices. The errors of
/// PlaceOf and FreeBytesOfEach.
Status CheckFreeSpace(const std::string& path, uint64_t least_bytes, std::string_view what);

/// Pieces of text that are written in an order: several vertices of a walk, for example.
struct LinePieces {
  uint64_t count = 0;  // of items, each of which has parts
  std::function<uint64_t(uint64_t item)> num_parts;
  /// Appends parts `begin` to `end` - 1 of an item, but none once LineFile::IsFull(*text). Returns
  /// the part after the last one that it has appended. A part takes at most kMostPartBytes.
  /// Thread-safe.
  std::function<uint64_t(uint64_t item, uint64_t begin, uint64_t end, std::string* text)> append;
};

/// Lines in an order. Texts of 256 KiB and a part are made on all threads, and written. Reserves
/// their memory.
class LineFile {
 public:
  /// Two names of the greatest length, in quotes, and some numbers.
  static constexpr uint64_t kMostPartBytes = 4 * kMaxNameBytes + 256;
  static bool IsFull(const std::string& text) { return text.size() >= kTextBytes; }

  /// What Open reserves: about 2 MiB a thread.
  static uint64_t MemoryBytes(int threads);
  /// The errors of OutputFile::Open, and BudgetError.
  static StatusOr<LineFile> Open(const std::string& path, const Means& means);

  Status Write(std::string_view text) { return file_.Write(text); }
  /// Writes all parts of all items, in their order. Ok also when the reader of standard output has
  /// gone, as reader_left() says. CancelledError, and the errors of OutputFile::Write.
  Status WriteLines(const LinePieces& lines);
  /// Whether the reader of standard output has gone: the rest need not be made.
  bool reader_left() const { return file_.reader_left(); }
  Status Finish() { return file_.Finish(); }

 private:
  static constexpr uint64_t kTextBytes = uint64_t{1} << 18;
  struct Place {
    uint64_t item = 0;
    uint64_t part = 0;  // of the item
  };
  /// Parts in a row, and those of them that `text` has.
  struct Piece {
    Place next;          // what is appended next
    uint64_t parts = 0;  // that are left
    std::string text;
  };

  /// Moves `place` on by `parts` at most. Returns by how many: fewer only at the end.
  static uint64_t Skip(const LinePieces& lines, uint64_t parts, Place* place);
  /// Replaces the text of `piece` by its next parts, until the text is full.
  static void Fill(const LinePieces& lines, Piece* piece);

  OutputFile file_;
  std::vector<Piece> pieces_;
  double part_bytes_ = 16;  // in the mean, of what was written
  MemoryReservation memory_;
  int threads_ = 1;
};

}  // namespace edgemill::cli
