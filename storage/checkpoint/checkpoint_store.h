// Where checkpoints lie: the two generations of a run's, in a directory, and the lists of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/os/uuid.h"
#include "common/status.h"
#include "storage/checkpoint/checkpoint_file.h"

namespace edgemill {

/// The checkpoints of one run. The directory may have those of other runs.
class CheckpointStore {
 public:
  CheckpointStore(std::string directory, CheckpointIdentity identity);

  const std::string& directory() const { return directory_; }
  const CheckpointIdentity& identity() const { return identity_; }
  /// Makes the directory, if it does not exist.
  Status Prepare() const;
  /// The newest checkpoint that is whole. `said` gets a line about each newer one that is not.
  /// UsageError, which names both runs, where the directory has only checkpoints of other runs.
  /// MissingError where there is none. BadDataError where none is whole.
  StatusOr<CheckpointReader> OpenNewest(int threads, std::vector<std::string>* said) const;
  /// An empty file for the next checkpoint, locked. LockedError where another process writes it.
  StatusOr<File> Create() const;
  /// Syncs the file from Create, and puts it in the older generation's place. A crash leaves the
  /// older checkpoint or the new one. Removes the file after an error.
  Status Commit(const File& file, uint64_t sequence) const;
  /// Removes a file from Create.
  void Abandon() const;
  /// Removes all checkpoints of the run; ok where there is none.
  Status Remove() const;
  /// Whether there is a checkpoint of the run, whole or not.
  bool has_any() const { return PathExists(PathOf(0)) || PathExists(PathOf(1)); }

 private:
  std::string PathOf(uint64_t sequence) const;
  std::string TemporaryPath() const;
  StatusOr<CheckpointReader> NoneOfThisRun() const;

  const std::string directory_;
  const CheckpointIdentity identity_;
};

/// A checkpoint of a graph, whole or not.
struct FoundCheckpoint {
  std::string path;
  uint64_t bytes = 0;
  std::string run;      // CheckpointIdentity::Text; empty where the table is damaged
  uint64_t passes = 0;  // that the run has done
  std::string damage;   // why it cannot be read; empty where its table is sound
};

/// The directories outside the graph directory that have had checkpoints of the graph.
StatusOr<std::vector<std::string>> NotedCheckpointDirectories(const std::string& graph_path);
/// Notes in the graph directory that `directory` has checkpoints of the graph.
Status NoteCheckpointDirectory(const std::string& graph_path, const std::string& directory);
/// Where checkpoints of a graph lie by default: a directory inside the graph directory.
std::string OwnCheckpointDirectory(const std::string& graph_path);
/// All checkpoints of the graph in its own directory and in the noted ones. Reads their tables.
StatusOr<std::vector<FoundCheckpoint>> FindCheckpoints(const std::string& graph_path,
                                                       const Uuid& graph);
/// Removes the checkpoints of the graph from `directories`, the noted ones. Those inside the graph
/// directory go with it.
Status RemoveCheckpointsIn(const std::vector<std::string>& directories, const Uuid& graph);

}  // namespace edgemill
