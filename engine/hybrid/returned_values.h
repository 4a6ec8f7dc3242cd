// Values of touched vertices on their way from their owner's copy of the state to the other.
#pragma once

#include <span>

#include "engine/hybrid/both_copies.h"

namespace edgemill {

/// Which way values go.
enum class ReturnTo : uint8_t { kHost, kPlace };

/// Copies what `views` have of the vertices in `touched`, all of its range where it has no words:
/// element by element, or the whole range where that is fewer bytes. Returns the bytes that cross.
StatusOr<uint64_t> ReturnValues(ReturnTo to, std::span<const OwnElements> views,
                                const IndexSet& touched);

}  // namespace edgemill
