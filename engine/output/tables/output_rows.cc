#include "engine/output/tables/output_rows.h"

#include "common/check.h"

namespace edgemill {

void OutputRows::Clear() {
  for (ColumnValues& values : columns_) {
    values.words.clear();
    values.bytes.clear();
    values.ends.clear();
    values.there.clear();
    values.num_missing = 0;
  }
  num_rows_ = 0;
  text_bytes_ = 0;
}

void OutputRows::AddText(size_t column, std::string_view text) {
  ColumnValues& values = columns_[column];
  values.bytes += text;
  CHECK_LE(values.bytes.size(), std::numeric_limits<uint32_t>::max());
  values.ends.push_back(static_cast<uint32_t>(values.bytes.size()));
  text_bytes_ += text.size() + sizeof(uint32_t);
}

void OutputRows::AddMissingText(size_t column) {
  MarkMissing(columns_[column].ends.size(), &columns_[column]);
  AddText(column, "");
}

std::span<uint64_t> OutputRows::Words(size_t column) {
  ColumnValues& values = columns_[column];
  CHECK(values.ends.empty());  // it has no texts
  values.words.resize(num_rows_);
  return values.words;
}

void OutputRows::SetMissing(size_t column, uint64_t word) {
  ColumnValues& values = columns_[column];
  size_t missing = 0;
  for (const uint64_t value : values.words) missing += value == word ? 1 : 0;
  if (missing == 0) return;
  for (size_t row = 0; row < values.words.size(); ++row) {
    if (values.words[row] == word) MarkMissing(row, &values);
  }
}

void OutputRows::MarkMissing(size_t row, ColumnValues* values) {
  if (!values->has(row)) return;
  if (values->there.size() <= row / 8) values->there.resize(row / 8 + 1, 0xff);
  values->there[row / 8] = static_cast<uint8_t>(values->there[row / 8] & ~(1u << row % 8));
  ++values->num_missing;
}

}  // namespace edgemill
