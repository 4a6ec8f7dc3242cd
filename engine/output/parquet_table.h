// The bytes of a Parquet file, written row by row. The format is simple to write: plain pages
// without compression, and a footer in Thrift's compact protocol. Reading Parquet takes much more,
// and is left to DuckDB (loaders/tables).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill {

/// A table on its way into a Parquet file: https://parquet.apache.org/docs/file-format. The caller
/// writes the bytes that Start, TakeGroup and Finish return, one after the other. Not thread-safe.
/// Memory: the rows of a row group, about kGroupBytes.
class ParquetTable {
 public:
  enum class Type { kWhole, kReal, kText };
  struct Column {
    std::string name;
    Type type = Type::kWhole;
  };
  /// A row group has at most so many rows, and about so many bytes.
  static constexpr uint32_t kGroupRows = 1 << 17;
  static constexpr size_t kGroupBytes = size_t{4} << 20;

  explicit ParquetTable(const std::vector<Column>& columns);

  /// The bytes that begin the file.
  std::string Start();
  /// Set the value of a column in the row that is being made. Each column gets one value.
  void AddWhole(size_t column, uint64_t value);
  void AddReal(size_t column, double value);
  void AddText(size_t column, std::string_view value);
  void AddNull(size_t column);
  /// Ends the row. Returns whether the row group is full: TakeGroup must come next.
  bool EndRow();
  /// The bytes of a row group with the rows since the last one. Empty if there are none.
  std::string TakeGroup();
  /// The bytes that end the file, after the last row group.
  std::string Finish();

 private:
  /// A column chunk that was written.
  struct Chunk {
    uint64_t offset = 0;  // of its page in the file
    uint64_t bytes = 0;   // with the page's header
  };
  struct Group {
    uint32_t rows = 0;
    std::vector<Chunk> chunks;
  };
  /// A column, and its values in the row group that is being made.
  struct Values {
    Column column;
    std::string bytes;        // values that are there, as in a plain page
    std::vector<bool> there;  // one a row
    uint64_t max = 0;         // of whole numbers, in all row groups
    bool any_missing = false;
  };
  void AddWord(size_t column, uint64_t word);
  static std::string Page(const Values& values, uint32_t rows);

  std::vector<Values> columns_;
  std::vector<Group> groups_;
  uint32_t rows_ = 0;    // in the row group that is being made
  uint64_t offset_ = 0;  // bytes of the file so far
};

}  // namespace edgemill
