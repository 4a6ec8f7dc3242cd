// What an ingest has found out and made so far.
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

/// What is to be done next. The values are stored in the journal.
enum class IngestStage : uint8_t {
  kRead = 0,
  kPrepare = 1,
  kEncodeOut = 2,
  kEncodeIn = 3,
  kCommit = 4
};

/// What stages hand to the stages that follow, and to a process that resumes.
struct IngestState {
  IngestStage stage = IngestStage::kRead;
  /// As the input's first edges have decided, where the options leave it open.
  std::optional<Renumbering> renumbering;
  IntakeStats stats;
  SpilledEdges edges;           // its space outlives the streams of what follows
  std::string source_position;  // to resume reading at; empty: from the start
  uint64_t bad_lines = 0;       // skipped, once all is read
  /// Bytes of the processes before.
  uint64_t spill_bytes_written = 0;
  uint64_t spill_bytes_read = 0;
  IdSets seen_ids;
  std::optional<NameIntake> name_intake;  // until names are ranks
  VertexIdMap vertex_ids;
  EncodedGraph encoded;
  std::string encoder_state;             // to resume encoding with; empty: from the start
  uint64_t largest_sortable_bucket = 0;  // the largest bucket that the process before could sort
};

}  // namespace edgemill
