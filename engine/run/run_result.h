// The result of a run: an Answer, read in the order of input ids.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/api/answer.h"
#include "engine/graph/loaded_graph.h"
#include "engine/report/histogram.h"
#include "engine/run/run_report.h"
#include "engine/state/state.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// One vertex's answer: of ResultType::kReal in `real`, else in `integer`; ids are input ids.
struct VertexValue {
  ExternalId id = 0;
  bool reached = true;
  uint64_t integer = 0;
  double real = 0;
};

/// One of the vertices of greatest value, or of the largest components: its input id, and its rank,
/// level, distance or number of vertices.
struct TopEntry {
  ExternalId id = 0;
  std::variant<uint64_t, double> value;
  bool operator==(const TopEntry&) const = default;
};

/// What an answer is read from once the run has ended: its arrays, and the indexes from which it
/// may take degrees.
struct AnswerSource {
  std::unique_ptr<LoadedGraph> graph;
  std::unique_ptr<State> state;
};

class RunResult;

/// The rows of an answer by their ranks: row i is the vertex with the i-th input id. Each vertex
/// has a value for each heading. Thread-safe. The result must outlive it.
class AnswerRows {
 public:
  uint64_t size() const;
  /// The input ids and the internal vertices of rows, from `first_row` on: as many as each span has
  /// elements. Reads the id columns of graphs with sparse or renumbered ids.
  Status ReadVertices(uint64_t first_row, std::span<ExternalId> ids,
                      std::span<VertexId> vertices) const;
  /// The values of `vertices` below a heading: whole numbers, or the bits of doubles. Values that
  /// are vertices are internal ones.
  void Read(std::span<const VertexId> vertices, uint32_t heading, std::span<uint64_t> values) const;
  /// If values are vertices, puts their input ids in their places. Leaves unreached().
  void PutIds(std::span<uint64_t> values) const;
  /// The value of vertices that were not reached: kUnreachedInteger, or infinity.
  uint64_t unreached() const;

 private:
  friend class RunResult;
  explicit AnswerRows(const RunResult& result) : result_(result) {}

  const RunResult& result_;
  MemoryReservation reservation_;
  Array<ExternalId> id_of_;  // by internal vertex, where values are vertices
};

/// A finished run's answers, in memory. The ids of vertices with names are their ranks. Keeps the
/// reader for the columns of ids and names; the store and budget given to Run must outlive it.
class RunResult {
 public:
  /// `answer` reads `source`. Ends the process, as an author's mistake, where the answer does not
  /// fit the declared `column`.
  RunResult(const GraphStore& store, MemoryBudget& budget, const ResultColumn& column,
            AnswerSource source, Answer answer);
  /// Adds the reader, for ids and names, and the report.
  void Finish(std::unique_ptr<BlockReader> reader, RunReport report) {
    CHECK(reader != nullptr && reader_ == nullptr);  // once
    reader_ = std::move(reader);
    report_ = std::move(report);
  }

  ResultType type() const { return is_real() ? ResultType::kReal : column_.type; }
  /// What the values are: "level".
  std::string_view value_name() const { return column_.name; }
  /// What the values of each vertex are: value_name(), or in a column of lists several.
  std::vector<std::string> headings() const {
    return answer_.list == nullptr ? std::vector{std::string(column_.name)} : answer_.headings;
  }
  uint64_t num_vertices() const { return store_.info().num_vertices; }
  /// Calls `visit` with ranges of answers. Input ids rise over all calls; each vertex comes once,
  /// or once for each of headings(), in order. Reads the id columns of graphs with sparse or
  /// renumbered ids. Stops at the visitor's first error.
  using Visitor = std::function<Status(std::span<const VertexValue> values)>;
  Status Visit(const Visitor& visit) const;
  /// The rows of the answer. Takes 8 bytes a vertex of the budget where values are vertices, and
  /// then reads the id columns, on `threads` threads. BudgetError.
  StatusOr<AnswerRows> OpenRows(int threads) const;
  /// What the summary says, in order.
  const std::vector<ResultFact>& facts() const { return answer_.facts; }
  /// Why the answer says less than expected.
  const std::vector<std::string>& warnings() const { return answer_.warnings; }
  /// Whether values converged to the tolerance of the options, if any; else warnings() says so.
  bool converged() const { return answer_.converged; }
  /// The warning for which the run's time says little about the algorithm, or nothing about it.
  const std::string& timing_caveat() const { return answer_.timing_caveat; }
  const RunReport& report() const { return report_; }
  /// For names of the vertices in the answer (NameDictionary).
  BlockReader& reader() const { return *reader_; }

  /// How many groups, such as components, have each number of vertices, for a column whose top() is
  /// IsOfGroups. Takes 4 bytes a vertex of the budget while it counts. BudgetError.
  StatusOr<std::map<uint64_t, uint64_t>> GroupSizes();

  /// How often values occur, of lists all of them, or how often groups have a number of vertices.
  /// Not for vertices that are no groups. The errors of GroupSizes.
  StatusOr<Histogram> CountValues(int threads);

  /// What kind of entries Top returns.
  TopKind top_kind() const { return column_.top; }
  /// The `count` vertices of greatest value, or largest components; unset: the column's
  /// default_top. The greatest value comes first, of equal values the least id. Empty for columns
  /// of parents. Reads the id columns once. BudgetError.
  StatusOr<std::vector<TopEntry>> Top(std::optional<uint32_t> count, int threads);
  /// The `count` vertices of least value, of those that have one, the least first. For columns of
  /// TopKind::kValues.
  StatusOr<std::vector<TopEntry>> Bottom(uint32_t count, int threads);

 private:
  friend class AnswerRows;
  bool is_real() const { return answer_.integer == nullptr; }
  /// Input ids by internal vertex, for answers that are vertices.
  Status LoadIds(int threads, std::span<ExternalId> ids) const;
  VertexValue Value(ExternalId id, VertexId vertex) const;
  /// A value of a column of vertices as a vertex; nullopt where it says that there is none. Ends
  /// the process, as an author's mistake, where it is not a vertex.
  std::optional<VertexId> AsVertex(uint64_t value) const;
  template <typename T, typename Better>
  StatusOr<std::vector<TopEntry>> BestValues(uint32_t count, int threads);
  StatusOr<std::vector<TopEntry>> LargestGroups(uint32_t count);
  /// The number of vertices of each group, by the vertex that names it: 4 bytes a vertex.
  StatusOr<Array<uint32_t>> CountMembers(MemoryReservation* reservation);

  const GraphStore& store_;
  MemoryBudget& budget_;
  std::unique_ptr<BlockReader> reader_;
  const ResultColumn column_;
  const AnswerSource source_;
  const Answer answer_;
  RunReport report_;
};

}  // namespace edgemill
