// Precedes an algorithm's file in its compilation for GPUs: see for_gpu.cmake.
//
// Programs say nothing about GPUs, but nvcc wants EM_HOST_DEVICE before every function that a GPU
// calls. From here on, the names of programs' functions are macros that put it there. So a file
// must not call these functions itself. Helpers that they call are constexpr, or have
// EM_HOST_DEVICE before them.
#pragma once

#define EDGEMILL_CHECK_VIEWS 0
#define EDGEMILL_ENGINE "engine/api/engine_for_gpu.cuh"
// The compilation for the host registers the algorithm: this one registers nothing.
#define EDGEMILL_ALGORITHM(file)     \
  extern const char gpu_file_##file; \
  const char gpu_file_##file = 0;    \
  static const Algorithm algorithm_##file

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/api/top_list.h"
#include "engine/program/lanes.h"
#include "engine/program/union_find.h"
#include "engine/verify/plain_visit.h"

#define Emit EM_HOST_DEVICE Emit
#define Along EM_HOST_DEVICE Along
#define Cond EM_HOST_DEVICE Cond
#define Apply EM_HOST_DEVICE Apply
#define Relax EM_HOST_DEVICE Relax
#define Next EM_HOST_DEVICE Next
#define Priority EM_HOST_DEVICE Priority
#define Enough EM_HOST_DEVICE Enough
#define WouldRelax EM_HOST_DEVICE WouldRelax
#define AsksForSender EM_HOST_DEVICE AsksForSender
#define Pending EM_HOST_DEVICE Pending
#define operator EM_HOST_DEVICE operator
