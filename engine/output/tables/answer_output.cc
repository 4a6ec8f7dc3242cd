#include "engine/output/tables/answer_output.h"

#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/check.h"
#include "engine/graph/names/name_dictionary.h"

namespace edgemill {
namespace {

using ColumnType = OutputColumn::Type;

ColumnType TypeOf(ResultType type) {
  switch (type) {
    case ResultType::kCount:
      return ColumnType::kInt64;
    case ResultType::kLongCount:
    case ResultType::kId:
      return ColumnType::kUint64;
    case ResultType::kReal:
      break;
  }
  return ColumnType::kReal;
}

bool WritesNamesOfValues(const GraphStore& store, ResultType type, TableFormat format) {
  return type == ResultType::kId && HasNames(store) && format != TableFormat::kNumpy;
}

TableOptions OptionsOf(const RunResult& result, const GraphStore& store,
                       const AnswerOutput& output) {
  TableOptions options{
      .path = output.path, .format = output.format, .num_rows = result.num_vertices()};
  const bool names = HasNames(store);
  // A header line calls names ids, since that is what other programs read them as.
  options.columns.push_back({names && !IsText(output.format) ? "name" : "id",
                             names ? ColumnType::kText : ColumnType::kUint64});
  const ColumnType type = WritesNamesOfValues(store, result.type(), output.format)
                              ? ColumnType::kText
                              : TypeOf(result.type());
  for (std::string& heading : result.headings()) {
    options.columns.push_back({std::move(heading), type});
  }
  options.numpy_labels = output.format == TableFormat::kNumpy &&
                         (names || store.info().sparse_ids || store.info().id_base != 0);
  if (output.graphalytics_unreachable) {
    options.missing_number = type == ColumnType::kReal ? "Infinity" : "9223372036854775807";
    options.missing_text = options.missing_number;
  }
  return options;
}

/// Makes rows of an answer. One thread at a time uses it.
class AnswerFiller {
 public:
  AnswerFiller(const GraphStore& store, BlockReader& reader, const AnswerRows& answers,
               const LoadedNames& value_names, const std::vector<OutputColumn>& columns)
      : has_names_(HasNames(store)),
        answers_(answers),
        value_names_(value_names),
        columns_(columns),
        cursor_(store, reader) {}

  Status Fill(uint64_t first, uint64_t count, OutputRows* rows) {
    ids_.resize(count);
    vertices_.resize(count);
    RETURN_IF_ERROR(answers_.ReadVertices(first, ids_, vertices_));
    if (!value_names_.empty()) {
      values_.resize(count);
      answers_.Read(vertices_, 0, values_);
      missing_.resize(count);
      for (uint64_t row = 0; row < count; ++row) {
        missing_[row] = values_[row] == answers_.unreached();
      }
      answers_.PutIds(values_);
    }
    if (has_names_) {
      ASSIGN_OR_RETURN(count, FillTexts(first, count, rows));
    }
    rows->SetRows(count);
    if (!has_names_) std::copy_n(ids_.data(), count, rows->Words(0).data());
    const std::span<const VertexId> vertices = std::span(vertices_).first(count);
    for (size_t column = 1; column < columns_.size(); ++column) {
      if (columns_[column].type == ColumnType::kText) continue;
      answers_.Read(vertices, static_cast<uint32_t>(column - 1), rows->Words(column));
      rows->SetMissing(column, answers_.unreached());
      answers_.PutIds(rows->Words(column));
      if (columns_[column].type == ColumnType::kReal) {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        rows->SetMissing(column, std::bit_cast<uint64_t>(-kInfinity));
      }
    }
    return OkStatus();
  }

 private:
  /// Adds names of vertices, and of values, to as many rows as are returned.
  StatusOr<uint64_t> FillTexts(uint64_t first, uint64_t count, OutputRows* rows) {
    if (cursor_.rank() != first) cursor_.Seek(first);
    for (uint64_t row = 0; row < count; ++row) {
      ASSIGN_OR_RETURN(const std::string_view name, cursor_.Next());
      rows->AddText(0, name);
      if (!value_names_.empty()) {
        if (missing_[row]) {
          rows->AddMissingText(1);
        } else {
          rows->AddText(1, cached_name_.Of(value_names_, values_[row]));
        }
      }
      if (rows->is_full()) return row + 1;
    }
    return count;
  }

  const bool has_names_;
  const AnswerRows& answers_;
  const LoadedNames& value_names_;
  const std::vector<OutputColumn>& columns_;
  NameCursor cursor_;
  CachedName cached_name_;
  std::vector<ExternalId> ids_;
  std::vector<VertexId> vertices_;
  std::vector<uint64_t> values_;  // ids of vertices, whose names are written
  std::vector<bool> missing_;     // whether there is no such vertex
};

}  // namespace

uint64_t AnswerOutputBytes(const GraphStore& store, ResultType type, TableFormat format) {
  return WritesNamesOfValues(store, type, format) ? LoadedNames::SizeBytes(store) : 0;
}

Status WriteAnswer(const RunResult& result, const GraphStore& store, const AnswerOutput& output,
                   const WriteMeans& means) {
  const TableOptions options = OptionsOf(result, store, output);
  ASSIGN_OR_RETURN(TableWriter writer, TableWriter::Create(options));
  ASSIGN_OR_RETURN(const AnswerRows answers, result.OpenRows(means.threads));
  LoadedNames value_names;
  if (WritesNamesOfValues(store, result.type(), output.format)) {
    ASSIGN_OR_RETURN(value_names,
                     LoadedNames::Load(store, result.reader(), means.threads, means.budget));
  }
  std::vector<std::unique_ptr<AnswerFiller>> fillers(static_cast<size_t>(means.threads));
  const auto fill = [&](int thread, uint64_t first, uint64_t count, OutputRows* rows) {
    auto& filler = fillers[static_cast<size_t>(thread)];
    if (filler == nullptr) {
      filler = std::make_unique<AnswerFiller>(store, result.reader(), answers, value_names,
                                              options.columns);
    }
    return filler->Fill(first, count, rows);
  };
  RETURN_IF_ERROR(writer.Write(means, fill, HasNames(store) ? NameCursor::kMaxBytes : 0));
  return writer.Finish();
}

}  // namespace edgemill
