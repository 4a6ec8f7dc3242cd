// How messages cross edges in one pass.
#pragma once

#include <cstdint>
#include <string_view>

namespace edgemill {

enum class Mode : uint8_t {
  kAuto,
  kPull,        // each vertex reads its in-edges: no atomics
  kPush,        // each active vertex writes along its out-edges
  kNotifyPull,  // active vertices mark their out-neighbours, and only those pull (Garaph 4)
};

/// "auto", "pull", "push", "notify-pull".
std::string_view ModeName(Mode mode);

}  // namespace edgemill
