#include "loaders/spill/replay_source.h"

#include <algorithm>

#include "loaders/spill/record_hash.h"

namespace edgemill {

ReplaySource::ReplaySource(const BucketSet& set, size_t first, size_t end, const Options& options)
    : options_(options),
      weight_(set.weight()),
      buckets_(std::span(set.buckets()).subspan(first, end - first)),
      pieces_(buckets_, options.side, kChunkEdges) {
  info_.names = {"temporary files"};
  info_.weighted = weight_ != SpilledWeight::kNone;
  info_.expected_edges = pieces_.num_records();
}

StatusOr<bool> ReplaySource::Next(EdgeChunk* chunk) {
  chunk->Clear();
  const BucketPieces::Piece* const taken = pieces_.Take(&chunk->sequence);
  if (taken == nullptr) return false;
  const BucketPieces::Piece& piece = *taken;
  const Bucket& bucket = buckets_[piece.bucket];
  std::vector<uint64_t> keys(piece.count);
  RETURN_IF_ERROR(bucket.keys[size_t(options_.side)]->Read(
      piece.first * sizeof(uint64_t), std::as_writable_bytes(std::span(keys))));
  std::vector<double> weights;
  RETURN_IF_ERROR(ReadWeights(bucket, piece, &weights));
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
  RETURN_IF_ERROR(pieces_.Read(piece, bucket, sum).status());
  return true;
}

Status ReplaySource::ReadWeights(const Bucket& bucket, const BucketPieces::Piece& piece,
                                 std::vector<double>* weights) const {
  if (weight_ == SpilledWeight::kNone) return OkStatus();
  const size_t weight_bytes = SpilledWeightBytes(weight_);
  std::vector<std::byte> bytes(piece.count * weight_bytes);
  RETURN_IF_ERROR(bucket.weights[size_t(options_.side)]->Read(piece.first * weight_bytes, bytes));
  weights->resize(piece.count);
  VisitWeights(bytes.data(), weight_, piece.count,
               [weights](size_t i, double weight) { (*weights)[i] = weight; });
  return OkStatus();
}

StatusOr<std::string> ReplaySource::PositionAfter(uint64_t sequence) {
  return BucketPieces::PositionAfter(sequence);
}

Status ReplaySource::Resume(const std::string& position) { return pieces_.Resume(position); }

}  // namespace edgemill
