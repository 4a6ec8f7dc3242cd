#include <bit>
#include <charconv>

#include "common/number_text.h"
#include "engine/graph/names/name_text.h"
#include "engine/output/tables/table_encoder.h"

namespace edgemill {
namespace {

class LineEncoder : public TableEncoder {
 public:
  LineEncoder(const std::vector<OutputColumn>& columns, const LineStyle& style)
      : columns_(columns), style_(style) {}

  std::string Begin() override {
    std::string line;
    if (!style_.has_header) return line;
    for (const OutputColumn& column : columns_) {
      if (!line.empty()) line += style_.between;
      AppendNameField(column.name, &line);
    }
    return line + '\n';
  }

  void Encode(const OutputRows& rows, TablePart* part) const override {
    for (size_t row = 0; row < rows.num_rows(); ++row) {
      for (size_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) part->bytes += style_.between;
        AppendField(columns_[i].type, rows.column(i), row, &part->bytes);
      }
      part->bytes += '\n';
    }
  }

  void Note(const TablePart& /*part*/) override {}
  std::string End() override { return ""; }

 private:
  void AppendField(OutputColumn::Type type, const ColumnValues& values, size_t row,
                   std::string* line) const {
    const bool is_text = type == OutputColumn::Type::kText;
    if (!values.has(row)) {
      *line += is_text ? style_.missing_text : style_.missing_number;
    } else if (is_text) {
      AppendNameField(values.text(row), line);
    } else {
      char digits[kMaxNumberBytes];
      const uint64_t word = values.words[row];
      char* const end = type == OutputColumn::Type::kReal
                            ? WriteNumber(digits, std::bit_cast<double>(word))
                            : std::to_chars(digits, digits + sizeof(digits), word).ptr;
      line->append(digits, end);
    }
  }

  const std::vector<OutputColumn> columns_;
  const LineStyle style_;
};

}  // namespace

std::unique_ptr<TableEncoder> MakeLineEncoder(const std::vector<OutputColumn>& columns,
                                              const LineStyle& style) {
  return std::make_unique<LineEncoder>(columns, style);
}

}  // namespace edgemill
