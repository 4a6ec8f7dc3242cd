#include "loaders/spill/replay_source.h"

#include <algorithm>

#include "loaders/spill/record_hash.h"

namespace edgemill {

ReplaySource::ReplaySource(const BucketSet& set, size_t first, size_t end, const Options& options)
    : options_(options), weight_(set.weight()), records_(end - first) {
  info_.names = {"temporary files"};
  info_.weighted = weight_ != SpilledWeight::kNone;
  uint64_t total = 0;
  for (size_t i = first; i < end; ++i) {
    const Bucket& bucket = set.buckets()[i];
    const uint64_t count = bucket.count(options.side);
    total += count;
    Records& records = records_[i - first];
    records.bucket = &bucket;
    records.pieces_left = (count + kChunkEdges - 1) / kChunkEdges;
    for (uint64_t at = 0; at < count; at += kChunkEdges) {
      pieces_.push_back({&records, at, std::min(kChunkEdges, count - at)});
    }
  }
  info_.expected_edges = total;
}

StatusOr<bool> ReplaySource::Next(EdgeChunk* chunk) {
  chunk->Clear();
  const uint64_t index = next_.fetch_add(1, std::memory_order_relaxed);
  chunk->sequence = index;
  if (index >= pieces_.size()) return false;
  const Piece& piece = pieces_[index];
  const Bucket& bucket = *piece.records->bucket;
  std::vector<uint64_t> keys(piece.count);
  RETURN_IF_ERROR(bucket.keys[size_t(options_.side)]->Read(
      piece.first * sizeof(uint64_t), std::as_writable_bytes(std::span(keys))));
  std::vector<double> weights;
  RETURN_IF_ERROR(ReadWeights(piece, &weights));
  chunk->narrow.reserve(keys.size());
  chunk->weights.reserve(weights.size());
  bool inside = true;
  uint64_t sum = weights.empty() ? Summarize(keys, 0).sum : 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    inside &= bucket.Holds(keys[i]);
    if (!weights.empty()) sum += RecordHash(keys[i], weights[i]);
    const uint64_t key = options_.reversed ? ReverseKey(keys[i]) : keys[i];
    const NarrowEdge edge{static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
    if (options_.rising_only && edge.source > edge.target) continue;
    chunk->narrow.push_back(edge);
    if (!weights.empty()) chunk->weights.push_back(weights[i]);
  }
  if (!inside) return bucket.KeyOutside(options_.side);
  piece.records->sum += sum;
  if (--piece.records->pieces_left == 0) {
    RETURN_IF_ERROR(bucket.CheckRecords(options_.side, piece.records->sum));
  }
  return true;
}

Status ReplaySource::ReadWeights(const Piece& piece, std::vector<double>* weights) const {
  if (weight_ == SpilledWeight::kNone) return OkStatus();
  const size_t weight_bytes = SpilledWeightBytes(weight_);
  std::vector<std::byte> bytes(piece.count * weight_bytes);
  RETURN_IF_ERROR(piece.records->bucket->weights[size_t(options_.side)]->Read(
      piece.first * weight_bytes, bytes));
  weights->resize(piece.count);
  VisitWeights(bytes.data(), weight_, piece.count,
               [weights](size_t i, double weight) { (*weights)[i] = weight; });
  return OkStatus();
}

StatusOr<std::string> ReplaySource::PositionAfter(uint64_t sequence) {
  return StrCat(sequence + 1);
}

Status ReplaySource::Resume(const std::string& position) {
  uint64_t next = 0;
  if (!ParseNumber(position, &next)) return BadDataError("no position in temporary files");
  next_.store(next, std::memory_order_relaxed);
  return OkStatus();
}

}  // namespace edgemill
