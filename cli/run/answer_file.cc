#include "cli/run/answer_file.h"

#include <algorithm>

#include "common/strings.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/output/output_file.h"
#include "engine/output/tables/answer_output.h"
#include "engine/output/tables/table_writer.h"

namespace edgemill::cli {

void AnswerFile::Declare(OptionSet& options) {
  options.Text("-o,--output", &path_, "FILE",
               StrCat("write each vertex's value: ", kTableSuffixes, ", or - for standard output"));
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
  const StatusOr<TableFormat> format = TableFormatOf(path_);
  if (!format.ok() || IsText(*format)) return format.status();
  return UsageError(StrCat("run: --unreachable cannot act with --output ", path_,
                           ": leave it out, or name a .txt, .tsv or .csv"));
}

Status AnswerFile::CheckPath() const {
  if (!is_file()) return OkStatus();
  ASSIGN_OR_RETURN(const TableFormat format, TableFormatOf(path_));
  RETURN_IF_ERROR(CheckOutputPath(path_, force_));
  if (format != TableFormat::kNumpy) return OkStatus();
  // A killed run leaves ids without values: these may be replaced.
  return CheckOutputPath(NumpyIdsPath(path_), force_ || IsUnfinishedOutput(path_));
}

Status AnswerFile::CheckNamesPath(const GraphStore& store) const {
  if (!HasNames(store) || !is_numpy()) return OkStatus();
  return CheckOutputPath(NumpyNamesPath(path_), force_ || IsUnfinishedOutput(path_));
}

uint64_t AnswerFile::MemoryBytes(const GraphStore& store, const ResultColumn& column) const {
  const StatusOr<TableFormat> format = TableFormatOf(path_);
  if (!wanted() || !format.ok()) return 0;
  return AnswerOutputBytes(store, column.type, *format);
}

Status AnswerFile::Write(const RunResult& result, const GraphStore& store,
                         const Means& means) const {
  AnswerOutput output{.path = path_, .graphalytics_unreachable = unreachable_ == "graphalytics"};
  ASSIGN_OR_RETURN(output.format, TableFormatOf(path_));
  means.progress.StartStage("writing the answer", "vertices", result.num_vertices());
  return WriteAnswer(result, store, output, {means.threads, means.budget, means.progress});
}

}  // namespace edgemill::cli
