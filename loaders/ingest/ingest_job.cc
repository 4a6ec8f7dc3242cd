#include "loaders/ingest/ingest_job.h"

#include <algorithm>

#include "common/cancel.h"
#include "common/file.h"
#include "common/units.h"

namespace edgemill {
namespace {

constexpr std::string_view kStateKey = "ingest.state";
/// What a GraphWriter takes for blocks not yet written (kWriteBehindBytes in

SpilledWeight SpilledWeightOf(const WeightChoice& choice) {
  switch (choice.kind) {
    case WeightChoice::Kind::kRandom:
    case WeightChoice::Kind::kInt32:
      return SpilledWeight::kInt32;
    case WeightChoice::Kind::kFloat32:
      return SpilledWeight::kFloat32;
    default:
      return SpilledWeight::kFloat64;
  }
}

}  // namespace

IngestJob::IngestJob(EdgeSource& source, GraphWriter& writer, const IngestOptions& options,
                     MemoryBudget& budget, Progress& progress)
    : source_(source),
      writer_(writer),
      options_(options),
      budget_(budget),
      progress_(progress),
      places_(source) {}

IngestJob::~IngestJob() {
  // Files that the journal speaks of stay for a resume; Commit and RemoveGraph delete them with
  // their directory.
  if (!durable_) return;
  if (forward_.has_value()) forward_->Keep();
  if (reversed_.has_value()) reversed_->Keep();
  if (wide_.has_value()) wide_->Keep();
  if (wide_listed_.has_value()) wide_listed_->Keep();
  names_.LeaveFiles();
  for (BucketSet& set : retired_) set.Keep();
  for (const auto& file : id_files_) file->Keep();
}

Status IngestJob::Decide() {
  const EdgeSourceInfo& info = source_.info();
  EdgeDirection direction = options_.direction;
  if (direction == EdgeDirection::kAsSource) {
    direction = info.undirected  ? EdgeDirection::kUndirected
                : info.symmetric ? EdgeDirection::kSymmetric
                                 : EdgeDirection::kDirected;
  }
  using Kind = WeightChoice::Kind;
  const Kind kind = options_.weights.kind;
  weighted_ = kind == Kind::kRandom || (info.weighted && kind != Kind::kNone);
  if (!weighted_ && kind != Kind::kNone && kind != Kind::kAuto) {
    return UsageError("the input has no weights: use --weights none, auto or random:LO:HI:SEED");
  }
  if (kind == Kind::kRandom && options_.weights.low > options_.weights.high) {
    return UsageError(StrCat("--weights random:", options_.weights.low, ":", options_.weights.high,
                             ": the least weight is above the largest"));
  }
  if (weighted_) spilled_weight_ = SpilledWeightOf(options_.weights);
  directed_ = direction == EdgeDirection::kDirected;
  symmetrize_ = direction == EdgeDirection::kSymmetrize;
  write_out_ = !directed_ || options_.columns != ColumnChoice::kIn;
  write_in_ = directed_ && options_.columns != ColumnChoice::kOut;
  raw_first_ = options_.renumbering != Renumbering::kNone;
  rules_.weighted = weighted_;
  rules_.weights = options_.weights;
  rules_.drop_loops = !options_.keep_loops;
  rules_.check_symmetry = direction == EdgeDirection::kSymmetric;
  rules_.both_ways = direction == EdgeDirection::kUndirected && !raw_first_;
  rules_.reversed = (symmetrize_ || write_in_) && !raw_first_;
  both_ways_ = direction == EdgeDirection::kUndirected;
  report_.directed = directed_;
  return OkStatus();
}

StatusOr<IngestReport> IngestJob::Run(bool resume) {
  RETURN_IF_ERROR(Decide());
  RETURN_IF_ERROR(MakeIdSets());
  ASSIGN_OR_RETURN(const MemoryReservation writer_memory,
                   budget_.Reserve(plan_.writer_bytes, "blocks on their way to disk"));
  report_.uuid = writer_.uuid();
  report_.resumed = resume;
  if (resume) {
    RETURN_IF_ERROR(LoadState());
  } else {
    writer_.PutJournal(kIngestOptionsKey, options_.Encode());
    RETURN_IF_ERROR(writer_.Checkpoint());
    fault::KillPoint("ingest.begun");
  }
  if (stage_ == Stage::kRead) {
    if (!source_position_.empty()) RETURN_IF_ERROR(source_.Resume(source_position_));
    RETURN_IF_ERROR(ReadInput());
    RETURN_IF_ERROR(SaveState(Stage::kPrepare));
    fault::KillPoint("ingest.read");
  }
  if (!names_.keys_are_final()) RETURN_IF_ERROR(DecideIds());
  RETURN_IF_ERROR(DecideWeights());
  if (stage_ == Stage::kPrepare) {
    RETURN_IF_ERROR(Prepare());
    RETURN_IF_ERROR(SaveState(Stage::kEncodeOut));
    fault::KillPoint("ingest.prepared");
  }
  for (const bool in_columns : {false, true}) {
    if (stage_ != (in_columns ? Stage::kEncodeIn : Stage::kEncodeOut)) continue;
    if (in_columns ? write_in_ : write_out_) RETURN_IF_ERROR(Encode(in_columns));
    RETURN_IF_ERROR(SaveState(in_columns ? Stage::kCommit : Stage::kEncodeIn));
    fault::KillPoint(in_columns ? "ingest.encoded_in" : "ingest.encoded_out");
  }
  RETURN_IF_ERROR(Commit());
  return std::move(report_);
}

Status IngestJob::OpenSpace(size_t streams) {
  SpillSpace::Options options;
  options.directories = writer_.spill_directories();
  options.page_bytes = plan_.PageBytes(streams);
  options.memory_bytes = plan_.spill_bytes;
  ASSIGN_OR_RETURN(space_, SpillSpace::Create(options, budget_));
  return OkStatus();
}

Status IngestJob::Commit() {
  const PhaseTimer timer(plan_.threads);
  progress_.StartStage("committing", "bytes", 0);
  GraphInfo info;
  info.num_vertices = names_.ids().num_vertices();
  info.num_edges = totals_.num_edges;
  info.directed = directed_;
  info.sparse_ids = names_.ids().sparse();
  info.id_base = names_.ids().base();
  info.weights = weight_type_;
  info.renumbering = options_.renumbering;
  info.num_self_loops = totals_.loops;
  info.num_duplicates = totals_.duplicates;
  info.has_negative_weight = totals_.negative_weight;
  info.offset_crossings = crossings_;
  report_.num_edges = info.num_edges;
  report_.num_vertices = info.num_vertices;
  report_.num_self_loops = info.num_self_loops;
  report_.num_duplicates = info.num_duplicates;
  report_.merged_duplicates = totals_.merged;
  report_.weights = info.weights;
  report_.sparse_ids = info.sparse_ids;
  report_.input_edges = stats_.edges;
  report_.loops_in = stats_.loops;
  report_.input_bytes = stats_.bytes;
  report_.bad_lines = source_.bad_lines();
  if (space_ != nullptr) {
    report_.spill_bytes_written = space_->bytes_written();
    report_.spill_bytes_read = space_->bytes_read();
  }
  retired_.clear();
  id_files_.clear();
  names_.ReleaseFiles();
  forward_.reset();
  reversed_.reset();
  space_.reset();
  RETURN_IF_ERROR(writer_.Commit(info));
  report_.stored_bytes = writer_.bytes_written();
  if (report_.num_edges > 0) {
    report_.bits_per_edge =
        8.0 * static_cast<double>(report_.stored_bytes) / static_cast<double>(report_.num_edges);
  }
  AddTime("commit", timer.Times());
  return OkStatus();
}

Status IngestJob::CheckRoom(uint64_t bytes, std::string_view what) const {
  // Before anything is reserved, what ids and pages will take is not free either.
  const uint64_t left = std::min(budget_.available_bytes(), plan_.room_bytes);
  if (bytes <= left) return OkStatus();
  const uint64_t taken = plan_.room_bytes - left;
  // Ids and pages take their share of what is added too.
  const double share =
      static_cast<double>(plan_.room_bytes) / static_cast<double>(plan_.available_bytes);
  const auto wanted = static_cast<uint64_t>(static_cast<double>(taken + bytes) / share);
  return BudgetError(StrCat("--memory ", FormatBytes(budget_.total_bytes()),
                            " is too small: ", what, " needs ", FormatBytes(bytes), ", and ",
                            FormatBytes(left), " is left: give at least --memory ",
                            FormatMebibytesUp(budget_.total_bytes() + wanted -
                                              plan_.available_bytes + (uint64_t{1} << 20))));
}

Status IngestJob::FitSorting() {
  const uint64_t left = std::min(budget_.available_bytes(), plan_.room_bytes) * 15 / 16;
  if (left >= plan_.sort_bytes) return OkStatus();
  plan_.sort_bytes = left;
  for (int workers = plan_.sort_workers; workers > 0; --workers) {
    if (plan_.SetSortWorkers(workers, options_)) return OkStatus();
  }
  return CheckRoom(plan_.LeastSortBytes() * 16 / 15 + 1, "sorting beside the vertices' ids");
}

Status IngestJob::SaveState(Stage next) {
  // What lies in memory only is read again after a crash: cheaper than writing every small input
  // out.
  if (!durable_ && (stage_ != Stage::kRead || !space_->spilling())) {
    stage_ = next;
    return OkStatus();
  }
  for (std::optional<BucketSet>* set : {&forward_, &reversed_, &wide_, &wide_listed_}) {
    if (set->has_value() && encoder_ == nullptr) RETURN_IF_ERROR((*set)->Save());
  }
  std::vector<std::unique_ptr<SpillStream>> old_id_files;
  if (stage_ == Stage::kRead) {
    old_id_files = std::move(id_files_);
    RETURN_IF_ERROR(SaveIdSets());
  }
  StateWriter out;
  out.Put(next);
  out.Put(plan_.max_sort_edges);
  out.Put(space_->page_bytes());
  out.Put(stats_);
  out.PutText(source_position_);
  for (const std::optional<BucketSet>* set : {&forward_, &reversed_, &wide_, &wide_listed_}) {
    out.Put(set->has_value());
    const bool running = encoder_ != nullptr && set->has_value() && &**set == encoded_set_;
    if (set->has_value()) (*set)->PutState(running ? encoder_->first_bucket_left() : 0, &out);
  }
  out.Put<uint64_t>(id_files_.size());
  for (const auto& file : id_files_) {
    file->PutState(&out);
  }
  names_.PutState(&out);
  out.Put(totals_);
  for (const std::vector<VertexId>& crossings : crossings_) {
    out.PutArray(std::span<const VertexId>(crossings));
  }
  StateWriter encoder;
  if (encoder_ != nullptr) encoder_->PutState(&encoder);
  out.PutText(encoder.Take());
  writer_.PutJournal(kStateKey, out.Take());
  RETURN_IF_ERROR(writer_.Checkpoint());
  durable_ = true;
  stage_ = next;
  retired_.clear();
  return OkStatus();
}

Status IngestJob::SaveIdSets() {
  for (const std::optional<SeenIds>* set : {&seen_, &listed_}) {
    if (!set->has_value()) continue;
    std::unique_ptr<SpillStream> stream = space_->NewStream();
    RETURN_IF_ERROR((*set)->SaveTo(*stream, std::min(stats_.max_id, (*set)->limit() - 1)));
    id_files_.push_back(std::move(stream));
  }
  return OkStatus();
}

Status IngestJob::LoadState() {
  const std::optional<std::string> state = writer_.GetJournal(kStateKey);
  if (!state.has_value()) return OkStatus();  // nothing had been kept but the options
  StateReader in(*state);
  stage_ = in.Get<Stage>();
  saved_sort_edges_ = in.Get<uint64_t>();
  SpillSpace::Options options;
  options.directories = writer_.spill_directories();
  options.page_bytes = in.Get<uint64_t>();
  options.memory_bytes = plan_.spill_bytes;
  options.reopen = true;
  if (!in.ok() || options.page_bytes == 0) return in.Finish();
  ASSIGN_OR_RETURN(space_, SpillSpace::Create(options, budget_));
  stats_ = in.Get<IntakeStats>();
  source_position_ = in.GetText();
  durable_ = true;
  for (std::optional<BucketSet>* set : {&forward_, &reversed_, &wide_, &wide_listed_}) {
    if (!in.Get<bool>()) continue;
    ASSIGN_OR_RETURN(BucketSet loaded, BucketSet::FromState(*space_, &in));
    set->emplace(std::move(loaded));
  }
  const uint64_t num_id_files = in.Get<uint64_t>();
  for (uint64_t i = 0; i < num_id_files && in.ok(); ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<SpillStream> file, space_->OpenStream(&in));
    std::optional<SeenIds>& set = i == 0 ? seen_ : listed_;
    if (!set.has_value()) return BadDataError("the ingest journal is damaged: use --replace");
    RETURN_IF_ERROR(set->LoadFrom(*file));
    id_files_.push_back(std::move(file));
  }
  RETURN_IF_ERROR(names_.LoadState(*space_, &in));
  totals_ = in.Get<EncodedTotals>();
  for (std::vector<VertexId>& crossings : crossings_) crossings = in.GetArray<VertexId>();
  encoder_state_ = in.GetText();
  RETURN_IF_ERROR(in.Finish());
  space_->EndOpening();
  return OkStatus();
}

}  // namespace edgemill
