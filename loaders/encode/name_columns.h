// The columns of vertices' names: front-coded bytes, and where each group of names ends.
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

/// Appends rising names to the two columns of a graph. Not thread-safe.
class NameColumns {
 public:
  NameColumns(GraphWriter& writer, CompressionPolicy policy)
      : names_(writer, ColumnKind::kNames, policy),
        groups_(writer, ColumnKind::kNameGroups, policy) {}

  /// The name of the next rank.
  Status Append(std::string_view name);
  /// Writes what is left, once all names are there.
  Status Finish();

  /// Bytes of all names, coded.
  uint64_t bytes() const { return written_ + coded_.size(); }

 private:
  Status EndGroup();
  Status WriteNames(size_t least);
  Status WriteGroups();

  ColumnWriter names_;
  ColumnWriter groups_;
  NameEncoder encoder_;
  std::string coded_;
  uint64_t written_ = 0;  // bytes of names, before coded_
  std::vector<uint64_t> group_gaps_;
  uint64_t last_end_ = 0;
};

}  // namespace edgemill
