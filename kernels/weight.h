// The weight type of programs that use no weights.
#pragma once

namespace edgemill {

/// Takes the place of int32_t, float or double where a program reads no weights.
struct NoWeight {};

}  // namespace edgemill
