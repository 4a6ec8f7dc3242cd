// Writes answers to a file: one value for each vertex, or the same number of them, in id order, as
// text or NumPy arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/output/output_file.h"
#include "engine/output/parquet_table.h"
#include "engine/report/result_type.h"

namespace edgemill {

/// The format of the file.
enum class ResultFormat {
  kText,   // "id value" lines (.txt)
  kTabs,   // "id<tab>value" lines (.tsv)
  kComma,  // "id,value" lines below a header line (.csv)
  kNumpy,  // an array of the values (.npy), of two dimensions where vertices have several; the ids
           // go to a second file when they are not 0, 1, 2, ...
  kParquet,  // columns for ids or names and for values (.parquet), with NULL for unreachable
};

struct ResultOptions {
  std::string path;  // "-" for standard output
  ResultFormat format = ResultFormat::kText;
  ResultType type = ResultType::kCount;
  /// What the values of each vertex are, for the header line. There is one, or several for lists.
  std::vector<std::string> headings = {"value"};
  uint64_t num_vertices = 0;
  /// Write an unreachable vertex not as inf, but as 9223372036854775807, or for real values as
  /// Infinity.
  bool graphalytics_unreachable = false;
  /// kNumpy: write the ids to a second file, PATH with .ids.npy in place of .npy.
  bool write_ids = false;
  /// Vertices have names, which come before each value (NameNext). Text has names in place of ids.
  /// kNumpy writes them to a second file, PATH with .names in place of .npy.
  bool write_names = false;
};

/// The format for a path's suffix: .txt, .tsv, .csv, .npy, .parquet; "-" is text. UsageError for
/// others.
StatusOr<ResultFormat> ResultFormatOf(const std::string& path);

/// Writes values vertex by vertex, in id order: of each vertex as many as there are headings. Files
/// appear complete or not at all: they are written under another name, and Finish renames them. Not
/// thread-safe. Memory: at most two buffers of 1 MiB, and a line; two row groups of kParquet.
class ResultWriter {
 public:
  /// OutputError, PermissionError or IoError when the file cannot be made.
  static StatusOr<ResultWriter> Create(const ResultOptions& options);

  /// Whether the next value is the first one of a vertex.
  bool begins_vertex() const { return in_row_ == 0; }
  /// Sets the name of the vertex whose value comes next, where vertices have names. `name` must be
  /// valid until that value is appended. Text has names as AppendNameField writes them.
  void NameNext(std::string_view name) { name_ = name; }
  /// Appends the next vertex's value. Real values get the shortest form that reads back the same.
  Status Append(ExternalId id, uint64_t value);
  Status Append(ExternalId id, double value);
  /// Appends a value that is a vertex with this name. Not for kNumpy, which writes ids.
  Status Append(ExternalId id, std::string_view vertex);
  Status AppendUnreachable(ExternalId id);

  /// Writes what is left and puts the files in place, ids before values.
  Status Finish();

 private:
  struct Target {
    OutputFile file;
    std::string buffer;
  };

  explicit ResultWriter(ResultOptions options) : options_(std::move(options)) {}
  Status OpenTarget(const std::string& path, Target* target);
  Status Flush(Target* target);
  Status AppendWord(Target* target, uint64_t word);
  /// Writes the row's id or name to the second file of kNumpy, before its first value.
  Status AppendLabel(ExternalId id);
  Status AppendText(ExternalId id, std::string_view value);
  /// kParquet: writes the id or the name before the first value of a vertex, and ends its row
  /// after the last.
  void BeginTableValue(ExternalId id);
  Status EndTableValue();
  /// The column of the next value.
  size_t table_column() const { return in_row_ + 1; }
  /// Counts a value.
  void NoteValue() { in_row_ = (in_row_ + 1) % options_.headings.size(); }

  ResultOptions options_;
  size_t in_row_ = 0;      // values of the vertex so far
  std::string_view name_;  // of the next value's vertex
  std::unique_ptr<Target> values_;
  std::unique_ptr<Target> labels_;       // kNumpy: ids or names
  std::unique_ptr<ParquetTable> table_;  // kParquet
};

/// Where the ids or the names of a .npy result go.
std::string NumpyIdsPath(const std::string& path);
std::string NumpyNamesPath(const std::string& path);
/// Both paths, because a result at `path` may have either file beside it. Empty where `path` is no
/// .npy file.
std::vector<std::string> NumpyPathsBeside(const std::string& path);

}  // namespace edgemill
