// Values of touched vertices on their way between the host's copy of the state and another.
#pragma once

#include <span>

#include "engine/hybrid/team_memories.h"

namespace edgemill {

/// The memory to which values go.
enum class ReturnTo : uint8_t { kHost, kOther };

/// Copies the elements of `views` for the vertices in `touched` between the host and the memory
/// `other`. Where `touched` has no words, all vertices of its range are in it. Copies single
/// elements, or the whole range where it has fewer bytes. Returns the bytes that cross.
StatusOr<uint64_t> ReturnValues(ReturnTo to, MemoryId other, std::span<const OwnElements> views,
                                const IndexSet& touched);

}  // namespace edgemill
