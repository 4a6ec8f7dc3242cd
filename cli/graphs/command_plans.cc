#include "cli/graphs/command_plans.h"

#include <algorithm>
#include <optional>

#include "common/strings.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::cli {
namespace {

// Costs, in units of the time that an algorithm takes for an edge in memory: about 3 ns on two
// cores. They only compare stages: the time of a stage is measured while it runs.

/// Reading and checking the index, for each vertex and direction.
constexpr double kIndexCost = 3;
/// Writing a vertex and its value as text.
constexpr double kWriteCost = 20;
/// Comparing values, for each vertex.
constexpr double kCompareCost = 1;
/// Checking the answer, for each edge: the reference decoder decodes all edges once or twice.
constexpr double kVerifyCost = 2;
/// The assumed iterations of an algorithm that ends by its tolerance, until its rate is known.
constexpr double kUsualIterations = 40;
/// How often a search visits an edge: searches with weights may visit it again.
constexpr double kSearchPasses = 2;
/// With more trials there is no plan, because it would be too large.
constexpr uint64_t kMaxPlannedTrials = 1000;
/// Exporting an edge as text.
constexpr double kExportCost = 20;
/// Verifying a stored byte.
constexpr double kByteCost = 0.2;

// Costs of an edge in an ingest. They are for parsing and spreading over buckets, for work on ids
// that are not final when read, and for sorting and packing a direction.
constexpr double kReadCost = 5;
constexpr double kGenerateCost = 2;
constexpr double kIdsCost = 0.3;
constexpr double kNamesCost = 3;
constexpr double kPrepareCost = 0.5;
constexpr double kPrepareAgainCost = 4;
constexpr double kSortCost = 2;
constexpr double kCommitCost = 0.1;

double VerticesOf(const GraphStore& store) {
  return static_cast<double>(store.info().num_vertices);
}
double EdgesOf(const GraphStore& store) { return static_cast<double>(store.info().num_edges); }

/// About how often the run visits all edges.
double PassesOf(const RunOptions& options) {
  const OptionValues& values = options.values;
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(options.algorithm);
  if (help.has_value() && help->Has("--tolerance")) {
    return values.Has("--iterations") && !values.Has("--tolerance")
               ? static_cast<double>(values.GetOr("--iterations", uint64_t{1}))
               : kUsualIterations;
  }
  return kSearchPasses * static_cast<double>(std::max<size_t>(1, values.sources().size()));
}

}  // namespace

std::vector<PlannedStage> PlanOfRun(const GraphStore& store, const RunOptions& options,
                                    uint64_t trials, bool writes) {
  const double vertices = VerticesOf(store), edges = EdgesOf(store);
  const double passed = PassesOf(options) * edges;
  std::vector<PlannedStage> stages;
  if (trials > kMaxPlannedTrials) return stages;
  for (uint64_t trial = 0; trial < trials; ++trial) {
    const double directions = store.info().directed ? 2 : 1;
    stages.push_back({"loading the index", directions * kIndexCost * (vertices + 1)});
    if (options.warm) stages.push_back({"warm up", passed, passed});
    stages.push_back({options.algorithm, passed, passed});
    if (options.verify) stages.push_back({"verifying the answer", kVerifyCost * edges});
    stages.push_back({"comparing values", kCompareCost * vertices});
  }
  if (writes) stages.push_back({"writing the answer", kWriteCost * vertices});
  return stages;
}

std::vector<PlannedStage> PlanOfIngest(const EdgeSourceInfo& info, const GraphSchema& schema) {
  const double ways = schema.both_ways || schema.symmetrize ? 2 : 1;
  std::vector<PlannedStage> pass = {
      {"reading", info.input_bytes > 0 ? kReadCost : kGenerateCost},
      {"finding the vertices", info.named ? kNamesCost : kIdsCost},
      {"preparing to sort", info.named || schema.renumbers() ? kPrepareAgainCost : kPrepareCost}};
  if (schema.columns.out) pass.push_back({"sorting out-edges", ways * kSortCost});
  if (schema.columns.in) pass.push_back({"sorting in-edges", kSortCost});
  std::vector<PlannedStage> stages;
  for (size_t i = 0; i < 1 + schema.columns.edge_columns; ++i) {
    stages.insert(stages.end(), pass.begin(), pass.end());
  }
  stages.push_back({"committing", kCommitCost});
  return stages;
}

std::vector<PlannedStage> PlanOfExport(const GraphStore& store) {
  const double vertices = VerticesOf(store);
  return {{"loading the index", kIndexCost * vertices},
          {"loading the ids", store.info().sparse_ids ? kIndexCost * vertices : 0},
          {"loading the names", HasNames(store) ? kWriteCost * vertices : 0},
          {"export", kExportCost * EdgesOf(store)},
          {"writing the vertices", vertices}};
}

std::vector<PlannedStage> PlanOfVerify(const GraphStore& store) {
  std::vector<PlannedStage> stages;
  for (int i = 0; i < kNumColumns; ++i) {
    const auto column = static_cast<ColumnKind>(i);
    if (!store.has(column)) continue;
    if (column == ColumnKind::kOutNeighbors || column == ColumnKind::kInNeighbors) {
      stages.push_back({"loading the index", kIndexCost * VerticesOf(store)});
    }
    stages.push_back({StrCat("verify ", ColumnName(column)),
                      kByteCost * static_cast<double>(store.column(column).payload_bytes)});
  }
  if (HasNames(store)) stages.push_back({"verify the names", kIndexCost * VerticesOf(store)});
  return stages;
}

}  // namespace edgemill::cli
