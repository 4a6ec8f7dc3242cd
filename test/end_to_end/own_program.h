// How a test program is told to run as the program: its first argument.
#pragma once

namespace edgemill {

inline constexpr char kAsProgram[] = "--as-edgemill";

}  // namespace edgemill
