// Splits buckets that are too large to be sorted in memory.
#pragma once

#include <vector>

#include "loaders/buckets/bucket_set.h"
#include "loaders/context/ingest_context.h"

namespace edgemill {

/// Splits every bucket of `set` with more edges than `context.plan.sort` sorts in memory, until
/// only buckets of a single key are larger. The buckets that were split go to `retired`. Each split
/// reads and writes all edges of its bucket.
Status SplitLargeBuckets(const IngestContext& context, BucketSet& set,
                         std::vector<BucketSet>& retired);

}  // namespace edgemill
