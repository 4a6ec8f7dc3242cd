#include "loaders/ingest/resume_note.h"

#include "common/units.h"

namespace edgemill {
namespace {

/// The note if reading had not finished.
std::string ReadNote(const IngestState& state, const EdgeSource& source) {
  if (state.source_position.empty()) {
    return "resuming: no edge that was read had been kept: reading starts over";
  }
  const std::string edges = FormatCount(state.stats.edges);
  const SourcePlace place = source.place();
  if (place.repeated_bytes > 0) {
    return StrCat("resuming: ", edges, " edges are kept; ", FormatBytes(place.repeated_bytes),
                  " of uncompressed input are read again, then reading goes on from there");
  }
  const uint64_t all = source.info().input_bytes;
  const double share = static_cast<double>(place.stored_bytes) / static_cast<double>(all);
  return StrCat("resuming: ", edges, " edges of the first ", FormatBytes(place.stored_bytes),
                all == 0 ? "" : StrCat(" (", FormatFixed(100 * share, 0), " %)"),
                " are kept; reading goes on from there");
}

}  // namespace

std::string ResumeNote(const IngestState& state, const EdgeSource& source) {
  const auto kept = [&](std::string_view next) {
    return StrCat("resuming: all ", FormatCount(state.stats.edges), " edges are read and kept; ",
                  next);
  };
  switch (state.stage) {
    case IngestStage::kRead:
      break;
    case IngestStage::kPrepare:
      return kept("preparing to sort them starts over");
    case IngestStage::kEncodeOut:
    case IngestStage::kEncodeIn: {
      const std::string_view direction = state.stage == IngestStage::kEncodeOut ? "out" : "in";
      return kept(StrCat("sorting ", direction, "-edges ",
                         state.encoder_state.empty() ? "starts over" : "goes on"));
    }
    case IngestStage::kCommit:
      return kept("they are sorted, and the graph is completed");
  }
  return ReadNote(state, source);
}

}  // namespace edgemill
