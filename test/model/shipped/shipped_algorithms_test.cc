// Every shipped algorithm, with every option that changes the answer or the method. Each runs on
// the model and on the engine, against textbook versions.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "test/model/answers.h"
#include "test/model/shipped/shipped_running.h"
#include "test/model/textbook.h"

namespace edgemill::model {
namespace {

void ExpectValues(const StoredCase& c, const ShippedRun& run, const std::vector<double>& want,
                  double tolerance = 0) {
  ExpectShipped(c, run, [&](const ShippedValues& got) { return Compare(got, want, tolerance); });
}

TEST(ShippedTest, Bfs) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto source = static_cast<VertexId>(graph.num_vertices() / 2);
    auto levels = textbook::Distances(graph, source, true);
    ExpectValues(c, {"bfs", {}, {source}}, levels);
    ExpectValues(c, {"msbfs", {}, {source}}, levels);  // compares levels from the first source
    if (source != 0) ExpectValues(c, {"msbfs", {}, {source, 0}}, levels);
    ExpectShipped(c, {"bfs", {{"--parents", true}}, {source}}, [&](const ShippedValues& parents) {
      return WrongParent(graph, source, levels, parents, /*hops=*/true);
    });
    for (double& level : levels) level = level > 2 ? textbook::kInfinite : level;
    ExpectValues(c, {"bfs", {{"--iterations", 2}}, {source}}, levels);
  }
}

TEST(ShippedTest, ShortestAndWidestPaths) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto source = static_cast<VertexId>(graph.num_vertices() / 3);
    const auto lengths = textbook::Distances(graph, source, false);
    const bool whole = c.stored->info().weights == WeightType::kInt32;
    auto widths =
        textbook::Widths(graph, source, whole ? 2147483647.0 : std::numeric_limits<double>::max());
    for (VertexId v = 0; v < widths.size(); ++v) {
      if (lengths[v] == textbook::kInfinite) widths[v] = textbook::kInfinite;
    }
    const uint64_t most = graph.num_vertices() + 1;
    for (const OptionValues& values :
         {OptionValues(), OptionValues{{"--delta", 1.0}}, OptionValues{{"--delta", 4.5}},
          OptionValues{{"--iterations", most}}}) {
      ExpectValues(c, {"sssp", values, {source}}, lengths);
      ExpectValues(c, {"sswp", values, {source}}, widths);
    }
    ExpectShipped(c, {"sssp", {{"--parents", true}}, {source}}, [&](const ShippedValues& parents) {
      return WrongParent(graph, source, lengths, parents, /*hops=*/false);
    });
  }
}

TEST(ShippedTest, NumbersOfPaths) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto n = static_cast<VertexId>(graph.num_vertices());
    const auto levels = textbook::Distances(graph, n / 3, true);
    auto paths = textbook::PathCounts(graph, n / 3, levels);
    ExpectValues(c, {"ssnsp", {}, {n / 3}}, paths);
    for (VertexId v = 0; v < n; ++v) paths[v] = levels[v] > 1 ? 0 : paths[v];
    ExpectValues(c, {"ssnsp", {{"--iterations", 1}}, {n / 3}}, paths);
    std::vector<VertexId> sources = {0};
    for (const VertexId source : {n / 2, n - 1}) {
      if (source != sources.back()) sources.push_back(source);
    }
    const auto betweenness = textbook::Betweenness(textbook::SimpleGraph(graph), sources);
    ExpectValues(c, {"betweenness", {}, sources}, betweenness, 1e-9);
    if (n > 120) continue;
    std::vector<VertexId> all(n);
    std::iota(all.begin(), all.end(), VertexId{0});
    auto of_all = textbook::Betweenness(textbook::SimpleGraph(graph), all);
    ExpectValues(c, {"betweenness"}, of_all, 1e-9);
    const double pairs = n > 2 ? (n - 1.0) * (n - 2.0) : 1;
    for (double& value : of_all) value /= pairs;
    ExpectValues(c, {"betweenness", {{"--normalized", true}}}, of_all, 1e-9);
  }
}

TEST(ShippedTest, BetweennessByWeights) {
  for (const StoredCase& c : StoredCases()) {
    const StoredCase simple = WithoutDuplicates(c);
    const auto n = static_cast<VertexId>(simple.plain.graph.num_vertices());
    std::vector<VertexId> sources = {n / 2};
    if (n > 1) sources.push_back(0);
    const auto scores = textbook::Betweenness(simple.plain.graph, sources, /*hops=*/false);
    ExpectValues(simple, {"betweenness", {{"--weighted", true}}, sources}, scores, 1e-9);
  }
}

/// An empty string if `steps` are those of a path from `source` to `target` of this length;
/// otherwise what is wrong.
std::string WrongPath(const Graph& graph, VertexId source, VertexId target, double length,
                      bool hops, const ShippedValues& steps) {
  std::vector<VertexId> path;
  for (VertexId v = 0; v < steps.size(); ++v) {
    if (steps[v] != textbook::kInfinite) path.push_back(v);
  }
  if (length == textbook::kInfinite) return path.empty() ? "" : "a path to an unreached vertex";
  std::sort(path.begin(), path.end(), [&](VertexId a, VertexId b) { return steps[a] < steps[b]; });
  if (path.empty() || path.front() != source || path.back() != target) return "wrong ends";
  double sum = 0;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    double least = textbook::kInfinite;
    for (const InputEdge& edge : textbook::Arcs(graph)) {
      if (edge.from != path[i] || edge.to != path[i + 1]) continue;
      least = std::min(least, hops ? 1 : double{edge.weight});
    }
    sum += least;
  }
  return sum == length ? "" : StrCat("length ", sum, ", not ", length);
}

TEST(ShippedTest, Paths) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto n = static_cast<VertexId>(graph.num_vertices());
    for (const bool hops : {true, false}) {
      for (const VertexId source : {n / 2, VertexId{0}}) {
        const auto lengths = textbook::Distances(graph, source, hops);
        for (const VertexId target : {n / 3, n - 1, source}) {
          OptionValues values{{"--target", InputVertex{target}}};
          if (!hops) values.Set("--weighted", true);
          ExpectShipped(c, {"path", values, {source}}, [&](const ShippedValues& steps) {
            return WrongPath(graph, source, target, lengths[target], hops, steps);
          });
        }
      }
    }
  }
}

TEST(ShippedTest, Degrees) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    for (const bool weighted : {false, true}) {
      const auto [out, in] = textbook::Strengths(graph, weighted);
      std::vector<double> both = out;
      for (size_t v = 0; v < both.size() && graph.directed(); ++v) both[v] += in[v];
      const double tolerance = weighted ? 1e-9 : 0;
      for (const auto& [direction, want] : {std::pair("both", both), {"out", out}, {"in", in}}) {
        OptionValues values{{"--direction", direction}};
        if (weighted) values.Set("--weighted", true);
        ExpectValues(c, {"degrees", values}, want, tolerance);
      }
    }
  }
}

TEST(ShippedTest, Closeness) {
  for (const StoredCase& c : StoredCases()) {
    const auto want = textbook::Closeness(c.plain.graph);
    ExpectValues(c, {"closeness"}, want.closeness, 1e-9);
    ExpectValues(c, {"closeness", {{"--harmonic", true}}}, want.harmonic, 1e-9);
  }
}

constexpr const char* kComponentMethods[] = {"auto", "hang", "hubs", "afforest", "link", "labels"};

TEST(ShippedTest, Components) {
  for (const StoredCase& c : StoredCases()) {
    const auto labels = textbook::Components(c.plain.graph);
    const std::vector<double> want(labels.begin(), labels.end());
    for (const char* const method : kComponentMethods) {
      ExpectValues(c, {"cc", {{"--method", method}}}, want);
    }
  }
}

TEST(ShippedTest, Cores) {
  for (const StoredCase& c : StoredCases()) {
    const auto cores = textbook::CoreNumbers(c.plain.graph);
    std::vector<double> want(cores.begin(), cores.end());
    ExpectValues(c, {"kcore"}, want);
    for (double& core : want) core = core < 2 ? 0 : 2;
    ExpectValues(c, {"kcore", {{"--core", 2}}}, want);
  }
}

TEST(ShippedTest, PageRank) {
  for (const StoredCase& c : StoredCases()) {
    const std::vector<double> all(c.plain.graph.num_vertices(), 1);
    for (const char* const dangling : {"spread", "drop"}) {
      const auto want = textbook::PageRank(c.plain.graph, all, 0.85, dangling[0] == 's');
      for (const char* const method : {"jacobi", "delta"}) {
        ExpectValues(
            c,
            {"pagerank", {{"--dangling", dangling}, {"--method", method}, {"--tolerance", 1e-6}}},
            want, 2e-5);
      }
    }
    const auto want = textbook::PageRank(c.plain.graph, all, 0.5, true);
    ExpectValues(c, {"pagerank", {{"--iterations", 40}, {"--damping", 0.5}}}, want, 2e-5);
  }
}

/// The value of --values and --fixed: `value(v)` for every `step`th vertex.
template <typename Value>
InputValues ValuesOf(uint64_t num_vertices, uint64_t step, Value value) {
  auto rows = std::make_shared<std::vector<InputValues::Row>>();
  for (uint64_t v = 0; v < num_vertices; v += step) rows->push_back({v, value(v)});
  return {"values", std::move(rows)};
}

TEST(ShippedTest, PersonalisedPageRank) {
  const auto share = [](uint64_t v) { return static_cast<double>(v % 4); };
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto n = static_cast<VertexId>(graph.num_vertices());
    for (const bool weighted : {false, true}) {
      const auto expect = [&](const std::vector<double>& start, ShippedRun run) {
        if (weighted) run.values.Set("--weighted", true);
        run.values.Set("--tolerance", 1e-9);
        run.values.Set("--iterations", 300);
        ExpectValues(c, run, textbook::PageRank(graph, start, 0.85, true, weighted), 1e-8);
      };
      expect(std::vector<double>(n, 1), {"ppr"});
      std::vector<double> start(n);
      std::vector<VertexId> seeds = {n / 2};
      if (n > 1) seeds.push_back(n - 1);
      for (const VertexId seed : seeds) start[seed] = 1;
      expect(start, {"ppr", {}, seeds});
      for (VertexId v = 0; v < n; v += 3) start[v] = share(v);
      for (VertexId v = 0; v < n; ++v) start[v] = v % 3 == 0 ? share(v) : 0;
      if (n > 3) expect(start, {"ppr", {{"--seeds", ValuesOf(n, 3, share)}}});
    }
  }
}

TEST(ShippedTest, PowerIterations) {
  constexpr int kSteps = 12;
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    for (const bool weighted : {false, true}) {
      OptionValues values{{"--iterations", uint64_t{kSteps}}};
      if (weighted) values.Set("--weighted", true);
      ExpectValues(c, {"eigenvector", values}, textbook::Eigenvector(graph, weighted, kSteps),
                   1e-9);
      const auto [hubs, authorities] = textbook::Hits(graph, kSteps, weighted);
      ExpectValues(c, {"hits", values}, authorities, 1e-9);
      values.Set("--hubs", true);
      ExpectValues(c, {"hits", values}, hubs, 1e-9);
    }
    std::vector<double> katz = textbook::Katz(graph, 0.001, 2, 5);
    OptionValues values{{"--alpha", 0.001}, {"--beta", 2.0}, {"--iterations", uint64_t{5}}};
    values.Set("--raw", true);
    ExpectValues(c, {"katz", values}, katz, 1e-9);
    values.Remove("--raw");
    textbook::Normalize(katz);
    ExpectValues(c, {"katz", values}, katz, 1e-9);
  }
}

TEST(ShippedTest, Simulations) {
  const auto value = [](uint64_t v) { return static_cast<double>(v % 5); };
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const uint64_t n = graph.num_vertices();
    std::vector<double> start(n);
    std::vector<uint8_t> fixed(n);
    for (VertexId v = 0; v < n; ++v) start[v] = value(v), fixed[v] = v % 3 == 0 ? 1 : 0;
    const InputValues values = ValuesOf(n, 1, value);
    const double scale = n < 120 ? 0.002 : 0.0002;
    ExpectValues(c, {"hs", {{"--values", values}, {"--scale", scale}, {"--iterations", 8}}},
                 textbook::Heat(graph, start, scale, 8), 1e-5);
    ExpectValues(
        c, {"cs", {{"--values", values}, {"--fixed", ValuesOf(n, 3, value)}, {"--iterations", 12}}},
        textbook::Circuit(graph, start, fixed, 12), 1e-4);
    for (const int steps : {2, 3}) {
      ExpectValues(c, {"nn", {{"--values", values}, {"--iterations", steps}}},
                   textbook::Neurons(graph, start, steps), 1e-4);
    }
  }
}

TEST(ShippedTest, AGraphWithoutVertices) {
  for (const bool directed : {false, true}) {
    Graph graph(0, {}, directed);
    auto stored = Stored(graph, {.weights = WeightType::kInt32});
    const StoredCase c{{"empty", std::move(graph)}, std::move(stored)};
    for (const char* const method : kComponentMethods) {
      ExpectValues(c, {"cc", {{"--method", method}}}, {});
    }
    for (const char* const method : {"jacobi", "delta"}) {
      ExpectValues(c, {"pagerank", {{"--method", method}}}, {});
    }
    for (const char* const file : {"hs", "cs", "nn"}) ExpectValues(c, {file}, {});
    for (const char* const file : {"kcore", "degrees", "ppr", "katz", "hits", "eigenvector"}) {
      ExpectValues(c, {file}, {});
    }
    ExpectValues(c, {"betweenness"}, {});
  }
}

TEST(ShippedTest, AllFilesAreRun) {
  EXPECT_EQ(ShippedFiles<Engine>().size(), 32u) << "add runs of the new algorithm";
  EXPECT_EQ(ShippedFiles<edgemill::Engine>().size(), ShippedFiles<Engine>().size());
}

TEST(ShippedTest, Coverage) {
  coverage = {};
  for (const StoredCase& c : StoredCases()) {
    const auto n = static_cast<VertexId>(c.plain.graph.num_vertices());
    if (n > 100) continue;
    for (const ShippedRun& run :
         {ShippedRun{"bfs", {}, {0}}, ShippedRun{"bfs", {}, {n / 2}}, ShippedRun{"ssnsp", {}, {0}},
          ShippedRun{"ssnsp", {}, {n / 2}}, ShippedRun{"cc", {{"--method", "labels"}}},
          ShippedRun{"pagerank", {{"--method", "delta"}}}}) {
      for (Mode mode : Modes()) {
        for (mode.seed = 1; mode.seed <= 3; ++mode.seed) {
          EXPECT_TRUE(RunOnModel(c, run, mode).ok()) << NameOf(run);
        }
      }
    }
  }
  const std::pair<const char*, uint64_t> counts[] = {
      {"lists split", coverage.split_lists},
      {"early exits", coverage.early_exits},
      {"taken in the pass", coverage.taken_in_pass},
      {"sent to owners", coverage.sent_to_owner},
      {"relaxed on stale copies", coverage.relaxed_stale},
      {"messages dropped", coverage.dropped},
      {"Cond not asked", coverage.not_asked_cond},
  };
  for (const auto& [what, count] : counts) {
    std::printf("%s: %llu\n", what, static_cast<unsigned long long>(count));
    EXPECT_GT(count, 1000u) << what;
  }
}

}  // namespace
}  // namespace edgemill::model
