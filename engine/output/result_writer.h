// Answers to a file: one value a vertex, in id order, as text or NumPy arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/output/output_file.h"
#include "engine/report/result_type.h"

namespace edgemill {

/// How the file looks.
enum class ResultFormat {
  kText,   // "id value" lines (.txt)
  kTabs,   // "id<tab>value" lines (.tsv)
  kComma,  // "id,value" lines below a header line (.csv)
  kNumpy,  // an array of the values (.npy); the ids go to a second file when they are not 0, 1, 2,
           // ...
};

struct ResultOptions {
  std::string path;  // "-" for standard output
  ResultFormat format = ResultFormat::kText;
  ResultType type = ResultType::kCount;
  std::string value_name = "value";  // the header line's second column
  uint64_t num_vertices = 0;
  /// Write unreachable as 9223372036854775807, or Infinity when real, instead of inf.
  bool graphalytics_unreachable = false;
  /// kNumpy: write the ids to a second file, PATH without .npy and with .ids.npy.
  bool write_ids = false;
  /// Vertices have names, which come before each value (NameNext). Text has them in the place of
  /// ids; kNumpy writes them to a second file, PATH without .npy and with .names.
  bool write_names = false;
};

/// The format that a path's suffix says: .txt, .tsv, .csv, .npy; "-" is text. UsageError for
/// others.
StatusOr<ResultFormat> ResultFormatOf(const std::string& path);

/// Writes values vertex by vertex, in id order. Files appear whole or not at all: they are written
/// beside their place and renamed by Finish. Not thread-safe. Memory: two buffers of 1 MiB at most,
/// and a line.
class ResultWriter {
 public:
  /// OutputError, PermissionError or IoError when the file cannot be made.
  static StatusOr<ResultWriter> Create(const ResultOptions& options);

  /// The name of the vertex whose value comes next, where vertices have names; it must be good
  /// until then. Fields of text have them as AppendNameField writes them.
  void NameNext(std::string_view name) { name_ = name; }
  /// The next vertex's value; real ones in the shortest form that reads back the same.
  Status Append(ExternalId id, uint64_t value);
  Status Append(ExternalId id, double value);
  /// A value that is a vertex with this name. Not for kNumpy, which has ids.
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
  /// The row's id or name to the second file of kNumpy.
  Status AppendLabel(ExternalId id);
  Status AppendText(ExternalId id, std::string_view value);

  ResultOptions options_;
  std::string_view name_;  // of the next value's vertex
  std::unique_ptr<Target> values_;
  std::unique_ptr<Target> labels_;  // kNumpy: ids or names
};

/// Where the ids or the names of a .npy result go.
std::string NumpyIdsPath(const std::string& path);
std::string NumpyNamesPath(const std::string& path);
/// Both, which a result at `path` may have beside it; none where it is no .npy file.
std::vector<std::string> NumpyPathsBeside(const std::string& path);

}  // namespace edgemill
