#include "loaders/encode/edge_encoder.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/clock.h"
#include "common/thread_annotations.h"
#include "common/threads/parallel.h"
#include "common/threads/turn_queue.h"
#include "loaders/encode/weight_packing.h"
#include "storage/format/group_codec.h"

namespace edgemill {
/// One thread's memory.
struct EdgeEncoder::Worker {
  Worker(SortedBucket memory, CompressionPolicy policy)
      : sorted(std::move(memory)), sealer(policy) {}
  SortedBucket sorted;
  ColumnSealer sealer;
  std::vector<EncodedBlock> blocks;  // encoded, not yet appended
  std::vector<SealedBlock> offsets;
  std::vector<uint64_t> payload;        // MaxPackedBytes, or 8 bytes for each value
  std::vector<uint32_t> small_weights;  // of one block, as stored
  std::vector<uint64_t> first_keys;     // of the block that begins with the carry
  std::vector<double> first_weights;
  std::byte* Payload(size_t bytes) {
    payload.resize((bytes + kDecodeSlackBytes) / 8);
    return reinterpret_cast<std::byte*>(payload.data());
  }
  size_t num_waiting() const { return blocks.size() + offsets.size(); }

  EncodeSeconds seconds;
};

/// Two queues that units pass in order: the first for the carry, the second for appending.
struct EdgeEncoder::Turns {
  Turns(size_t num_units, Carry first) : num_units(num_units), carry(std::move(first)) {}

  size_t Claim() { return next_unit.fetch_add(1); }
  /// Stops `unit` and all later units. Earlier units go on.
  void StopAt(size_t unit) {
    ended = true;
    carry_turns.EndAt(unit);
    append_turns.EndAt(unit);
  }
  void Fail(const Status& status) {
    {
      MutexLock lock(mutex);
      if (error.ok()) error = status;
    }
    StopAt(0);
  }

  const size_t num_units;
  std::atomic<size_t> next_unit{0};
  TurnQueue carry_turns;
  TurnQueue append_turns;
  std::atomic<bool> ended{false};  // stopped before the last unit
  Mutex mutex;
  Status error;
  Carry carry;  // for the unit that has the carry turn
};

EdgeEncoder::EdgeEncoder(GraphWriter& writer, BucketSet& set, Options options)
    : writer_(writer), set_(set), options_(std::move(options)), carry_(writer.block_edges()) {
  CHECK_GT(options_.max_waiting_blocks, 0u);
  CHECK(options_.checkpoint_bytes == 0 || options_.checkpoint);
}

Status EdgeEncoder::Run(std::vector<SortedBucket> memory, Progress& progress) {
  CHECK(!memory.empty());  // there is at least one worker
  units_ = UnitsOf(set_, options_.max_sort_edges, options_.rules.duplicates);
  Turns turns(units_.size(), carry_);
  std::vector<std::unique_ptr<Worker>> workers;
  for (SortedBucket& sorted : memory) {
    workers.push_back(std::make_unique<Worker>(std::move(sorted), options_.compression));
  }
  const Status ran = RunThreads(static_cast<int>(workers.size()), [&](int thread) {
    return RunWorker(*workers[static_cast<size_t>(thread)], turns, progress);
  });
  for (const auto& worker : workers) {
    seconds_.sort += worker->seconds.sort;
    seconds_.encode += worker->seconds.encode;
  }
  RETURN_IF_ERROR(ran);
  RETURN_IF_ERROR(turns.error);
  return turns.ended ? CheckCancelled() : OkStatus();
}

Status EdgeEncoder::RunWorker(Worker& worker, Turns& turns, Progress& progress) {
  for (size_t unit = turns.Claim(); unit < turns.num_units; unit = turns.Claim()) {
    if (CancelRequested()) {
      turns.StopAt(unit);
      break;
    }
    const auto run = [&]() -> Status {
      ConsumedStreams consumed;  // destroyed after the turn, since freeing memory takes long
      Stopwatch watch;
      RETURN_IF_ERROR(worker.sorted.Load(set_, units_[unit], options_.rules));
      worker.seconds.sort += watch.seconds();
      if (!turns.carry_turns.Await(unit)) return OkStatus();
      const Carry carry = std::move(turns.carry);
      Carry after = NextCarry(carry, worker.sorted);
      turns.carry = after;
      turns.carry_turns.Pass();
      RETURN_IF_ERROR(EncodeUnit(worker, carry, turns, unit));
      RETURN_IF_ERROR(EncodeOffsets(worker, carry.edges_so_far, carry.offsets, turns, unit));
      if (!turns.append_turns.Await(unit)) return OkStatus();
      RETURN_IF_ERROR(AppendBlocks(worker));
      watch.Restart();
      RETURN_IF_ERROR(EndUnit(worker.sorted, carry, after, unit, &consumed));
      seconds_.append += watch.seconds();
      progress.Advance(units_[unit].count, units_[unit].count * sizeof(uint64_t));
      turns.append_turns.Pass();
      return OkStatus();
    };
    if (const Status status = run(); !status.ok()) turns.Fail(status);
    if (turns.ended) break;
  }
  return OkStatus();
}

EdgeEncoder::Carry EdgeEncoder::NextCarry(const Carry& carry, const SortedBucket& sorted) const {
  const uint64_t block_edges = writer_.block_edges();
  const std::span<const uint64_t> keys = sorted.keys();
  Carry next(static_cast<uint32_t>(block_edges));
  next.offsets = carry.offsets;
  // Only skips full blocks of offsets. EncodeOffsets encodes them, in parallel with other units.
  for (const SourceStart& start : sorted.starts()) {
    while (next.offsets.Fill(start.vertex, carry.edges_so_far + start.edge)) {
      next.offsets.NextBlock();
    }
  }
  next.edges_so_far = carry.edges_so_far + keys.size();
  const uint64_t in_carry = next.edges_so_far % block_edges;
  if (carry.keys.size() + keys.size() < block_edges) {
    next.key_before = carry.key_before;
    next.keys = carry.keys;
    next.weights = carry.weights;
    next.keys.insert(next.keys.end(), keys.begin(), keys.end());
    next.weights.insert(next.weights.end(), sorted.weights().begin(), sorted.weights().end());
    return next;
  }
  CHECK_GT(keys.size(), in_carry);  // the carry was less than a block
  const std::span<const uint64_t> rest = keys.last(in_carry);
  next.keys.assign(rest.begin(), rest.end());
  if (!sorted.weights().empty()) {
    const std::span<const double> weights = sorted.weights().last(in_carry);
    next.weights.assign(weights.begin(), weights.end());
  }
  next.key_before =
      keys[keys.size() - in_carry - 1];  // this key exists: the carry was less than a block
  return next;
}

Status EdgeEncoder::EncodeUnit(Worker& worker, const Carry& carry, Turns& turns, size_t unit) {
  const uint64_t block_edges = writer_.block_edges();
  std::span<const uint64_t> keys = worker.sorted.keys();
  std::span<const double> weights = worker.sorted.weights();
  std::optional<uint64_t> previous = carry.key_before;
  uint64_t block = (carry.edges_so_far - carry.keys.size()) / block_edges;
  if (!carry.keys.empty() && carry.keys.size() + keys.size() >= block_edges) {
    const size_t missing = block_edges - carry.keys.size();
    worker.first_keys = carry.keys;
    worker.first_keys.insert(worker.first_keys.end(), keys.begin(),
                             keys.begin() + static_cast<ptrdiff_t>(missing));
    keys = keys.subspan(missing);
    if (!weights.empty()) {
      worker.first_weights = carry.weights;
      worker.first_weights.insert(worker.first_weights.end(), weights.begin(),
                                  weights.begin() + static_cast<ptrdiff_t>(missing));
      weights = weights.subspan(missing);
    }
    worker.blocks.push_back(
        EncodeBlock(worker, block++, worker.first_keys, worker.first_weights, previous));
    previous = worker.first_keys.back();
  } else if (!carry.keys.empty()) {
    return OkStatus();
  }
  for (; keys.size() >= block_edges; keys = keys.subspan(block_edges)) {
    const std::span<const double> block_weights =
        weights.empty() ? weights : weights.first(block_edges);
    worker.blocks.push_back(
        EncodeBlock(worker, block++, keys.first(block_edges), block_weights, previous));
    previous = keys[block_edges - 1];
    if (!weights.empty()) weights = weights.subspan(block_edges);
    const bool is_turn = turns.append_turns.IsDue(unit);
    if (!is_turn && worker.num_waiting() < options_.max_waiting_blocks) continue;
    if (!turns.append_turns.Await(unit)) return OkStatus();
    RETURN_IF_ERROR(AppendBlocks(worker));
  }
  return OkStatus();
}

Status EdgeEncoder::EncodeOffsets(Worker& worker, EdgeIndex edges_so_far, OffsetsEncoder offsets,
                                  Turns& turns, size_t unit) {
  if (options_.only_weights) return OkStatus();
  for (const SourceStart& start : worker.sorted.starts()) {
    while (offsets.Fill(start.vertex, edges_so_far + start.edge)) {
      worker.offsets.push_back(EncodeOffsetsBlock(worker, offsets));
      offsets.NextBlock();
      if (worker.num_waiting() < options_.max_waiting_blocks) continue;
      if (!turns.append_turns.Await(unit)) return OkStatus();
      RETURN_IF_ERROR(AppendBlocks(worker));
    }
  }
  return OkStatus();
}

SealedBlock EdgeEncoder::EncodeOffsetsBlock(Worker& worker, const OffsetsEncoder& offsets) {
  const Stopwatch watch;
  const auto count = static_cast<uint32_t>(offsets.block().size());
  const uint64_t block = offsets.block_number();
  const BlockIdentity identity = IdentityOf(writer_, options_.columns.offsets, block);
  std::byte* const payload = worker.Payload(MaxPackedBytes(count));
  SealedBlock sealed = worker.sealer.Seal(identity, {Codec::kPackedAscending, count},
                                          {payload, offsets.PackBlock(payload)});
  worker.seconds.encode += watch.seconds();
  return sealed;
}

EdgeEncoder::EncodedBlock EdgeEncoder::EncodeBlock(Worker& worker, uint64_t block,
                                                   std::span<const uint64_t> keys,
                                                   std::span<const double> weights,
                                                   std::optional<uint64_t> previous) {
  const Stopwatch watch;
  EncodedBlock encoded;
  const auto count = static_cast<uint32_t>(keys.size());
  CHECK(count > 0 && count <= writer_.block_edges());
  CHECK_EQ(weights.size(), options_.rules.weighted() ? keys.size() : 0);
  std::byte* const payload =
      worker.Payload(std::max(MaxPackedBytes(count), size_t{8} * writer_.block_edges()));
  if (!options_.only_weights) {
    const size_t bytes = PackNeighbors(keys, previous, payload);
    encoded.neighbors = worker.sealer.Seal(IdentityOf(writer_, options_.columns.neighbors, block),
                                           {Codec::kPackedNeighbors, count}, {payload, bytes});
  }
  uint32_t least = static_cast<uint32_t>(keys[0]), most = least;
  for (const uint64_t key : keys) {
    least = std::min(least, static_cast<uint32_t>(key));
    most = std::max(most, static_cast<uint32_t>(key));
  }
  encoded.range = {static_cast<VertexId>(keys.front() >> 32),
                   static_cast<VertexId>(keys.back() >> 32), least, most};
  if (stores_weights()) encoded.weights = EncodeWeights(worker, block, weights);
  worker.seconds.encode += watch.seconds();
  return encoded;
}

SealedBlock EdgeEncoder::EncodeWeights(Worker& worker, uint64_t block,
                                       std::span<const double> weights) {
  std::byte* const payload = reinterpret_cast<std::byte*>(worker.payload.data());
  const PackedWeights packed = PackWeights(options_.rules.weights, weights, options_.text_ranks,
                                           &worker.small_weights, payload);
  return worker.sealer.Seal(IdentityOf(writer_, options_.columns.weights, block), packed.contents,
                            packed.payload);
}

Status EdgeEncoder::AppendBlocks(Worker& worker) {
  const Stopwatch watch;
  CHECK_LT(page_.num_blocks, writer_.page_blocks());  // a full page ends at once
  for (EncodedBlock& block : worker.blocks) {
    const PageInfo& range = block.range;
    PageInfo& page = page_.info;
    if (page_.num_blocks == 0) page = range;
    page.last_source = range.last_source;
    page.min_target = std::min(page.min_target, range.min_target);
    page.max_target = std::max(page.max_target, range.max_target);
    if (block.neighbors.has_value()) {
      RETURN_IF_ERROR(writer_.AppendBlock(options_.columns.neighbors, block.neighbors->location,
                                          std::move(block.neighbors->stored)));
    }
    if (block.weights.has_value()) {
      RETURN_IF_ERROR(writer_.AppendBlock(options_.columns.weights, block.weights->location,
                                          std::move(block.weights->stored)));
    }
    if (++page_.num_blocks == writer_.page_blocks()) RETURN_IF_ERROR(EndPage());
  }
  worker.blocks.clear();
  for (SealedBlock& block : worker.offsets) {
    RETURN_IF_ERROR(
        writer_.AppendBlock(options_.columns.offsets, block.location, std::move(block.stored)));
  }
  worker.offsets.clear();
  seconds_.append += watch.seconds();
  return OkStatus();
}

Status EdgeEncoder::EndPage() {
  if (page_.num_blocks == 0) return OkStatus();
  page_.num_blocks = 0;
  fault::KillPoint("ingest.page");
  if (options_.only_weights) return OkStatus();
  return writer_.AppendPage(options_.columns.neighbors, page_.info);
}

Status EdgeEncoder::EndUnit(const SortedBucket& sorted, const Carry& carry, const Carry& after,
                            size_t unit, ConsumedStreams* consumed) {
  CHECK_GE(after.edges_so_far, carry.edges_so_far);
  CHECK_GE(units_[unit].bucket, first_remaining_bucket_);  // units end in order
  totals_.num_edges = after.edges_so_far;
  totals_.loops += sorted.loops();
  totals_.duplicates += sorted.duplicates();
  totals_.merged += sorted.merged();
  const uint64_t last_before =
      carry.keys.empty() ? carry.key_before.value_or(0) : carry.keys.back();
  if (carry.edges_so_far > 0 && !sorted.keys().empty()) {
    totals_.duplicates += sorted.keys().front() == last_before;
  }
  totals_.negative_weight |= sorted.has_negative_weight();
  totals_.keys_sum += sorted.keys_sum();
  carry_ = after;

  const size_t bucket = units_[unit].bucket;
  const bool is_slice = units_[unit].kind == SortUnit::Kind::kSlice;
  if (is_slice) slices_sum_ += sorted.slice_sum();
  if (!units_[unit].ends_bucket) return OkStatus();
  if (is_slice) {
    RETURN_IF_ERROR(
        set_.buckets()[bucket].CheckRecords(units_[unit].side, std::exchange(slices_sum_, 0)));
  }
  fault::KillPoint("ingest.bucket");
  consumed_bytes_ += set_.buckets()[bucket].count() * sizeof(uint64_t);
  // A stop also makes a checkpoint, so that no finished work is lost.
  if (options_.checkpoint_bytes > 0 && consumed_bytes_ < options_.checkpoint_bytes &&
      !CancelRequested()) {
    return OkStatus();
  }
  // Buckets are needed until a checkpoint covers them.
  const size_t first = first_remaining_bucket_;
  first_remaining_bucket_ = bucket + 1;
  consumed_bytes_ = 0;
  if (options_.checkpoint_bytes > 0) {
    RETURN_IF_ERROR(options_.checkpoint());
    fault::KillPoint("ingest.encode_checkpoint");
  }
  for (size_t i = first; i <= bucket; ++i) {
    consumed->push_back(std::exchange(set_.buckets()[i].records, {}));
  }
  return OkStatus();
}

Status EdgeEncoder::Finish(uint64_t num_vertices) {
  Worker worker(SortedBucket(), options_.compression);
  if (!carry_.keys.empty()) {
    worker.blocks.push_back(EncodeBlock(worker, carry_.edges_so_far / writer_.block_edges(),
                                        carry_.keys, carry_.weights, carry_.key_before));
    RETURN_IF_ERROR(AppendBlocks(worker));
    carry_.keys.clear();
  }
  RETURN_IF_ERROR(EndPage());
  if (options_.only_weights) return OkStatus();
  // Fills in the offsets of all vertices after the last one with edges, and the final offset.
  OffsetsEncoder& offsets = carry_.offsets;
  for (bool full = true; full;) {
    full = offsets.Fill(num_vertices, carry_.edges_so_far);
    if (offsets.block().empty()) break;
    worker.offsets.push_back(EncodeOffsetsBlock(worker, offsets));
    offsets.NextBlock();
    RETURN_IF_ERROR(AppendBlocks(worker));
  }
  return OkStatus();
}

template <typename Visitor, typename Encoder>
void EdgeEncoder::ListFields(Visitor& visitor, Encoder& encoder) {
  visitor.Fields(encoder.carry_.edges_so_far, encoder.carry_.key_before, encoder.carry_.keys,
                 encoder.carry_.weights, encoder.totals_.num_edges, encoder.totals_.loops,
                 encoder.totals_.duplicates, encoder.totals_.merged,
                 encoder.totals_.negative_weight, encoder.totals_.keys_sum,
                 encoder.page_.num_blocks, encoder.page_.info, encoder.carry_.offsets);
}

void EdgeEncoder::PutState(StateWriter* out) const {
  out->Put<uint64_t>(first_remaining_bucket_);
  ListFields(*out, *this);
}

Status EdgeEncoder::SetState(StateReader* in) {
  in->Get<uint64_t>();  // the set has only the buckets that are left
  ListFields(*in, *this);
  RETURN_IF_ERROR(in->Finish());
  if (carry_.keys.size() < writer_.block_edges() && page_.num_blocks < writer_.page_blocks() &&
      carry_.weights.size() == (options_.rules.weighted() ? carry_.keys.size() : 0)) {
    return OkStatus();
  }
  return BadDataError("the ingest journal is damaged: use --replace");
}

}  // namespace edgemill
