// Runs the chunks of an edge source through worker threads. The work is parallel, the results come
// in the input's order.
#pragma once

#include <deque>
#include <functional>

#include "common/progress.h"
#include "common/status.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// The work to do for each chunk.
struct ChunkWork {
  /// Called from several threads at once, in any order; `thread` is 0 .. threads - 1.
  std::function<Status(int thread, EdgeChunk& chunk)> prepare;
  /// Called after prepare with the same arguments, for one chunk at a time, in the order of their
  /// sequences.
  std::function<Status(int thread, EdgeChunk& chunk)> append_in_order;
  /// Called after append_in_order, even if that failed, from several threads at once. For work that
  /// needs no order.
  std::function<void(int thread)> finish;
};

/// A source, and the chunks that were taken from it in advance, to examine them.
class ChunkPump {
 public:
  /// Each chunk that is taken advances `progress` by its edges and its stored bytes.
  ChunkPump(EdgeSource& source, Progress& progress) : source_(source), progress_(progress) {}

  /// Takes chunks, on `threads` threads, until they hold `edges` edges or the source ends. `held()`
  /// returns them: the first chunks of the input, in its order. The caller has reserved their
  /// memory.
  Status Hold(uint64_t edges, int threads);
  const std::deque<EdgeChunk>& held() const { return held_; }
  /// Whether the source has ended, so that held() has all its chunks.
  bool at_end() const { return at_end_; }

  /// Runs all chunks, the held ones first, through `work`. Returns the error of the first bad chunk
  /// in the input's order; all chunks before it have been appended. CancelledError when a stop was
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
