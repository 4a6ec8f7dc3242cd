// Which kernel pulls where every vertex takes the messages of all its neighbours.
#pragma once

#include <cstdint>
#include <string_view>

namespace edgemill {

enum class PullKernel : uint8_t {
  kAuto,   // by cells once these pay
  kLists,  // list by list, from packed blocks
  kDense,  // by cells (kernels/gpu/cells/edge_cells.h), from the first pass on
};

/// "auto", "lists", "dense".
std::string_view PullKernelName(PullKernel kernel);

}  // namespace edgemill
