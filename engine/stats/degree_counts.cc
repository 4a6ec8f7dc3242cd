#include "engine/stats/degree_counts.h"

#include <algorithm>
#include <map>

namespace edgemill {

DegreeCounts::DegreeCounts(const VertexIndexView& index) : num_vertices_(index.num_vertices) {
  // Nearly all degrees are small. Only larger ones go through the map.
  std::vector<uint64_t> small(4096, 0);
  std::map<uint64_t, uint64_t> large;
  for (uint64_t vertex = 0; vertex < num_vertices_; ++vertex) {
    const EdgeIndex degree = index.degree(static_cast<VertexId>(vertex));
    if (degree < small.size()) {
      ++small[degree];
    } else {
      ++large[degree];
    }
  }
  for (uint64_t degree = 0; degree < small.size(); ++degree) {
    if (small[degree] > 0) counts_.push_back({degree, small[degree]});
  }
  for (const auto& [degree, vertices] : large) counts_.push_back({degree, vertices});
}

double DegreeCounts::mean() const {
  double sum = 0;
  for (const Count& count : counts_) {
    sum += static_cast<double>(count.degree) * static_cast<double>(count.vertices);
  }
  return num_vertices_ == 0 ? 0 : sum / static_cast<double>(num_vertices_);
}

uint64_t DegreeCounts::Quantile(double share) const {
  uint64_t below = 0;
  for (const Count& count : counts_) {
    below += count.vertices;
    if (static_cast<double>(below) >= share * static_cast<double>(num_vertices_)) {
      return count.degree;
    }
  }
  return most();
}

uint64_t DegreeCounts::num_isolated() const {
  return counts_.empty() || counts_.front().degree > 0 ? 0 : counts_.front().vertices;
}

}  // namespace edgemill
