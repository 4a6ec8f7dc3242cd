// The note in which a resumed ingest says how much of the earlier work is kept.
#pragma once

#include <string>

#include "loaders/ingest/ingest_state.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Says which work `state`, as loaded from the journal, keeps, and which work is done again.
/// `source` has been resumed at the state's position.
std::string ResumeNote(const IngestState& state, const EdgeSource& source);

}  // namespace edgemill
