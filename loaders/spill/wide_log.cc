#include "loaders/spill/wide_log.h"

#include <algorithm>
#include <array>
#include <span>

#include "common/random.h"
#include "loaders/spill/record_hash.h"

namespace edgemill {
namespace {

/// Edges of a bucket of the log: small enough to go one by one, and large beside a page.
constexpr uint64_t kBucketEdges = uint64_t{1} << 21;

/// The hash of a record, with the weight as it is spilled.
uint64_t WideHash(const WideEdge& edge, double weight) {
  return RecordHash(edge.source ^ Mix64(RecordHash(edge.target, weight)));
}

uint64_t SumOf(std::span<const WideEdge> edges, std::span<const double> weights) {
  uint64_t sum = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    sum += WideHash(edges[i], weights.empty() ? 0 : weights[i]);
  }
  return sum;
}

/// Turns weights into the bytes that a log of `type` holds.
std::vector<std::byte> WeightBytes(std::span<const double> weights, SpilledWeight type) {
  std::vector<std::byte> bytes(weights.size() * SpilledWeightBytes(type));
  for (size_t i = 0; i < weights.size(); ++i) {
    if (type == SpilledWeight::kInt32) {
      reinterpret_cast<int32_t*>(bytes.data())[i] = static_cast<int32_t>(weights[i]);
    } else if (type == SpilledWeight::kFloat32) {
      reinterpret_cast<float*>(bytes.data())[i] = static_cast<float>(weights[i]);
    } else if (type == SpilledWeight::kFloat64) {
      reinterpret_cast<double*>(bytes.data())[i] = weights[i];
    }
  }
  return bytes;
}

std::vector<double> WeightsFrom(std::span<const std::byte> bytes, SpilledWeight type) {
  std::vector<double> weights(bytes.size() / std::max<size_t>(SpilledWeightBytes(type), 1));
  VisitWeights(bytes.data(), type, weights.size(),
               [&weights](size_t i, double weight) { weights[i] = weight; });
  return weights;
}

/// Reads edges `first` to first + edges.size() - 1 of `log`.
Status ReadWide(const Bucket& log, uint64_t first, std::span<WideEdge> edges) {
  std::vector<uint64_t> ids(edges.size());
  for (size_t side = 0; side < 2; ++side) {
    RETURN_IF_ERROR(
        log.keys[side]->Read(first * sizeof(uint64_t), std::as_writable_bytes(std::span(ids))));
    for (size_t i = 0; i < edges.size(); ++i) {
      (side == 0 ? edges[i].source : edges[i].target) = ids[i];
    }
  }
  return OkStatus();
}

}  // namespace

BucketSet MakeWideLog(SpillSpace& space, SpilledWeight weight) {
  return BucketSet(space, weight, 2, KeySplitters());
}

void WideBatch::Take(const EdgeChunk& chunk, SpilledWeight weight) {
  const size_t count = chunk.num_edges();
  weights_ = WeightBytes(chunk.weights, weight);
  const std::vector<double> weights = WeightsFrom(weights_, weight);
  for (std::vector<uint64_t>& ids : ids_) ids.resize(count);
  sum_ = 0;
  for (size_t i = 0; i < count; ++i) {
    const WideEdge edge = chunk.wide.empty()
                              ? WideEdge{chunk.narrow[i].source, chunk.narrow[i].target}
                              : chunk.wide[i];
    ids_[0][i] = edge.source;
    ids_[1][i] = edge.target;
    sum_ += WideHash(edge, weights.empty() ? 0 : weights[i]);
  }
}

Status WideBatch::Append(BucketSet& set, SpillCopies* copies) const {
  if (ids_[0].empty()) return OkStatus();
  if (set.buckets().back().count(0) >= kBucketEdges) set.AddLogBucket();
  Bucket& log = set.buckets().back();
  for (size_t side = 0; side < 2; ++side) {
    RETURN_IF_ERROR(log.keys[side]->Place(std::as_bytes(std::span(ids_[side])), copies));
  }
  log.sums[0] += sum_;
  if (weights_.empty()) return OkStatus();
  return log.weights[0]->Place(weights_, copies);
}

Status SampleWide(const BucketSet& log, uint64_t most, std::vector<WideEdge>* sample) {
  constexpr uint64_t kPiece = kMostCheckedBytes / sizeof(uint64_t);
  const uint64_t count = log.num_edges() / 2;
  // Some edges of many pieces rather than all of a few, as far as reading them is cheap.
  const uint64_t stride = std::max<uint64_t>(count / kPiece / 256, 1);
  const uint64_t spacing = std::max<uint64_t>(count / stride / most, 1);
  std::vector<WideEdge> edges;
  for (const Bucket& bucket : log.buckets()) {
    for (uint64_t first = 0; first < bucket.count(0); first += stride * kPiece) {
      edges.resize(std::min(kPiece, bucket.count(0) - first));
      RETURN_IF_ERROR(ReadWide(bucket, first, edges));
      for (size_t i = 0; i < edges.size(); i += spacing) sample->push_back(edges[i]);
    }
  }
  return OkStatus();
}

WideSource::WideSource(BucketSet& log, bool consumes)
    : weight_(log.weight()),
      consumes_(consumes),
      buckets_(log.buckets()),
      pieces_(buckets_, 0, kChunkEdges) {
  info_.names = {"temporary files"};
  info_.weighted = weight_ != SpilledWeight::kNone;
  info_.expected_edges = pieces_.num_records();
}

StatusOr<bool> WideSource::Next(EdgeChunk* chunk) {
  chunk->Clear();
  const BucketPieces::Piece* const taken = pieces_.Take(&chunk->sequence);
  if (taken == nullptr) return false;
  const BucketPieces::Piece& piece = *taken;
  Bucket& bucket = buckets_[piece.bucket];
  chunk->wide.resize(piece.count);
  RETURN_IF_ERROR(ReadWide(bucket, piece.first, chunk->wide));
  const size_t weight_bytes = SpilledWeightBytes(weight_);
  if (weight_bytes > 0) {
    std::vector<std::byte> bytes(piece.count * weight_bytes);
    RETURN_IF_ERROR(bucket.weights[0]->Read(piece.first * weight_bytes, bytes));
    chunk->weights = WeightsFrom(bytes, weight_);
  }
  const uint64_t sum = SumOf(chunk->wide, chunk->weights);
  ASSIGN_OR_RETURN(const bool is_last, pieces_.Read(piece, bucket, sum));
  if (is_last && consumes_) bucket = Bucket();
  return true;
}

StatusOr<std::string> WideSource::PositionAfter(uint64_t sequence) {
  return BucketPieces::PositionAfter(sequence);
}

Status WideSource::Resume(const std::string& position) { return pieces_.Resume(position); }

}  // namespace edgemill
