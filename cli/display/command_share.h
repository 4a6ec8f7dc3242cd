// The share of a whole command that is done, by a plan of its stages and their costs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::cli {

/// A stage that a command will have.
struct PlannedStage {
  std::string name;  // the name that Progress::StartStage gets
  double cost = 0;   // its time, in a unit that is the same for all stages of a command
  double units = 0;  // about how many units it advances by, if it has no total; 0: unknown
};

/// Follows a command through its plan. The share that it reports never falls.
class CommandShare {
 public:
  /// Starts with a new plan at `now`, in seconds.
  void Plan(std::vector<PlannedStage> stages, double now);
  bool planned() const { return total_ > 0; }
  /// Starts a stage, and ends those before it in the plan. A stage that is not in the plan costs
  /// nothing.
  void StartStage(std::string_view name, double now);

  /// What is known about the current stage.
  struct Stage {
    std::optional<double> share;
    std::optional<double> seconds_left;
    double units = 0;  // done
  };
  struct Figures {
    double share = 0;
    std::optional<double> seconds_left;
  };
  /// The figures of the whole command at `now`.
  Figures At(const Stage& stage, double now);

 private:
  double ShareOf(const Stage& stage, double now) const;
  /// Seconds for a unit of cost so far; nothing until a part of the plan is done.
  std::optional<double> SecondsPerCost(double done, double now) const;

  std::vector<PlannedStage> stages_;
  double total_ = 0;
  double before_ = 0;      // cost of stages that are over
  size_t current_ = 0;     // stages_.size(): all are over
  bool in_stage_ = false;  // the current one has started, and no unplanned one since
  double start_ = 0;
  double stage_start_ = 0;
  double last_share_ = 0;  // that was reported
};

}  // namespace edgemill::cli
