#include "engine/plan/direction_policy.h"

#include <algorithm>
#include <cmath>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {

ListColumns ListColumnsOf(const GraphStore& store) {
  const bool no_edges = store.info().num_edges == 0;
  const auto has = [&](ColumnKind offsets, ColumnKind neighbors) {
    return store.has(offsets) && (no_edges || store.has(neighbors));
  };
  const bool out = has(ColumnKind::kOutOffsets, ColumnKind::kOutNeighbors);
  const bool in = has(ColumnKind::kInOffsets, ColumnKind::kInNeighbors);
  return {.directed = store.info().directed,
          .out = out,
          .in = store.info().directed ? in : out,
          .out_weights = !LacksWeights(store, Direction::kOut),
          .in_weights = !LacksWeights(store, Direction::kIn)};
}

ListColumns ListColumnsOf(const LoadedGraph& graph) {
  return {.directed = graph.info().directed,
          .out = graph.has_lists(Direction::kOut),
          .in = graph.has_lists(Direction::kIn),
          .out_weights = !LacksWeights(graph.store(), Direction::kOut),
          .in_weights = !LacksWeights(graph.store(), Direction::kIn)};
}

void PassSizes::ReadFromDisk(double block_bytes, const Curve& disk_rate) {
  random_block_seconds = block_bytes / disk_rate.At(block_bytes);
  ordered_block_seconds = block_bytes / disk_rate.At(kSequentialReadBytes);
}

DirectionPolicy::DirectionPolicy(const ProgramTraits& traits, const ListColumns& lists, Mode asked,
                                 bool asynchronous, const PassSizes& sizes)
    : traits_(traits), lists_(lists), asked_(asked), asynchronous_(asynchronous), sizes_(sizes) {
  if (!lists.directed || traits.directions != Directions::kBoth) return;
  // Active vertices send along their out-lists and their in-lists, and a pull reads both.
  sizes_.num_edges *= 2;
  sizes_.random_block_seconds *= 2;
  sizes_.ordered_block_seconds *= 2;
}

bool DirectionPolicy::has_lists_of_senders(bool weighted) const {
  return (!GoesAlong(traits_.directions) || lists_.Has(Direction::kOut, weighted)) &&
         (!GoesAgainst(traits_.directions) || lists_.Has(Direction::kIn, weighted));
}

bool DirectionPolicy::has_lists_of_receivers(bool weighted) const {
  return (!GoesAlong(traits_.directions) || lists_.Has(Direction::kIn, weighted)) &&
         (!GoesAgainst(traits_.directions) || lists_.Has(Direction::kOut, weighted));
}

bool DirectionPolicy::HasListsForMode(bool weighted) const {
  const bool receivers = has_lists_of_receivers(weighted);
  switch (asked_) {
    case Mode::kPush:
      return has_lists_of_senders(weighted);
    case Mode::kPull:
      return receivers;
    case Mode::kNotifyPull:
      return receivers && has_lists_of_senders(/*weighted=*/false);
    case Mode::kAuto:
      break;
  }
  return receivers || (traits_.may_push && has_lists_of_senders(weighted));
}

bool DirectionPolicy::may_push() const {
  if (asked_ != Mode::kAuto) return asked_ != Mode::kPull;
  if (!can_pull()) return true;
  return may_read_lists_of_senders();
}

bool DirectionPolicy::may_pull() const {
  if (asked_ != Mode::kAuto) return asked_ != Mode::kPush;
  return can_pull() && !(can_push() && traits_.has_priority && !traits_.collects);
}

double DirectionPolicy::ReadSecondsOfAll() const {
  return static_cast<double>(sizes_.num_blocks) * sizes_.ordered_block_seconds;
}

double DirectionPolicy::ReadSecondsOfBlocks(double blocks) const {
  // A pass that reads many blocks reads them in order, and takes no longer than for all blocks.
  return std::min(blocks * sizes_.random_block_seconds, ReadSecondsOfAll());
}

double DirectionPolicy::ReadSeconds(uint64_t vertices) const {
  if (sizes_.num_blocks == 0) return 0;
  const auto blocks = static_cast<double>(sizes_.num_blocks);
  return ReadSecondsOfBlocks(-blocks * std::expm1(-static_cast<double>(vertices) / blocks));
}

double DirectionPolicy::PushSeconds(const PassSituation& situation) const {
  CHECK_GT(sizes_.threads, 0);
  const double work = kPushSecondsPerVertex * static_cast<double>(situation.active_vertices) +
                      kPushSecondsPerEdge * static_cast<double>(situation.active_edges);
  return work / sizes_.threads + ReadSeconds(situation.active_vertices);
}

std::optional<double> DirectionPolicy::BlocksOfNextPull(const PassSituation& situation,
                                                        EdgeIndex left) const {
  const bool reads_again = sizes_.random_block_seconds > 0;
  if (!traits_.takes_first || !reads_again || !situation.pulled_blocks.has_value()) return {};
  const auto before = static_cast<double>(*situation.pulled_blocks);
  // Vertices that were not found, and lay everywhere, would have needed nearly all blocks.
  if (before > kLocalPullShare * static_cast<double>(sizes_.num_blocks)) {
    return samples() ? std::optional(before) : std::nullopt;
  }
  // So they lie together, and the next pull leaves out the blocks of those that are found by now.
  const EdgeIndex not_found = left - std::min(situation.active_edges, left);
  return before * static_cast<double>(not_found) /
         static_cast<double>(std::max<EdgeIndex>(1, left));
}

double DirectionPolicy::PullSeconds(const PassSituation& situation) const {
  // A vertex that takes only one message is active once. Its edges are done when it has emitted.
  const EdgeIndex left = sizes_.num_edges - std::min(situation.emitted_edges, sizes_.num_edges);
  if (const std::optional<double> blocks = BlocksOfNextPull(situation, left)) {
    const double edges = *blocks / static_cast<double>(std::max<uint64_t>(1, sizes_.num_blocks)) *
                         static_cast<double>(sizes_.num_edges);
    const double per_vertex = samples() ? kPullSampledSecondsPerVertex : kPullFirstSecondsPerVertex;
    const double work =
        per_vertex * static_cast<double>(sizes_.num_vertices) + kPullFirstSecondsPerEdge * edges;
    return work / sizes_.threads + ReadSecondsOfBlocks(*blocks);
  }
  double work = kPullSecondsPerEdge * static_cast<double>(sizes_.num_edges);
  if (traits_.takes_first) {
    work = kPullFirstSecondsPerVertex * static_cast<double>(sizes_.num_vertices) +
           kPullFirstSecondsPerEdge * static_cast<double>(left);
  }
  const bool finds_much = static_cast<double>(situation.active_edges) >
                          kFirstPullActiveShare * static_cast<double>(left);
  const double share = samples() && finds_much ? kFirstPullFromDisk : 1;
  return work / sizes_.threads + share * ReadSecondsOfAll();
}

double DirectionPolicy::NotifyPullSeconds(const PassSituation& situation) const {
  // The estimate of the lists and edges to pull: one for each edge along which a notice goes.
  const EdgeIndex notified = std::min(situation.active_edges, sizes_.num_edges);
  const double work = kNotifySecondsPerEdge * static_cast<double>(situation.active_edges) +
                      kPullSecondsPerEdge * static_cast<double>(notified);
  return work / sizes_.threads + ReadSeconds(situation.active_vertices) + ReadSeconds(notified);
}

bool DirectionPolicy::PullsOnGpu(const PassSituation& situation) const {
  const auto share = [](uint64_t part, uint64_t all) {
    return static_cast<double>(part) / std::max(1.0, static_cast<double>(all));
  };
  if (!traits_.takes_first) {
    return share(situation.active_edges, sizes_.num_edges) > kGpuPullShare;
  }
  // A vertex that takes only one message is active once. Its edges are done when it has emitted.
  const EdgeIndex left = sizes_.num_edges - std::min(situation.emitted_edges, sizes_.num_edges);
  const double most =
      sizes_.processor == PassProcessor::kGpuAcrossLink ? kLinkPullFirstShare : kGpuPullFirstShare;
  return share(situation.active_vertices, sizes_.num_vertices) > kGpuPullFirstVertices &&
         share(situation.active_edges, left) > most;
}

bool DirectionPolicy::PassesThreshold(const PassSituation& situation) const {
  return static_cast<double>(situation.active_edges) >
         *sizes_.pull_threshold * static_cast<double>(sizes_.num_edges);
}

Mode DirectionPolicy::Choose(const PassSituation& situation) const {
  CHECK(can_push() || can_pull());  // Check refuses other programs
  if (asked_ != Mode::kAuto) return asked_;
  if (!can_pull()) return Mode::kPush;
  // A pull takes only messages of vertices that were active when it began.
  if (asynchronous_ && traits_.may_run_asynchronously && can_push()) return Mode::kPush;
  if (!may_read_lists_of_senders()) return Mode::kPull;
  if (sizes_.pull_threshold.has_value() && may_pull()) {
    if (PassesThreshold(situation)) return Mode::kPull;
    return traits_.collects ? Mode::kNotifyPull : Mode::kPush;
  }
  const bool on_device = sizes_.processor != PassProcessor::kCpu;
  const double pull = PullSeconds(situation);
  if (traits_.collects) {
    const bool notifies = on_device ? static_cast<double>(situation.active_edges) <=
                                          kGpuNotifyShare * static_cast<double>(sizes_.num_edges)
                                    : NotifyPullSeconds(situation) < pull;
    return notifies ? Mode::kNotifyPull : Mode::kPull;
  }
  // A bucket is only a part of the active vertices, so a pull, which reads every edge, does not pay
  // (measured: a push takes three quarters of the time).
  if (traits_.has_priority) return Mode::kPush;
  if (on_device) return PullsOnGpu(situation) ? Mode::kPull : Mode::kPush;
  return PushSeconds(situation) <= pull ? Mode::kPush : Mode::kPull;
}

Status DirectionPolicy::Check(const std::string& path) const {
  if (asked_ == Mode::kPush && !traits_.may_push) {
    return UsageError(
        StrCat("--mode push: ", traits_.name == nullptr ? "the program" : *traits_.name,
               " collects messages of more than ", kMaxSumBytes, " bytes, which it can only pull"));
  }
  if (HasListsForMode(traits_.weighted)) return OkStatus();
  const bool only_weights = HasListsForMode(/*weighted=*/false);
  return UsageError(StrCat(path, " lacks the ", only_weights ? "weights" : "columns",
                           " for --mode ", ModeName(asked_), ": ingest it with ",
                           only_weights ? "--weights-in both" : "--columns both"));
}

}  // namespace edgemill
