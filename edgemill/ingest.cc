#include "loaders/ingest/ingest.h"

#include <algorithm>

#include "common/os/file.h"
#include "edgemill/edgemill.h"
#include "edgemill/given_edges.h"
#include "edgemill/operation.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/read/edge_reader.h"

namespace edgemill {
namespace {

/// Edges of one call where arrays are given as a whole.
constexpr size_t kArrayChunkEdges = size_t{1} << 16;

StatusOr<IngestReport> IngestSource(EdgeSource& source, const std::string& out,
                                    const IngestSettings& settings, Operation& operation) {
  IngestOptions options = settings.graph;
  options.threads = operation.threads;
  options.removes_unfinished = true;
  for (const std::string& note : IngestNotes(source.info(), options.direction)) {
    operation.progress.Note(note);
  }
  return Ingest(source, out, options, operation.budget, operation.progress);
}

}  // namespace

StatusOr<IngestReport> Ingest(const std::vector<std::string>& files, const std::string& out,
                              const IngestSettings& settings) {
  if (files.empty()) return UsageError("ingest: there are no inputs: give the files of the edges");
  Operation operation(settings.resources);
  ReadOptions read = settings.read;
  ReadFor(settings.graph, &read);
  read.table_means = {&operation.budget, operation.threads, LeastIngestBytes(settings.graph),
                      out + ".duckdb"};
  read.copies_directory = ParentDirectory(WithoutTrailingSlashes(out));
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, OpenEdgeReader(files, read));
  return IngestSource(*source, out, settings, operation);
}

StatusOr<IngestReport> Ingest(const NextEdges& next, bool weighted, const std::string& out,
                              const IngestSettings& settings) {
  Operation operation(settings.resources);
  GivenEdges source(next, weighted, settings.graph.ids == IdMode::kStrings);
  return IngestSource(source, out, settings, operation);
}

StatusOr<IngestReport> Ingest(const EdgeArrays& edges, const std::string& out,
                              const IngestSettings& settings) {
  const bool named = settings.graph.ids == IdMode::kStrings;
  const size_t count = named ? edges.source_names.size() : edges.sources.size();
  const size_t num_targets = named ? edges.target_names.size() : edges.targets.size();
  const bool weighted = !edges.weights.empty();
  if (num_targets != count || (weighted && edges.weights.size() != count)) {
    return UsageError(StrCat("ingest: ", count, " sources, ", num_targets, " targets and ",
                             edges.weights.size(), " weights: give arrays of one length"));
  }
  size_t at = 0;
  const NextEdges next = [&]() -> StatusOr<EdgeArrays> {
    const size_t some = std::min(kArrayChunkEdges, count - at);
    const auto part = [&](const auto& array) {
      return array.empty() ? array : array.subspan(at, some);
    };
    const EdgeArrays slice{part(edges.sources), part(edges.targets), part(edges.weights),
                           part(edges.source_names), part(edges.target_names)};
    at += some;
    return slice;
  };
  return Ingest(next, weighted, out, settings);
}

}  // namespace edgemill
