// The columns of vertices' names. One has front-coded bytes, the other the ends of groups of names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/encode/column_writer.h"
#include "storage/format/name_coding.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Appends names in ascending order to the two columns of a graph. Not thread-safe.
class NameColumns {
 public:
  NameColumns(GraphWriter& writer, CompressionPolicy policy)
      : names_(writer, ColumnKind::kNames, policy),
        groups_(writer, ColumnKind::kNameGroups, policy) {}

  /// Appends the name of the next rank.
  Status Append(std::string_view name);
  /// Writes what is left, once all names are appended.
  Status Finish();

  /// Bytes of all coded names.
  uint64_t bytes() const { return written_ + coded_.size(); }

 private:
  Status EndGroup();
  Status WriteNames(size_t least);
  Status WriteGroups();

  ColumnWriter names_;
  ColumnWriter groups_;
  NameEncoder encoder_;
  std::string coded_;
  uint64_t written_ = 0;  // bytes of coded names that are in blocks already
  std::vector<uint64_t> group_gaps_;
  uint64_t last_end_ = 0;
};

}  // namespace edgemill
