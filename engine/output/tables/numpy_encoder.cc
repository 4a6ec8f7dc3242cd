#include <bit>
#include <limits>

#include "common/check.h"
#include "common/strings.h"
#include "engine/output/tables/table_encoder.h"

namespace edgemill {
namespace {

/// What stands in the place of a missing number.
uint64_t MissingWord(OutputColumn::Type type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return type == OutputColumn::Type::kReal ? std::bit_cast<uint64_t>(kInfinity)
                                           : uint64_t{std::numeric_limits<int64_t>::max()};
}

std::string_view NumpyType(OutputColumn::Type type) {
  return type == OutputColumn::Type::kReal    ? "<f8"
         : type == OutputColumn::Type::kInt64 ? "<i8"
                                              : "<u8";
}

void AppendWords(std::span<const uint64_t> words, std::string* bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes->append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

class NumpyEncoder : public TableEncoder {
 public:
  NumpyEncoder(const std::vector<OutputColumn>& columns, uint64_t num_rows)
      : columns_(columns), num_rows_(num_rows) {
    CHECK_GE(columns.size(), 2u);
  }

  std::string Begin() override {
    return NumpyHeader(NumpyType(columns_[1].type), num_rows_, columns_.size() - 1);
  }

  void Encode(const OutputRows& rows, TablePart* part) const override {
    const ColumnValues& labels = rows.column(0);
    if (columns_[0].type != OutputColumn::Type::kText) {
      AppendWords(labels.words, &part->labels);
    } else {
      for (size_t row = 0; row < rows.num_rows(); ++row) {
        part->labels += labels.text(row);
        part->labels += '\n';
      }
    }
    const size_t width = columns_.size() - 1;
    std::vector<uint64_t> words(rows.num_rows() * width);
    for (size_t i = 0; i < width; ++i) {
      const ColumnValues& values = rows.column(i + 1);
      for (size_t row = 0; row < rows.num_rows(); ++row) {
        words[row * width + i] = values.words[row];
      }
      if (values.num_missing == 0) continue;
      const uint64_t missing = MissingWord(columns_[i + 1].type);
      for (size_t row = 0; row < rows.num_rows(); ++row) {
        if (!values.has(row)) words[row * width + i] = missing;
      }
    }
    AppendWords(words, &part->bytes);
  }

  void Note(const TablePart& /*part*/) override {}
  std::string End() override { return ""; }

 private:
  const std::vector<OutputColumn> columns_;
  const uint64_t num_rows_;
};

}  // namespace

// Version 1.0, padded so that the data starts at a multiple of 64 bytes. The array has two
// dimensions where a row has several values.
std::string NumpyHeader(std::string_view type, uint64_t rows, size_t row_values) {
  const std::string columns = row_values == 1 ? "" : StrCat(" ", row_values);
  std::string dictionary = StrCat("{'descr': '", type, "', 'fortran_order': False, 'shape': (",
                                  rows, ",", columns, "), }");
  constexpr size_t kPrefix = 10;
  const size_t unpadded = kPrefix + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  CHECK_EQ((kPrefix + dictionary.size()) % 64, 0u);
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

std::unique_ptr<TableEncoder> MakeNumpyEncoder(const std::vector<OutputColumn>& columns,
                                               uint64_t num_rows) {
  return std::make_unique<NumpyEncoder>(columns, num_rows);
}

}  // namespace edgemill
