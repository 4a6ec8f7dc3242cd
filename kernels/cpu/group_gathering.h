// Whole groups of a packed payload, gathered into a smaller one (Subway 3.1's last step, with
// nothing re-coded).
//
// The result has the form of the whole. It has every group's header, so that groups keep their
// numbers. It has only the data of wanted groups, and their headers say where. Headers of the
// others have no meaning, and must not be read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/format/group_codec.h"

namespace edgemill {

/// Bytes that GatherGroups writes: of the payload with the groups that are set in `groups`, from
/// bit `first` on (null: all).
uint64_t GatheredBytes(const PackedView& view, const uint32_t* groups, uint64_t first);

/// Writes it to `out` (8-byte aligned); returns its bytes.
uint64_t GatherGroups(const PackedView& view, const uint32_t* groups, uint64_t first,
                      std::byte* out);

}  // namespace edgemill
