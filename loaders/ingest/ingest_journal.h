// Keeps an ingest's state in the journal of its writer, so that the ingest goes on after a crash.
#pragma once

#include "common/clock.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/ingest/ingest_state.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Saves and loads an IngestState. When it is destroyed after a save or a load, the files of the
/// state stay in place: Commit and RemoveGraph delete them with their directory. Not thread-safe.
class IngestJournal {
 public:
  /// `writer`, `plan` and `state` must outlive this. A load gives pages as much memory as before.
  IngestJournal(GraphWriter& writer, IngestPlan& plan, IngestState& state)
      : writer_(writer), plan_(plan), state_(state) {}
  ~IngestJournal();
  IngestJournal(const IngestJournal&) = delete;
  IngestJournal& operator=(const IngestJournal&) = delete;

  /// Whether the journal has the state, and files have its buckets.
  bool durable() const { return durable_; }
  /// Goes to the stage `next`, and makes the state survive a crash when that pays. What is only in
  /// memory is read again after a crash. That costs less than writing out every small input or,
  /// after seconds of reading, a large part of a large one. Writes all buckets to their files and
  /// syncs.
  Status Save(IngestStage next);
  /// Makes the state survive a crash in the middle of encoding `set`, of which `encoder` has
  /// consumed the first buckets.
  Status SaveEncoding(const EdgeEncoder& encoder, const BucketSet& set);
  /// Takes the state from the journal, where it has one; makes the space of its edges, and fills
  /// the id sets, which must have been made. BadDataError when the journal is damaged.
  Status Load(MemoryBudget& budget);

 private:
  /// Saves what is known of the input beside its edges.
  Status SaveRead();
  Status Put(IngestStage next, const EdgeEncoder* encoder, const BucketSet* encoded);

  GraphWriter& writer_;
  IngestPlan& plan_;
  IngestState& state_;
  bool durable_ = false;
  const Stopwatch since_start_;
};

}  // namespace edgemill
