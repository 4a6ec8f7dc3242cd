#include "loaders/read/edge_locator.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "common/cancel.h"
#include "loaders/read/chunk_lines.h"
#include "loaders/read/input_plan.h"
#include "loaders/read/open_input.h"
#include "loaders/stream/input_copies.h"

namespace edgemill {
namespace {

/// The first edge of `chunk` that `match` selects, and its index. If no edge matches, the first
/// listed vertex that matches, as a loop; the index is then that of no edge.
std::optional<LocatedEdge> FindIn(const EdgeChunk& chunk, const EdgeMatch& match, size_t* index) {
  for (size_t i = 0; i < chunk.num_edges(); ++i) {
    LocatedEdge edge = chunk.Edge(i);
    *index = i;
    if (!match(edge)) continue;
    chunk.NameEnds(&edge);
    return edge;
  }
  *index = chunk.num_edges();
  for (const ExternalId vertex : chunk.vertices) {
    const LocatedEdge listed{.source = vertex, .target = vertex};
    if (match(listed)) return listed;
  }
  return std::nullopt;
}

/// Sets in `place` the line where it was read: the line of `raw` with an edge that `match` selects.
/// Parses one line after the other.
void FindLine(const Input& input, const RawChunk& raw, uint64_t max_bad, const EdgeMatch& match,
              LocatedEdge* place) {
  place->where = input.name();
  place->place.file = input.name();
  ChunkLines lines(input, raw);
  while (lines.Next(max_bad)) {
    size_t index = 0;
    if (!FindIn(lines.chunk(), match, &index).has_value()) continue;
    place->place.line = lines.begin().line;
    place->place.column = lines.begin().line_bytes + 1;
    place->where += StrCat(":", lines.begin().line, ":", lines.begin().line_bytes + 1);
    return;
  }
}

/// Sets in `place` where edge `index` of a raw chunk without text was read: its line, if the input
/// keeps it, or else its number in the input.
void PlaceEdge(const Input& input, const RawChunk& raw, size_t index, uint64_t edges_before,
               LocatedEdge* place) {
  place->place.file = input.name();
  place->place.line = input.LineOf(raw, index);
  place->where = place->place.line.has_value()
                     ? StrCat(input.name(), ":", *place->place.line, ":1")
                     : StrCat(input.name(), " (edge ", edges_before + index, ")");
}

}  // namespace

StatusOr<LocatedEdge> LocateEdge(const std::vector<std::string>& paths, const ReadOptions& given,
                                 const EdgeMatch& match) {
  ReadOptions options = given;
  ASSIGN_OR_RETURN(const std::vector<PlannedInput> plan, PlanInputs(paths, options));
  for (const PlannedInput& planned : plan) {
    std::error_code ignored;
    const bool copied = options.copies != nullptr && options.copies->contains(planned.path);
    if (!copied && !std::filesystem::is_regular_file(planned.path, ignored)) break;
    ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, OpenInput(planned, options));
    options = OptionsAfter(input->info(), options);
    RawChunk raw;
    raw.buffer = std::make_unique<RawBuffer>();
    raw.name_seed = options.name_seed;
    EdgeChunk chunk;
    uint64_t edges_before = 0;
    while (!raw.ends_input) {
      RETURN_IF_ERROR(CheckCancelled());
      RETURN_IF_ERROR(input->NextChunk(options.chunk_bytes, &raw));
      RETURN_IF_ERROR(input->Read(&raw));
      RETURN_IF_ERROR(input->AssignLineNumbers(&raw));
      chunk.Clear();
      ParseResult result;
      result.max_bad = options.max_bad_lines;
      RETURN_IF_ERROR(input->Parse(raw, &chunk, &result));
      size_t index = 0;
      if (std::optional<LocatedEdge> found = FindIn(chunk, match, &index)) {
        if (raw.begin.line > 0) {
          FindLine(*input, raw, options.max_bad_lines, match, &*found);
        } else {
          PlaceEdge(*input, raw, index, edges_before, &*found);
        }
        return *std::move(found);
      }
      edges_before += chunk.num_edges();
    }
  }
  return LocatedEdge{};
}

}  // namespace edgemill
