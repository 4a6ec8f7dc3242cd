// How a test program is asked to be the program: its first argument.
#pragma once

namespace edgemill {

inline constexpr char kAsProgram[] = "--as-edgemill";

}  // namespace edgemill
