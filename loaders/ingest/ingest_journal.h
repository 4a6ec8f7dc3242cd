// Keeps the state of an ingest in its writer's journal, so that it can be resumed after a crash.
#pragma once

#include "common/clock.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/ingest/ingest_state.h"
#include "loaders/options/ingest_options.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// A graph whose edges are stored, while passes add edge columns to it.
struct StoredGraph {
  GraphInfo info;         // with the edge columns that are stored
  uint64_t keys_sum = 0;  // EncodedTotals::keys_sum
  IngestReport report;
};

/// Saves and loads an IngestState. After a save or a load, the destructor leaves the files of the
/// state in place. Commit and RemoveGraph delete them with their directory. Not thread-safe.
class IngestJournal {
 public:
  /// `writer`, `plan` and `state` must outlive this. Saves nothing unless `kept`.
  IngestJournal(GraphWriter& writer, IngestPlan& plan, IngestState& state, bool kept = true)
      : writer_(writer), plan_(plan), state_(state), kept_(kept) {}
  ~IngestJournal();
  IngestJournal(const IngestJournal&) = delete;
  IngestJournal& operator=(const IngestJournal&) = delete;

  /// Whether the state is in the journal, and its buckets are in files.
  bool durable() const { return durable_; }
  /// Goes to the stage `next`, and saves the state if that pays: writes all buckets to their files
  /// and syncs. Edges that are only in memory are read again after a crash. That costs less than
  /// saving every small input, or most of a large input after only seconds of reading.
  Status Save(IngestStage next);
  /// Saves the state in the middle of encoding `set`, if it was saved before. `encoder` has
  /// consumed the first buckets of `set`.
  Status SaveEncoding(const EdgeEncoder& encoder, const BucketSet& set);
  /// Loads the state from the journal, if it has one. Makes the space of its edges, with as much
  /// memory for pages as before. Fills the id sets, which must exist. BadDataError when the journal
  /// is damaged.
  Status Load(MemoryBudget& budget);
  /// Saves the graph in the place of the state, if the state was saved. What the state kept in
  /// files is not needed then.
  Status SaveGraph(const StoredGraph& graph);
  /// Loads what SaveGraph saved. False when there is nothing.
  StatusOr<bool> LoadGraph(StoredGraph* graph);

 private:
  /// Saves the ids and the names that were read.
  Status SaveRead();
  Status Put(IngestStage next, const EdgeEncoder* encoder, const BucketSet* encoded);

  GraphWriter& writer_;
  IngestPlan& plan_;
  IngestState& state_;
  const bool kept_;
  bool durable_ = false;
  const Stopwatch since_start_;
};

}  // namespace edgemill
