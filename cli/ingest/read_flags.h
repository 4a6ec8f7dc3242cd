// The options for how the edges of an input are read.
#pragma once

#include <cstdint>
#include <string>

#include "cli/options/option_set.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/options/read_options.h"

namespace edgemill::cli {

/// Values of the options as typed.
class ReadFlags {
 public:
  void Declare(OptionSet& options);
  /// Checks and returns what was typed. `options` says how to read ids and weights. Returns
  /// UsageError for bad values.
  StatusOr<ReadOptions> Parse(const OptionSet& given, const IngestOptions& options) const;
  /// The statement of --sql; empty when it was not given.
  const std::string& sql() const { return sql_; }
  /// Checks that bad lines can be written to their file, if there is one.
  Status CheckBadLinesFile() const;

 private:
  std::string format_ = "auto";
  std::string csv_columns_;
  std::string header_ = "auto";
  std::string comment_;
  std::string delimiter_;
  std::string quote_ = "auto";
  uint64_t skip_lines_ = 0;
  uint64_t base_ = 0;
  std::string vertices_file_;
  std::string names_file_;
  std::string bad_lines_ = "0";
  std::string decimal_ = "point";
  std::string empty_weight_ = "error";
  std::string sql_;
  std::string where_;
  std::string bad_lines_file_;
};

}  // namespace edgemill::cli
