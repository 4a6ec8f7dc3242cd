#include "engine/cost/cell_forecast.h"

#include <algorithm>
#include <cmath>

#include "engine/cost/tuning.h"
#include "kernels/gpu/cells/edge_cells.h"

namespace edgemill {
namespace {

/// Returns how many lists have an edge from a range of senders with `share` of all edges.
double ListsReached(const LengthCounts& lengths, double share) {
  double reached = 0;
  for (uint32_t i = 1; i < LengthCounts::kNumLengths; ++i) {
    if (lengths.lists[i] == 0) continue;
    const double lists = static_cast<double>(lengths.lists[i]);
    const double length = static_cast<double>(lengths.edges[i]) / lists;
    reached -= lists * std::expm1(length * std::log1p(-std::min(share, 1 - 1e-12)));
  }
  return reached;
}

}  // namespace

CellForecast ForecastCells(const LengthCounts& lengths, const CellSetting& setting) {
  double edges = 0, vertices = 0;
  for (uint32_t i = 0; i < LengthCounts::kNumLengths; ++i) {
    edges += static_cast<double>(lengths.edges[i]);
    vertices += static_cast<double>(lengths.lists[i]);
  }
  CellForecast forecast;
  if (edges == 0) return forecast;
  // Sender ranges, from the vertices with most edges on. Vertices of one length fill whole ranges
  // of the same share, so these are counted together.
  double room = kRangeSenders, in_range = 0;
  for (uint32_t i = LengthCounts::kNumLengths; i-- > 1;) {
    double left = static_cast<double>(lengths.lists[i]);
    if (left == 0) continue;
    const double length = static_cast<double>(lengths.edges[i]) / left;
    const double first = std::min(left, room);
    in_range += first * length;
    left -= first;
    room -= first;
    if (room > 0) continue;
    forecast.parts += ListsReached(lengths, in_range / edges);
    const double whole = std::floor(left / kRangeSenders);
    if (whole > 0) forecast.parts += whole * ListsReached(lengths, kRangeSenders * length / edges);
    left -= whole * kRangeSenders;
    room = kRangeSenders - left;
    in_range = left * length;
  }
  if (in_range > 0) forecast.parts += ListsReached(lengths, in_range / edges);
  forecast.pass_seconds = edges * kCellSecondsPerEdge + forecast.parts * kCellSecondsPerPart +
                          vertices * kCellSecondsPerVertex + kCellPassSeconds;
  // By lists, a message that the L2 cache does not have comes from the GPU's memory. By degree,
  // most messages are of hubs.
  const bool cached = setting.in_order || 4 * vertices <= static_cast<double>(setting.cache_bytes);
  forecast.list_seconds = edges * (cached ? kListSecondsPerEdge : kFarListSecondsPerEdge);
  const double by_edge =
      kMakeCellSecondsPerEdge + (setting.in_order ? 0 : kOrderCellSecondsPerEdge);
  forecast.make_seconds =
      edges * by_edge + forecast.parts * kMakeCellSecondsPerPart + kMakeCellsSeconds;
  return forecast;
}

}  // namespace edgemill
