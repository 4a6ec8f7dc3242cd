// What pulls by cells (kernels/gpu/cells/edge_cells.h) will cost, before any cell is made.
#pragma once

#include <array>
#include <cstdint>

#include "common/types.h"

namespace edgemill {

/// The lists of a direction by length: element i counts those of 2^(i-1) to 2^i - 1 edges.
struct LengthCounts {
  static constexpr uint32_t kNumLengths = 33;  // longer lists count as the longest

  std::array<unsigned long long, kNumLengths> lists{};
  std::array<unsigned long long, kNumLengths> edges{};
};

struct CellForecast {
  double parts = 0;         // of lists, each from one sender range
  double list_seconds = 0;  // of a pull by lists
  double pass_seconds = 0;  // of a pull by cells
  double make_seconds = 0;  // to make the cells
};

/// What decides the times beside the lengths of lists.
struct CellSetting {
  bool in_order = false;     // vertices are in the order of their degrees
  uint64_t cache_bytes = 0;  // of the GPU's L2 cache
};

/// Forecasts from the lengths of the receivers' lists. Senders are taken to have as many edges, in
/// falling order, and edges to be independent: where neighbours lie together, there are fewer
/// parts.
CellForecast ForecastCells(const LengthCounts& lengths, const CellSetting& setting);

}  // namespace edgemill
