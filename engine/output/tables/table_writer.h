// Writes tables to files, on several threads: an answer, or values of pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/threads/turn_queue.h"
#include "engine/output/output_file.h"
#include "engine/output/tables/output_rows.h"
#include "engine/output/tables/table_encoder.h"

namespace edgemill {

enum class TableFormat : uint8_t {
  kText,     // values with blanks between (.txt)
  kTabs,     // the same with tabs (.tsv)
  kComma,    // the same with commas, below a header line (.csv)
  kNumpy,    // an array of all columns but the first (.npy), of two dimensions if they are several;
             // the first one goes to a second file
  kParquet,  // .parquet
  kArrow,    // Arrow's IPC file format (.arrow)
};

/// The suffixes of tables, for messages.
inline constexpr std::string_view kTableSuffixes = ".txt, .tsv, .csv, .npy, .parquet or .arrow";
/// The same without .npy, for tables that are no array.
inline constexpr std::string_view kRowSuffixes = ".txt, .tsv, .csv, .parquet or .arrow";

/// The format for a path's suffix; "-" is text. UsageError, with the list, for others.
StatusOr<TableFormat> TableFormatOf(const std::string& path);
/// Whether the format is lines of text.
bool IsText(TableFormat format);
/// What stands between the values of a line of text.
char FieldEnd(TableFormat format);

struct TableOptions {
  std::string path;  // "-" for standard output
  TableFormat format = TableFormat::kText;
  /// For kNumpy at least two, of which the first one may have texts.
  std::vector<OutputColumn> columns;
  uint64_t num_rows = 0;
  /// Whether kNumpy writes the first column, to a second file: numbers to PATH with .ids.npy in
  /// place of .npy, texts to PATH with .names, one a line.
  bool numpy_labels = false;
  /// What text has in the place of missing values.
  std::string missing_number = "inf";
  std::string missing_text = "inf";
};

/// What a table is written with.
struct WriteMeans {
  int threads = 1;
  MemoryBudget& budget;
  Progress& progress;  // of a stage that counts rows
};

/// Writes a table. Files appear complete or not at all: they are written under another name, and
/// Finish renames them. Not thread-safe. The bytes of the file depend on the rows alone, not on the
/// number of threads.
class TableWriter {
 public:
  /// OutputError, PermissionError or IoError when the file cannot be made.
  static StatusOr<TableWriter> Create(const TableOptions& options);

  /// Sets rows from `first` on: `count` of them, or fewer where they are full before. `thread` is
  /// less than WriteMeans::threads. Called by several threads at a time, each time with another
  /// thread and other rows. `rows` are empty.
  using Fill = std::function<Status(int thread, uint64_t first, uint64_t count, OutputRows* rows)>;
  /// Writes all rows of the table. One thread takes about 12 MiB, which are not reserved. More
  /// threads take part if the budget has 12 MiB and `fill_bytes` for each of them. CancelledError,
  /// the errors of `fill` and of OutputFile::Write.
  Status Write(const WriteMeans& means, const Fill& fill, uint64_t fill_bytes = 0);

  /// Puts the files in place, labels before values.
  Status Finish();

 private:
  struct Worker;

  explicit TableWriter(TableOptions options);
  /// The rows that a thread takes at a time.
  uint64_t ChunkRows() const;
  /// Makes the parts of rows `first` to `end` - 1, and writes them when it is the turn of `chunk`.
  /// False if no more rows need be written: another thread has failed, or the reader of standard
  /// output has gone.
  StatusOr<bool> WriteChunk(uint64_t chunk, uint64_t first, uint64_t end, TurnQueue* turns,
                            Worker* worker);

  TableOptions options_;
  std::unique_ptr<TableEncoder> encoder_;
  OutputFile values_;
  OutputFile labels_;
  bool has_labels_ = false;
};

/// Where the ids or the names of a .npy table go.
std::string NumpyIdsPath(const std::string& path);
std::string NumpyNamesPath(const std::string& path);
/// Both paths, because a table at `path` may have either file beside it. Empty where `path` is no
/// .npy file.
std::vector<std::string> NumpyPathsBeside(const std::string& path);

}  // namespace edgemill
