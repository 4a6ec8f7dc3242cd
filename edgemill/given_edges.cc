#include "edgemill/given_edges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/strings.h"
#include "loaders/formats/lines/name_parser.h"

namespace edgemill {
namespace {

constexpr uint64_t kNarrowIds = std::numeric_limits<uint32_t>::max();  // of ids below it

/// The place of the first id that is none; the number of edges where all are good.
size_t FirstBadId(const EdgeArrays& edges) {
  size_t i = 0;
  while (i < edges.sources.size() &&
         std::max(edges.sources[i], edges.targets[i]) < ~ExternalId{0}) {
    ++i;
  }
  return i;
}

}  // namespace

GivenEdges::GivenEdges(const NextEdges& next, bool weighted, bool named) : next_(next) {
  info_.names = {"the caller's edges"};
  info_.weighted = weighted;
  info_.named = named;
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
  const bool named = info_.named;
  const size_t count = named ? edges.source_names.size() : edges.sources.size();
  const size_t num_targets = named ? edges.target_names.size() : edges.targets.size();
  const size_t num_weights = info_.weighted ? count : 0;
  if (num_targets != count || edges.weights.size() != num_weights) {
    return UsageError(StrCat("ingest: ", count, " sources, ", num_targets, " targets and ",
                             edges.weights.size(), " weights: give arrays of one length, and ",
                             info_.weighted ? "a weight for each edge" : "no weights"));
  }
  for (size_t i = 0; i < edges.weights.size(); ++i) {
    if (std::isfinite(edges.weights[i])) continue;
    return BadDataError(StrCat("edge ", num_edges_ + i, ": the weight is ", edges.weights[i],
                               ": weights are finite numbers"));
  }
  ended_ = count == 0;
  if (ended_) return false;
  RETURN_IF_ERROR(named ? AddNames(edges, chunk) : AddIds(edges, chunk));
  chunk->weights.assign(edges.weights.begin(), edges.weights.end());
  ++num_chunks_;
  num_edges_ += count;
  return true;
}

Status GivenEdges::AddIds(const EdgeArrays& edges, EdgeChunk* chunk) const {
  const size_t count = edges.sources.size();
  if (const size_t bad = FirstBadId(edges); bad < count) {
    return BadDataError(StrCat("edge ", num_edges_ + bad, ": from ", edges.sources[bad], " to ",
                               edges.targets[bad], ": ids must be below 2^64 - 1"));
  }
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
  return OkStatus();
}

Status GivenEdges::AddNames(const EdgeArrays& edges, EdgeChunk* chunk) const {
  NameSink names(chunk, info_.name_seed);
  for (size_t i = 0; i < edges.source_names.size(); ++i) {
    FieldError error;
    const bool has_source = CheckName(edges.source_names[i], &error);
    if (!has_source || !CheckName(edges.target_names[i], &error)) {
      return BadDataError(StrCat("edge ", num_edges_ + i, ": the ",
                                 has_source ? "target" : "source", " is ", error.reason));
    }
    names.Add(edges.source_names[i], edges.target_names[i]);
  }
  return OkStatus();
}

StatusOr<std::string> GivenEdges::PositionAfter(uint64_t sequence) { return StrCat(sequence + 1); }

Status GivenEdges::Resume(const std::string& /*position*/) {
  return UsageError("ingest: edges from a function cannot be resumed: start over");
}

}  // namespace edgemill
