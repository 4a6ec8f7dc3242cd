// Which kernel pulls where every vertex takes the messages of all its neighbours.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/cost/cell_forecast.h"

namespace edgemill {

enum class PullKernel : uint8_t {
  kAuto,   // by cells once these pay
  kLists,  // list by list, from packed blocks
  kDense,  // by cells (kernels/gpu/edge_cells.h), from the first pass on
};

/// "auto", "lists", "dense".
std::string_view PullKernelName(PullKernel kernel);

/// Decides after each pull by lists whether the next one is worth making cells. It does not know
/// how many will follow. So it waits until cells, had they been there from the start, would have
/// saved as much as they cost to make: at worst it then spends twice the least possible time.
class CellPolicy {
 public:
  /// Shorter pulls are not worth a forecast.
  static constexpr double kLeastPullSeconds = 0.5e-3;

  bool has_forecast() const { return has_forecast_; }
  void SetForecast(const CellForecast& forecast) {
    forecast_ = forecast;
    has_forecast_ = true;
  }
  /// Notes a pull that went by lists.
  void AddPull(double seconds) {
    last_seconds_ = seconds;
    if (has_forecast_) lost_seconds_ += Gain();
  }
  /// Whether a forecast would help to decide.
  bool AsksForForecast() const { return !has_forecast_ && last_seconds_ >= kLeastPullSeconds; }
  bool ShouldMake() const {
    return has_forecast_ && Gain() > kMinGain * last_seconds_ &&
           lost_seconds_ >= forecast_.make_seconds;
  }

 private:
  /// The least share of a pull's time that cells must save: the forecast is not more exact.
  static constexpr double kMinGain = 0.2;

  double Gain() const { return last_seconds_ - forecast_.pass_seconds; }

  CellForecast forecast_;
  bool has_forecast_ = false;
  double last_seconds_ = 0;
  double lost_seconds_ = 0;  // by pulls that went by lists
};

}  // namespace edgemill
