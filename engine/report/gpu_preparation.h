// What a run made on a GPU beside the blocks of the graph.
#pragma once

#include <cstdint>

namespace edgemill {

/// Cells for pulls (kernels/gpu/cells/edge_cells.h).
struct CellReport {
  uint64_t times = 0;       // made; a run with pulls both ways may make two
  uint64_t parts = 0;       // of lists, of the last ones
  uint64_t bytes = 0;       // on the GPU, with messages and partial sums
  double make_seconds = 0;  // part of the iterations that needed them
};

struct GpuPreparation {
  bool samples_neighbors = false;  // one of each vertex
  CellReport cells;
};

}  // namespace edgemill
