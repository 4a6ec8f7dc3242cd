// One running ingest: calls the remaining stages in their order, and commits.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/ingest/ingest.h"
#include "loaders/ingest/ingest_journal.h"
#include "loaders/ingest/ingest_state.h"

namespace edgemill {

/// The journal's key for the options with which an ingest was begun.
inline constexpr std::string_view kIngestOptionsKey = "ingest.options";

/// A pass that adds an edge column to a graph whose edges are stored already.
struct ColumnPass {
  size_t column = 0;  // of IngestOptions::edge_columns
  std::shared_ptr<TextCodes> codes;
};

/// Holds the inputs and results of the stages. Stages do not use this class.
class IngestJob {
 public:
  IngestJob(EdgeSource& source, GraphWriter& writer, const IngestOptions& options,
            MemoryBudget& budget, Progress& progress);
  /// A job that only runs `pass`: `source` is EdgeSource::WithColumn's.
  IngestJob(EdgeSource& source, const IngestContext& context, const IngestOptions& options,
            ColumnPass pass);

  /// Runs all remaining stages and commits. With `resume`, goes on from the writer's journal.
  StatusOr<IngestReport> Run(bool resume);

 private:
  /// Runs the stages from state_.stage on, up to the last but the commit.
  Status RunStages(const EdgeRules& rules);
  /// Stores the column of the pass. BadDataError when the input no longer has the edges of `graph`.
  StatusOr<EdgeColumn> RunColumn(const StoredGraph& graph);
  /// Opens the input for edge column `column`. UsageError when it has no such column, or the
  /// options forbid it.
  StatusOr<std::unique_ptr<EdgeSource>> OpenColumn(const ColumnPass& pass) const;
  Status CheckColumns() const;
  /// Adds the edge columns that the graph does not have yet.
  Status AddColumns(StoredGraph* graph);
  /// Says what was stored.
  StoredGraph Describe();
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
  Status Commit(StoredGraph graph);
  IdChoice id_choice() const;
  BucketRules RulesOfBuckets() const;

  const IngestOptions options_;
  const std::optional<ColumnPass> pass_;  // unset: the first pass
  std::vector<uint32_t> text_ranks_;      // of the pass, once its input is read
  IngestReport report_;
  EdgeErrorLocator places_;
  IngestPlan plan_;
  const IngestContext context_;
  GraphSchema schema_;
  IngestState state_;
  IngestJournal journal_;
};

}  // namespace edgemill
