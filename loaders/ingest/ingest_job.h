// One running ingest: calls the remaining stages in their order, and commits.
#pragma once

#include <string_view>

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/ingest/ingest.h"
#include "loaders/ingest/ingest_journal.h"
#include "loaders/ingest/ingest_state.h"

namespace edgemill {

/// The journal's key for the options with which an ingest was begun.
inline constexpr std::string_view kIngestOptionsKey = "ingest.options";

/// Holds the inputs and results of the stages. Stages do not use this class.
class IngestJob {
 public:
  IngestJob(EdgeSource& source, GraphWriter& writer, const IngestOptions& options,
            MemoryBudget& budget, Progress& progress);

  /// Runs all remaining stages and commits. With `resume`, goes on from the writer's journal.
  StatusOr<IngestReport> Run(bool resume);

 private:
  /// Decides the graph's schema, plans memory and makes the id sets. Sets `rules` for Read.
  Status Begin(EdgeRules* rules);
  Status GatherNames(EdgeRules* rules);
  Status Read(const EdgeRules& rules);
  Status DecideVertexIds();
  Status Prepare();
  /// Renumbers the vertices. If the options did not ask for it and memory is too small, vertices
  /// keep their order.
  Status RenumberOrKeep();
  /// Replaces the hashes of names in edges by ranks, and writes the names if `symmetric`. With
  /// `single_log`, edges go to one log, since they are spread over buckets later.
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
