// The results of an ingest so far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "loaders/context/edge_intake.h"
#include "loaders/context/id_sets.h"
#include "loaders/context/spilled_edges.h"
#include "loaders/ids/vertex_id_map.h"
#include "loaders/names/name_intake.h"
#include "loaders/stages/encode_stage.h"

namespace edgemill {

/// The next stage of an ingest. The values are stored in the journal.
enum class IngestStage : uint8_t {
  kRead = 0,
  kPrepare = 1,
  kEncodeOut = 2,
  kEncodeIn = 3,
  kCommit = 4
};

/// The data that stages pass to later stages, and to a process that resumes.
struct IngestState {
  IngestStage stage = IngestStage::kRead;
  /// The decision by the input's first edges; unset if the options decide.
  std::optional<Renumbering> renumbering;
  IntakeStats stats;
  SpilledEdges edges;           // its space outlives the streams of the fields below
  std::string source_position;  // where to resume reading; empty: at the start
  uint64_t bad_lines = 0;       // skipped lines; set once all is read
  /// Bytes that earlier processes of this ingest wrote and read.
  uint64_t spill_bytes_written = 0;
  uint64_t spill_bytes_read = 0;
  IdSets seen_ids;
  std::optional<NameIntake> name_intake;  // until ranks replace names
  VertexIdMap vertex_ids;
  EncodedGraph encoded;
  std::string encoder_state;             // to resume encoding; empty: encode from the start
  uint64_t largest_sortable_bucket = 0;  // the most edges that the last process could sort at once
};

}  // namespace edgemill
