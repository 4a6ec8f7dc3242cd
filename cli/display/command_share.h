// How much of a whole command is done: its stages, planned with costs that compare them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::cli {

/// A stage that a command will have.
struct PlannedStage {
  std::string name;  // as Progress::StartStage has it
  double cost = 0;   // in units of time that only have to compare the stages of one command
  double units = 0;  // about how many the stage advances by, where it has no total; 0: unknown
};

/// Follows a command through its plan. The share that it tells never falls.
class CommandShare {
 public:
  /// Starts anew at `now`, in seconds.
  void Plan(std::vector<PlannedStage> stages, double now);
  bool planned() const { return total_ > 0; }
  /// A stage starts: those before it in the plan are over. A stage that is not planned costs
  /// nothing.
  void StartStage(std::string_view name, double now);

  /// What is known of the stage under way.
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
  /// Seconds that a unit of cost has taken; nothing until a part of the plan is done.
  std::optional<double> SecondsPerCost(double done, double now) const;

  std::vector<PlannedStage> stages_;
  double total_ = 0;
  double before_ = 0;      // cost of stages that are over
  size_t current_ = 0;     // stages_.size(): all are over
  bool in_stage_ = false;  // the current one has started, and no unplanned one since
  double start_ = 0;
  double stage_start_ = 0;
  double least_ = 0;  // the share that was told last
};

}  // namespace edgemill::cli
