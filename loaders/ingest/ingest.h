// Ingest: from a stream of edges to a graph on disk, by external sort within a memory budget.
//
// Pass 1 spreads the edges over buckets by key range, in memory and then in temporary files.
// Between the passes, ids are mapped, vertices are renumbered, and too large buckets are split.
// Pass 2 sorts and encodes each bucket. docs/ARCHITECTURE.md has the reasons.
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

/// Reads all of `source` and writes the graph directory `out_path`. After BadDataError, BudgetError
/// or UsageError, all files are removed. After a full disk, an I/O error or a cancellation, the
/// unfinished ingest stays, and the message says how to resume. BudgetError names the least budget
/// that works, if it is known. Waits until all is on disk.
StatusOr<IngestReport> Ingest(EdgeSource& source, const std::string& out_path,
                              const IngestOptions& options, MemoryBudget& budget,
                              Progress& progress);

/// Options of an ingest that is resumed.
struct ResumeOptions {
  IngestOptions options;          // data directories and threads; if compares_options, all options
  bool compares_options = false;  // all options that shape the graph must be as in the begun ingest
};

/// Continues an ingest that stopped. `source` reads the same inputs, from their start. UsageError
/// when their names or sizes differ. The options that shape the graph are those with which the
/// ingest was begun. UsageError when `asked` compares them and they differ. With the same uuid, the
/// graph's files are the same as without the interruption.
StatusOr<IngestReport> ResumeIngest(EdgeSource& source, const std::string& out_path,
                                    const ResumeOptions& asked, MemoryBudget& budget,
                                    Progress& progress);

/// Notes for the user when edges are read in `direction`: what was guessed about the inputs, and
/// which parts of them are ignored.
std::vector<std::string> IngestNotes(const EdgeSourceInfo& info, EdgeDirection direction);

/// Does what Ingest does, but into `writer`, which must be new. Errors do not say how to resume.
/// For graphs that are not resumed, and for tests that make the writer.
StatusOr<IngestReport> IngestInto(EdgeSource& source, GraphWriter& writer,
                                  const IngestOptions& options, MemoryBudget& budget,
                                  Progress& progress);

}  // namespace edgemill
