// Parquet: https://parquet.apache.org/docs/file-format. The format is simple to write: plain pages
// without compression, and a footer in Thrift's compact protocol. Reading Parquet takes much more,
// and is left to DuckDB (loaders/tables).
#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <utility>

#include "common/check.h"
#include "engine/output/tables/table_encoder.h"

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

void AppendWord(uint32_t word, std::string* bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes->append(reinterpret_cast<const char*>(&word), sizeof(word));
}

int TypeNumber(OutputColumn::Type type) {
  return type == OutputColumn::Type::kText   ? kByteArray
         : type == OutputColumn::Type::kReal ? kDouble
                                             : kInt64;
}

/// Definition levels are 1 for values that are there: a run of ones, or single bits.
std::string Levels(const ColumnValues& values, size_t rows) {
  std::string levels;
  const auto varint = [&levels](uint64_t value) {
    for (; value >= 0x80; value >>= 7) levels += static_cast<char>(value | 0x80);
    levels += static_cast<char>(value);
  };
  if (values.num_missing == 0) {
    varint(uint64_t{rows} << 1);
    return levels + '\x01';
  }
  const size_t bytes = (rows + 7) / 8;
  varint(bytes << 1 | 1);
  levels.append(values.there.begin(), values.there.end());
  levels.resize(levels.size() + bytes - values.there.size(), '\xff');
  return levels;
}

size_t PlainBytes(OutputColumn::Type type, const ColumnValues& values, size_t rows) {
  const size_t there = rows - values.num_missing;
  return type == OutputColumn::Type::kText ? values.bytes.size() + there * sizeof(uint32_t)
                                           : there * sizeof(uint64_t);
}

/// Appends the values that are there.
void AppendPlain(OutputColumn::Type type, const ColumnValues& values, size_t rows,
                 std::string* bytes) {
  const size_t begin = bytes->size();
  const size_t size = PlainBytes(type, values, rows);
  if (type != OutputColumn::Type::kText && values.num_missing == 0) {
    bytes->append(reinterpret_cast<const char*>(values.words.data()), size);
    return;
  }
  bytes->resize(begin + size);
  char* at = bytes->data() + begin;
  const auto put = [&at](const void* from, size_t count) {
    std::memcpy(at, from, count);
    at += count;
  };
  for (size_t row = 0; row < rows; ++row) {
    if (!values.has(row)) continue;
    if (type != OutputColumn::Type::kText) {
      put(&values.words[row], sizeof(uint64_t));
      continue;
    }
    const std::string_view text = values.text(row);
    const auto length = static_cast<uint32_t>(text.size());
    put(&length, sizeof(length));
    put(text.data(), text.size());
  }
  CHECK(at == bytes->data() + bytes->size());
}

/// Appends a data page with all values of a column.
void AppendPage(OutputColumn::Type type, const ColumnValues& values, size_t rows,
                std::string* bytes) {
  const std::string levels = Levels(values, rows);
  const size_t size = sizeof(uint32_t) + levels.size() + PlainBytes(type, values, rows);
  CHECK_LT(size, size_t{std::numeric_limits<int32_t>::max()});
  ThriftWriter header;  // PageHeader
  header.Int(1, kDataPage);
  header.Int(2, static_cast<int64_t>(size));
  header.Int(3, static_cast<int64_t>(size));
  header.Begin(5);  // DataPageHeader
  header.Int(1, static_cast<int64_t>(rows));
  header.Int(2, kPlain);
  header.Int(3, kRle);
  header.Int(4, kRle);
  header.End();
  *bytes += header.Take();
  AppendWord(static_cast<uint32_t>(levels.size()), bytes);
  *bytes += levels;
  AppendPlain(type, values, rows, bytes);
}

/// The greatest whole number of a column; 0 of other columns.
uint64_t GreatestOf(OutputColumn::Type type, const ColumnValues& values) {
  uint64_t greatest = 0;
  if (type != OutputColumn::Type::kUint64) return greatest;
  for (size_t row = 0; row < values.words.size(); ++row) {
    if (values.num_missing == 0 || values.has(row)) {
      greatest = std::max(greatest, values.words[row]);
    }
  }
  return greatest;
}

class ParquetEncoder : public TableEncoder {
 public:
  explicit ParquetEncoder(const std::vector<OutputColumn>& columns)
      : columns_(columns), greatest_(columns.size()) {}

  std::string Begin() override {
    offset_ = kMagic.size();
    return std::string(kMagic);
  }

  void Encode(const OutputRows& rows, TablePart* part) const override {
    for (size_t i = 0; i < columns_.size(); ++i) {
      const OutputColumn::Type type = columns_[i].type;
      const size_t begin = part->bytes.size();
      AppendPage(type, rows.column(i), rows.num_rows(), &part->bytes);
      part->sizes.push_back(part->bytes.size() - begin);
      part->greatest.push_back(GreatestOf(type, rows.column(i)));
    }
  }

  void Note(const TablePart& part) override {
    Group group{.rows = part.num_rows};
    for (size_t i = 0; i < columns_.size(); ++i) {
      group.chunks.push_back({offset_, part.sizes[i]});
      offset_ += part.sizes[i];
      greatest_[i] = std::max(greatest_[i], part.greatest[i]);
    }
    groups_.push_back(std::move(group));
  }

  std::string End() override {
    ThriftWriter footer;  // FileMetaData
    footer.Int(1, 1);
    AppendSchema(&footer);
    uint64_t rows = 0;
    for (const Group& group : groups_) rows += group.rows;
    footer.Int(3, static_cast<int64_t>(rows), true);
    footer.Structs(4, groups_.size());
    for (const Group& group : groups_) AppendGroup(group, &footer);
    footer.Text(6, "edgemill");
    std::string all = footer.Take();
    AppendWord(static_cast<uint32_t>(all.size()), &all);
    return all + std::string(kMagic);
  }

 private:
  /// A column chunk that was written.
  struct Chunk {
    uint64_t offset = 0;  // of its page in the file
    uint64_t bytes = 0;   // with the page's header
  };
  struct Group {
    uint64_t rows = 0;
    std::vector<Chunk> chunks;
  };

  void AppendSchema(ThriftWriter* footer) const {
    footer->Structs(2, columns_.size() + 1);
    footer->BeginElement();  // SchemaElement of the root
    footer->Text(4, "schema");
    footer->Int(5, static_cast<int64_t>(columns_.size()));
    footer->End();
    for (size_t i = 0; i < columns_.size(); ++i) {
      footer->BeginElement();
      footer->Int(1, TypeNumber(columns_[i].type));
      footer->Int(3, kOptional);
      footer->Text(4, columns_[i].name);
      if (columns_[i].type == OutputColumn::Type::kText) footer->Int(6, kUtf8);
      // Whole numbers are of int64, unless one is larger.
      if (greatest_[i] > uint64_t{INT64_MAX}) footer->Int(6, kUint64);
      footer->End();
    }
  }

  void AppendGroup(const Group& group, ThriftWriter* footer) const {
    footer->BeginElement();  // RowGroup
    footer->Structs(1, group.chunks.size());
    uint64_t bytes = 0;
    for (size_t i = 0; i < group.chunks.size(); ++i) {
      const Chunk& chunk = group.chunks[i];
      footer->BeginElement();  // ColumnChunk
      footer->Int(2, static_cast<int64_t>(chunk.offset), true);
      footer->Begin(3);  // ColumnMetaData
      footer->Int(1, TypeNumber(columns_[i].type));
      footer->Ints(2, {kPlain, kRle});
      footer->Texts(3, {columns_[i].name});
      footer->Int(4, kUncompressed);
      footer->Int(5, static_cast<int64_t>(group.rows), true);
      footer->Int(6, static_cast<int64_t>(chunk.bytes), true);
      footer->Int(7, static_cast<int64_t>(chunk.bytes), true);
      footer->Int(9, static_cast<int64_t>(chunk.offset), true);
      footer->End();
      footer->End();
      bytes += chunk.bytes;
    }
    footer->Int(2, static_cast<int64_t>(bytes), true);
    footer->Int(3, static_cast<int64_t>(group.rows), true);
    footer->End();
  }

  const std::vector<OutputColumn> columns_;
  std::vector<uint64_t> greatest_;  // of columns of whole numbers
  std::vector<Group> groups_;
  uint64_t offset_ = 0;  // bytes of the file so far
};

}  // namespace

std::unique_ptr<TableEncoder> MakeParquetEncoder(const std::vector<OutputColumn>& columns) {
  return std::make_unique<ParquetEncoder>(columns);
}

}  // namespace edgemill
