// Decides whether pulls by lists give way to pulls by cells (kernels/gpu/cells/edge_cells.h).
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cost/cell_forecast.h"

namespace edgemill {

/// Knows the times of the pulls so far, and a forecast. Cells are worth making if the pulls that
/// follow will save what they cost.
class CellPolicy {
 public:
  /// Shorter pulls are not worth a forecast.
  static constexpr double kLeastPullSeconds = 0.5e-3;
  /// After this many pulls, an algorithm's own forecast of iterations is trusted.
  static constexpr uint64_t kTrustedPulls = 3;

  void SetForecast(const CellForecast& forecast) { forecast_ = forecast; }
  /// Notes a pull that went by lists.
  void AddPull(double seconds) {
    ++pulls_;
    last_seconds_ = seconds;
    if (forecast_) lost_seconds_ += Gain();
  }
  /// Whether a forecast would help to decide.
  bool AsksForForecast() const { return !forecast_ && last_seconds_ >= kLeastPullSeconds; }
  /// Whether to make cells before the next pull. `pulls_left`: how many pulls follow, as the
  /// algorithm expects. Without that, cells are made once they would have saved their cost, had
  /// they been there from the start: at worst the run then takes twice the least possible time.
  bool ShouldMake(std::optional<uint64_t> pulls_left) const {
    if (!forecast_ || Gain() <= kMinGain * last_seconds_) return false;
    const bool is_known = pulls_left.has_value() && pulls_ >= kTrustedPulls;
    const double saved = is_known ? static_cast<double>(*pulls_left) * Gain() : lost_seconds_;
    return saved >= kMargin * forecast_->make_seconds;
  }

 private:
  /// The least share of a pull's time that cells must save: the forecast is not more exact.
  static constexpr double kMinGain = 0.2;
  /// What cells must save, over their cost.
  static constexpr double kMargin = 1.1;

  double Gain() const { return last_seconds_ - forecast_->pass_seconds; }

  std::optional<CellForecast> forecast_;
  uint64_t pulls_ = 0;
  double last_seconds_ = 0;
  double lost_seconds_ = 0;  // by pulls that went by lists, since the forecast
};

}  // namespace edgemill
