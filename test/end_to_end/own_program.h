// The first argument that makes a test program run as Edgemill.
#pragma once

namespace edgemill {

inline constexpr char kAsProgram[] = "--as-edgemill";

}  // namespace edgemill
