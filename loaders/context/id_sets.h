// The ids that occur in an input, and how a resume gets them back.
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
  std::optional<uint64_t> num_vertices;  // vertices are a range of so many ids
  uint64_t narrow_id_limit = 0;          // ids from here on are wide; 0: as memory allows

  /// Whether the vertices are a range whose length is known before the input is read.
  bool FollowsRange(const EdgeSourceInfo& info) const {
    return num_vertices.has_value() || (info.num_vertices.has_value() && mode != IdMode::kSparse);
  }
};

/// The ids below a limit.
struct IdSets {
  std::optional<SeenIds> seen;                      // that occur in edges
  std::optional<SeenIds> listed;                    // that a vertex list names
  std::vector<std::unique_ptr<SpillStream>> files;  // as the journal knows them

  /// How many sets an input needs.
  static int NumNeeded(const EdgeSourceInfo& info, const IdChoice& choice);
  /// Makes the sets that are needed, of up to `set_bytes` each, and says in `rules` where they are
  /// and which ids go into them. The sets must stay where they are while `rules` are in use.
  Status Make(const EdgeSourceInfo& info, const IdChoice& choice, uint64_t set_bytes,
              MemoryBudget& budget, EdgeRules* rules);
  /// Writes the ids up to `max_id` to new streams of `space`, in `files`.
  Status Save(SpillSpace& space, uint64_t max_id);
  /// Takes the ids from a stream that Save wrote and adds it to `files`. BadDataError when there is
  /// no such set.
  Status Load(std::unique_ptr<SpillStream> file);
  /// From now on the ids of the vertex list are those seen.
  void MarkListedAsSeen();
  /// Leaves the files in place for a resume.
  void LeaveFiles() const;
};

}  // namespace edgemill
