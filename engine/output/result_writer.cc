#include "engine/output/result_writer.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "common/check.h"
#include "common/number_text.h"
#include "common/strings.h"
#include "engine/graph/names/name_text.h"

namespace edgemill {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;
constexpr uint64_t kUnreachableCount = std::numeric_limits<int64_t>::max();

/// The header of a version 1.0 .npy file, padded so that the data starts at a multiple of 64 bytes.
/// Its array has one dimension, or two where a row has several values.
std::string NumpyHeader(std::string_view type, uint64_t rows, size_t row_values = 1) {
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

std::string_view NumpyType(ResultType type) {
  switch (type) {
    case ResultType::kCount:
      return "<i8";
    case ResultType::kLongCount:
    case ResultType::kId:
      return "<u8";
    case ResultType::kReal:
      return "<f8";
  }
  return "";
}

/// The columns of a Parquet file: the vertex, then a column for each heading.
std::vector<ParquetTable::Column> TableColumnsOf(const ResultOptions& options) {
  using Type = ParquetTable::Type;
  const Type names = options.write_names ? Type::kText : Type::kWhole;
  std::vector<ParquetTable::Column> columns = {{options.write_names ? "name" : "id", names}};
  for (const std::string& heading : options.headings) {
    columns.push_back({heading, options.type == ResultType::kReal ? Type::kReal
                                : options.type == ResultType::kId ? names
                                                                  : Type::kWhole});
  }
  return columns;
}

/// The .npy file `path` with another suffix.
std::string Beside(const std::string& path, std::string_view suffix) {
  constexpr std::string_view kSuffix = ".npy";
  CHECK(path.ends_with(kSuffix));
  return StrCat(path.substr(0, path.size() - kSuffix.size()), suffix);
}

}  // namespace

StatusOr<ResultFormat> ResultFormatOf(const std::string& path) {
  const auto has = [&](std::string_view suffix) { return path.ends_with(suffix); };
  if (path == "-" || has(".txt") || IsDeviceName(path)) return ResultFormat::kText;
  if (has(".tsv")) return ResultFormat::kTabs;
  if (has(".csv")) return ResultFormat::kComma;
  if (has(".npy")) return ResultFormat::kNumpy;
  if (has(".parquet")) return ResultFormat::kParquet;
  return UsageError(StrCat("--output ", path,
                           ": the suffix names no format: end the name in "
                           ".txt, .tsv, .csv, .npy or .parquet, or give - for standard output"));
}

std::string NumpyIdsPath(const std::string& path) { return Beside(path, ".ids.npy"); }
std::string NumpyNamesPath(const std::string& path) { return Beside(path, ".names"); }

std::vector<std::string> NumpyPathsBeside(const std::string& path) {
  if (!path.ends_with(".npy")) return {};
  return {NumpyIdsPath(path), NumpyNamesPath(path)};
}

StatusOr<ResultWriter> ResultWriter::Create(const ResultOptions& options) {
  CHECK(options.format != ResultFormat::kNumpy || options.path.ends_with(".npy"));
  ResultWriter writer(options);
  writer.values_ = std::make_unique<Target>();
  RETURN_IF_ERROR(writer.OpenTarget(options.path, writer.values_.get()));
  if (options.format == ResultFormat::kComma) {
    std::string& line = writer.values_->buffer;
    line = "id";
    for (const std::string& heading : options.headings) AppendNameField(heading, &(line += ','));
    line += '\n';
  } else if (options.format == ResultFormat::kParquet) {
    writer.table_ = std::make_unique<ParquetTable>(TableColumnsOf(options));
    writer.values_->buffer = writer.table_->Start();
  } else if (options.format == ResultFormat::kNumpy) {
    writer.values_->buffer =
        NumpyHeader(NumpyType(options.type), options.num_vertices, options.headings.size());
    if (options.write_ids || options.write_names) {
      const std::string path =
          options.write_names ? NumpyNamesPath(options.path) : NumpyIdsPath(options.path);
      writer.labels_ = std::make_unique<Target>();
      RETURN_IF_ERROR(writer.OpenTarget(path, writer.labels_.get()));
      if (options.write_ids) writer.labels_->buffer = NumpyHeader("<u8", options.num_vertices);
    }
  }
  return writer;
}

Status ResultWriter::OpenTarget(const std::string& path, Target* target) {
  target->buffer.reserve(kBufferBytes);
  ASSIGN_OR_RETURN(target->file, OutputFile::Open(path));
  return OkStatus();
}

Status ResultWriter::Flush(Target* target) {
  const Status status = target->file.Write(target->buffer);
  target->buffer.clear();
  return status;
}

Status ResultWriter::AppendWord(Target* target, uint64_t word) {
  target->buffer.append(reinterpret_cast<const char*>(&word), sizeof(word));
  return target->buffer.size() + sizeof(word) > kBufferBytes ? Flush(target) : OkStatus();
}

Status ResultWriter::AppendLabel(ExternalId id) {
  if (labels_ == nullptr || !begins_vertex()) return OkStatus();
  if (options_.write_ids) return AppendWord(labels_.get(), id);
  labels_->buffer += name_;
  labels_->buffer += '\n';
  return labels_->buffer.size() > kBufferBytes ? Flush(labels_.get()) : OkStatus();
}

void ResultWriter::BeginTableValue(ExternalId id) {
  if (!begins_vertex()) return;
  if (options_.write_names) {
    table_->AddText(0, name_);
  } else {
    table_->AddWhole(0, id);
  }
}

Status ResultWriter::EndTableValue() {
  NoteValue();
  if (!begins_vertex() || !table_->EndRow()) return OkStatus();
  values_->buffer += table_->TakeGroup();
  return Flush(values_.get());
}

Status ResultWriter::AppendText(ExternalId id, std::string_view value) {
  constexpr size_t kLongestLine = 64;
  std::string& buffer = values_->buffer;
  if (!begins_vertex()) {
    // The line has its id or name already.
  } else if (options_.write_names) {
    AppendNameField(name_, &buffer);
  } else {
    char digits[24];
    buffer.append(digits, std::to_chars(digits, digits + sizeof(digits), id).ptr);
  }
  buffer += options_.format == ResultFormat::kText   ? ' '
            : options_.format == ResultFormat::kTabs ? '\t'
                                                     : ',';
  buffer += value;
  NoteValue();
  if (begins_vertex()) buffer += '\n';
  return buffer.size() + kLongestLine > kBufferBytes ? Flush(values_.get()) : OkStatus();
}

Status ResultWriter::Append(ExternalId id, uint64_t value) {
  if (table_ != nullptr) {
    BeginTableValue(id);
    table_->AddWhole(table_column(), value);
    return EndTableValue();
  }
  if (options_.format == ResultFormat::kNumpy) {
    RETURN_IF_ERROR(AppendLabel(id));
    NoteValue();
    return AppendWord(values_.get(), value);
  }
  char digits[24];
  const char* end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  return AppendText(id, std::string_view(digits, end));
}

Status ResultWriter::Append(ExternalId id, double value) {
  if (std::isinf(value)) return AppendUnreachable(id);
  if (table_ != nullptr) {
    BeginTableValue(id);
    table_->AddReal(table_column(), value);
    return EndTableValue();
  }
  if (options_.format == ResultFormat::kNumpy) return Append(id, std::bit_cast<uint64_t>(value));
  char digits[kMaxNumberBytes];
  return AppendText(id, std::string_view(digits, WriteNumber(digits, value)));
}

Status ResultWriter::Append(ExternalId id, std::string_view vertex) {
  if (table_ != nullptr) {
    BeginTableValue(id);
    table_->AddText(table_column(), vertex);
    return EndTableValue();
  }
  std::string field;
  AppendNameField(vertex, &field);
  return AppendText(id, field);
}

Status ResultWriter::AppendUnreachable(ExternalId id) {
  const bool real = options_.type == ResultType::kReal;
  if (table_ != nullptr) {
    BeginTableValue(id);
    table_->AddNull(table_column());
    return EndTableValue();
  }
  if (options_.format == ResultFormat::kNumpy) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return Append(id, real ? std::bit_cast<uint64_t>(kInfinity) : kUnreachableCount);
  }
  if (!options_.graphalytics_unreachable) return AppendText(id, "inf");
  return real ? AppendText(id, "Infinity") : Append(id, kUnreachableCount);
}

Status ResultWriter::Finish() {
  CHECK(values_ != nullptr);  // Create has made it
  CHECK(labels_ == nullptr || options_.format == ResultFormat::kNumpy);
  if (table_ != nullptr) {
    values_->buffer += table_->TakeGroup();
    values_->buffer += table_->Finish();
  }
  RETURN_IF_ERROR(Flush(values_.get()));
  if (labels_ != nullptr) {
    RETURN_IF_ERROR(Flush(labels_.get()));
    // Ids are finished first: while the values are missing, the result is known to be unfinished.
    RETURN_IF_ERROR(labels_->file.Finish());
  }
  const Status finished = values_->file.Finish();
  if (!finished.ok() && labels_ != nullptr) labels_->file.Withdraw();
  return finished;
}

}  // namespace edgemill
