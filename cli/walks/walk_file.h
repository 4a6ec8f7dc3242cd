// Text files of walks and samples, written in parallel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cli/session.h"
#include "common/status.h"
#include "engine/output/output_file.h"
#include "engine/output/result_writer.h"

namespace edgemill::cli {

/// Checks that `path` may be written as text: .txt, .tsv or .csv, or - for standard output.
/// UsageError for other suffixes; the errors of CheckOutputPath.
StatusOr<ResultFormat> CheckTextOutput(std::string_view command, const std::string& path,
                                       bool may_exist);

/// The character between the fields of a line.
char FieldEnd(ResultFormat format);

/// Returns IoError of a full disk, with numbers, if `path` is a file whose disk has less free space
/// than `least_bytes`. `what` is what takes them.
Status CheckFreeSpace(const std::string& path, uint64_t least_bytes, std::string_view what);

/// Lines in an order. Keeps 2 MiB a thread, which it reserves.
class LineFile {
 public:
  static uint64_t MemoryBytes(int threads);
  /// The errors of OutputFile::Open, and BudgetError.
  static StatusOr<LineFile> Open(const std::string& path, const Means& means);

  Status Write(std::string_view text) { return file_.Write(text); }
  /// Writes lines 0 to count - 1. `append(i, text)` appends line i, of about `line_bytes`, on any
  /// thread.
  Status WriteLines(uint64_t count, uint64_t line_bytes,
                    const std::function<void(uint64_t i, std::string* text)>& append);
  Status Finish() { return file_.Finish(); }

 private:
  OutputFile file_;
  MemoryReservation memory_;
  int threads_ = 1;
};

}  // namespace edgemill::cli
