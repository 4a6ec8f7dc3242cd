#include "loaders/stages/bucket_splitter.h"

#include <algorithm>

#include "common/check.h"
#include "common/os/file.h"
#include "loaders/buckets/replay_source.h"
#include "loaders/context/chunk_pump.h"
#include "loaders/stages/edge_partitioner.h"

namespace edgemill {
namespace {

/// The first keys of about `parts` parts of `bucket`, by `sample`. The first part starts at 0.
std::vector<uint64_t> FirstKeysOfParts(const Bucket& bucket, std::vector<uint64_t> sample,
                                       uint64_t parts) {
  CHECK(!sample.empty() && parts >= 2);
  std::sort(sample.begin(), sample.end());
  std::vector<uint64_t> first_keys{0};
  for (uint64_t i = 1; i < parts; ++i) {
    const uint64_t key = sample[i * sample.size() / parts];
    // A key with as many edges as a part gets its own part.
    if (key > std::max(first_keys.back(), bucket.first_key)) first_keys.push_back(key);
    if (key == sample[(i - 1) * sample.size() / parts] && key < bucket.last_key &&
        key + 1 > first_keys.back()) {
      first_keys.push_back(key + 1);
    }
  }
  if (first_keys.size() == 1) {
    first_keys.push_back(bucket.first_key + (bucket.last_key - bucket.first_key) / 2 + 1);
  }
  return first_keys;
}

/// Appends side `side` of bucket `index` of `set` to the same side of `split`.
Status SpreadSide(const IngestContext& context, const BucketSet& set, size_t index, int side,
                  BucketSet& split) {
  ReplaySource::Options options;
  options.side = side;
  ReplaySource source(set, index, index + 1, options);
  ChunkPump pump(source, context.progress);
  const bool weighted = set.weight() != SpilledWeight::kNone;
  ASSIGN_OR_RETURN(
      const ThreadMemory reserved,
      context.ReserveThreads(ReplaySource::ChunkBytes(set) +
                             ReplaySource::ChunkEdges(set) *
                                 (BatchKeyBytes(weighted) + SortedKeyBytes(weighted))));
  std::vector<EdgePartitioner::Worker> workers(static_cast<size_t>(reserved.threads));
  ChunkWork work;
  work.prepare = [&](int thread, EdgeChunk& chunk) {
    EdgePartitioner::Worker& worker = workers[static_cast<size_t>(thread)];
    AddKeys(KeyDirections{}, chunk.narrow, chunk.weights, &worker.batch);
    worker.forward.Begin(split, worker.batch.keys.size());
    worker.forward.Add(worker.batch.keys, worker.batch.weights);
    return OkStatus();
  };
  work.append_in_order = [&](int thread, EdgeChunk&) {
    EdgePartitioner::Worker& worker = workers[static_cast<size_t>(thread)];
    return worker.forward.Append(split, side, &worker.copies);
  };
  work.finish = [&](int thread) { workers[static_cast<size_t>(thread)].copies.CopyAll(); };
  return pump.Run(reserved.threads, work);
}

/// Splits bucket `index`. `sample` has some of its keys.
Status SplitBucket(const IngestContext& context, BucketSet& set, size_t index,
                   std::vector<uint64_t> sample, std::vector<BucketSet>& retired) {
  const Bucket& bucket = set.buckets()[index];
  const auto streams = static_cast<size_t>(set.num_sides());
  // Other buckets are sealed, so only the parts hold pages.
  const uint64_t max_parts = std::clamp<uint64_t>(set.space().num_pages() / 4 / streams, 2, 128);
  const uint64_t parts =
      std::clamp<uint64_t>(bucket.count() / context.plan.sort.bucket_edges + 1, 2, max_parts);
  BucketSet split(set.space(), set.weight(), set.num_sides(),
                  KeySplitters(FirstKeysOfParts(bucket, std::move(sample), parts)));
  for (int side = 0; side < set.num_sides(); ++side) {
    RETURN_IF_ERROR(SpreadSide(context, set, index, side, split));
  }
  split.Seal();
  CHECK_GT(split.buckets().size(), 1u);  // each part spans fewer keys: splitting ends
  split.NarrowTo(bucket.first_key, bucket.last_key);
  fault::KillPoint("ingest.split");
  retired.push_back(set.Replace(index, std::move(split)));
  return OkStatus();
}

}  // namespace

Status SplitLargeBuckets(const IngestContext& context, BucketSet& set,
                         std::vector<BucketSet>& retired) {
  uint64_t large_edges = 0;
  for (const Bucket& bucket : set.buckets()) {
    if (bucket.count() > context.plan.sort.max_edges) large_edges += bucket.count();
  }
  context.progress.StartPass(large_edges);
  for (size_t i = 0; i < set.buckets().size();) {
    Bucket& bucket = set.buckets()[i];
    if (bucket.count() <= context.plan.sort.max_edges) {
      ++i;
      continue;
    }
    if (!bucket.has_single_key()) {
      KeySample sample;
      for (int side = 0; side < set.num_sides(); ++side) {
        RETURN_IF_ERROR(SampleBucket(bucket, set.weight(), side, SampleSize(), &sample));
      }
      // The bucket's range is tightened, so that each part spans fewer keys and splitting ends.
      bucket.first_key = sample.smallest;
      bucket.last_key = sample.largest;
      if (!bucket.has_single_key()) {
        RETURN_IF_ERROR(SplitBucket(context, set, i, std::move(sample.keys), retired));
        continue;
      }
    }
    ++i;
  }
  return OkStatus();
}

}  // namespace edgemill
