// Figures by the number of threads: how they are named, and the bounds beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/result_file.h"

namespace edgemill::bench {

/// "copy" on four threads: "copy, 4 threads".
std::string OnThreads(std::string_view what, int threads);

}  // namespace edgemill::bench
