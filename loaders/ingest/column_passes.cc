// The passes of an ingest that add edge columns.
#include <set>
#include <utility>

#include "common/os/file.h"
#include "loaders/ingest/ingest_job.h"
#include "storage/catalog/catalog_records.h"

namespace edgemill {
namespace {

/// How the values of an edge column are stored.
WeightChoice WeightsOf(EdgeColumnType type, DuplicateRule duplicates) {
  WeightChoice choice{.edge_column = true};
  // Sums of integers may be beyond 32 bits.
  if (type == EdgeColumnType::kInt64 && duplicates == DuplicateRule::kSum) {
    choice.kind = WeightChoice::Kind::kFloat64;
  }
  if (type == EdgeColumnType::kInt32) choice.kind = WeightChoice::Kind::kInt32;
  if (type == EdgeColumnType::kFloat32) choice.kind = WeightChoice::Kind::kFloat32;
  if (type == EdgeColumnType::kFloat64) choice.kind = WeightChoice::Kind::kFloat64;
  return choice;
}

}  // namespace

StatusOr<std::unique_ptr<EdgeSource>> IngestJob::OpenColumn(const ColumnPass& pass) const {
  const EdgeColumnChoice& choice = options_.edge_columns[pass.column];
  ASSIGN_OR_RETURN(std::unique_ptr<EdgeSource> source,
                   context_.source.WithColumn(pass.column, pass.codes));
  const EdgeSourceInfo& info = source->info();
  const bool sums = options_.duplicates == DuplicateRule::kSum;
  const bool orders =
      options_.duplicates == DuplicateRule::kMin || options_.duplicates == DuplicateRule::kMax;
  if ((sums && info.values != ValueKind::kNumber) || (orders && info.values == ValueKind::kText)) {
    return UsageError(StrCat(
        "--column ", choice.name, " holds ", info.values == ValueKind::kText ? "texts" : "times",
        info.values == ValueKind::kText ? ": --merge can take their first only: say --merge first"
                                        : ", which have no sum: say --merge first, min or max"));
  }
  return source;
}

Status IngestJob::CheckColumns() const {
  if (options_.edge_columns.size() > kMaxEdgeColumns) {
    return UsageError(StrCat("--column: ", options_.edge_columns.size(),
                             " columns: a graph has at most ", kMaxEdgeColumns));
  }
  std::set<std::string> names;
  for (size_t i = 0; i < options_.edge_columns.size(); ++i) {
    ASSIGN_OR_RETURN(const auto source, OpenColumn({.column = i}));
    const std::string& name = source->info().value_name;
    if (name.empty() || name.size() > kMaxEdgeColumnName) {
      return UsageError(StrCat("--column ", options_.edge_columns[i].name, " is called ",
                               QuotedText(name), " in the input: give it a name of 1 to ",
                               kMaxEdgeColumnName, " bytes"));
    }
    if (names.insert(name).second) continue;
    return UsageError(StrCat("--column ", name, " is given twice"));
  }
  return OkStatus();
}

Status IngestJob::AddColumns(StoredGraph* graph) {
  if (options_.edge_columns.empty()) return OkStatus();
  // What the first pass keeps in memory and files is not needed any more.
  { const IngestState done = std::exchange(state_, IngestState()); }
  for (size_t i = graph->info.edge_columns.size(); i < options_.edge_columns.size(); ++i) {
    const EdgeColumnChoice& choice = options_.edge_columns[i];
    const ColumnPass pass{.column = i, .codes = std::make_shared<TextCodes>()};
    IngestOptions options = options_;
    options.edge_columns.clear();
    options.renumbering = graph->info.renumbering;
    options.weights = WeightsOf(choice.type, options_.duplicates);
    ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, OpenColumn(pass));
    context_.progress.StartRound(StrCat("column ", choice.name));
    IngestJob job(*source, context_, options, pass);
    StatusOr<EdgeColumn> column = job.RunColumn(*graph);
    if (!column.ok()) return Annotate(column.status(), StrCat("--column ", choice.name));
    graph->info.edge_columns.push_back(*std::move(column));
    for (StageTime& time : job.report_.stages) {
      time.name = StrCat("column ", choice.name, ": ", time.name);
      report_.stages.push_back(std::move(time));
    }
    graph->report.spill_bytes_written += job.report_.spill_bytes_written;
    graph->report.spill_bytes_read += job.report_.spill_bytes_read;
    RETURN_IF_ERROR(journal_.SaveGraph(*graph));
    fault::KillPoint("ingest.column");
  }
  context_.progress.StartRound("");
  return OkStatus();
}

StatusOr<EdgeColumn> IngestJob::RunColumn(const StoredGraph& graph) {
  EdgeRules rules;
  RETURN_IF_ERROR(Begin(&rules));
  ASSIGN_OR_RETURN(const MemoryReservation writer_memory,
                   context_.budget.Reserve(plan_.writer_bytes, "blocks on their way to disk"));
  RETURN_IF_ERROR(RunStages(rules));
  const EdgeSourceInfo& info = context_.source.info();
  const EncodedTotals& totals = state_.encoded.totals;
  // Skipped as bad lines, which the first pass did not skip.
  if (pass_->codes->full()) {
    return BadDataError(
        "more than 1 MiB of different texts in the column, which is for kinds, such as "
        "currencies: leave it out of --column");
  }
  if (totals.num_edges != graph.info.num_edges || totals.keys_sum != graph.keys_sum) {
    return BadDataError(
        "the input has other edges than before: start again when nothing writes to it");
  }
  EdgeColumn column{.name = info.value_name,
                    .kind = info.values,
                    .type = DecideWeightType(schema_, state_.stats),
                    .has_negative = totals.negative_weight};
  if (info.values == ValueKind::kText) column.texts = pass_->codes->Sorted();
  report_.spill_bytes_written = state_.edges.space->bytes_written();
  report_.spill_bytes_read = state_.edges.space->bytes_read();
  return column;
}

}  // namespace edgemill
