// What tests of readers share: one struct that holds everything that a source gives.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/check.h"
#include "common/thread_annotations.h"
#include "common/threads/parallel.h"
#include "loaders/read/edge_reader.h"
#include "test/temporary_directory.h"

namespace edgemill {

/// An edge as the input has it; its weight is 0 where it has none.
struct ReadEdge {
  uint64_t source = 0;
  uint64_t target = 0;
  double weight = 0;
  auto operator<=>(const ReadEdge&) const = default;
};

inline void PrintTo(const ReadEdge& edge, std::ostream* out) {
  *out << edge.source << " " << edge.target << " " << edge.weight;
}

/// All that was read, in input order.
struct ReadAll {
  Status status;
  EdgeSourceInfo info;
  std::vector<ReadEdge> edges;
  std::vector<uint64_t> vertices;
  std::map<uint64_t, std::string> names;  // by the ids that edges have
  uint64_t bad_lines = 0;
  uint64_t num_chunks = 0;
};

/// Appends a chunk's contents.
inline void Append(const EdgeChunk& chunk, ReadAll* all) {
  for (size_t i = 0; i < chunk.num_edges(); ++i) {
    const double weight = chunk.weights.empty() ? 0 : chunk.weights[i];
    if (chunk.narrow.empty()) {
      all->edges.push_back({chunk.wide[i].source, chunk.wide[i].target, weight});
    } else {
      all->edges.push_back({chunk.narrow[i].source, chunk.narrow[i].target, weight});
    }
  }
  all->vertices.insert(all->vertices.end(), chunk.vertices.begin(), chunk.vertices.end());
  for (const NameList::Entry& entry : chunk.names.entries()) {
    all->names.emplace(entry.id, chunk.names.TextOf(entry));
  }
  ++all->num_chunks;
}

/// Reads all of `source` on `threads` threads. Keeps the error of the chunk with the lowest
/// sequence number.
inline ReadAll Drain(EdgeSource& source, int threads) {
  Mutex mutex;
  std::map<uint64_t, EdgeChunk> chunks;
  std::map<uint64_t, Status> errors;
  const Status ran = RunThreads(threads, [&](int) -> Status {
    while (true) {
      EdgeChunk chunk;
      const StatusOr<bool> more = source.Next(&chunk);
      if (more.ok() && !*more) return OkStatus();
      MutexLock lock(mutex);
      if (!more.ok()) {
        errors.emplace(chunk.sequence, more.status());
        return OkStatus();
      }
      chunks.emplace(chunk.sequence, std::move(chunk));
    }
  });
  ReadAll all;
  all.status = errors.empty() ? ran : errors.begin()->second;
  for (const auto& [sequence, chunk] : chunks) Append(chunk, &all);
  all.info = source.info();
  all.bad_lines = source.bad_lines();
  return all;
}

/// Opens `paths` and reads everything.
inline ReadAll Read(const std::vector<std::string>& paths, const ReadOptions& options = {},
                    int threads = 1) {
  StatusOr<std::unique_ptr<EdgeSource>> source = OpenEdgeReader(paths, options);
  if (!source.ok()) {
    ReadAll all;
    all.status = source.status();
    return all;
  }
  return Drain(**source, threads);
}

/// Reads `stop` chunks, takes the position, and reads the rest with a second reader on `threads`
/// threads. Returns the edges of both, with the info of the second reader.
inline ReadAll ReadResumed(const std::vector<std::string>& paths, const ReadOptions& options,
                           uint64_t stop, int threads) {
  ReadAll parts;
  auto source = OpenEdgeReader(paths, options);
  CHECK(source.ok());
  EdgeChunk chunk;
  for (uint64_t i = 0; i < stop; ++i) {
    const auto more = (*source)->Next(&chunk);
    CHECK(more.ok() && *more);
    Append(chunk, &parts);
  }
  const StatusOr<std::string> position = (*source)->PositionAfter(stop - 1);
  CHECK(position.ok());
  auto second = OpenEdgeReader(paths, options);
  CHECK(second.ok());
  CHECK((*second)->Resume(*position).ok());
  const ReadAll rest = Drain(**second, threads);
  parts.edges.insert(parts.edges.end(), rest.edges.begin(), rest.edges.end());
  parts.vertices.insert(parts.vertices.end(), rest.vertices.begin(), rest.vertices.end());
  parts.names.insert(rest.names.begin(), rest.names.end());
  parts.num_chunks += rest.num_chunks;
  parts.status = rest.status;
  parts.bad_lines = rest.bad_lines;
  parts.info = rest.info;
  return parts;
}

}  // namespace edgemill
