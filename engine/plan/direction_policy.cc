#include "engine/plan/direction_policy.h"

#include <algorithm>

namespace edgemill {
namespace {

/// Passes pull once what emits has more than this share of all edges (Garaph's 1/2). Push costs an
/// atomic operation an edge, pull looks at every edge.
constexpr double kPullShare = 0.5;
/// The same where pull may stop at a list's first message, of the edges of vertices that are still
/// without one (Beamer et al. choose so, with 1/15; Ligra by 1/20 of all). Below so many vertices
/// of all, looking for those without takes longer than pushing.
constexpr double kPullShareTakesFirst = 0.05;
constexpr double kPullVerticesTakesFirst = 1.0 / 1024;

}  // namespace

bool DirectionPolicy::has_push_lists() const {
  const bool out = traits_.directions != Directions::kIn;
  const bool in = traits_.directions != Directions::kOut;
  if (!lists_.directed) return lists_.out;
  return (!out || lists_.out) && (!in || lists_.in);
}

bool DirectionPolicy::can_pull() const {
  const bool out = traits_.directions != Directions::kIn;
  const bool in = traits_.directions != Directions::kOut;
  if (!lists_.directed) return lists_.out;
  return (!out || lists_.in) && (!in || lists_.out);
}

bool DirectionPolicy::may_push() const {
  if (traits_.visits) return true;
  if (asked_ != Mode::kAuto) return asked_ != Mode::kPull;
  if (!can_pull()) return true;
  return has_push_lists() && !traits_.applies_to_all;
}

bool DirectionPolicy::may_pull() const {
  if (traits_.visits) return false;
  if (asked_ != Mode::kAuto) return asked_ != Mode::kPush;
  return can_pull() && !(can_push() && traits_.has_priority && !traits_.collects);
}

Mode DirectionPolicy::Choose(uint64_t active_vertices, EdgeIndex active_edges,
                             EdgeIndex emitted_edges) const {
  if (asked_ != Mode::kAuto) return asked_;
  if (!can_pull()) return Mode::kPush;
  // A pull takes what was to be sent when it began. Programs that collect never take more.
  if (asynchronous_ && traits_.consumes && !traits_.collects && can_push()) return Mode::kPush;
  if (!has_push_lists() || traits_.applies_to_all) return Mode::kPull;
  const auto share = [&](EdgeIndex edges) {
    return static_cast<double>(active_edges) / std::max(1.0, static_cast<double>(edges));
  };
  if (traits_.collects) {
    // Marking receivers reads about what it saves, once many emit.
    return share(num_edges_) <= kPullShare ? Mode::kNotifyPull : Mode::kPull;
  }
  // A bucket is a part of what is active: to look at every edge for it does not pay (measured: push
  // takes three quarters of the time).
  if (traits_.has_priority) return Mode::kPush;
  if (traits_.takes_first) {
    // Where one message is all that a vertex needs, it is active once, and then done.
    const EdgeIndex left = num_edges_ - std::min(emitted_edges, num_edges_);
    const bool many = static_cast<double>(active_vertices) >
                      kPullVerticesTakesFirst * static_cast<double>(num_vertices_);
    return many && share(left) > kPullShareTakesFirst ? Mode::kPull : Mode::kPush;
  }
  return share(num_edges_) > kPullShare ? Mode::kPull : Mode::kPush;
}

Status DirectionPolicy::Check(const std::string& path) const {
  if (asked_ == Mode::kPush && !traits_.may_push) {
    return UsageError(StrCat("--mode push: the program collects messages of more than ",
                             kMostSumBytes, " bytes, which it can only pull"));
  }
  const bool push = asked_ == Mode::kPush || asked_ == Mode::kNotifyPull;
  const bool pull = asked_ == Mode::kPull || asked_ == Mode::kNotifyPull;
  const bool any = asked_ != Mode::kAuto || can_push() || can_pull();
  if ((push && !has_push_lists()) || (pull && !can_pull()) || !any) {
    return UsageError(StrCat(path, " has not the columns for --mode ", ModeName(asked_),
                             ": ingest it with --columns both"));
  }
  return OkStatus();
}

}  // namespace edgemill
