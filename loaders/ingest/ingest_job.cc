#include "loaders/ingest/ingest_job.h"

#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/os/file.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "loaders/ingest/resume_note.h"
#include "loaders/sort/duplicate_merger.h"
#include "loaders/sort/renumberer.h"
#include "loaders/stages/bucket_splitter.h"
#include "loaders/stages/edge_partitioner.h"
#include "loaders/stages/id_columns.h"
#include "loaders/stages/id_stage.h"
#include "loaders/stages/name_stage.h"
#include "loaders/stages/read_stage.h"
#include "loaders/stages/renumber_stage.h"
#include "loaders/stages/symmetry_stage.h"
#include "loaders/stages/wide_stage.h"

namespace edgemill {
namespace {

/// Checks buckets that are too large to be sorted, if missing directions are added (-s): both
/// directions of an edge must have the same weights.
Status CheckRepeatedEdges(const BucketSet& set, uint64_t max_sort_edges, const BucketRules& rules) {
  if (!rules.symmetrize || !rules.weighted() || rules.duplicates != DuplicateRule::kKeep) {
    return OkStatus();
  }
  for (const Bucket& bucket : set.buckets()) {
    if (bucket.count() <= max_sort_edges) continue;
    RETURN_IF_ERROR(CheckSameWeights(bucket, set.weight(), rules));
  }
  return OkStatus();
}

}  // namespace

IngestJob::IngestJob(EdgeSource& source, GraphWriter& writer, const IngestOptions& options,
                     MemoryBudget& budget, Progress& progress)
    : options_(options),
      places_(source),
      context_{source, writer, budget, progress, places_, plan_, report_.stages},
      journal_(writer, plan_, state_,
               /*kept=*/source.info().ordered || options.edge_columns.empty()) {}

IngestJob::IngestJob(EdgeSource& source, const IngestContext& context, const IngestOptions& options,
                     ColumnPass pass)
    : options_(options),
      pass_(std::move(pass)),
      places_(source),
      context_{source,  context.writer, context.budget, context.progress,
               places_, plan_,          report_.stages},
      journal_(context.writer, plan_, state_, /*kept=*/false) {}

StatusOr<IngestReport> IngestJob::Run(bool resume) {
  StoredGraph graph;
  bool stored = false;
  if (resume) {
    ASSIGN_OR_RETURN(stored, journal_.LoadGraph(&graph));
  }
  RETURN_IF_ERROR(CheckColumns());
  report_.resumed = resume;
  if (!stored) {
    EdgeRules rules;
    RETURN_IF_ERROR(Begin(&rules));
    ASSIGN_OR_RETURN(const MemoryReservation writer_memory,
                     context_.budget.Reserve(plan_.writer_bytes, "blocks on their way to disk"));
    if (resume) {
      RETURN_IF_ERROR(journal_.Load(context_.budget));
      if (state_.renumbering.has_value()) schema_.renumbering = state_.renumbering;
      if (state_.stage == IngestStage::kRead && !state_.source_position.empty()) {
        RETURN_IF_ERROR(context_.source.Resume(state_.source_position));
      }
      if (state_.stage > IngestStage::kPrepare) state_.name_intake.reset();
      context_.progress.Note(ResumeNote(state_, context_.source));
    } else {
      fault::KillPoint("ingest.begun");
    }
    RETURN_IF_ERROR(RunStages(rules));
    graph = Describe();
    if (!options_.edge_columns.empty()) RETURN_IF_ERROR(journal_.SaveGraph(graph));
  }
  RETURN_IF_ERROR(AddColumns(&graph));
  RETURN_IF_ERROR(Commit(std::move(graph)));
  return std::move(report_);
}

Status IngestJob::RunStages(const EdgeRules& rules) {
  if (state_.stage == IngestStage::kRead) {
    RETURN_IF_ERROR(Read(rules));
    RETURN_IF_ERROR(journal_.Save(IngestStage::kPrepare));
    fault::KillPoint("ingest.read");
  }
  RETURN_IF_ERROR(DecideVertexIds());
  if (state_.stage == IngestStage::kPrepare) {
    RETURN_IF_ERROR(Prepare());
    RETURN_IF_ERROR(journal_.Save(IngestStage::kEncodeOut));
    state_.name_intake.reset();
    fault::KillPoint("ingest.prepared");
  }
  for (const bool in_columns : {false, true}) {
    if (state_.stage != (in_columns ? IngestStage::kEncodeIn : IngestStage::kEncodeOut)) continue;
    if (in_columns ? schema_.columns.in : schema_.columns.out) RETURN_IF_ERROR(Encode(in_columns));
    RETURN_IF_ERROR(journal_.Save(in_columns ? IngestStage::kCommit : IngestStage::kEncodeIn));
    fault::KillPoint(in_columns ? "ingest.encoded_in" : "ingest.encoded_out");
  }
  return OkStatus();
}

IdChoice IngestJob::id_choice() const {
  return {options_.ids, options_.max_vertex_id, options_.num_vertices, options_.narrow_id_limit};
}

Status IngestJob::Begin(EdgeRules* rules) {
  if (options_.name_seed.has_value()) context_.source.SetNameSeed(*options_.name_seed);
  const EdgeSourceInfo& info = context_.source.info();
  ASSIGN_OR_RETURN(schema_, DecideSchema(info, options_));
  schema_.columns.vertices = !pass_.has_value();
  // Both directions of an edge have been found. Their values may differ.
  if (pass_.has_value()) schema_.check_symmetry = false;
  // Passes for edge columns are weighted: what they take must be there from the start.
  IngestNeeds needs{.weighted = schema_.weighted || schema_.columns.edge_columns > 0,
                    .num_id_sets = IdSets::NumNeeded(info, id_choice()),
                    .named = info.named,
                    .input_bytes = info.input_bytes,
                    .num_vertices = options_.num_vertices.value_or(info.num_vertices.value_or(0))};
  if (schema_.renumbers()) needs.renumbering_bytes = Renumberer::MemoryBytes(needs.num_vertices);
  ASSIGN_OR_RETURN(plan_, PlanIngest(options_, needs, context_.budget));
  rules->weighted = schema_.weighted;
  rules->weights = schema_.weights;
  rules->drop_loops = !options_.keep_loops;
  rules->check_symmetry = schema_.check_symmetry;
  if (info.named) return GatherNames(rules);
  return state_.seen_ids.Make(info, id_choice(), plan_.id_set_bytes, context_.budget, rules);
}

Status IngestJob::GatherNames(EdgeRules* rules) {
  if (options_.num_vertices.has_value() || options_.max_vertex_id.has_value()) {
    return UsageError(StrCat(options_.num_vertices.has_value() ? "--vertices" : "--max-vertex-id",
                             " is for ids that are numbers; those of the input are names"));
  }
  ASSIGN_OR_RETURN(NameFilter filter, NameFilter::Create(plan_.name_filter_bytes, context_.budget));
  ASSIGN_OR_RETURN(NameRuns runs,
                   NameRuns::Create(plan_.name_bytes, plan_.threads, context_.budget));
  state_.name_intake = NameIntake{std::move(filter), std::move(runs)};
  rules->names = &*state_.name_intake;
  rules->id_limit = 0;
  rules->wide_allowed = true;
  return OkStatus();
}

Status IngestJob::Read(const EdgeRules& rules) {
  ReadCheckpoints checkpoints{.bytes = options_.checkpoint_bytes};
  const bool open = !schema_.renumbering.has_value();
  checkpoints.save = [this, open](uint64_t sequence) -> Status {
    if (open) state_.renumbering = schema_.renumbering;
    ASSIGN_OR_RETURN(state_.source_position, context_.source.PositionAfter(sequence));
    return journal_.Save(IngestStage::kRead);
  };
  RETURN_IF_ERROR(ReadInput(context_, &schema_, {rules, checkpoints}, state_.edges, state_.stats));
  if (open) state_.renumbering = schema_.renumbering;
  state_.bad_lines = context_.source.bad_lines();
  if (pass_.has_value()) text_ranks_ = pass_->codes->Ranks();
  return OkStatus();
}

Status IngestJob::DecideVertexIds() {
  if (state_.vertex_ids.keys_are_final()) return OkStatus();
  context_.progress.StartStage("finding the vertices", "edges", 0);
  if (state_.name_intake.has_value()) {
    const PhaseTimer timer(plan_.threads);
    state_.name_intake->filter = NameFilter();
    ASSIGN_OR_RETURN(NameRun sorted,
                     state_.name_intake->runs.Merge(*state_.edges.space, context_.budget));
    if (sorted.num_names > kMaxVertices) {
      return BadDataError(StrCat(FormatCount(sorted.num_names),
                                 " distinct names; a graph has at most ", kMaxVertices,
                                 " vertices"));
    }
    state_.vertex_ids.SetIds(IdRanks::Dense(0, sorted.num_names));
    state_.vertex_ids.SetNames(std::move(sorted), context_.source.info().name_seed);
    report_.id_reason = "names";
    context_.AddTime("sort names", timer.Times());
    return OkStatus();
  }
  ASSIGN_OR_RETURN(DecidedIds decided, DecideIds(context_, schema_, id_choice(),
                                                 {state_.stats, state_.seen_ids, state_.edges}));
  state_.vertex_ids.SetIds(std::move(decided.ids));
  report_.id_reason = std::move(decided.reason);
  return OkStatus();
}

Status IngestJob::Prepare() {
  const PhaseTimer timer(plan_.threads);
  SpilledEdges& edges = state_.edges;
  VertexIdMap& vertex_ids = state_.vertex_ids;
  context_.progress.StartStage("preparing to sort", "edges", 0);
  const bool wide = edges.wide.has_value() && !vertex_ids.named();
  const bool symmetric = !schema_.check_symmetry || state_.stats.asymmetry == 0;
  const bool single_log = !symmetric || schema_.renumbers();  // edges are spread once more
  if (vertex_ids.named()) {
    RETURN_IF_ERROR(RankByName(symmetric, single_log));
  } else if (symmetric && schema_.columns.vertices) {
    RETURN_IF_ERROR(
        WriteExternalIds(vertex_ids.ids(), schema_.compression, plan_.threads, context_.writer));
  }
  if (wide) {
    RETURN_IF_ERROR(RankWideEdges(context_, schema_, single_log, vertex_ids.ids(), edges));
    vertex_ids.SetKeysAreFinal();
  }
  if (!symmetric) return ExplainAsymmetry(context_, schema_, vertex_ids, edges);
  if (schema_.renumbers()) RETURN_IF_ERROR(RenumberOrKeep());
  RETURN_IF_ERROR(FitSorting(context_.budget, &plan_));
  for (std::optional<BucketSet>* set : {&edges.forward, &edges.reversed}) {
    if (set->has_value()) RETURN_IF_ERROR(SplitLargeBuckets(context_, **set, edges.retired));
  }
  RETURN_IF_ERROR(CheckRepeatedEdges(*edges.forward, plan_.sort.max_edges, RulesOfBuckets()));
  if (journal_.durable() && vertex_ids.keys_are_final())
    RETURN_IF_ERROR(vertex_ids.Save(*edges.space));
  context_.AddTime("prepare", timer.Times());
  return OkStatus();
}

Status IngestJob::RenumberOrKeep() {
  const uint64_t bytes = Renumberer::MemoryBytes(state_.vertex_ids.ids().num_vertices());
  if (!state_.renumbering.has_value() || CheckMemory(plan_, context_.budget, bytes, "").ok()) {
    return Renumber(context_, schema_, state_.vertex_ids, state_.edges);
  }
  context_.progress.Note(StrCat("vertices keep their order: renumbering them by degree takes ",
                                FormatBytes(bytes), " of --memory"));
  schema_.renumbering = Renumbering::kNone;
  state_.renumbering = Renumbering::kNone;
  const auto keep = [](std::span<NarrowEdge>) { return true; };
  return Repartition(context_, schema_, keep, state_.edges);
}

Status IngestJob::RankByName(bool symmetric, bool single_log) {
  VertexIdMap& vertex_ids = state_.vertex_ids;
  // The two parts share no data that either changes, so they may run in parallel.
  const auto part = [&](int i) {
    if (i == 0) return RankEdges(context_, schema_, single_log, vertex_ids.names(), state_.edges);
    return symmetric && schema_.columns.vertices
               ? WriteNames(vertex_ids.names(), schema_.compression, context_.writer)
               : OkStatus();
  };
  if (plan_.threads > 1) {
    RETURN_IF_ERROR(RunThreads(2, part));
  } else {
    RETURN_IF_ERROR(part(0));
    RETURN_IF_ERROR(part(1));
  }
  vertex_ids.SetKeysAreFinal();
  return OkStatus();
}

BucketRules IngestJob::RulesOfBuckets() const {
  const VertexIdMap& vertex_ids = state_.vertex_ids;
  BucketRules rules;
  rules.duplicates = schema_.duplicates;
  rules.symmetrize = schema_.symmetrize;
  rules.weights = DecideWeightType(schema_, state_.stats);
  rules.ids = vertex_ids.keys_are_final() ? nullptr : &vertex_ids.ids();
  rules.sums_keys = pass_.has_value() || schema_.columns.edge_columns > 0;
  rules.num_vertices = vertex_ids.ids().num_vertices();
  rules.input_name = [&vertex_ids](uint32_t id) { return vertex_ids.InputNameOf(id); };
  rules.at = [this](ExternalId source, ExternalId target, const Status& error) {
    return places_.AtEdge(source, target, error);
  };
  return rules;
}

Status IngestJob::Encode(bool in_columns) {
  std::optional<BucketSet>& set = in_columns ? state_.edges.reversed : state_.edges.forward;
  EncodeOrder order{
      .in_columns = in_columns,
      .num_vertices = state_.vertex_ids.ids().num_vertices(),
      .rules = RulesOfBuckets(),
      .stores_weights = in_columns ? schema_.columns.in_weights : schema_.columns.out_weights,
      .text_ranks = text_ranks_,
      .compression = schema_.compression,
      .largest_sortable_bucket = state_.largest_sortable_bucket,
      .checkpoint_bytes = journal_.durable() ? options_.checkpoint_bytes : 0};
  if (pass_.has_value()) order.edge_column = pass_->column;
  order.checkpoint = [&](const EdgeEncoder& encoder) {
    return journal_.SaveEncoding(encoder, *set);
  };
  order.encoder_state = std::exchange(state_.encoder_state, {});
  CHECK(set.has_value());
  RETURN_IF_ERROR(EncodeColumns(context_, order, *set, &state_.encoded));
  // The next saved state must not have these buckets, since their records are freed.
  state_.edges.Retire(set);
  return OkStatus();
}

StoredGraph IngestJob::Describe() {
  StoredGraph graph;
  GraphInfo& info = graph.info;
  IngestReport& report = graph.report;
  const EncodedTotals& totals = state_.encoded.totals;
  const IdRanks& ids = state_.vertex_ids.ids();
  info.num_vertices = ids.num_vertices();
  info.num_edges = totals.num_edges;
  info.directed = schema_.directed;
  info.sparse_ids = ids.sparse();
  if (state_.vertex_ids.named()) info.name_bytes = state_.vertex_ids.names().stream->size();
  info.id_base = ids.base();
  info.weights = DecideWeightType(schema_, state_.stats);
  info.renumbering = schema_.renumbering.value_or(Renumbering::kNone);
  info.num_self_loops = totals.loops;
  info.num_duplicates = totals.duplicates;
  info.has_negative_weight = totals.negative_weight;
  info.offset_crossings = state_.encoded.crossings;
  graph.keys_sum = totals.keys_sum;
  report.chose_renumbering = state_.renumbering.has_value();
  report.merged_duplicates = totals.merged;
  report.max_id = state_.stats.any_id() ? state_.stats.max_id : 0;
  report.id_reason = report_.id_reason;
  if (info.sparse_ids) {
    report.unused_ids = report.max_id + (state_.stats.min_id == 0) - info.num_vertices;
  }
  report.input_edges = state_.stats.edges;
  report.loops_in = state_.stats.loops;
  report.input_bytes = state_.stats.bytes;
  report.bad_lines = state_.bad_lines;
  report.spill_bytes_written = state_.spill_bytes_written;
  report.spill_bytes_read = state_.spill_bytes_read;
  if (state_.edges.space != nullptr) {
    report.spill_bytes_written += state_.edges.space->bytes_written();
    report.spill_bytes_read += state_.edges.space->bytes_read();
  }
  return graph;
}

Status IngestJob::Commit(StoredGraph graph) {
  const PhaseTimer timer(plan_.threads);
  context_.progress.StartStage("committing", "bytes", 0);
  const GraphInfo& info = graph.info;
  std::vector<StageTime> stages = std::move(report_.stages);
  const bool resumed = report_.resumed;
  report_ = std::move(graph.report);
  report_.stages = std::move(stages);
  report_.resumed = resumed;
  report_.uuid = context_.writer.uuid();
  report_.directed = info.directed;
  report_.renumbering = info.renumbering;
  report_.num_edges = info.num_edges;
  report_.num_vertices = info.num_vertices;
  report_.num_self_loops = info.num_self_loops;
  report_.num_duplicates = info.num_duplicates;
  report_.weights = info.weights;
  report_.sparse_ids = info.sparse_ids;
  report_.name_bytes = info.name_bytes;
  report_.id_base = info.id_base;
  report_.edge_columns = info.edge_columns;
  report_.notes = IngestNotes(context_.source.info(), options_.direction);
  RETURN_IF_ERROR(context_.writer.Commit(info));
  report_.stored_bytes = context_.writer.stored_bytes();
  if (report_.num_edges > 0) {
    report_.bits_per_edge =
        8.0 * static_cast<double>(report_.stored_bytes) / static_cast<double>(report_.num_edges);
  }
  // Deletes temporary files now, so that the time is part of this stage: it may take seconds.
  { const IngestState done = std::exchange(state_, IngestState()); }
  context_.AddTime("commit", timer.Times());
  return OkStatus();
}

}  // namespace edgemill
