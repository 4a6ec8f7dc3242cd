// Ingest against an in-memory oracle, over directions, budgets, threads, block sizes and
// adversarial inputs.
#include "loaders/ingest/ingest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/random.h"
#include "loaders/context/edge_intake.h"
#include "test/graphs/list_source.h"
#include "test/graphs/memory_graph_writer.h"

namespace edgemill {
namespace {

using InputEdges = std::vector<TestEdge>;

/// The prefix of names of vertices. It is long, so that names share most bytes.
constexpr std::string_view kNamePrefix = "https://example.org/wiki/Knoten_";

/// What the graph should hold: edges in external ids, sorted by both ends, weights in the input's
/// order.
InputEdges Expected(const InputEdges& lines, const IngestOptions& options) {
  InputEdges edges;
  for (const TestEdge& line : lines) {
    if (line.source == line.target && !options.keep_loops) continue;
    edges.push_back(line);
    if (options.direction == EdgeDirection::kUndirected && line.source != line.target) {
      edges.push_back({line.target, line.source, line.weight});
    }
  }
  if (options.direction == EdgeDirection::kSymmetrize) {
    std::map<std::pair<uint64_t, uint64_t>, int> count;
    std::map<std::pair<uint64_t, uint64_t>, double> weight;
    for (const TestEdge& line : edges) {
      ++count[{line.source, line.target}];
      weight[{line.source, line.target}] = weight[{line.target, line.source}] = line.weight;
    }
    InputEdges both;
    for (const auto& [edge, w] : weight) {
      const int times = std::max(count[edge], count[{edge.second, edge.first}]);
      both.insert(both.end(), static_cast<size_t>(times), TestEdge{edge.first, edge.second, w});
    }
    edges = both;
  }
  std::stable_sort(edges.begin(), edges.end(), [](const TestEdge& a, const TestEdge& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  if (options.duplicates == DuplicateRule::kKeep) return edges;
  InputEdges merged;
  for (const TestEdge& line : edges) {
    if (merged.empty() || merged.back().source != line.source ||
        merged.back().target != line.target) {
      merged.push_back(line);
      continue;
    }
    double& w = merged.back().weight;
    if (options.duplicates == DuplicateRule::kMin) w = std::min(w, line.weight);
    if (options.duplicates == DuplicateRule::kMax) w = std::max(w, line.weight);
    if (options.duplicates == DuplicateRule::kSum) w += line.weight;
  }
  return merged;
}

/// The external id of each internal id.
std::vector<uint64_t> IdsOf(const MemoryGraphWriter& writer) {
  const uint64_t num_vertices = writer.info().num_vertices;
  std::vector<uint64_t> of_rank(num_vertices);
  for (uint64_t v = 0; v < num_vertices; ++v) of_rank[v] = v + writer.info().id_base;
  if (writer.info().sparse_ids) of_rank = writer.ExternalIds();
  EXPECT_EQ(of_rank.size(), num_vertices);
  EXPECT_TRUE(std::is_sorted(of_rank.begin(), of_rank.end()));
  if (writer.info().name_bytes > 0) {
    const std::vector<std::string> names = writer.Names();
    EXPECT_EQ(names.size(), num_vertices);
    for (size_t rank = 0; rank < names.size(); ++rank) {
      EXPECT_TRUE(names[rank].starts_with(kNamePrefix));
      EXPECT_TRUE(
          ParseNumber(std::string_view(names[rank]).substr(kNamePrefix.size()), &of_rank[rank]));
    }
  }
  if (writer.info().renumbering == Renumbering::kNone) return of_rank;
  const auto internal_of_rank = writer.Values(ColumnKind::kInternalOfRank);
  EXPECT_EQ(internal_of_rank.size(), num_vertices);
  std::vector<uint64_t> ids(num_vertices, ~uint64_t{0});
  for (size_t rank = 0; rank < num_vertices; ++rank) ids[internal_of_rank[rank]] = of_rank[rank];
  return ids;
}

/// One direction's edges as the columns hold them, in external ids.
InputEdges Stored(const MemoryGraphWriter& writer, bool in) {
  const std::vector<uint64_t> ids = IdsOf(writer);
  const auto edges = writer.Edges(in);
  EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
  std::vector<double> weights(edges.size(), 1);
  const ColumnKind column = in ? ColumnKind::kInWeights : ColumnKind::kOutWeights;
  if (writer.num_blocks(column) > 0) {
    weights = writer.Weights(column);
    EXPECT_EQ(weights.size(), edges.size());
  }
  InputEdges lines;
  for (size_t i = 0; i < edges.size(); ++i) {
    const uint64_t a = ids[edges[i].first], b = ids[edges[i].second];
    lines.push_back(in ? TestEdge{b, a, weights[i]} : TestEdge{a, b, weights[i]});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const TestEdge& a, const TestEdge& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  return lines;
}

void ExpectLines(const InputEdges& got, const InputEdges& want, bool weighted) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].source, want[i].source) << "edge " << i;
    ASSERT_EQ(got[i].target, want[i].target) << "edge " << i;
    if (weighted) {
      ASSERT_EQ(got[i].weight, want[i].weight) << "edge " << i;
    }
  }
}

void ExpectPages(const MemoryGraphWriter& writer, bool in) {
  const auto edges = writer.Edges(in);
  const auto& pages = writer.pages(in ? ColumnKind::kInNeighbors : ColumnKind::kOutNeighbors);
  const size_t page_edges = size_t{writer.block_edges()} * writer.page_blocks();
  ASSERT_EQ(pages.size(), (edges.size() + page_edges - 1) / page_edges);
  for (size_t page = 0; page < pages.size(); ++page) {
    const auto begin = edges.begin() + static_cast<ptrdiff_t>(page * page_edges);
    const auto end =
        edges.begin() + static_cast<ptrdiff_t>(std::min((page + 1) * page_edges, edges.size()));
    EXPECT_EQ(pages[page].first_source, begin->first);
    EXPECT_EQ(pages[page].last_source, (end - 1)->first);
    uint32_t least = ~0u, most = 0;
    for (auto edge = begin; edge != end; ++edge) {
      least = std::min(least, edge->second);
      most = std::max(most, edge->second);
    }
    EXPECT_EQ(pages[page].min_target, least);
    EXPECT_EQ(pages[page].max_target, most);
  }
}

struct Case {
  std::string name;
  InputEdges lines;
};

InputEdges RandomLines(uint64_t seed, size_t count, uint64_t vertices, bool weighted) {
  Random random(seed);
  InputEdges lines;
  for (size_t i = 0; i < count; ++i) {
    // Skewed, so that duplicates and hubs occur.
    const uint64_t u = random.Below(random.Below(vertices) + 1);
    const uint64_t v = random.Below(random.Below(vertices) + 1);
    lines.push_back({u, v, weighted ? double(random.Below(100)) - 20 : 1});
  }
  return lines;
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  cases.push_back({"empty", {}});
  cases.push_back({"one loop", {{0, 0, 5}}});
  cases.push_back({"loops only", {{3, 3, 1}, {3, 3, 2}, {1, 1, 3}}});
  cases.push_back({"one edge", {{1, 2, 7}}});
  cases.push_back({"duplicates", {{0, 1, 3}, {0, 1, 2}, {1, 0, 5}, {0, 1, 2}, {2, 2, 1}}});
  InputEdges star, path, reversed_path;
  for (uint64_t i = 1; i < 2000; ++i) {
    star.push_back({7, i * 3, double(i)});
    path.push_back({i - 1, i, double(i % 10)});
    reversed_path.push_back({2000 - i, 2001 - i, 1});
  }
  cases.push_back({"star", star});
  cases.push_back({"path", path});
  cases.push_back({"reversed path", reversed_path});
  cases.push_back({"random", RandomLines(1, 12000, 3000, true)});
  cases.push_back({"dense", RandomLines(2, 5000, 40, true)});
  InputEdges sorted = RandomLines(3, 5000, 2000, true);
  std::sort(sorted.begin(), sorted.end(), [](const TestEdge& a, const TestEdge& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  cases.push_back({"sorted", sorted});
  std::reverse(sorted.begin(), sorted.end());
  cases.push_back({"backwards", sorted});
  cases.push_back({"one edge often", InputEdges(5000, TestEdge{4, 9, 2})});
  InputEdges gaps = RandomLines(4, 4000, 800, true);
  for (TestEdge& line : gaps) line = {line.source * 1000 + 5, line.target * 1000 + 5, line.weight};
  cases.push_back({"gaps", gaps});
  return cases;
}

/// Limits that make memory short.
struct MemoryLimits {
  const char* name;
  uint64_t sort_edges;
  uint64_t spill_bytes;
  int threads;
};
constexpr MemoryLimits kMemoryLimits[] = {
    {"roomy", 0, 0, 2}, {"spilling", 3000, 256 << 10, 1}, {"splitting", 1000, 256 << 10, 3}};

IngestOptions OptionsWithin(const MemoryLimits& limits) {
  IngestOptions options;
  options.max_sort_edges = limits.sort_edges;
  options.spill_memory_bytes = limits.spill_bytes;
  options.threads = limits.threads;
  options.checkpoint_bytes = 1 << 20;
  options.block_edges = 128;
  options.page_blocks = 4;
  return options;
}

struct IngestOutcome {
  std::unique_ptr<MemoryGraphWriter> writer;
  StatusOr<IngestReport> report = InternalError("not run");
};

IngestOutcome RunIngest(const InputEdges& lines, bool weighted, const IngestOptions& options,
                        bool named = false) {
  IngestOutcome result;
  result.writer = std::make_unique<MemoryGraphWriter>(options.block_edges, options.page_blocks);
  const EdgeList list{"lines", {}, lines, weighted, std::string(named ? kNamePrefix : "")};
  ListSource source(list);
  MemoryBudget budget(uint64_t{96} << 20);
  Progress progress;
  result.report = IngestInto(source, *result.writer, options, budget, progress);
  return result;
}

void ExpectGraph(const IngestOutcome& result, const InputEdges& lines, bool weighted,
                 const IngestOptions& options) {
  ASSERT_TRUE(result.report.ok()) << result.report.status().message();
  const MemoryGraphWriter& writer = *result.writer;
  ASSERT_TRUE(writer.committed());
  const InputEdges want = Expected(lines, options);
  EXPECT_EQ(writer.info().num_edges, want.size());
  uint64_t loops = 0, duplicates = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    loops += want[i].source == want[i].target;
    duplicates +=
        i > 0 && want[i].source == want[i - 1].source && want[i].target == want[i - 1].target;
  }
  EXPECT_EQ(writer.info().num_self_loops, loops);
  EXPECT_EQ(writer.info().num_duplicates, duplicates);
  const bool directed = options.direction == EdgeDirection::kDirected;
  for (const bool in : {false, true}) {
    if (in && !directed) continue;
    const bool lacks =
        directed && options.weights_in == (in ? ColumnChoice::kOut : ColumnChoice::kIn);
    const bool stored = weighted && !lacks && !want.empty();
    EXPECT_EQ(writer.num_blocks(in ? ColumnKind::kInWeights : ColumnKind::kOutWeights) > 0, stored);
    ExpectLines(Stored(writer, in), want, stored);
    ExpectPages(writer, in);
  }
}

TEST(IngestTest, MatchesTheOracleInEveryDirection) {
  for (const Case& test : Cases()) {
    for (const MemoryLimits& limits : kMemoryLimits) {
      for (const EdgeDirection direction :
           {EdgeDirection::kDirected, EdgeDirection::kUndirected, EdgeDirection::kSymmetrize}) {
        SCOPED_TRACE(StrCat(test.name, ", ", limits.name, ", direction ", int(direction)));
        IngestOptions options = OptionsWithin(limits);
        options.direction = direction;
        ExpectGraph(RunIngest(test.lines, false, options), test.lines, false, options);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(IngestTest, TreatsDuplicatesAndLoopsAsAsked) {
  for (const Case& test : Cases()) {
    for (const MemoryLimits& limits : kMemoryLimits) {
      for (const DuplicateRule rule :
           {DuplicateRule::kKeep, DuplicateRule::kFirst, DuplicateRule::kMin, DuplicateRule::kMax,
            DuplicateRule::kSum}) {
        SCOPED_TRACE(StrCat(test.name, ", ", limits.name, ", rule ", int(rule)));
        IngestOptions options = OptionsWithin(limits);
        options.duplicates = rule;
        options.keep_loops = rule != DuplicateRule::kMax;
        for (const bool undirected : {false, true}) {
          options.direction = undirected ? EdgeDirection::kUndirected : EdgeDirection::kDirected;
          ExpectGraph(RunIngest(test.lines, true, options), test.lines, true, options);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

/// Weights of one direction, whole numbers and reals, some of them negative.
TEST(IngestTest, StoresWeightsInTheListsThatTheUserNames) {
  for (Case test : Cases()) {
    for (TestEdge& edge : test.lines) edge.weight = edge.weight / 2 - 3;
    for (const MemoryLimits& limits : kMemoryLimits) {
      for (const ColumnChoice weights_in : {ColumnChoice::kOut, ColumnChoice::kIn}) {
        for (const DuplicateRule rule : {DuplicateRule::kKeep, DuplicateRule::kSum}) {
          for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
            SCOPED_TRACE(StrCat(test.name, ", ", limits.name, ", weights in ", int(weights_in),
                                ", rule ", int(rule), ", order ", int(renumbering)));
            IngestOptions options = OptionsWithin(limits);
            options.direction = EdgeDirection::kDirected;
            options.weights_in = weights_in;
            options.duplicates = rule;
            options.renumbering = renumbering;
            options.weights.kind = WeightChoice::Kind::kFloat64;
            const IngestOutcome result = RunIngest(test.lines, true, options);
            ExpectGraph(result, test.lines, true, options);
            if (HasFatalFailure()) return;
            const InputEdges want = Expected(test.lines, options);
            EXPECT_EQ(result.writer->info().has_negative_weight,
                      std::any_of(want.begin(), want.end(),
                                  [](const TestEdge& edge) { return edge.weight < 0; }));
          }
        }
      }
    }
  }
}

TEST(IngestTest, RenumbersWithoutChangingTheGraph) {
  for (const Case& test : Cases()) {
    for (const MemoryLimits& limits : kMemoryLimits) {
      for (const Renumbering renumbering : {Renumbering::kDegree, Renumbering::kHub}) {
        SCOPED_TRACE(StrCat(test.name, ", ", limits.name, ", order ", int(renumbering)));
        IngestOptions options = OptionsWithin(limits);
        options.direction = EdgeDirection::kDirected;
        options.renumbering = renumbering;
        ExpectGraph(RunIngest(test.lines, true, options), test.lines, true, options);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(IngestTest, NamesGiveTheSameGraph) {
  for (const Case& test : Cases()) {
    for (const MemoryLimits& limits : kMemoryLimits) {
      for (const EdgeDirection direction :
           {EdgeDirection::kDirected, EdgeDirection::kUndirected, EdgeDirection::kSymmetrize}) {
        for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
          SCOPED_TRACE(StrCat(test.name, ", ", limits.name, ", direction ", int(direction),
                              ", order ", int(renumbering)));
          IngestOptions options = OptionsWithin(limits);
          options.direction = direction;
          options.renumbering = renumbering;
          const bool weighted = direction != EdgeDirection::kSymmetrize;
          const IngestOutcome result = RunIngest(test.lines, weighted, options, true);
          ExpectGraph(result, test.lines, weighted, options);
          if (HasFatalFailure()) return;
          EXPECT_FALSE(result.writer->info().sparse_ids);
          EXPECT_EQ(result.report->name_bytes > 0, !test.lines.empty());
        }
      }
    }
  }
}

TEST(IngestTest, MessagesShowNames) {
  IngestOptions options = OptionsWithin(kMemoryLimits[0]);
  options.direction = EdgeDirection::kSymmetric;
  const IngestOutcome one_way = RunIngest({{1, 2, 1}, {2, 1, 1}, {2, 7, 1}}, false, options, true);
  EXPECT_EQ(one_way.report.status().code(), Code::kBadData);
  const std::string name = std::string(kNamePrefix);
  EXPECT_NE(one_way.report.status().message().find(
                StrCat("edge \"", name, "2\" -> \"", name, "7\" has no edge the other way")),
            std::string::npos)
      << one_way.report.status().message();
  options.direction = EdgeDirection::kSymmetrize;
  for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
    options.renumbering = renumbering;
    const IngestOutcome weights = RunIngest({{1, 2, 3}, {2, 1, 4}}, true, options, true);
    EXPECT_EQ(weights.report.status().code(), Code::kBadData);
    EXPECT_NE(weights.report.status().message().find(StrCat("\"", name, "1\"")), std::string::npos)
        << weights.report.status().message();
  }
}

TEST(IngestTest, MapsSparseIdsOfAnySize) {
  // Ids are wide from the start, or after chunks of narrow ids.
  for (const uint64_t offset : {uint64_t{0}, uint64_t{1} << 40}) {
    InputEdges lines = RandomLines(5, 4000, 700, true);
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool wide = offset > 0 || i % 1000 == 999;
      lines[i].source = lines[i].source * 977 + offset;
      lines[i].target = lines[i].target * (wide ? uint64_t{1} << 50 : 977) + offset;
    }
    for (const MemoryLimits& limits : kMemoryLimits) {
      for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kUndirected}) {
        for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
          SCOPED_TRACE(StrCat(limits.name, " ", offset, " ", int(direction), int(renumbering)));
          IngestOptions options = OptionsWithin(limits);
          options.direction = direction;
          options.renumbering = renumbering;
          const IngestOutcome result = RunIngest(lines, true, options);
          ExpectGraph(result, lines, true, options);
          if (HasFatalFailure()) return;
          EXPECT_TRUE(result.writer->info().sparse_ids);
        }
      }
    }
  }
}

TEST(IngestTest, NamesTheFirstOneWayEdgeOfASymmetricInput) {
  InputEdges lines = RandomLines(6, 3000, 300, false);
  const size_t size = lines.size();
  for (size_t i = 0; i < size; ++i) lines.push_back({lines[i].target, lines[i].source, 1});
  for (const MemoryLimits& limits : kMemoryLimits) {
    IngestOptions options = OptionsWithin(limits);
    options.direction = EdgeDirection::kSymmetric;
    EXPECT_TRUE(RunIngest(lines, false, options).report.ok());
    InputEdges broken = lines;
    broken.push_back({290, 17777, 1});
    broken.push_back({299, 5, 1});
    const IngestOutcome result = RunIngest(broken, false, options);
    ASSERT_EQ(result.report.status().code(), Code::kBadData);
    const std::string message(result.report.status().message());
    EXPECT_NE(message.find("edge 299 -> 5 "), std::string::npos) << message;
    EXPECT_FALSE(result.writer->committed());
  }
}

TEST(IngestTest, NamesOneWayEdgesByWideInputIds) {
  InputEdges lines;
  for (uint64_t i = 0; i < 900; ++i) {
    const uint64_t offset = i < 600 ? 10 : uint64_t{1} << 41;  // wide from the second chunk on
    lines.push_back({offset + i, offset + i + 1, 1});
    lines.push_back({offset + i + 1, offset + i, 1});
  }
  IngestOptions options = OptionsWithin(kMemoryLimits[0]);
  options.direction = EdgeDirection::kSymmetric;
  EXPECT_TRUE(RunIngest(lines, false, options).report.ok());
  for (const TestEdge& bad : InputEdges{{12, 7777}, {(uint64_t{1} << 41) + 700, 5}}) {
    InputEdges broken = lines;
    broken.insert(broken.begin() + 40, bad);
    const IngestOutcome result = RunIngest(broken, false, options);
    ASSERT_EQ(result.report.status().code(), Code::kBadData);
    const std::string message(result.report.status().message());
    EXPECT_NE(message.find(StrCat("edge ", bad.source, " -> ", bad.target, " ")), std::string::npos)
        << message;
  }
}

/// Random edges have no locality. The edges of a path have locality.
TEST(IngestTest, AnOpenOrderIsWhatTheFirstEdgesSuggest) {
  InputEdges path;
  for (uint64_t i = 0; i < 70'000; ++i) path.push_back({i, i + 1, 1});
  const auto order = [](const InputEdges& lines, IngestOptions options) {
    options.renumbering.reset();
    const IngestOutcome result = RunIngest(lines, false, options);
    ExpectGraph(result, lines, false, options);
    EXPECT_TRUE(result.report.ok() && result.report->chose_renumbering);
    EXPECT_EQ(result.report->renumbering, result.writer->info().renumbering);
    return result.writer->info().renumbering;
  };
  const InputEdges random = RandomLines(8, 70'000, 20'000, false);
  for (const MemoryLimits& limits : kMemoryLimits) {
    SCOPED_TRACE(limits.name);
    for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kUndirected}) {
      IngestOptions options = OptionsWithin(limits);
      options.direction = direction;
      EXPECT_EQ(order(random, options), Renumbering::kDegree);
      EXPECT_EQ(order(path, options), Renumbering::kNone);
    }
  }
  EXPECT_EQ(order(RandomLines(9, 60'000, 20'000, false), {}), Renumbering::kNone);  // small
  // Without enough memory to renumber them, vertices keep their order.
  constexpr uint64_t kMany = 8'000'000;
  EXPECT_EQ(order(RandomLines(10, 70'000, kMany, false), {.num_vertices = kMany}),
            Renumbering::kNone);
}

TEST(IngestTest, ListedVerticesAreTheVertices) {
  struct List {
    uint64_t first;
    uint64_t step;
    bool sparse;
  };
  for (const List& list : {List{0, 1, false}, List{1, 1, false}, List{5, 1, true}, List{1, 2, true},
                           List{uint64_t{1} << 40, 1, true}}) {
    SCOPED_TRACE(StrCat(list.first, " by ", list.step));
    const auto run = [&](const InputEdges& lines) {
      IngestOutcome result;
      result.writer = std::make_unique<MemoryGraphWriter>(128, 4);
      EdgeList input{"lines", {}, lines, false};
      for (uint64_t i = 0; i < 300; ++i) input.ids.push_back(list.first + i * list.step);
      ListSource source(input, 100);
      source.mutable_info().has_vertex_list = true;
      MemoryBudget budget(uint64_t{64} << 20);
      Progress progress;
      result.report =
          IngestInto(source, *result.writer, OptionsWithin(kMemoryLimits[0]), budget, progress);
      return result;
    };
    InputEdges lines;
    for (uint64_t i = 0; i < 250; ++i) {
      lines.push_back({list.first + i * list.step, list.first + (249 - i) * list.step});
    }
    const IngestOutcome result = run(lines);
    ASSERT_TRUE(result.report.ok()) << result.report.status().message();
    EXPECT_EQ(result.writer->info().num_vertices, 300u);
    EXPECT_EQ(result.writer->info().sparse_ids, list.sparse);
    ExpectLines(Stored(*result.writer, false), Expected(lines, IngestOptions()), false);
    const uint64_t missing = list.first + 300 * list.step;
    lines.insert(lines.begin() + 120, {lines[7].source, missing});
    const IngestOutcome refused = run(lines);
    EXPECT_EQ(refused.report.status().code(), Code::kBadData);
    const std::string message(refused.report.status().message());
    EXPECT_NE(message.find(StrCat("edge ", lines[7].source, " -> ", missing, " ")),
              std::string::npos)
        << message;
  }
}

TEST(IngestTest, RefusesContradictingWeightsAndLargeDenseIds) {
  IngestOptions options = OptionsWithin(kMemoryLimits[0]);
  options.direction = EdgeDirection::kSymmetrize;
  const IngestOutcome weights = RunIngest({{1, 2, 3}, {2, 1, 4}}, true, options);
  EXPECT_EQ(weights.report.status().code(), Code::kBadData);
  EXPECT_NE(weights.report.status().message().find("edge 1 -> 2"), std::string_view::npos);
  options = OptionsWithin(kMemoryLimits[0]);
  options.ids = IdMode::kDense;
  options.max_vertex_id = 100;
  EXPECT_TRUE(RunIngest({{1, 100, 1}}, false, options).report.ok());
  const IngestOutcome large = RunIngest({{1, 101, 1}}, false, options);
  EXPECT_EQ(large.report.status().code(), Code::kBadData);
  EXPECT_NE(large.report.status().message().find("101"), std::string_view::npos);
}

/// --max-vertex-id bounds the ids in each id mode.
TEST(IngestTest, IdsBeyondMaxVertexIdAreRefused) {
  for (const IdMode ids : {IdMode::kAuto, IdMode::kDense, IdMode::kSparse}) {
    for (const uint64_t narrow_limit : {uint64_t{0}, uint64_t{7}}) {  // the ids are narrow, or wide
      IngestOptions options = OptionsWithin(kMemoryLimits[0]);
      options.ids = ids;
      options.narrow_id_limit = narrow_limit;
      options.max_vertex_id = 9;
      EXPECT_TRUE(RunIngest({{0, 9, 1}, {9, 5, 1}}, false, options).report.ok());
      options.max_vertex_id = 8;
      const Status refused = RunIngest({{0, 9, 1}, {9, 5, 1}}, false, options).report.status();
      EXPECT_EQ(refused.code(), Code::kBadData);
      EXPECT_NE(refused.message().find("vertex id 9 is beyond --max-vertex-id 8"),
                std::string_view::npos)
          << refused.message();
    }
  }
}

}  // namespace
}  // namespace edgemill
