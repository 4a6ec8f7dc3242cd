// The account of cells (kernels/gpu/edge_cells.h) that a run made.
#pragma once

#include <cstdint>

namespace edgemill {

struct CellReport {
  uint64_t times = 0;       // made; a run with pulls both ways may make two
  uint64_t parts = 0;       // of lists
  uint64_t bytes = 0;       // on the GPU, with messages and partial sums
  double make_seconds = 0;  // part of the seconds of set-up
};

}  // namespace edgemill
