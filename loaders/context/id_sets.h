// The ids that occur in an input. They can be saved and loaded, so that an ingest can resume.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/context/edge_intake.h"
#include "loaders/ids/id_ranks.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

/// How the ids of an input are treated.
struct IdChoice {
  IdMode mode = IdMode::kAuto;
  std::optional<ExternalId> max_vertex_id;
  std::optional<uint64_t> num_vertices;  // if set, the vertices are a range of this many ids
  uint64_t narrow_id_limit = 0;          // ids from this one on are wide; 0: memory decides

  /// Whether the vertices are a range whose length is known before the input is read.
  bool FollowsRange(const EdgeSourceInfo& info) const {
    return num_vertices.has_value() || (info.num_vertices.has_value() && mode != IdMode::kSparse);
  }
};

/// Sets of the ids below a limit that occur in an input.
struct IdSets {
  std::optional<SeenIds> seen;                      // ids that occur in edges
  std::optional<SeenIds> listed;                    // ids that a vertex list names
  std::vector<std::unique_ptr<SpillStream>> files;  // the saved sets, for the journal

  /// How many sets an input needs.
  static int NumNeeded(const EdgeSourceInfo& info, const IdChoice& choice);
  /// Makes the sets that are needed, each of up to `set_bytes`. Puts pointers to the sets and the
  /// limits of ids into `rules`. The sets must not move while `rules` are in use.
  Status Make(const EdgeSourceInfo& info, const IdChoice& choice, uint64_t set_bytes,
              MemoryBudget& budget, EdgeRules* rules);
  /// Writes the ids up to `max_id` to new streams of `space`, and adds the streams to `files`.
  Status Save(SpillSpace& space, uint64_t max_id);
  /// Loads the next set from a stream that Save wrote, and adds the stream to `files`. BadDataError
  /// when Make did not make that set.
  Status Load(std::unique_ptr<SpillStream> file);
  /// Replaces `seen` by `listed`, the ids of the vertex list.
  void MarkListedAsSeen();
  /// Leaves the files in place for a resume.
  void LeaveFiles() const;
};

}  // namespace edgemill
