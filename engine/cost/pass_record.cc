#include "engine/cost/pass_record.h"

#include "common/check.h"

namespace edgemill {
namespace {

SpanKind KindOf(const BatchRecord& batch) {
  if (batch.on_device) return SpanKind::kOnGpu;
  const bool zero_copied =
      batch.moved[Transfer::kZeroCopy].blocks > 0 || batch.moved[Transfer::kManaged].blocks > 0;
  return zero_copied ? SpanKind::kZeroCopied : SpanKind::kCopied;
}

/// Adds what `batch` moved to `accounts`, and divides `seconds` among the batch's engines.
void AccountFor(const BatchRecord& batch, double seconds, TransferAccounts* accounts) {
  const uint64_t bytes = batch.moved.total().bytes;
  int num_engines = 0;
  for (const TransferAccount& engine : batch.moved.engines) num_engines += engine.blocks > 0;
  for (size_t i = 0; i < batch.moved.engines.size(); ++i) {
    TransferAccount engine = batch.moved.engines[i];
    if (engine.blocks == 0) continue;
    const double share = bytes > 0 ? static_cast<double>(engine.bytes) / static_cast<double>(bytes)
                                   : 1.0 / num_engines;
    engine.measured_seconds = share * seconds;
    accounts->engines[i].Add(engine);
  }
}

}  // namespace

size_t PassRecord::Start() {
  passes_.push_back({.first = batches_.size()});
  return passes_.size() - 1;
}

size_t PassRecord::Add(const BatchRecord& batch) {
  CHECK(!passes_.empty());  // the batch belongs to the last pass
  batches_.push_back(batch);
  return batches_.size() - 1;
}

void PassRecord::Clear() {
  passes_.clear();
  batches_.clear();
  reading_.clear();
}

std::span<const BatchRecord> PassRecord::BatchesOf(size_t pass) const {
  CHECK_LT(pass, passes_.size());
  const size_t end = pass + 1 < passes_.size() ? passes_[pass + 1].first : batches_.size();
  return std::span(batches_).subspan(passes_[pass].first, end - passes_[pass].first);
}

TransferAccounts PassRecord::Account() const {
  TransferAccounts accounts;
  std::vector<TimeSpan> spans;
  for (size_t pass = 0; pass < passes_.size(); ++pass) {
    const std::span<const BatchRecord> batches = BatchesOf(pass);
    spans.clear();
    for (const BatchRecord& batch : batches) {
      spans.push_back({batch.begun - batch.host_seconds, batch.ended, KindOf(batch)});
    }
    const std::vector<double> seconds = SharedSeconds(spans);
    for (size_t i = 0; i < batches.size(); ++i) AccountFor(batches[i], seconds[i], &accounts);
  }
  return accounts;
}

void PassRecord::AddTo(Timeline* timeline) const {
  for (const TimeSpan& read : reading_) timeline->Add({Worker::kDisk, 0, read.begin, read.end});
  for (size_t pass = 0; pass < passes_.size(); ++pass) {
    const double origin = passes_[pass].origin;
    for (const BatchRecord& batch : BatchesOf(pass)) {
      if (batch.host_seconds > 0) {
        timeline->Add({Worker::kHost, batch.stream, batch.filling, batch.filled});
      }
      const double copied = origin + batch.copied;
      timeline->Add({Worker::kCopy, batch.stream, origin + batch.begun, copied});
      timeline->Add({Worker::kKernel, batch.stream, copied, origin + batch.ended});
    }
  }
}

}  // namespace edgemill
