#include "edgemill/given_edges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/strings.h"

namespace edgemill {
namespace {

constexpr uint64_t kNarrowIds = std::numeric_limits<uint32_t>::max();  // of ids below it

/// The place of the first id that is none, or of the first weight that is no number; the number of
/// edges where all are good.
size_t FirstBad(const EdgeArrays& edges) {
  size_t i = 0;
  for (; i < edges.sources.size(); ++i) {
    const bool is_id = std::max(edges.sources[i], edges.targets[i]) < ~ExternalId{0};
    if (!is_id || (!edges.weights.empty() && !std::isfinite(edges.weights[i]))) break;
  }
  return i;
}

}  // namespace

GivenEdges::GivenEdges(const NextEdges& next, bool weighted) : next_(next) {
  info_.names = {"the caller's edges"};
  info_.weighted = weighted;
}

StatusOr<bool> GivenEdges::Next(EdgeChunk* chunk) {
  chunk->Clear();
  const MutexLock lock(mutex_);
  chunk->sequence = num_chunks_;
  if (failed_.ok() && !ended_) {
    const StatusOr<bool> taken = Take(chunk);
    if (taken.ok()) return taken;
    failed_ = taken.status();
  }
  RETURN_IF_ERROR(failed_);
  return false;
}

StatusOr<bool> GivenEdges::Take(EdgeChunk* chunk) {
  ASSIGN_OR_RETURN(const EdgeArrays edges, next_());
  const size_t count = edges.sources.size();
  const size_t num_weights = info_.weighted ? count : 0;
  if (edges.targets.size() != count || edges.weights.size() != num_weights) {
    return UsageError(StrCat("ingest: ", count, " sources, ", edges.targets.size(), " targets and ",
                             edges.weights.size(), " weights: give arrays of one length, and ",
                             info_.weighted ? "a weight for each edge" : "no weights"));
  }
  if (const size_t bad = FirstBad(edges); bad < count) {
    return BadDataError(StrCat("edge ", num_edges_ + bad, ": from ", edges.sources[bad], " to ",
                               edges.targets[bad],
                               info_.weighted ? StrCat(", weight ", edges.weights[bad]) : "",
                               ": ids must be below 2^64 - 1, and weights finite"));
  }
  ended_ = count == 0;
  if (ended_) return false;
  const auto most = [](std::span<const ExternalId> ids) {
    return *std::max_element(ids.begin(), ids.end());
  };
  if (std::max(most(edges.sources), most(edges.targets)) < kNarrowIds) {
    chunk->narrow.resize(count);
    for (size_t i = 0; i < count; ++i) {
      chunk->narrow[i] = {static_cast<uint32_t>(edges.sources[i]),
                          static_cast<uint32_t>(edges.targets[i])};
    }
  } else {
    chunk->wide.resize(count);
    for (size_t i = 0; i < count; ++i) chunk->wide[i] = {edges.sources[i], edges.targets[i]};
  }
  chunk->weights.assign(edges.weights.begin(), edges.weights.end());
  ++num_chunks_;
  num_edges_ += count;
  return true;
}

StatusOr<std::string> GivenEdges::PositionAfter(uint64_t sequence) { return StrCat(sequence + 1); }

Status GivenEdges::Resume(const std::string& /*position*/) {
  return UsageError("ingest: edges from a function cannot be resumed: start over");
}

}  // namespace edgemill
