#include "loaders/buckets/wide_log.h"

#include <algorithm>
#include <array>
#include <span>

#include "common/check.h"
#include "common/random.h"
#include "loaders/buckets/record_hash.h"

namespace edgemill {
namespace {

/// The hash of a record. `weight` must be rounded to the type in which it is spilled.
uint64_t WideHash(const WideEdge& edge, double weight) {
  return RecordHash(edge.source ^ Mix64(RecordHash(edge.target, weight)));
}

/// A record of a log, without padding. W is void if there are no weights.
template <typename W>
struct [[gnu::packed]] WideRecord {
  WideEdge edge;
  W weight;
};
template <>
struct WideRecord<void> {
  WideEdge edge;
};
constexpr uint32_t WideRecordBytes(SpilledWeight weight) {
  return static_cast<uint32_t>(sizeof(WideEdge)) + SpilledWeightBytes(weight);
}

/// Calls `visit` with a null pointer, whose type is that of a log's records.
template <typename Visit>
void WithWideRecord(SpilledWeight weight, Visit visit) {
  WithRecordType(
      weight, [&]<typename W>(SpilledRecord<W>*) { visit(static_cast<WideRecord<W>*>(nullptr)); });
}

/// Calls `visit(i, edge, weight)` for each record in `bytes`. Without weights, `weight` is 0.
template <typename Visit>
void VisitWide(std::span<const std::byte> bytes, SpilledWeight weight, Visit visit) {
  WithWideRecord(weight, [&]<typename R>(const R*) {
    const R* const records = reinterpret_cast<const R*>(bytes.data());
    for (size_t i = 0; i < bytes.size() / sizeof(R); ++i) {
      if constexpr (sizeof(R) == sizeof(WideEdge)) {
        visit(i, WideEdge(records[i].edge), 0.0);
      } else {
        visit(i, WideEdge(records[i].edge), static_cast<double>(records[i].weight));
      }
    }
  });
}

}  // namespace

BucketSet MakeWideLog(SpillSpace& space, SpilledWeight weight) {
  SpillForm form = SpillForm::Items(WideRecordBytes(weight));
  form.weight = weight;
  return BucketSet(space, form);
}

void WideBatch::Fill(const EdgeChunk& chunk, SpilledWeight weight) {
  const size_t count = chunk.num_edges();
  CHECK(weight == SpilledWeight::kNone || chunk.weights.size() == count);
  records_.resize(count * WideRecordBytes(weight));
  sum_ = 0;
  WithWideRecord(weight, [&]<typename R>(R*) {
    R* const records = reinterpret_cast<R*>(records_.data());
    for (size_t i = 0; i < count; ++i) {
      const WideEdge edge = chunk.wide.empty()
                                ? WideEdge{chunk.narrow[i].source, chunk.narrow[i].target}
                                : chunk.wide[i];
      double spilled = 0;
      records[i].edge = edge;
      if constexpr (sizeof(R) > sizeof(WideEdge)) {
        const auto stored = static_cast<decltype(records[i].weight)>(chunk.weights[i]);
        records[i].weight = stored;
        spilled = static_cast<double>(stored);
      }
      sum_ += WideHash(edge, spilled);
    }
  });
}

Status WideBatch::Append(BucketSet& set, SpillCopies* copies) const {
  if (records_.empty()) return OkStatus();
  set.CutLogIfFull();
  CHECK_EQ(records_.size() % set.record_bytes(), 0u);  // Fill was given the log's weights
  Bucket& log = set.buckets().back();
  log.sums[0] += sum_;
  return log.records[0]->Reserve(records_, copies);
}

Status SampleWide(const BucketSet& log, uint64_t most, std::vector<WideEdge>* sample) {
  CHECK_GT(most, 0u);
  const uint64_t record_bytes = log.record_bytes();
  const uint64_t page = log.page_records();
  const uint64_t count = log.num_edges();
  // Takes some edges from each of many pages, not all edges of a few. The number of pages is
  // limited, since each is read whole.
  const uint64_t stride = std::max<uint64_t>(count / page / 256, 1);
  const uint64_t spacing = std::max<uint64_t>(count / stride / most, 1);
  std::vector<std::byte> bytes;
  for (const Bucket& bucket : log.buckets()) {
    for (uint64_t first = 0; first < bucket.count(0); first += stride * page) {
      bytes.resize(std::min(page, bucket.count(0) - first) * record_bytes);
      RETURN_IF_ERROR(bucket.records[0]->Read(first * record_bytes, bytes));
      VisitWide(bytes, log.weight(), [&](size_t i, const WideEdge& edge, double) {
        if (i % spacing == 0) sample->push_back(edge);
      });
    }
  }
  return OkStatus();
}

WideSource::WideSource(BucketSet& log, bool consumes)
    : weight_(log.weight()),
      record_bytes_(log.record_bytes()),
      consumes_(consumes),
      buckets_(log.buckets()),
      ranges_(buckets_, 0, kChunkEdges) {
  info_.names = {"temporary files"};
  info_.weighted = weight_ != SpilledWeight::kNone;
  info_.expected_edges = ranges_.num_records();
}

StatusOr<bool> WideSource::Next(EdgeChunk* chunk) {
  chunk->Clear();
  const BucketRanges::Range* const taken = ranges_.Next(&chunk->sequence);
  if (taken == nullptr) return false;
  const BucketRanges::Range& range = *taken;
  Bucket& bucket = buckets_[range.bucket];
  std::vector<std::byte> bytes(range.count * record_bytes_);
  RETURN_IF_ERROR(bucket.records[0]->Read(range.first * record_bytes_, bytes));
  const bool weighted = weight_ != SpilledWeight::kNone;
  chunk->wide.resize(range.count);
  if (weighted) chunk->weights.resize(range.count);
  uint64_t sum = 0;
  VisitWide(bytes, weight_, [&](size_t i, const WideEdge& edge, double weight) {
    chunk->wide[i] = edge;
    if (weighted) chunk->weights[i] = weight;
    sum += WideHash(edge, weight);
  });
  ASSIGN_OR_RETURN(const bool is_last, ranges_.Read(range, bucket, sum));
  if (is_last && consumes_) bucket = Bucket();
  return true;
}

StatusOr<std::string> WideSource::PositionAfter(uint64_t sequence) {
  return BucketRanges::PositionAfter(sequence);
}

Status WideSource::Resume(const std::string& position) { return ranges_.Resume(position); }

}  // namespace edgemill
