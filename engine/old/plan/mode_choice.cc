#include "engine/old/plan/mode_choice.h"

#include <algorithm>

namespace edgemill {

ModeRules::ModeRules(const GraphStore& store, const GraphNeeds& needs, Mode mode,
                     const ProgramTraits& program)
    : traits(program),
      asked(mode),
      num_vertices(store.info().num_vertices),
      num_edges(store.info().num_edges) {
  const bool directed = store.info().directed;
  const bool one = !directed && (needs.out_index || needs.in_index);
  const auto has_edges = [&](ColumnKind column) { return num_edges == 0 || store.has(column); };
  has_out_index = one || (directed && needs.out_index);
  can_sweep_out = has_out_index && has_edges(ColumnKind::kOutNeighbors);
  can_sweep_in = (one || (directed && needs.in_index)) &&
                 has_edges(directed ? ColumnKind::kInNeighbors : ColumnKind::kOutNeighbors);
}

bool ModeRules::may_push() const {
  if (asked == Mode::kAuto) return can_push() || !can_sweep_in;
  return asked == Mode::kPush;
}

bool ModeRules::may_notify() const {
  // Programs that can push choose it only when told to.
  if (traits.all_active) return false;
  return asked == Mode::kNotifyPull || (asked == Mode::kAuto && !can_push() && can_sweep_out);
}

bool ModeRules::may_pull() const {
  if (asked == Mode::kAuto)
    return can_sweep_in && (traits.all_active || !(traits.prioritised && can_push()));
  return asked == Mode::kPull || asked == Mode::kNotifyPull;
}

Mode ModeRules::Choose(uint64_t active_vertices, EdgeIndex active_edges, EdgeIndex sent_edges,
                       bool across_link) const {
  if (asked != Mode::kAuto) return asked;
  if (!can_sweep_in) return Mode::kPush;
  if (traits.all_active) return Mode::kPull;
  // A bucket is a part of what is active: to look at every edge for it does not pay (measured: push
  // takes three quarters of the time).
  if (traits.prioritised && can_push()) return Mode::kPush;
  const auto fraction = [&](EdgeIndex edges) {
    return static_cast<double>(active_edges) / std::max(1.0, static_cast<double>(edges));
  };
  if (!can_push()) {
    return may_notify() && fraction(num_edges) <= kNotifyFraction ? Mode::kNotifyPull : Mode::kPull;
  }
  if (traits.early_exit) {
    // Where one message is all that a vertex needs, it is active once, and then done.
    const EdgeIndex left = num_edges - std::min(sent_edges, num_edges);
    const bool many = static_cast<double>(active_vertices) >
                      kPullVerticesEarlyExit * static_cast<double>(num_vertices);
    const double most = across_link ? kPullFractionAcrossLink : kPullFractionEarlyExit;
    return many && fraction(left) > most ? Mode::kPull : Mode::kPush;
  }
  return fraction(num_edges) > kPullFraction ? Mode::kPull : Mode::kPush;
}

Status ModeRules::Check(const std::string& path) const {
  const bool needs_out = asked == Mode::kPush || asked == Mode::kNotifyPull;
  // auto pushes where it cannot pull, which takes a program that can push without accumulators.
  const bool needs_in = asked == Mode::kPull || asked == Mode::kNotifyPull ||
                        (asked == Mode::kAuto && !traits.order_independent);
  if ((needs_out && !can_sweep_out) || (needs_in && !can_sweep_in)) {
    return UsageError(StrCat(path, " has not the columns for --mode ", ModeName(asked),
                             ": ingest it with --columns both"));
  }
  return OkStatus();
}

}  // namespace edgemill
