// Checkpoints of a run, and going on from one.
//
// The Engine calls this at its boundaries: where an operator begins, and between the passes of one.
// A checkpoint has the journal of the calls so far, all arrays of the State, and the sets that the
// driver holds. To go on, the driver starts from its beginning and is answered from the journal.
// Where the journal ends, arrays and sets are restored, and the operator does its work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/clock.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/checkpoint/checkpoint_options.h"
#include "engine/driver/operators.h"
#include "engine/program/bucket_bound.h"
#include "engine/program/journal/journal.h"
#include "engine/program/program_ref.h"
#include "engine/program/sets/held_sets.h"
#include "engine/program/sets/vertex_set.h"
#include "engine/state/state.h"
#include "storage/checkpoint/checkpoint_file.h"
#include "storage/checkpoint/checkpoint_store.h"

namespace edgemill {

/// One call of an operator.
struct OperatorCall {
  OperatorKind kind;
  const FieldCalls& fields;
  const void* function;  // the program or function
};

/// A Fixpoint or Bucketed between two of its passes.
struct OpenOperator {
  uint64_t passes = 0;
  uint64_t emitted = 0;
  BucketBound bucket;
  VertexSet left;  // the vertices with which it goes on
};

/// The checkpoints of one run. One thread uses it.
class Checkpoints final : public PassAllowance {
 public:
  /// The least bytes that a run's checkpoints take of its budget.
  static constexpr uint64_t kMinMemoryBytes = uint64_t{8} << 20;
  struct Setup {
    CheckpointOptions options;
    CheckpointIdentity identity;
    std::string graph_path;
    int threads;
    Progress& progress;
    MemoryReservation memory;  // for journal and buffers; at least kMinMemoryBytes
  };

  /// With `resume`, opens the newest checkpoint that is whole, and reads its journal. Returns the
  /// errors of CheckpointStore::OpenNewest.
  static StatusOr<std::unique_ptr<Checkpoints>> Open(Setup setup);
  ~Checkpoints() override;

  /// Starts the driver's journal. `state` is allocated; both must outlive the calls below.
  void Start(State& state, SetPool& sets);
  /// Ends it: the driver has returned. Waits for the last checkpoint, whose error is only noted.
  /// BadDataError where the driver has not come to the call where the checkpoint was written.
  Status Finish();
  const CheckpointReport& report() const { return report_; }
  /// Bytes that it has reserved beyond the least.
  uint64_t spare_bytes() const { return setup_.memory.bytes() - kMinMemoryBytes; }

  // For the Engine.
  /// Where an operator begins: returns whether the journal answers it. Else restores the state if
  /// the journal has just ended, and writes a checkpoint if one is due. CancelledError after the
  /// last checkpoint of a run that was asked to stop.
  StatusOr<bool> Begin(const OperatorCall& call);
  /// Records an operator that has ended, with the sums of its tallies, or takes these sums.
  Status End(const OperatorCall& call);
  /// The operator that was under way where the state was restored; else a new one.
  OpenOperator TakeOpen();
  /// Writes a checkpoint between two passes of an operator, which has paused.
  Status Pause(const OperatorCall& call, const OpenOperator& open);
  /// Counts passes of an operator that has ended, or pauses.
  void CountPasses(uint64_t passes) { counts_.passes += passes; }
  uint64_t Left(uint64_t done) override;
  Journal& journal() { return journal_; }

 private:
  struct Started {
    State& state;
    SetPool& sets;
  };
  /// A run that goes on.
  struct Resumption {
    std::optional<CheckpointReader> from;  // until the state is restored
    OpenOperator open;                     // restored, until TakeOpen
  };
  struct Counts {
    uint64_t sequence = 0;      // of the last checkpoint that is whole
    uint64_t passes = 0;        // of the run
    uint64_t saved_passes = 0;  // of the run at the last checkpoint
    bool failed = false;        // a checkpoint, and the user was told
  };
  /// How many passes a launch may do, so that it returns well within the interval.
  struct LaunchPace {
    uint64_t passes = 64;
    uint64_t asked_at = 0;
    Stopwatch since_asked;
  };
  struct Committing {
    std::thread thread;
    std::unique_ptr<CheckpointWriter> writer;  // of a file that is being synced
    Status status;
  };

  explicit Checkpoints(Setup setup);
  int workers() const;
  bool Due(uint64_t passes) const;
  bool Halts(uint64_t passes) const;
  Status Load();
  Status Restore(const OperatorCall& call);
  Status RestoreOpen(const OperatorCall& call);
  /// Writes a checkpoint, if one is due. Only the errors of the State's memories are returned.
  /// CancelledError where the run was asked to stop.
  Status SaveIfDue(const OperatorCall& call, const OpenOperator* open);
  Status Save(const OperatorCall& call, const OpenOperator* open);
  Status Write(CheckpointWriter& writer, const OperatorCall& call, const OpenOperator* open);
  void WaitForCommit();
  void EndCommit();
  /// Says once that there is no checkpoint.
  void NoteFailure(const Status& status);

  const Setup setup_;
  const CheckpointStore store_;
  MemoryBudget budget_;  // of the journal
  Journal journal_{budget_};
  HeldSets held_{journal_};
  std::optional<Started> started_;
  Resumption resumption_;
  Counts counts_;
  Stopwatch since_saved_;
  LaunchPace pace_;
  Committing committing_;
  CheckpointReport report_;
};

}  // namespace edgemill
