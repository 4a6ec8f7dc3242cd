// One ingest under way: calls the stages that are left in their order, and commits.
#pragma once

#include <string_view>

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/ingest/ingest.h"
#include "loaders/ingest/ingest_journal.h"
#include "loaders/ingest/ingest_state.h"

namespace edgemill {

/// Where the journal has the options that an ingest was begun with.
inline constexpr std::string_view kIngestOptionsKey = "ingest.options";

/// Holds what the stages take and return. Stages know nothing of it.
class IngestJob {
 public:
  IngestJob(EdgeSource& source, GraphWriter& writer, const IngestOptions& options,
            MemoryBudget& budget, Progress& progress);

  /// Runs all stages that are left and commits. `resume`: goes on from the writer's journal.
  StatusOr<IngestReport> Run(bool resume);

 private:
  /// Decides the graph's schema, plans memory and makes the id sets; `rules` are to read by.
  Status Begin(EdgeRules* rules);
  Status GatherNames(EdgeRules* rules);
  Status Read(const EdgeRules& rules);
  Status DecideVertexIds();
  Status Prepare();
  /// Replaces the hashes of names in edges by ranks, and writes the names where `symmetric`.
  /// `single_log`: edges are spread once more.
  /// Renumbers. Vertices keep their order where that was left open, and memory is too small.
  Status RenumberOrKeep();
  Status RankByName(bool symmetric, bool single_log);
  Status Encode(bool in_columns);
  Status Commit();
  IdChoice id_choice() const;
  BucketRules RulesOfBuckets() const;

  const IngestOptions options_;
  IngestReport report_;
  EdgeErrorLocator places_;
  IngestPlan plan_;
  const IngestContext context_;
  GraphSchema schema_;
  IngestState state_;
  IngestJournal journal_;
};

}  // namespace edgemill
