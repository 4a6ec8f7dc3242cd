// The first rows of an input as they were understood, for people to check.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/types.h"

namespace edgemill {

struct EdgeChunk;

/// How an input of edges is read, and its first edges.
struct InputPreview {
  struct Row {
    std::optional<uint64_t> line;  // from 1; none in binary formats
    std::string source;
    std::string target;
    std::optional<double> weight;
  };
  static constexpr size_t kMaxRows = 5;

  std::string name;
  std::string format;                // a value of --format
  std::string separator;             // "blanks", "','"; empty in binary formats
  std::vector<std::string> columns;  // "source", "target", "weight", "kept", "ignored"
  bool named = false;                // vertices have names
  uint64_t base = 0;                 // subtracted from ids
  ExternalId min_id = 0;             // the least id that may be in the file
  uint64_t skipped_lines = 0;        // of header and comments before the first row
  std::vector<Row> rows;             // at most kMaxRows; none for binary formats

  /// Adds the edges of `chunk` as rows, up to kMaxRows. All are on `line`, if it is set.
  void AddRows(const EdgeChunk& chunk, std::optional<uint64_t> line);
};

}  // namespace edgemill
