// The file that a run's answer goes to, as the command line names it.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/option_set.h"
#include "cli/session.h"
#include "common/status.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Keeps the value of --output and of its related options, and writes the answer.
class AnswerFile {
 public:
  AnswerFile() = default;
  explicit AnswerFile(std::string path) : path_(std::move(path)) {}
  void Declare(OptionSet& options);

  /// Returns UsageError if --unreachable was given but has no effect.
  Status CheckUnreachable(const AlgorithmHelp& algorithm) const;
  /// Checks that the file can be made.
  Status CheckPath() const;
  /// Checks that names can be written beside a .npy file, where vertices have names.
  Status CheckNamesPath(const GraphStore& store) const;
  /// Memory for writing a column, once the run needs none: RunOptions::writing_bytes.
  uint64_t MemoryBytes(const GraphStore& store, const ResultColumn& column) const;
  /// Writes all values.
  Status Write(const RunResult& result, const GraphStore& store, const Means& means) const;

  bool wanted() const { return !path_.empty(); }
  /// Whether the answer goes to a file, and not to standard output.
  bool is_file() const { return wanted() && path_ != "-"; }
  bool is_numpy() const { return path_.ends_with(".npy"); }
  const std::string& path() const { return path_; }
  /// Whether files that exist are replaced.
  bool force() const { return force_; }

 private:
  std::string path_;  // empty: none
  std::string unreachable_ = "inf";
  bool force_ = false;
};

}  // namespace edgemill::cli
