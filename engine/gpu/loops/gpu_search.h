// Searches: several passes of an operator in one launch, as the host sees it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/backend.h"
#include "kernels/gpu/search.h"

namespace edgemill {

/// The result of a launch.
struct SearchResult {
  uint64_t passes = 0;
  uint64_t pulls = 0;         // of these passes
  uint64_t emitted = 0;       // vertices, without those that it started with
  uint64_t pushed_edges = 0;  // without those of the vertices that it started with
  uint64_t active = 0;        // vertices in the next set
  bool gave_up = false;       // kernels cannot read all lists, or not fast enough
};

/// How a search starts.
struct SearchStart {
  /// Exactly the vertices whose Cond is false have closed bits.
  bool knows_closed = false;
  uint64_t max_passes = 0;
  /// Begins with pushes along these lists; none: with a pull.
  std::optional<Direction> push_lists = {};
};

class GpuSearch {
 public:
  explicit GpuSearch(GpuWorkspace& workspace) : workspace_(workspace) {}

  /// Whether pulls through the lists of `lists` may be one launch. Run may still give up.
  bool MayRun(Direction lists) const;
  /// Whether such a search may begin with pushes along `push_lists`: kernels can read these lists
  /// as they read `lists`, and neighbours are sampled. If they are not, a push may be all that the
  /// program needs, and it reads far less.
  bool MayPush(Direction lists, Direction push_lists) const;
  /// Call this after MayRun returned true. The first call samples neighbours. Gives up if kernels
  /// cannot read all lists. Starts from the current set, writes the next one, and waits for the
  /// GPU. Afterwards closed bits are right for all vertices with edges.
  StatusOr<SearchResult> Run(const ProgramLaunch& program, const SearchStart& start);
  /// Whether a search of this operator has given up, as the caller noted.
  bool gave_up() const { return gave_up_; }
  void NoteGivenUp() { gave_up_ = true; }

 private:
  /// The most lists that a pass may look through.
  uint32_t MostLists(Direction lists);
  SearchLaunch LaunchOf(const ProgramLaunch& program, const SearchStart& start, bool some_absent);
  /// Reports how long each step took.
  void Note(const SearchClock& clock);

  GpuWorkspace& workspace_;
  bool gave_up_ = false;
};

}  // namespace edgemill
