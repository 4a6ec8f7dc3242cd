// The options of how the edges of an input are read.
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
  /// What was typed, checked; ids and weights are read as `options` want them. UsageError for
  /// values that do not go.
  StatusOr<ReadOptions> Parse(const OptionSet& given, const IngestOptions& options) const;
  /// That bad lines can be listed where they are to be.
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
  uint64_t bad_lines_ = 0;
  std::string bad_lines_file_;
};

}  // namespace edgemill::cli
