// Graphs on disk, made by ingest from edges in memory, and runs on them. Tests use the library in
// the way that the program does.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/strings.h"
#include "loaders/generate/generator.h"
#include "loaders/ingest/ingest.h"
#include "test/engine_testing.h"
#include "test/graphs/list_source.h"
#include "test/graphs/written_graph.h"

namespace edgemill {

/// One of the hard graphs as an edge list with the ids 0, 1, ...
inline EdgeList DenseList(const TestCase& test) {
  EdgeList list{test.name, {}, test.edges};
  for (uint64_t id = 0; id < test.num_vertices; ++id) list.ids.push_back(id);
  return list;
}

/// The edges of a generator as an edge list.
inline EdgeList GeneratedList(const std::string& name, const GeneratorOptions& options) {
  EdgeList list{name, {}, {}, false};
  auto source = MakeGenerator(options);
  CHECK(source.ok());
  EdgeChunk chunk;
  while (*(*source)->Next(&chunk)) {
    for (const NarrowEdge& edge : chunk.narrow) list.edges.push_back({edge.source, edge.target});
  }
  const uint64_t num_vertices =
      options.num_vertices > 0 ? options.num_vertices : uint64_t{1} << options.scale;
  for (uint64_t id = 0; id < num_vertices; ++id) list.ids.push_back(id);
  return list;
}

/// The same graph with sparse ids, in another order. The least and the largest 64-bit id occur.
inline EdgeList WithSparseIds(const EdgeList& list) {
  const auto sparse = [](ExternalId id) {
    return id < 2 ? id - 1 : Mix64(id) >> (id % 3 == 0 ? 40 : 1);
  };
  EdgeList result{StrCat(list.name, ", sparse ids"), {}, {}, list.weighted};
  for (const ExternalId id : list.ids) result.ids.push_back(sparse(id));
  std::sort(result.ids.begin(), result.ids.end());
  for (const TestEdge& edge : list.edges) {
    result.edges.push_back({sparse(edge.source), sparse(edge.target), edge.weight});
  }
  return result;
}

/// Ingests `list` into `path`.
inline StatusOr<IngestReport> BuildGraph(const EdgeList& list, const std::string& path,
                                         const IngestOptions& options,
                                         uint64_t budget_bytes = uint64_t{192} << 20) {
  ListSource source(list);
  MemoryBudget budget(budget_bytes);
  Progress progress;
  return Ingest(source, path, options, budget, progress);
}

/// The least memory budget of a run on the graph at `path`, which must be whole.
inline StatusOr<uint64_t> LeastBudgetOf(const std::string& path, const RunOptions& options) {
  MemoryBudget budget(uint64_t{1} << 30);
  ASSIGN_OR_RETURN(const auto store, GraphStore::Open(path, {}, budget));
  return LeastBudget(*store, options, budget);
}

/// Opens the graph and runs on it, with `budget_bytes` of memory for both.
inline Outcome RunOnDisk(const std::string& path, const RunOptions& options,
                         uint64_t budget_bytes = uint64_t{256} << 20,
                         const OpenOptions& open = {}) {
  Outcome outcome;
  MemoryBudget budget(budget_bytes);
  Progress progress;
  auto store = GraphStore::Open(path, open, budget);
  if (!store.ok()) {
    outcome.status = store.status();
    return outcome;
  }
  auto result = Run(**store, options, budget, progress);
  return OutcomeOf(std::move(result));
}

/// Whether two answers are the same, bit for bit.
inline bool SameAnswers(const Outcome& a, const Outcome& b) {
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const VertexValue& x, const VertexValue& y) {
                      return x.id == y.id && x.reached == y.reached && x.integer == y.integer &&
                             std::memcmp(&x.real, &y.real, sizeof(double)) == 0;
                    });
}

}  // namespace edgemill
