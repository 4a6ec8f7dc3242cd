#include "cli/display/command_share.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace edgemill::cli {
namespace {

/// The share of the plan from which on rates are used. Before, start-up has too much influence.
constexpr double kMinShareOfRates = 0.01;
/// The share of a stage stays below this as long as its end is only estimated.
constexpr double kMaxOfUnknown = 0.95;

}  // namespace

void CommandShare::Plan(std::vector<PlannedStage> stages, double now) {
  stages_ = std::move(stages);
  total_ = before_ = last_share_ = 0;
  for (const PlannedStage& stage : stages_) total_ += stage.cost;
  current_ = 0;
  in_stage_ = false;
  start_ = stage_start_ = now;
}

void CommandShare::StartStage(std::string_view name, double now) {
  const auto is_it = [&](const PlannedStage& stage) { return stage.name == name; };
  const auto first = stages_.begin() + static_cast<std::ptrdiff_t>(current_);
  const auto next = first == stages_.end() || !in_stage_ ? first : first + 1;
  const auto found = std::find_if(next, stages_.end(), is_it);
  if (found == stages_.end()) {
    // The current stage starts again, or a stage starts that is not planned.
    if (first == stages_.end() || is_it(*first) || !in_stage_) return;
    before_ += first->cost;
    ++current_;
    in_stage_ = false;
    return;
  }
  for (auto stage = first; stage != found; ++stage) before_ += stage->cost;
  current_ = static_cast<size_t>(found - stages_.begin());
  in_stage_ = true;
  stage_start_ = now;
}

std::optional<double> CommandShare::SecondsPerCost(double done, double now) const {
  if (done < kMinShareOfRates * total_) return std::nullopt;
  return (now - start_) / done;
}

double CommandShare::ShareOf(const Stage& stage, double now) const {
  if (stage.share.has_value()) return std::clamp(*stage.share, 0.0, 1.0);
  const PlannedStage& planned = stages_[current_];
  if (planned.units > 0) return std::min(kMaxOfUnknown, stage.units / planned.units);
  const std::optional<double> rate = SecondsPerCost(before_, stage_start_);
  if (!rate.has_value() || *rate <= 0 || planned.cost <= 0) return 0;
  return std::min(kMaxOfUnknown, 1 - std::exp(-(now - stage_start_) / (*rate * planned.cost)));
}

CommandShare::Figures CommandShare::At(const Stage& stage, double now) {
  const bool is_planned = in_stage_ && current_ < stages_.size();
  const double cost = is_planned ? stages_[current_].cost : 0;
  const double here = is_planned ? ShareOf(stage, now) * cost : 0;
  Figures figures;
  last_share_ = figures.share = std::max(last_share_, std::min(1.0, (before_ + here) / total_));
  const std::optional<double> rate = SecondsPerCost(before_ + here, now);
  const double later = std::max(0.0, total_ - before_ - cost);
  const bool knows_stage = is_planned && stage.seconds_left.has_value();
  if (knows_stage && (later == 0 || rate.has_value())) {
    figures.seconds_left = *stage.seconds_left + later * rate.value_or(0);
  } else if (rate.has_value()) {
    figures.seconds_left = (later + cost - here) * *rate;
  }
  return figures;
}

}  // namespace edgemill::cli
