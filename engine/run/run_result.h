// RunResult over an Answer: internal vertices back to input ids, in order.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/algorithm.h"
#include "engine/graph/id_map.h"
#include "engine/run/run.h"

namespace edgemill {

/// What an answer is read from once the run has ended: its arrays, and the indexes of
/// which it may take degrees.
struct AnswerSource {
  std::unique_ptr<LoadedGraph> graph;
  std::unique_ptr<State> state;
};

/// Holds the answer's arrays and the reader for the id columns.
class AnswerResult : public RunResult {
 public:
  AnswerResult(const GraphStore& store, MemoryBudget& budget, std::unique_ptr<BlockReader> reader,
               const ResultColumn& column, AnswerSource source, Answer answer, RunReport report)
      : store_(store),
        budget_(budget),
        reader_(std::move(reader)),
        column_(column),
        source_(std::move(source)),
        answer_(std::move(answer)),
        report_(std::move(report)) {
    CheckFilled();
  }

  ResultType type() const override { return is_real() ? ResultType::kReal : column_.type; }
  std::string_view value_name() const override { return column_.name; }
  TopKind top_kind() const override { return column_.top; }
  uint32_t default_top() const { return column_.default_top; }
  uint64_t num_vertices() const override { return store_.info().num_vertices; }
  Status Visit(const Visitor& visit) override;
  const std::vector<ResultFact>& facts() const override { return answer_.facts; }
  const std::vector<std::string>& warnings() const override { return answer_.warnings; }
  bool settled() const override { return answer_.settled; }
  const std::string& no_measure() const override { return answer_.no_measure; }
  const RunReport& report() const override { return report_; }
  const std::vector<TopEntry>& top() const override { return top_; }
  BlockReader& reader() override { return *reader_; }

  /// Finds what top() gives; nothing of parents. Reads the id columns once. BudgetError.
  Status FindTop(uint32_t count, int threads);

 private:
  /// An author's mistake where the answer is not that of the declared column.
  void CheckFilled() const;
  bool is_real() const { return answer_.integer == nullptr; }
  /// Input ids by internal vertex, for answers that are vertices: 8 bytes a vertex.
  StatusOr<Array<ExternalId>> LoadIds(MemoryReservation* reservation);
  VertexValue Value(ExternalId id, VertexId vertex) const;
  template <typename T>
  Status FindTopValues(uint32_t count, int threads);
  Status FindLargestGroups(uint32_t count);

  const GraphStore& store_;
  MemoryBudget& budget_;
  std::unique_ptr<BlockReader> reader_;
  const ResultColumn column_;
  const AnswerSource source_;
  const Answer answer_;
  RunReport report_;
  std::vector<TopEntry> top_;
};

}  // namespace edgemill
