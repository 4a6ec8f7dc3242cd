// What a resumed ingest says of the work before it.
#pragma once

#include <string>

#include "loaders/ingest/ingest_state.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// What `state`, as the journal had it, keeps, and what is done again. `source` has been resumed at
/// the state's position.
std::string ResumeNote(const IngestState& state, const EdgeSource& source);

}  // namespace edgemill
