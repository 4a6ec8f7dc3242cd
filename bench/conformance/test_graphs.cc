#include "bench/conformance/test_graphs.h"

#include "common/strings.h"

namespace edgemill::bench {
namespace {

constexpr uint32_t kBlockEdges = 128;
constexpr int kScale = 9;

class GraphList {
 public:
  explicit GraphList(uint64_t seeds) : seeds_(seeds) {}

  /// A graph whose shape depends on the number of vertices alone.
  void AddShape(std::string_view kind, GeneratorKind generator, uint64_t num_vertices) {
    GeneratorOptions options{.kind = generator, .num_vertices = num_vertices};
    Add(StrCat(kind, " g.mill --vertices ", num_vertices), options);
  }
  /// A graph of each seed.
  void AddRandom(std::string_view kind, GeneratorKind generator, uint64_t edge_factor) {
    for (uint64_t seed = 1; seed <= seeds_; ++seed) {
      GeneratorOptions options{
          .kind = generator, .scale = kScale, .edge_factor = edge_factor, .seed = seed};
      std::string command = StrCat(kind, " g.mill --scale ", kScale, " --seed ", seed);
      if (generator != GeneratorKind::kRoad) command += StrCat(" --edge-factor ", edge_factor);
      Add(command, options);
    }
  }
  std::vector<TestGraph> Take() { return std::move(graphs_); }

 private:
  void Add(const std::string& command, const GeneratorOptions& generator) {
    TestGraph graph{.command = StrCat("edgemill generate ", command)};
    graph.options.generator = generator;
    graph.options.block_edges = kBlockEdges;
    // In turn: many equal weights and zeros; larger ones; none.
    const size_t number = graphs_.size();
    if (number % 3 != 2) {
      graph.options.weights = {WeightChoice::Kind::kRandom, number % 3 == 0 ? 0 : 1,
                               number % 3 == 0 ? 3 : 255, number};
      graph.command += StrCat(" --weights random:", graph.options.weights.low, ":",
                              graph.options.weights.high, ":", number);
    } else {
      graph.options.weights.kind = WeightChoice::Kind::kNone;
      graph.command += " --weights none";
    }
    graph.options.by_degree = number % 2 == 1;
    graph.command += StrCat(" --renumber ", graph.options.by_degree ? "degree" : "none",
                            " --block-edges ", kBlockEdges);
    graphs_.push_back(std::move(graph));
  }

  const uint64_t seeds_;
  std::vector<TestGraph> graphs_;
};

}  // namespace

std::vector<TestGraph> TestGraphs(uint64_t seeds) {
  GraphList list(seeds);
  for (const uint64_t vertices : {1, 2, 3, 300, 1000}) {
    list.AddShape("path", GeneratorKind::kPath, vertices);
    list.AddShape("star", GeneratorKind::kStar, vertices);
  }
  list.AddShape("grid", GeneratorKind::kGrid, 400);
  list.AddRandom("rmat", GeneratorKind::kRmat, 1);  // directed; few edges, loops and duplicates
  list.AddRandom("rmat", GeneratorKind::kRmat, 16);
  list.AddRandom("uniform", GeneratorKind::kUniform, 1);  // many components
  list.AddRandom("uniform", GeneratorKind::kUniform, 8);
  list.AddRandom("kron", GeneratorKind::kKron, 8);
  list.AddRandom("web", GeneratorKind::kWeb, 5);
  list.AddRandom("road", GeneratorKind::kRoad, 1);
  return list.Take();
}

}  // namespace edgemill::bench
