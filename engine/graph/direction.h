// Which lists of a graph: those of out-edges or of in-edges.
#pragma once

namespace edgemill {

/// Which lists of a vertex are meant: those of its out-edges or of its in-edges.
enum class Direction { kOut = 0, kIn = 1 };

}  // namespace edgemill
