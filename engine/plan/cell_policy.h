// Decides whether pulls by lists give way to pulls by cells (kernels/gpu/cells/edge_cells.h).
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cost/cell_forecast.h"

namespace edgemill {

/// Knows a forecast, and how many pulls there were. Cells are worth making if the pulls that follow
/// will save what they cost. Times of pulls are not asked: by cells, sums are added up in another
/// order, and a run must give the same bits each time.
class CellPolicy {
 public:
  /// Pulls over fewer edges are not worth a forecast: they take a quarter of a millisecond.
  static constexpr EdgeIndex kLeastEdges = EdgeIndex{1} << 25;
  /// After this many pulls, an algorithm's own forecast of iterations is trusted.
  static constexpr uint64_t kTrustedPulls = 3;

  bool has_forecast() const { return forecast_.has_value(); }
  void SetForecast(const CellForecast& forecast) { forecast_ = forecast; }
  /// Notes a pull that goes by lists.
  void AddPull() { ++pulls_; }
  /// Whether to make cells before the next pull. `pulls_left`: how many pulls follow, as the
  /// algorithm expects. Without that, cells are made once they would have saved their cost, had
  /// they been there from the start: at worst the run then takes twice the least possible time.
  bool ShouldMake(std::optional<uint64_t> pulls_left) const {
    if (!forecast_ || pulls_ < kTrustedPulls) return false;
    const double gain = forecast_->list_seconds - forecast_->pass_seconds;
    if (gain <= kMinGain * forecast_->list_seconds) return false;
    const double pulls = static_cast<double>(pulls_left.value_or(pulls_));
    return pulls * gain >= kMargin * forecast_->make_seconds;
  }

 private:
  /// The least share of a pull's time that cells must save: the forecast is not more exact.
  static constexpr double kMinGain = 0.2;
  /// What cells must save, over their cost, since either forecast may be wrong.
  static constexpr double kMargin = 1.3;

  std::optional<CellForecast> forecast_;
  uint64_t pulls_ = 0;
};

}  // namespace edgemill
