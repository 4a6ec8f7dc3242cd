// Push or pull: the choice of each iteration, as plain arithmetic over counts.
#pragma once

#include <cstdint>

#include "common/status.h"
#include "engine/graph/loaded_graph.h"
#include "engine/old/program/program.h"

namespace edgemill {

/// Iterations pull once the active vertices have more than this share of all edges (Garaph's 1/2).
/// Push costs an atomic operation an edge, pull looks at every edge.
inline constexpr double kPullFraction = 0.5;
/// Programs that cannot push notify while the active vertices have at most this share of all edges
/// (Garaph's 1/2): above it, marking receivers reads about what it saves.
inline constexpr double kNotifyFraction = 0.5;
/// kPullFraction where pull may stop at a list's first message, of the edges of vertices that are
/// still without one (Beamer et al. choose so, with 1/15; Ligra by 1/20 of all). Below so many
/// active vertices of all, looking for those without takes longer than pushing.
inline constexpr double kPullFractionEarlyExit = 0.05;
/// The same where edges come across a link to a GPU, which takes longer than finding a message
/// does: all lists of those without one have to come, of those with one only theirs.
inline constexpr double kPullFractionAcrossLink = 0.4;
inline constexpr double kPullVerticesEarlyExit = 1.0 / 1024;

/// What is the same in all iterations of a run.
struct ModeRules {
  ProgramTraits traits;
  Mode asked = Mode::kAuto;
  bool can_sweep_out = false;
  bool can_sweep_in = false;
  bool has_out_index = false;
  uint64_t num_vertices = 0;
  EdgeIndex num_edges = 0;

  ModeRules(const LoadedGraph& graph, Mode mode, const ProgramTraits& program)
      : traits(program),
        asked(mode),
        can_sweep_out(graph.can_sweep(Direction::kOut)),
        can_sweep_in(graph.can_sweep(Direction::kIn)),
        has_out_index(graph.has_index(Direction::kOut)),
        num_vertices(graph.num_vertices()),
        num_edges(graph.num_edges()) {}

  /// The same of a graph that will be loaded with `needs`.
  ModeRules(const GraphStore& store, const GraphNeeds& needs, Mode mode,
            const ProgramTraits& program);

  /// Whether iterations may push, notify or pull at all: what they then need must be there.
  bool may_push() const;
  bool may_notify() const;
  bool may_pull() const;

  /// The mode of an iteration with so many active vertices and out-edges of theirs; those of
  /// earlier iterations had `sent_edges`. `across_link`: edges are on their way to a GPU.
  Mode Choose(uint64_t active_vertices, EdgeIndex active_edges, EdgeIndex sent_edges,
              bool across_link = false) const;
  /// UsageError, with `path`, when the graph has not the columns for what was asked.
  Status Check(const std::string& path) const;

 private:
  bool can_push() const { return can_sweep_out && traits.order_independent; }
};

}  // namespace edgemill
