// Ingest: from a stream of edges to a graph on disk, by external sort within a memory budget.
//
// Pass 1 spreads the edges over buckets by key range, in memory and then in temporary files.
// Between the passes ids are mapped, vertices renumbered and buckets that are too large split. Pass
// 2 sorts each bucket and encodes it. docs/ARCHITECTURE.md has the reasons.
#pragma once

#include <string>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Reads all of `source` and writes the graph directory `out_path`. On BadDataError, BudgetError
/// and UsageError nothing stays behind; after a full disk, an I/O error or a cancellation the
/// unfinished ingest stays and its message says how to resume. BudgetError names the least workable
/// budget where it can. Waits until all is on disk.
StatusOr<IngestReport> Ingest(EdgeSource& source, const std::string& out_path,
                              const IngestOptions& options, MemoryBudget& budget,
                              Progress& progress);

/// Options of an ingest that goes on.
struct ResumeOptions {
  IngestOptions options;        // the data directories and threads
  bool compares_shape = false;  // and everything else too, which must be as the ingest was begun
};

/// Goes on with an ingest that stopped. `source` reads the same inputs, from their start:
/// UsageError when their names or sizes differ. The options that shape the graph are those with
/// which the ingest was begun: UsageError when `asked` compares them and they differ. With the same
/// uuid the graph's files come out the same as without the interruption.
StatusOr<IngestReport> ResumeIngest(EdgeSource& source, const std::string& out_path,
                                    const ResumeOptions& asked, MemoryBudget& budget,
                                    Progress& progress);

/// Notes for people: what was guessed about the inputs, and which parts of them are ignored, when
/// edges are read in `direction`.
std::vector<std::string> IngestNotes(const EdgeSourceInfo& info, EdgeDirection direction);

/// As Ingest, into `writer`, which is fresh. For graphs that are not resumed, and tests with a
/// writer of their own: errors do not say how to go on.
StatusOr<IngestReport> IngestInto(EdgeSource& source, GraphWriter& writer,
                                  const IngestOptions& options, MemoryBudget& budget,
                                  Progress& progress);

}  // namespace edgemill
