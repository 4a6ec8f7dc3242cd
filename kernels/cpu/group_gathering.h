// Gathers whole groups of a packed payload into a smaller payload, without coding them again. (This
// is the last step of Subway, section 3.1.)
//
// The result has the format of the whole payload. It has a header for every group, so that groups
// keep their numbers. It has data only for wanted groups. Headers of other groups have no meaning,
// and must not be read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/format/group_codec.h"

namespace edgemill {

/// Returns the bytes that GatherGroups writes. Wanted groups have a set bit in `groups`, from bit
/// `first` on (null: all groups are wanted).
uint64_t GatheredBytes(const PackedView& view, const uint32_t* groups, uint64_t first);

/// Writes the gathered payload to `out` (8-byte aligned), and returns its bytes.
uint64_t GatherGroups(const PackedView& view, const uint32_t* groups, uint64_t first,
                      std::byte* out);

}  // namespace edgemill
