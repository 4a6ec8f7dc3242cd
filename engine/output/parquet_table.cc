#include "engine/output/parquet_table.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>

#include "common/check.h"

namespace edgemill {
namespace {

constexpr std::string_view kMagic = "PAR1";

/// Numbers of Parquet's definition (parquet.thrift).
constexpr int kInt64 = 2, kDouble = 5, kByteArray = 6;  // Type
constexpr int kUtf8 = 0, kUint64 = 14;                  // ConvertedType
constexpr int kOptional = 1;                            // FieldRepetitionType
constexpr int kPlain = 0, kRle = 3;                     // Encoding
constexpr int kUncompressed = 0;                        // CompressionCodec
constexpr int kDataPage = 0;                            // PageType

/// Writes structs in Thrift's compact protocol.
class ThriftWriter {
 public:
  void Int(int field, int64_t value, bool wide = false) {
    Header(field, wide ? kWideType : kIntType);
    Varint(Zigzag(value));
  }
  void Text(int field, std::string_view text) {
    Header(field, kTextType);
    TextElement(text);
  }
  /// A list, whose elements follow: by IntElement, by TextElement, or by BeginElement.
  void Ints(int field, std::initializer_list<int> values) {
    List(field, values.size(), kIntType);
    for (const int value : values) Varint(Zigzag(value));
  }
  void Texts(int field, std::initializer_list<std::string_view> values) {
    List(field, values.size(), kTextType);
    for (const std::string_view value : values) TextElement(value);
  }
  void Structs(int field, size_t count) { List(field, count, kStructType); }
  /// A struct: the value of a field, or an element of a list. Its fields follow, and then End.
  void Begin(int field) {
    Header(field, kStructType);
    BeginElement();
  }
  void BeginElement() {
    outer_.push_back(last_field_);
    last_field_ = 0;
  }
  void End() {
    bytes_ += '\0';
    last_field_ = outer_.back();
    outer_.pop_back();
  }
  /// The bytes of the struct that all fields were written to.
  std::string Take() {
    CHECK(outer_.empty());
    return std::move(bytes_) + '\0';
  }

 private:
  static constexpr int kIntType = 5, kWideType = 6, kTextType = 8, kListType = 9, kStructType = 12;

  static uint64_t Zigzag(int64_t value) {
    return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
  }
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void Header(int field, int type) {
    CHECK(field > last_field_ && field - last_field_ < 16);
    bytes_ += static_cast<char>((field - last_field_) << 4 | type);
    last_field_ = field;
  }
  void List(int field, size_t count, int type) {
    Header(field, kListType);
    if (count < 15) {
      bytes_ += static_cast<char>(count << 4 | static_cast<size_t>(type));
    } else {
      bytes_ += static_cast<char>(0xf0 | type);
      Varint(count);
    }
  }
  void TextElement(std::string_view text) {
    Varint(text.size());
    bytes_ += text;
  }

  std::string bytes_;
  int last_field_ = 0;
  std::vector<int> outer_;  // the last fields of the structs around
};

template <typename Word>
void AppendWord(Word word, std::string* bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes->append(reinterpret_cast<const char*>(&word), sizeof(word));
}

int TypeNumber(ParquetTable::Type type) {
  return type == ParquetTable::Type::kWhole  ? kInt64
         : type == ParquetTable::Type::kReal ? kDouble
                                             : kByteArray;
}

}  // namespace

ParquetTable::ParquetTable(const std::vector<Column>& columns) {
  for (const Column& column : columns) columns_.push_back({.column = column});
}

std::string ParquetTable::Start() {
  offset_ = kMagic.size();
  return std::string(kMagic);
}

void ParquetTable::AddWord(size_t column, uint64_t word) {
  Values& values = columns_[column];
  AppendWord(word, &values.bytes);
  values.there.push_back(true);
}

void ParquetTable::AddWhole(size_t column, uint64_t value) {
  columns_[column].max = std::max(columns_[column].max, value);
  AddWord(column, value);
}

void ParquetTable::AddReal(size_t column, double value) {
  AddWord(column, std::bit_cast<uint64_t>(value));
}

void ParquetTable::AddText(size_t column, std::string_view value) {
  Values& values = columns_[column];
  AppendWord(static_cast<uint32_t>(value.size()), &values.bytes);
  values.bytes += value;
  values.there.push_back(true);
}

void ParquetTable::AddNull(size_t column) {
  columns_[column].there.push_back(false);
  columns_[column].any_missing = true;
}

bool ParquetTable::EndRow() {
  ++rows_;
  size_t bytes = 0;
  for (const Values& values : columns_) {
    CHECK_EQ(values.there.size(), rows_);
    bytes += values.bytes.size();
  }
  return rows_ == kGroupRows || bytes >= kGroupBytes;
}

std::string ParquetTable::Page(const Values& values, uint32_t rows) {
  // Definition levels are 1 for values that are there: a run of ones, or single bits.
  std::string levels;
  const auto varint = [&levels](uint64_t value) {
    for (; value >= 0x80; value >>= 7) levels += static_cast<char>(value | 0x80);
    levels += static_cast<char>(value);
  };
  if (!values.any_missing) {
    varint(uint64_t{rows} << 1);
    levels += '\x01';
  } else {
    varint((uint64_t{rows} + 7) / 8 << 1 | 1);
    for (uint32_t row = 0; row < rows; row += 8) {
      unsigned bits = 0;
      for (uint32_t i = row; i < std::min(row + 8, rows); ++i) {
        bits |= unsigned{values.there[i]} << (i - row);
      }
      levels += static_cast<char>(bits);
    }
  }
  const size_t size = sizeof(uint32_t) + levels.size() + values.bytes.size();
  CHECK_LT(size, size_t{std::numeric_limits<int32_t>::max()});
  ThriftWriter header;  // PageHeader
  header.Int(1, kDataPage);
  header.Int(2, static_cast<int64_t>(size));
  header.Int(3, static_cast<int64_t>(size));
  header.Begin(5);  // DataPageHeader
  header.Int(1, rows);
  header.Int(2, kPlain);
  header.Int(3, kRle);
  header.Int(4, kRle);
  header.End();
  std::string page = header.Take();
  AppendWord(static_cast<uint32_t>(levels.size()), &page);
  page += levels;
  page += values.bytes;
  return page;
}

std::string ParquetTable::TakeGroup() {
  std::string bytes;
  if (rows_ == 0) return bytes;
  Group group{.rows = rows_};
  for (Values& values : columns_) {
    const std::string page = Page(values, rows_);
    group.chunks.push_back({offset_ + bytes.size(), page.size()});
    bytes += page;
    values.bytes.clear();
    values.there.clear();
    values.any_missing = false;
  }
  offset_ += bytes.size();
  groups_.push_back(std::move(group));
  rows_ = 0;
  return bytes;
}

std::string ParquetTable::Finish() {
  CHECK_EQ(rows_, 0u);  // TakeGroup has taken the last rows
  ThriftWriter footer;  // FileMetaData
  footer.Int(1, 1);
  footer.Structs(2, columns_.size() + 1);
  footer.BeginElement();  // SchemaElement of the root
  footer.Text(4, "schema");
  footer.Int(5, static_cast<int64_t>(columns_.size()));
  footer.End();
  for (const Values& values : columns_) {
    footer.BeginElement();
    footer.Int(1, TypeNumber(values.column.type));
    footer.Int(3, kOptional);
    footer.Text(4, values.column.name);
    if (values.column.type == Type::kText) footer.Int(6, kUtf8);
    // Whole numbers are of int64, unless one is larger.
    if (values.column.type == Type::kWhole && values.max > uint64_t{INT64_MAX}) {
      footer.Int(6, kUint64);
    }
    footer.End();
  }
  uint64_t rows = 0;
  for (const Group& group : groups_) rows += group.rows;
  footer.Int(3, static_cast<int64_t>(rows), true);
  footer.Structs(4, groups_.size());
  for (const Group& group : groups_) {
    footer.BeginElement();  // RowGroup
    footer.Structs(1, group.chunks.size());
    uint64_t bytes = 0;
    for (size_t i = 0; i < group.chunks.size(); ++i) {
      const Chunk& chunk = group.chunks[i];
      footer.BeginElement();  // ColumnChunk
      footer.Int(2, static_cast<int64_t>(chunk.offset), true);
      footer.Begin(3);  // ColumnMetaData
      footer.Int(1, TypeNumber(columns_[i].column.type));
      footer.Ints(2, {kPlain, kRle});
      footer.Texts(3, {columns_[i].column.name});
      footer.Int(4, kUncompressed);
      footer.Int(5, group.rows, true);
      footer.Int(6, static_cast<int64_t>(chunk.bytes), true);
      footer.Int(7, static_cast<int64_t>(chunk.bytes), true);
      footer.Int(9, static_cast<int64_t>(chunk.offset), true);
      footer.End();
      footer.End();
      bytes += chunk.bytes;
    }
    footer.Int(2, static_cast<int64_t>(bytes), true);
    footer.Int(3, group.rows, true);
    footer.End();
  }
  footer.Text(6, "edgemill");
  std::string all = footer.Take();
  AppendWord(static_cast<uint32_t>(all.size()), &all);
  return all + std::string(kMagic);
}

}  // namespace edgemill
