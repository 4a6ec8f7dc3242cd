// Values of touched vertices on their way between the host's copy of the state and another.
#pragma once

#include <span>

#include "engine/hybrid/team_memories.h"

namespace edgemill {

/// Which way values go.
enum class ReturnTo : uint8_t { kHost, kOther };

/// Copies what `views` have of the vertices in `touched` between the host and the memory `other`,
/// all of its range where it has no words: element by element, or the whole range where that is
/// fewer bytes. Returns the bytes that cross.
StatusOr<uint64_t> ReturnValues(ReturnTo to, MemoryId other, std::span<const OwnElements> views,
                                const IndexSet& touched);

}  // namespace edgemill
