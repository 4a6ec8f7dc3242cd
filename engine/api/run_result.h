// RunResult over an Answer: internal vertices back to input ids, in order.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/algorithm.h"
#include "engine/api/run.h"
#include "engine/graph/id_map.h"

namespace edgemill {

/// What an answer is read from once the run has ended: its column's arrays, and the indexes of
/// which it may take degrees.
struct AnswerSource {
  std::unique_ptr<LoadedGraph> graph;
  std::unique_ptr<State> state;
};

/// Holds the answer's arrays and the reader for the id columns.
class AnswerResult : public RunResult {
 public:
  AnswerResult(const GraphStore& store, MemoryBudget& budget, std::unique_ptr<BlockReader> reader,
               AnswerSource source, Answer answer, RunReport report)
      : store_(store),
        budget_(budget),
        reader_(std::move(reader)),
        source_(std::move(source)),
        answer_(std::move(answer)),
        report_(std::move(report)) {}

  ResultType type() const override { return column().type; }
  std::string_view value_name() const override { return column().name; }
  TopKind top_kind() const override { return column().top; }
  uint32_t default_top() const { return column().default_top; }
  uint64_t num_vertices() const override { return store_.info().num_vertices; }
  Status Visit(const Visitor& visit) override;
  const std::vector<ResultFact>& facts() const override { return answer_.facts; }
  const RunReport& report() const override { return report_; }
  const std::vector<TopEntry>& top() const override { return top_; }
  BlockReader& reader() override { return *reader_; }

  /// Finds what top() gives; nothing of parents. Reads the id columns once. BudgetError.
  Status FindTop(uint32_t count, int threads);

 private:
  const ResultColumn& column() const { return answer_.column; }
  /// Input ids by internal vertex, for answers that are vertices: 8 bytes a vertex.
  StatusOr<Array<ExternalId>> LoadIds(MemoryReservation* reservation);
  VertexValue Value(ExternalId id, VertexId vertex) const;
  template <typename T>
  Status FindTopValues(uint32_t count, int threads);
  Status FindLargestGroups(uint32_t count);

  const GraphStore& store_;
  MemoryBudget& budget_;
  std::unique_ptr<BlockReader> reader_;
  const AnswerSource source_;
  const Answer answer_;
  RunReport report_;
  std::vector<TopEntry> top_;
};

}  // namespace edgemill
