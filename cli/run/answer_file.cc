#include "cli/run/answer_file.h"

#include <algorithm>
#include <span>

#include "cli/run/top_names.h"
#include "common/strings.h"
#include "engine/output/output_file.h"
#include "engine/output/result_writer.h"

namespace edgemill::cli {

void AnswerFile::Declare(OptionSet& options) {
  options.Text("-o,--output", &path_, "FILE",
               "write each vertex's value: .txt .tsv .csv .npy or .parquet; - for standard output");
  options.WritesTo("--output", NumpyPathsBeside);
  options.Choice("--unreachable", &unreachable_, {"inf", "graphalytics"},
                 "write unreachable as inf, or as 9223372036854775807 and Infinity");
  options.Flag("--force", &force_, "replace an --output that exists");
  options.NeverSuggest("--force");
  options.ActsWith("--unreachable", "--output");
}

Status AnswerFile::CheckUnreachable(const AlgorithmHelp& algorithm) const {
  const auto& columns = algorithm.results;
  if (std::none_of(columns.begin(), columns.end(),
                   [](const ResultColumn& column) { return column.may_miss; })) {
    return UsageError(StrCat("run: --unreachable cannot act with ", algorithm.name,
                             ", which gives every vertex a value: leave it out"));
  }
  if (!is_numpy() && !path_.ends_with(".parquet")) return OkStatus();
  return UsageError(StrCat("run: --unreachable cannot act with --output ", path_,
                           ": leave it out, or name a .txt, .tsv or .csv"));
}

Status AnswerFile::CheckPath() const {
  if (!is_file()) return OkStatus();
  ASSIGN_OR_RETURN(const ResultFormat format, ResultFormatOf(path_));
  RETURN_IF_ERROR(CheckOutputPath(path_, force_));
  if (format != ResultFormat::kNumpy) return OkStatus();
  // A killed run leaves ids without values: these may be replaced.
  return CheckOutputPath(NumpyIdsPath(path_), force_ || IsUnfinishedOutput(path_));
}

Status AnswerFile::CheckNamesPath(const GraphStore& store) const {
  if (!HasNames(store) || !is_numpy()) return OkStatus();
  return CheckOutputPath(NumpyNamesPath(path_), force_ || IsUnfinishedOutput(path_));
}

uint64_t AnswerFile::MemoryBytes(const GraphStore& store, const ResultColumn& column) const {
  const bool writes_names = wanted() && !is_numpy() && HasNames(store);
  return writes_names && column.type == ResultType::kId ? LoadedNames::SizeBytes(store) : 0;
}

Status AnswerFile::Write(RunResult& result, const GraphStore& store, const Means& means) const {
  Progress& progress = means.progress;
  ResultOptions options;
  options.path = path_;
  ASSIGN_OR_RETURN(options.format, ResultFormatOf(path_));
  options.type = result.type();
  options.headings = result.headings();
  options.num_vertices = result.num_vertices();
  options.graphalytics_unreachable = unreachable_ == "graphalytics";
  options.write_ids = store.info().sparse_ids || store.info().id_base != 0;
  options.write_names = HasNames(store);
  ASSIGN_OR_RETURN(ResultWriter writer, ResultWriter::Create(options));
  const bool real = options.type == ResultType::kReal;
  NameCursor cursor(store, result.reader());
  LoadedNames names;  // of vertices that are values
  CachedName cached_name;
  if (options.type == ResultType::kId && options.format != ResultFormat::kNumpy) {
    ASSIGN_OR_RETURN(names, LoadedNames::Load(store, result.reader(), means.threads, means.budget));
  }
  progress.StartStage("writing the answer", "vertices", result.num_vertices());
  RETURN_IF_ERROR(result.Visit([&](std::span<const VertexValue> values) -> Status {
    for (const VertexValue& value : values) {
      if (options.write_names && writer.begins_vertex()) {
        ASSIGN_OR_RETURN(const std::string_view name, cursor.Next());
        writer.NameNext(name);
      }
      if (!value.reached) {
        RETURN_IF_ERROR(writer.AppendUnreachable(value.id));
      } else if (real) {
        RETURN_IF_ERROR(writer.Append(value.id, value.real));
      } else if (!names.empty()) {
        RETURN_IF_ERROR(
            writer.Append(value.id, std::string_view(cached_name.Of(names, value.integer))));
      } else {
        RETURN_IF_ERROR(writer.Append(value.id, value.integer));
      }
    }
    progress.Advance(values.size() / options.headings.size());
    return OkStatus();
  }));
  return writer.Finish();
}

}  // namespace edgemill::cli
