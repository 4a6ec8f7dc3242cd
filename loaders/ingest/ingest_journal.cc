#include "loaders/ingest/ingest_journal.h"

#include <optional>
#include <utility>

#include "common/check.h"

namespace edgemill {
namespace {

constexpr std::string_view kStateKey = "ingest.state";
constexpr std::string_view kGraphKey = "ingest.graph";

/// The first part of the state in the journal, before the states of streams and encoders.
struct SavedHead {
  IngestStage next = IngestStage::kRead;
  uint64_t max_sort_edges = 0;
  uint64_t paging_bytes = 0;
  uint64_t page_bytes = 0;
  std::optional<Renumbering> renumbering;
  IntakeStats stats;
  std::string source_position;
  uint64_t bad_lines = 0;
  uint64_t spill_bytes_written = 0;
  uint64_t spill_bytes_read = 0;

  template <typename Visitor, typename Head>
  static void ListFields(Visitor& visitor, Head& head) {
    visitor.Fields(head.next, head.max_sort_edges, head.paging_bytes, head.page_bytes,
                   head.renumbering, head.stats, head.source_position, head.bad_lines,
                   head.spill_bytes_written, head.spill_bytes_read);
  }
};

/// The last part of the state, after the states of streams.
template <typename Visitor, typename Graph, typename Text>
void ListTail(Visitor& visitor, Graph& encoded, Text& encoder_state) {
  visitor.Fields(encoded.totals, encoded.crossings[0], encoded.crossings[1], encoder_state);
}

/// A StoredGraph: what the ingest knows of it, and the journal does not know by itself.
template <typename Visitor, typename Info>
void ListGraph(Visitor& visitor, Info& info) {
  visitor.Fields(info.num_vertices, info.num_edges, info.directed, info.sparse_ids, info.id_base,
                 info.name_bytes, info.weights, info.renumbering, info.num_self_loops,
                 info.num_duplicates, info.has_negative_weight, info.offset_crossings[0],
                 info.offset_crossings[1]);
}
template <typename Visitor, typename Column>
void ListColumn(Visitor& visitor, Column& column) {
  visitor.Fields(column.name, column.kind, column.type, column.has_negative, column.texts);
}
template <typename Visitor, typename Report>
void ListReport(Visitor& visitor, Report& report) {
  visitor.Fields(report.input_edges, report.chose_renumbering, report.loops_in,
                 report.merged_duplicates, report.input_bytes, report.spill_bytes_written,
                 report.spill_bytes_read, report.bad_lines, report.max_id, report.unused_ids,
                 report.id_reason);
}

}  // namespace

IngestJournal::~IngestJournal() {
  if (!durable_) return;
  state_.edges.LeaveFiles();
  state_.vertex_ids.LeaveFiles();
  state_.seen_ids.LeaveFiles();
  if (state_.name_intake.has_value()) {
    for (const auto& run : state_.name_intake->runs.runs()) run->LeaveFiles();
  }
}

Status IngestJournal::Save(IngestStage next) {
  CHECK_GE(next, state_.stage);  // stages never go back
  const bool reading = state_.stage == IngestStage::kRead;
  const bool pays = reading && state_.edges.space->spilling() &&
                    state_.edges.space->SavingPays(since_start_.seconds());
  if (!kept_ || (!durable_ && !pays)) {
    state_.edges.retired.clear();
    state_.stage = next;
    return OkStatus();
  }
  for (std::optional<BucketSet>* set : state_.edges.sets()) {
    if (set->has_value()) RETURN_IF_ERROR((*set)->Save());
  }
  // The journal needs the old files until it names the new ones.
  std::vector<std::unique_ptr<SpillStream>> old_id_files;
  if (reading) old_id_files = std::exchange(state_.seen_ids.files, {});
  const Status saved = reading ? SaveRead() : OkStatus();
  const Status put = saved.ok() ? Put(next, nullptr, nullptr) : saved;
  if (!put.ok()) {
    for (const auto& file : old_id_files) file->LeaveFiles();
  }
  return put;
}

Status IngestJournal::SaveRead() {
  RETURN_IF_ERROR(state_.seen_ids.Save(*state_.edges.space, state_.stats.max_id));
  if (!state_.name_intake.has_value()) return OkStatus();
  RETURN_IF_ERROR(state_.name_intake->runs.WriteRun(*state_.edges.space));
  for (const auto& run : state_.name_intake->runs.runs()) RETURN_IF_ERROR(run->Save());
  return OkStatus();
}

Status IngestJournal::SaveEncoding(const EdgeEncoder& encoder, const BucketSet& set) {
  CHECK(state_.stage == IngestStage::kEncodeOut || state_.stage == IngestStage::kEncodeIn);
  return durable_ ? Put(state_.stage, &encoder, &set) : OkStatus();
}

Status IngestJournal::Put(IngestStage next, const EdgeEncoder* encoder, const BucketSet* encoded) {
  const SpillSpace& space = *state_.edges.space;
  const SavedHead head{.next = next,
                       .max_sort_edges = plan_.sort.max_edges,
                       .paging_bytes = plan_.pages.total_bytes(),
                       .page_bytes = space.page_bytes(),
                       .renumbering = state_.renumbering,
                       .stats = state_.stats,
                       .source_position = state_.source_position,
                       .bad_lines = state_.bad_lines,
                       .spill_bytes_written = state_.spill_bytes_written + space.bytes_written(),
                       .spill_bytes_read = state_.spill_bytes_read + space.bytes_read()};
  StateWriter out;
  out.Fields(head);
  for (const std::optional<BucketSet>* set : state_.edges.sets()) {
    out.Put(set->has_value());
    if (!set->has_value()) continue;
    (*set)->PutState(&**set == encoded ? encoder->first_remaining_bucket() : 0, &out);
  }
  out.Put<uint64_t>(state_.seen_ids.files.size());
  for (const auto& file : state_.seen_ids.files) file->PutState(&out);
  // Once ranks replace names, all names are in one run, which is part of `vertex_ids`.
  const bool has_runs = state_.name_intake.has_value() && next <= IngestStage::kPrepare;
  out.Put<uint64_t>(has_runs ? state_.name_intake->runs.runs().size() : 0);
  if (has_runs) {
    for (const auto& run : state_.name_intake->runs.runs()) run->PutState(&out);
  }
  state_.vertex_ids.PutState(&out);
  StateWriter running;
  if (encoder != nullptr) encoder->PutState(&running);
  const std::string encoder_state = running.Take();
  ListTail(out, state_.encoded, encoder_state);
  writer_.PutJournal(kStateKey, out.Take());
  RETURN_IF_ERROR(writer_.Checkpoint());
  durable_ = true;
  state_.stage = next;
  state_.edges.retired.clear();
  return OkStatus();
}

Status IngestJournal::Load(MemoryBudget& budget) {
  CHECK(state_.edges.space == nullptr);
  const std::optional<std::string> state = writer_.GetJournal(kStateKey);
  if (!state.has_value()) return OkStatus();  // only the options had been saved
  StateReader in(*state);
  SavedHead head;
  in.Fields(head);
  state_.stage = head.next;
  state_.largest_sortable_bucket = head.max_sort_edges;
  // Pages get as much memory as before, for the same streams, even if sorting has fewer workers.
  plan_.GivePages(head.paging_bytes, {.min_workers = 1, .min_bucket_edges = 1},
                  budget.available_bytes());
  SpillSpace::Options options;
  options.directories = writer_.spill_directories();
  options.page_bytes = head.page_bytes;
  options.memory_bytes = plan_.pages.bytes;
  options.table_bytes = plan_.pages.table_bytes;
  options.threads = plan_.threads;
  options.reopen = true;
  if (!in.ok() || options.page_bytes == 0) return in.Finish();
  if (!SpillSpace::IsPageSize(options.page_bytes)) {
    return BadDataError("the ingest journal is damaged: use --replace");
  }
  StatusOr<std::unique_ptr<SpillSpace>> kept = SpillSpace::Create(options, budget);
  if (kept.status().code() == Code::kMissing) {
    return BadDataError(StrCat(kept.status().message(),
                               ": temporary files of the ingest are gone: bring them back and give "
                               "the same command again, or start over with --replace"));
  }
  ASSIGN_OR_RETURN(state_.edges.space, std::move(kept));
  SpillSpace& space = *state_.edges.space;
  state_.renumbering = head.renumbering;
  state_.stats = head.stats;
  state_.source_position = std::move(head.source_position);
  state_.bad_lines = head.bad_lines;
  state_.spill_bytes_written = head.spill_bytes_written;
  state_.spill_bytes_read = head.spill_bytes_read;
  durable_ = true;
  size_t num_streams = 0;
  for (std::optional<BucketSet>* set : state_.edges.sets()) {
    if (!in.Get<bool>()) continue;
    ASSIGN_OR_RETURN(BucketSet loaded, BucketSet::FromState(space, &in));
    num_streams += loaded.buckets().size() * static_cast<size_t>(loaded.num_sides());
    set->emplace(std::move(loaded));
  }
  const uint64_t num_id_files = in.Get<uint64_t>();
  for (uint64_t i = 0; i < num_id_files && in.ok(); ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<SpillStream> file, space.OpenStream(&in));
    RETURN_IF_ERROR(state_.seen_ids.Load(std::move(file)));
  }
  const uint64_t num_name_runs = in.Get<uint64_t>();
  for (uint64_t i = 0; i < num_name_runs && in.ok(); ++i) {
    if (!state_.name_intake.has_value()) {
      return BadDataError("the ingest journal is damaged: use --replace");
    }
    ASSIGN_OR_RETURN(std::unique_ptr<SpillStream> run, space.OpenStream(&in));
    state_.name_intake->runs.AddRun(std::move(run));
  }
  RETURN_IF_ERROR(state_.vertex_ids.LoadState(space, &in));
  ListTail(in, state_.encoded, state_.encoder_state);
  RETURN_IF_ERROR(in.Finish());
  // Each stream that is being filled needs a page, and at most half of the pages may be used so.
  if (state_.stage == IngestStage::kRead && 2 * num_streams > space.num_pages()) {
    return BudgetError(StrCat("too little memory for ", num_streams, " buckets of edges: resume ",
                              "with as much as the ingest began with"));
  }
  space.EndOpening();
  return OkStatus();
}

Status IngestJournal::SaveGraph(const StoredGraph& graph) {
  if (!durable_) return OkStatus();
  StateWriter out;
  ListGraph(out, graph.info);
  ListReport(out, graph.report);
  out.Put(graph.keys_sum);
  out.Put<uint64_t>(graph.info.edge_columns.size());
  for (const EdgeColumn& column : graph.info.edge_columns) ListColumn(out, column);
  writer_.PutJournal(kGraphKey, out.Take());
  return writer_.Checkpoint();
}

StatusOr<bool> IngestJournal::LoadGraph(StoredGraph* graph) {
  const std::optional<std::string> saved = writer_.GetJournal(kGraphKey);
  if (!saved.has_value()) return false;
  StateReader in(*saved);
  ListGraph(in, graph->info);
  ListReport(in, graph->report);
  graph->keys_sum = in.Get<uint64_t>();
  const uint64_t num_columns = in.Get<uint64_t>();
  for (uint64_t i = 0; i < num_columns && in.ok(); ++i) {
    ListColumn(in, graph->info.edge_columns.emplace_back());
  }
  RETURN_IF_ERROR(in.Finish());
  durable_ = true;
  return true;
}

}  // namespace edgemill
