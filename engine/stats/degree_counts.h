// How many vertices have each degree.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/vertex_index_view.h"

namespace edgemill {

/// The degrees of one direction. Takes 16 bytes for each different degree, of which there are at
/// most about the square root of twice the number of edges.
class DegreeCounts {
 public:
  struct Count {
    uint64_t degree = 0;
    uint64_t vertices = 0;
  };

  DegreeCounts() = default;
  /// Counts all vertices of `index` by degree.
  explicit DegreeCounts(const VertexIndexView& index);

  /// By rising degree; degrees that no vertex has are left out.
  const std::vector<Count>& counts() const { return counts_; }
  uint64_t num_vertices() const { return num_vertices_; }
  double mean() const;
  uint64_t most() const { return counts_.empty() ? 0 : counts_.back().degree; }
  /// The least degree that at least `share` of the vertices do not exceed.
  uint64_t Quantile(double share) const;
  /// The vertices of degree 0.
  uint64_t num_isolated() const;

 private:
  uint64_t num_vertices_ = 0;
  std::vector<Count> counts_;
};

}  // namespace edgemill
