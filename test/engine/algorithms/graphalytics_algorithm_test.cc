// Runs on the validation graphs of LDBC Graphalytics. Results must equal the expected ones; reals
// may differ by 1e-4.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

const std::string kData = EDGEMILL_TEST_DATA "/graphalytics/";

/// The lines of a file as words.
std::vector<std::vector<std::string>> ReadLines(const std::string& name) {
  std::ifstream file(kData + name);
  EXPECT_TRUE(file.good()) << name;
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> parts;
    for (std::string word; words >> word;) parts.push_back(word);
    if (!parts.empty()) lines.push_back(parts);
  }
  return lines;
}

std::unique_ptr<InMemoryGraph> Make(const std::set<ExternalId>& ids,
                                    const std::vector<TestEdge>& edges, bool directed,
                                    WeightType weights) {
  return std::make_unique<InMemoryGraph>(
      std::vector<ExternalId>(ids.begin(), ids.end()), edges,
      TestGraphOptions{.directed = directed, .weights = weights, .renumber_seed = 4});
}

/// Reads a graph from the files `NAME.v` and `NAME.e`.
std::unique_ptr<InMemoryGraph> FromEdges(const std::string& name, bool directed) {
  std::set<ExternalId> ids;
  std::vector<TestEdge> edges;
  for (const auto& line : ReadLines(name + ".v")) ids.insert(std::stoull(line[0]));
  for (const auto& line : ReadLines(name + ".e")) {
    edges.push_back(
        {std::stoull(line[0]), std::stoull(line[1]), line.size() > 2 ? std::stod(line[2]) : 1});
  }
  return Make(ids, edges, directed, WeightType::kFloat64);
}

/// Reads a directed graph from a file with one line for each vertex.
std::unique_ptr<InMemoryGraph> FromLists(const std::string& name) {
  std::set<ExternalId> ids;
  std::vector<TestEdge> edges;
  for (const auto& line : ReadLines(name)) {
    ids.insert(std::stoull(line[0]));
    for (size_t i = 1; i < line.size(); ++i) {
      ids.insert(std::stoull(line[i]));
      edges.push_back({std::stoull(line[0]), std::stoull(line[i])});
    }
  }
  return Make(ids, edges, true, WeightType::kNone);
}

void ExpectOutput(const InMemoryGraph& graph, RunOptions options, const std::string& expected) {
  options.threads = 2;
  options.verify = true;
  const Outcome outcome = RunInMemory(graph, options);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  const auto lines = ReadLines(expected);
  ASSERT_EQ(lines.size(), outcome.values.size()) << expected;
  for (const VertexValue& value : outcome.values) {
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& words) {
      return std::stoull(words[0]) == value.id;
    });
    ASSERT_NE(lines.end(), line) << value.id;
    const std::string& answer = (*line)[1];
    if (answer == "9223372036854775807" || answer == "Infinity") {
      EXPECT_FALSE(value.reached) << expected << " " << value.id;
      continue;
    }
    EXPECT_TRUE(value.reached) << expected << " " << value.id;
    const double number = std::stod(answer);
    EXPECT_NEAR(number, static_cast<double>(value.integer) + value.real, 1e-4 * number)
        << expected << " " << value.id;
  }
}

TEST(Graphalytics, Bfs) {
  const RunOptions options{.algorithm = "bfs", .values = {{"--source", 1}}};
  ExpectOutput(*FromLists("validation/bfs/dir-input"), options, "validation/bfs/dir-output");
}

TEST(Graphalytics, PageRank) {
  const RunOptions options{.algorithm = "pagerank", .values = {{"--iterations", 14}}};
  ExpectOutput(*FromLists("validation/pr/dir-input"), options, "validation/pr/dir-output");
}

TEST(Graphalytics, Sssp) {
  const RunOptions options{.algorithm = "sssp", .values = {{"--source", 1}}};
  ExpectOutput(*FromEdges("validation/sssp/dir-input", true), options,
               "validation/sssp/dir-output");
}

TEST(Graphalytics, Examples) {
  for (const bool directed : {true, false}) {
    const std::string name = directed ? "example-directed" : "example-undirected";
    const auto graph = FromEdges(name, directed);
    const ExternalId source = directed ? 1 : 2;
    const std::string expected = "validation/example/" + name;
    ExpectOutput(*graph, {.algorithm = "bfs", .values = {{"--source", source}}}, expected + "-BFS");
    ExpectOutput(*graph, {.algorithm = "sssp", .values = {{"--source", source}}},
                 expected + "-SSSP");
    ExpectOutput(*graph, {.algorithm = "pagerank", .values = {{"--iterations", 2}}},
                 expected + "-PR");
    ExpectOutput(*graph, {.algorithm = "cdlp", .values = {{"--iterations", 2}}},
                 expected + "-CDLP");
    ExpectOutput(*graph, {.algorithm = "lcc"}, expected + "-LCC");
  }
}

TEST(Graphalytics, ExampleComponentsAreTheSameSets) {
  for (const bool directed : {true, false}) {
    const std::string name = directed ? "example-directed" : "example-undirected";
    const Outcome outcome = RunInMemory(*FromEdges(name, directed), {.algorithm = "cc"});
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
    std::map<std::string, std::set<uint64_t>> ours;
    std::map<uint64_t, std::set<uint64_t>> least;
    for (const auto& line : ReadLines("validation/example/" + name + "-WCC")) {
      const auto value = std::find_if(outcome.values.begin(), outcome.values.end(),
                                      [&](const auto& v) { return v.id == std::stoull(line[0]); });
      ASSERT_NE(outcome.values.end(), value);
      ours[line[1]].insert(value->integer);
      least[value->integer].insert(value->id);
    }
    for (const auto& [label, components] : ours) EXPECT_EQ(1u, components.size()) << label;
    EXPECT_EQ(ours.size(), least.size());
    for (const auto& [component, ids] : least) EXPECT_EQ(component, *ids.begin());
  }
}

}  // namespace
}  // namespace edgemill
