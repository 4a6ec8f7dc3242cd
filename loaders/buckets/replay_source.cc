#include "loaders/buckets/replay_source.h"

#include <algorithm>

#include "loaders/buckets/record_hash.h"

namespace edgemill {

ReplaySource::ReplaySource(const BucketSet& set, size_t first, size_t end, const Options& options)
    : options_(options),
      weight_(set.weight()),
      record_bytes_(set.record_bytes()),
      buckets_(std::span(set.buckets()).subspan(first, end - first)),
      pieces_(buckets_, options.side, ChunkEdges(set)) {
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
  std::vector<std::byte> bytes(piece.count * record_bytes_);
  RETURN_IF_ERROR(bucket.records[size_t(options_.side)]->Read(piece.first * record_bytes_, bytes));
  const bool weighted = weight_ != SpilledWeight::kNone;
  chunk->narrow.reserve(piece.count);
  if (weighted) chunk->weights.reserve(piece.count);
  bool inside = true;
  uint64_t sum = 0;
  if (!weighted) {
    sum = Summarize({reinterpret_cast<const uint64_t*>(bytes.data()), piece.count}, 0).sum;
  }
  VisitRecords(bytes, weight_, [&](size_t, uint64_t record, double weight) {
    inside &= bucket.Holds(record);
    if (weighted) sum += RecordHash(record, weight);
    const uint64_t key = options_.reversed ? ReverseKey(record) : record;
    const NarrowEdge edge{static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
    if (options_.rising_only && edge.source > edge.target) return;
    chunk->narrow.push_back(edge);
    if (weighted) chunk->weights.push_back(weight);
  });
  if (!inside) return bucket.KeyOutside(options_.side);
  RETURN_IF_ERROR(pieces_.Read(piece, bucket, sum).status());
  return true;
}

StatusOr<std::string> ReplaySource::PositionAfter(uint64_t sequence) {
  return BucketPieces::PositionAfter(sequence);
}

Status ReplaySource::Resume(const std::string& position) { return pieces_.Resume(position); }

}  // namespace edgemill
