// Turns rows of a table into edges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loaders/formats/lines/name_parser.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/options/read_options.h"
#include "loaders/source/raw_chunk.h"
#include "loaders/tables/table_columns.h"
#include "loaders/tables/table_engine.h"

namespace edgemill {

/// Where the rows of a raw chunk go.
struct TableSink {
  TableSink(const RawChunk& raw, bool named, EdgeChunk* chunk)
      : edges(chunk), row(raw.begin.record) {
    if (named) names.emplace(chunk, raw.name_seed);
  }
  EdgeSink edges;
  std::optional<NameSink> names;
  uint64_t row;  // the number of the next row in the table, from 0
};

/// Makes edges by a layout. Thread-safe.
class TableParser {
 public:
  /// `group_starts` has the first row of each row group; empty for tables without them.
  TableParser(TableLayout layout, const ReadOptions& options, std::vector<uint64_t> group_starts);

  const TableLayout& layout() const { return layout_; }
  const std::vector<uint64_t>& group_starts() const { return group_starts_; }
  /// Adds the rows to `sink`, and their counts and bad rows to `result`. False after too many bad
  /// rows.
  bool Parse(const TableChunk& rows, TableSink* sink, ParseResult* result) const;
  /// "row 12 (row group 0)" for the row with this number, from 0.
  std::string PlaceOf(uint64_t row) const;

 private:
  /// One end of an edge, or the weight, in a row that is not plain.
  struct Values {
    uint64_t source = 0;
    uint64_t target = 0;
    std::string_view source_name;
    std::string_view target_name;
    double weight = 0;
  };
  enum class Outcome { kGood, kSkip, kBad };
  /// The vectors of a chunk: values, and bits of those that are there.
  struct Column {
    const void* values = nullptr;
    const uint64_t* valid = nullptr;
    bool has(size_t row) const {
      return valid == nullptr || (valid[row / 64] >> (row % 64) & 1) != 0;
    }
    template <typename T>
    const T& at(size_t row) const {
      return static_cast<const T*>(values)[row];
    }
  };
  /// A value of a column, and how it is read.
  struct Cell {
    const Column& column;
    size_t row;
    const TableValues& values;
  };
  struct Vectors {
    Column source, target, weight;
    std::vector<Column> checked;
  };
  Vectors VectorsOf(const TableChunk& rows) const;
  bool ParseNumbers(const Vectors& vectors, size_t size, TableSink* sink,
                    ParseResult* result) const;
  bool ParseNames(const Vectors& vectors, size_t size, TableSink* sink, ParseResult* result) const;
  /// Reads a weight that is plain, from a column of numbers.
  bool ReadPlainWeight(const Column& column, size_t row, double* weight) const;
  bool AddSlowly(const Vectors& vectors, size_t row, TableSink* sink, ParseResult* result) const;
  bool ReadId(const Column& column, size_t row, TableValue kind, uint64_t* id,
              FieldError* error) const;
  bool ReadName(const Column& column, size_t row, std::string_view* name, FieldError* error) const;
  /// Reads a weight, or a value of an edge column, of this pass or another one.
  Outcome ReadWeight(const Cell& cell, double* weight, ParseResult* result,
                     FieldError* error) const;
  Outcome ReadRow(const Vectors& vectors, size_t row, Values* values, ParseResult* result,
                  BadLine* bad) const;
  std::string TextOf(const Vectors& vectors, size_t row) const;

  TableLayout layout_;
  std::vector<uint64_t> group_starts_;
  const uint64_t base_;
  const EmptyWeight empty_weight_;
};

}  // namespace edgemill
