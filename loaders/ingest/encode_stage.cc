// Pass 2: sorts buckets and encodes them as the columns of one direction.
#include <algorithm>

#include "common/file.h"
#include "loaders/ingest/ingest_job.h"

namespace edgemill {

BucketRules IngestJob::RulesOfBuckets() const {
  BucketRules rules;
  rules.duplicates = options_.duplicates;
  rules.symmetrize = symmetrize_;
  rules.weights = weight_type_;
  rules.ids = names_.keys_are_final() ? nullptr : &names_.ids();
  rules.name = [this](uint32_t id) { return names_.NameOf(id); };
  rules.at = [this](ExternalId source, ExternalId target, const Status& error) {
    return places_.AtEdge(source, target, error);
  };
  return rules;
}

Status IngestJob::Encode(bool in_columns) {
  const PhaseTimer timer(plan_.threads);
  BucketSet& set = in_columns ? *reversed_ : *forward_;
  progress_.StartStage(in_columns ? "sorting in-edges" : "sorting out-edges", "edges",
                       set.num_edges());
  EdgeEncoder::Options options;
  options.columns = in_columns ? kInColumns : kOutColumns;
  options.rules = RulesOfBuckets();
  options.compression = options_.compression;
  // No more than the largest bucket needs.
  uint64_t most = 1;
  for (const Bucket& bucket : set.buckets()) most = std::max(most, bucket.count());
  options.max_sort_edges = std::min(most, std::max(plan_.max_sort_edges, saved_sort_edges_));
  // As many as a whole bucket and its offsets have, where memory allows: a worker that waits for
  // its turn in the middle of a bucket encodes the rest while all others wait for it.
  options.max_waiting_blocks =
      std::min(plan_.max_waiting_blocks, 2 * (options.max_sort_edges / plan_.block_edges + 2));
  const uint64_t encode_bytes = plan_.EncodeBytes(options.max_waiting_blocks);
  if (durable_) options.checkpoint_bytes = options_.checkpoint_bytes;
  options.checkpoint = [this] { return SaveState(stage_); };
  EdgeEncoder encoder(writer_, set, options);
  encoder_ = &encoder;
  encoded_set_ = &set;
  const auto run = [&]() -> Status {
    if (!encoder_state_.empty()) {
      StateReader in(encoder_state_);
      encoder.SetState(&in);
      RETURN_IF_ERROR(in.Finish());
      encoder_state_.clear();
    }
    // Buckets that another process cut may be larger than this one planned for.
    const uint64_t each =
        encode_bytes + SortedBucket::MemoryBytes(options.max_sort_edges, weighted_);
    RETURN_IF_ERROR(CheckRoom(each, "sorting a bucket of edges"));
    const uint64_t workers = std::clamp<uint64_t>(budget_.available_bytes() / each, 1,
                                                  static_cast<uint64_t>(plan_.sort_workers));
    ASSIGN_OR_RETURN(const MemoryReservation encoding,
                     budget_.Reserve(encode_bytes * workers, "blocks being encoded"));
    std::vector<SortedBucket> memory;
    for (uint64_t i = 0; i < workers; ++i) {
      ASSIGN_OR_RETURN(SortedBucket sorted,
                       SortedBucket::Create(options.max_sort_edges, weighted_, budget_));
      memory.push_back(std::move(sorted));
    }
    RETURN_IF_ERROR(encoder.Run(std::move(memory), progress_));
    return encoder.Finish(names_.ids().num_vertices());
  };
  const Status status = run();
  encoder_ = nullptr;
  encoded_set_ = nullptr;
  RETURN_IF_ERROR(status);
  crossings_[in_columns ? 1 : 0] = encoder.crossings();
  totals_ = encoder.totals();
  AddTime(in_columns ? "sort and encode in-edges" : "sort and encode out-edges", timer.Times());
  AddThreadSeconds("- sort, thread seconds", encoder.sort_seconds());
  AddThreadSeconds("- encode, thread seconds", encoder.encode_seconds());
  AddThreadSeconds("- append, thread seconds", encoder.append_seconds());
  // The next state must not count these buckets, which are gone, among those left.
  retired_.push_back(std::move(set));
  (in_columns ? reversed_ : forward_).reset();
  return OkStatus();
}

}  // namespace edgemill
