// Push or pull: the choice of each pass, as plain arithmetic over counts.
#pragma once

#include <cstdint>
#include <string>

#include "common/status.h"
#include "common/types.h"
#include "engine/program/directions.h"
#include "engine/program/edge_program.h"
#include "engine/program/mode.h"

namespace edgemill {

/// Which lists of a graph can be read.
struct ListColumns {
  bool directed = false;
  bool out = false;  // out-lists
  bool in = false;   // in-lists; of symmetric graphs the out-lists
};

/// What the choice depends on of a program and an operator.
struct PassTraits {
  Directions directions = Directions::kOut;
  bool takes_first = false;     // a pull stops at a list's first message
  bool collects = false;        // a push adds up in a sum a vertex
  bool consumes = false;        // what is sent is fixed when a vertex is taken
  bool may_push = true;         // there can be such sums
  bool applies_to_all = false;  // every vertex takes part
  bool has_priority = false;
  bool decodes_whole = false;  // pulls decode whole blocks
  bool may_run_asynchronously = false;
  bool visits = false;  // no program: EdgeVisit
};

template <typename P>
constexpr PassTraits PassTraitsOf(Directions directions) {
  return {.directions = directions,
          .takes_first = kTakesFirst<P>,
          .collects = kCollects<P>,
          .consumes = kConsumes<P>,
          .may_push = kMayPush<P>,
          .applies_to_all = kAppliesToAllOf<P>,
          .has_priority = HasPriority<P>,
          .decodes_whole = !kIsWeighted<P> && !kIsSimpleOf<P>,
          .may_run_asynchronously = kMayRunAsynchronously<P>};
}

/// What is the same in all passes of an operator.
class DirectionPolicy {
 public:
  /// `asynchronous`: what becomes active emits in the same pass, where it may.
  DirectionPolicy(const PassTraits& traits, const ListColumns& lists, Mode asked, bool asynchronous,
                  uint64_t num_vertices, EdgeIndex num_edges)
      : traits_(traits),
        lists_(lists),
        asked_(asked),
        asynchronous_(asynchronous),
        num_vertices_(num_vertices),
        num_edges_(num_edges) {}

  const PassTraits& traits() const { return traits_; }
  /// Whether passes may push, or pull, at all.
  bool can_push() const { return traits_.may_push && has_push_lists(); }
  bool can_pull() const;
  /// Whether Choose may say so.
  bool may_push() const;
  bool may_pull() const;
  /// The mode of a pass in which so many vertices emit along so many edges; earlier passes of the
  /// operator emitted along `emitted_edges`.
  Mode Choose(uint64_t active_vertices, EdgeIndex active_edges, EdgeIndex emitted_edges) const;
  /// UsageError when the graph, called `path`, has not the lists for what was asked, or the program
  /// not the functions.
  Status Check(const std::string& path) const;

 private:
  bool has_push_lists() const;

  const PassTraits traits_;
  const ListColumns lists_;
  const Mode asked_;
  const bool asynchronous_;
  const uint64_t num_vertices_;
  const EdgeIndex num_edges_;
};

}  // namespace edgemill
