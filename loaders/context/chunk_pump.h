// Runs an edge source through worker threads: work on chunks in parallel, results in the input's
// order.
#pragma once

#include <deque>
#include <functional>

#include "common/progress.h"
#include "common/status.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// What is done with each chunk.
struct ChunkWork {
  /// Called from several threads at once, in any order; `thread` is 0 .. threads - 1.
  std::function<Status(int thread, EdgeChunk& chunk)> prepare;
  /// Called after prepare with the same arguments, for one chunk at a time, in the order of their
  /// sequences.
  std::function<Status(int thread, EdgeChunk& chunk)> append_in_order;
  /// Called after append_in_order, also after one that failed, from several threads at once: for
  /// what needs no order.
  std::function<void(int thread)> finish;
};

/// A source with the chunks that were taken from it to look at first.
class ChunkPump {
 public:
  /// Chunks advance `progress` as they are taken: by their edges, and bytes as stored.
  ChunkPump(EdgeSource& source, Progress& progress) : source_(source), progress_(progress) {}

  /// Takes chunks, on `threads` threads, until they hold `edges` edges or the source ends; `held()`
  /// shows them. They are the first of the input, in its order. The caller has reserved their
  /// memory.
  Status Hold(uint64_t edges, int threads);
  const std::deque<EdgeChunk>& held() const { return held_; }
  /// Whether the source has ended: held() is all.
  bool at_end() const { return at_end_; }

  /// Runs all chunks, the held ones first, through `work`. Returns the error of the first bad chunk
  /// in the input's order, after all before it have been committed. CancelledError when a stop was
  /// requested.
  Status Run(int threads, const ChunkWork& work);

 private:
  StatusOr<bool> Next(EdgeChunk* chunk);

  EdgeSource& source_;
  Progress& progress_;
  std::deque<EdgeChunk> held_;
  bool at_end_ = false;
};

}  // namespace edgemill
