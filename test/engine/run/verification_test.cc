// Verifiers must refuse answers that are wrong in many ways.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "engine/api/algorithm.h"
#include "engine/graph/id_map.h"
#include "engine/run/make_engine.h"
#include "engine/run/run_plan.h"
#include "test/graphs/graph_builder.h"

namespace edgemill {
namespace {

constexpr uint32_t kNone = kInvalidVertex;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An algorithm on a loaded graph. Gives the right answer, and the verdict of the verifier on
/// others.
class Verification {
 public:
  Verification(const GraphStore& store, BlockReader& reader, RunOptions options)
      : options_(std::move(options)),
        setup_{store.info(), options_.values, options_.threads},
        algorithm_(*FindAlgorithm(options_.algorithm)) {
    options_.threads = 2;
    const PreparedRun run(algorithm_, store, options_);
    const RunPlan plan = CountRun(run, budget_, Processors::kCpu, AskedPasses(options_));
    auto graph = LoadedGraph::Load({store, reader, 2, budget_, progress_}, plan.needs.graph);
    CHECK(graph.ok());
    graph_ = std::move(*graph);
    for (const ExternalId id : options_.values.sources()) {
      sources_.push_back(*IdMap(store, reader).Find(id));
      source_ = sources_[0];
    }
  }

  VertexId source() const { return source_; }
  LoadedGraph& graph() const { return *graph_; }
  std::unique_ptr<State> Run() const { return RunFrom(source_); }
  std::unique_ptr<State> RunFrom(VertexId source) const {
    Recorder recorder(*graph_);
    std::unique_ptr<State> state = algorithm_.driver.make_state(setup_);
    CHECK(state->Allocate(graph_->budget()).ok());
    PassOptions passes;
    passes.list_bytes = ListMemoryOf(graph_->info(), graph_->threads(), /*arcs=*/true).whole;
    const auto engine = MakeCpuEngine(*graph_, *state, passes, recorder);
    CHECK(engine.ok());
    Answer answer;
    CHECK(algorithm_.driver.run(**engine, *state, Context(source), &answer).ok());
    return state;
  }
  Status Verify(State& state) const {
    const std::unique_ptr<State> check = algorithm_.verifier.make_state(setup_);
    RETURN_IF_ERROR(check->Allocate(graph_->budget()));
    return algorithm_.verifier.run(*graph_, state, *check, Context(source_));
  }

 private:
  RunContext Context(VertexId source) const { return {source, true, graph_->progress(), sources_}; }

  RunOptions options_;
  const RunSetup setup_;
  const Algorithm& algorithm_;
  MemoryBudget budget_{uint64_t{256} << 20};
  Progress progress_;
  std::unique_ptr<LoadedGraph> graph_;
  VertexId source_ = kInvalidVertex;  // the first
  std::vector<VertexId> sources_;
};

/// Damages a right answer in many ways, and restores it each time. T is the type of the values.
template <typename T>
class Spoiler {
 public:
  /// `array` is the name of the array that holds the values.
  Spoiler(const Verification& verification, std::string_view array)
      : verification_(verification), state_(verification.Run()), values_(state_->Find<T>(array)) {
    right_.assign(values_.begin(), values_.end());
    const Status status = verification_.Verify(*state_);
    EXPECT_TRUE(status.ok()) << "the right answer: " << status.message();
  }

  const std::vector<T>& right() const { return right_; }

  /// The verifier must refuse the answer that `spoil` has changed, unless it is still the same.
  void Refused(const std::string& name, const std::function<void(std::span<T> values)>& spoil) {
    spoil(values_);
    const bool spoilt = std::memcmp(values_.data(), right_.data(), values_.size_bytes()) != 0;
    if (spoilt) {
      ++num_spoilt_;
      EXPECT_EQ(Code::kInternal, verification_.Verify(*state_).code()) << name;
    }
    std::copy(right_.begin(), right_.end(), values_.begin());
  }
  /// The verifier must refuse each value of `wrong` in the place of one right value.
  void RefusedAt(VertexId vertex, std::initializer_list<T> wrong) {
    for (const T value : wrong) {
      Refused(StrCat("vertex ", vertex, ": ", value, " for ", right_[vertex]),
              [&](std::span<T> values) { values[vertex] = value; });
    }
  }
  /// The verifier must refuse an answer after `change` of every value for which `applies` is true.
  void RefusedWhere(const std::string& name, const std::function<bool(T value)>& applies,
                    const std::function<T(T value)>& change) {
    Refused(name, [&](std::span<T> values) {
      for (T& value : values) {
        if (applies(value)) value = change(value);
      }
    });
  }
  uint64_t num_spoilt() const { return num_spoilt_; }

 private:
  const Verification& verification_;
  const std::unique_ptr<State> state_;
  const std::span<T> values_;
  std::vector<T> right_;
  uint64_t num_spoilt_ = 0;
};

/// The vertices at which single faults are tried: all of small graphs, and some of others. With
/// EDGEMILL_TEST_ALL there are more.
std::vector<VertexId> Places(size_t num_vertices) {
  const size_t num_places = std::getenv("EDGEMILL_TEST_ALL") != nullptr ? 40 : 12;
  std::vector<VertexId> places;
  const size_t step = num_vertices / num_places + 1;
  for (size_t vertex = 0; vertex < num_vertices; vertex += step) {
    places.push_back(static_cast<VertexId>(vertex));
  }
  return places;
}

void SpoilLevels(const Verification& verification) {
  Spoiler<uint32_t> spoiler(verification, "level");
  const auto& right = spoiler.right();
  const auto plus = [](uint32_t by) { return [by](uint32_t level) { return level + by; }; };
  for (const VertexId vertex : Places(right.size())) {
    const uint32_t level = right[vertex];
    spoiler.RefusedAt(vertex, {level + 1, level - 1, 0, 1, kNone, kNone - 1});
  }
  const auto reached = [](uint32_t level) { return level != kNone; };
  spoiler.RefusedWhere("all one further", reached, plus(1));
  for (const uint32_t from : {1u, 2u, 3u}) {
    const auto beyond = [&](uint32_t level) { return level != kNone && level >= from; };
    spoiler.RefusedWhere(StrCat("from level ", from, " one further"), beyond, plus(1));
    spoiler.RefusedWhere(StrCat("from level ", from, " one nearer"), beyond, plus(-1u));
    spoiler.RefusedWhere(StrCat("from level ", from, " unreached"), beyond,
                         [](uint32_t) { return kNone; });
  }
  const auto unreached = [](uint32_t level) { return level == kNone; };
  for (const uint32_t level : {0u, 1u, 2u}) {
    spoiler.RefusedWhere("unreached ones reached", unreached, [&](uint32_t) { return level; });
    spoiler.RefusedWhere(
        "all on a level", [](uint32_t) { return true; }, [&](uint32_t) { return level; });
  }
  const VertexId other = verification.source() == 0 ? 1 : 0;
  if (other < right.size()) {
    const std::unique_ptr<State> wrong = verification.RunFrom(other);
    spoiler.Refused("another source", [&](std::span<uint32_t> values) {
      const std::span<uint32_t> levels = wrong->Find<uint32_t>("level");
      std::copy(levels.begin(), levels.end(), values.begin());
    });
  }
  EXPECT_GT(spoiler.num_spoilt(), right.size() > 1 ? 5u : 0u);
}

void SpoilParents(const Verification& verification,
                  const std::set<std::pair<VertexId, VertexId>>& edges) {
  Spoiler<uint32_t> spoiler(verification, "parent");
  const auto& right = spoiler.right();
  const VertexId num_vertices = static_cast<VertexId>(right.size());
  for (const VertexId vertex : Places(right.size())) {
    spoiler.RefusedAt(vertex, {kNone, vertex, num_vertices, kNone - 1});
    for (const VertexId parent : Places(right.size())) {
      if (edges.contains({parent, vertex})) continue;
      spoiler.RefusedAt(vertex, {parent});
      break;
    }
  }
  spoiler.Refused("a cycle of two", [&](std::span<uint32_t> parents) {
    for (VertexId vertex = 0; vertex < num_vertices; ++vertex) {
      const VertexId parent = right[vertex];
      if (parent != kNone && parent != vertex) {
        parents[parent] = vertex;
        break;
      }
    }
  });
  const auto reached = [](uint32_t parent) { return parent != kNone; };
  spoiler.RefusedWhere("all below the source", reached,
                       [&](uint32_t) { return verification.source(); });
  spoiler.RefusedWhere("none reached", reached, [](uint32_t) { return kNone; });
}

void SpoilComponents(const Verification& verification) {
  Spoiler<uint32_t> spoiler(verification, "component");
  const auto& right = spoiler.right();
  const VertexId num_vertices = static_cast<VertexId>(right.size());
  for (const VertexId vertex : Places(right.size())) {
    spoiler.RefusedAt(vertex, {vertex, 0, vertex + 1, num_vertices, num_vertices - 1, kNone});
  }
  const std::set<VertexId> labels(right.begin(), right.end());
  const auto relabel = [](VertexId from, VertexId to) {
    return [=](uint32_t label) { return label == from ? to : label; };
  };
  const auto any = [](uint32_t) { return true; };
  for (const VertexId label : {*labels.begin(), *labels.rbegin()}) {
    for (const VertexId other : {*labels.begin(), *labels.rbegin(), label + 1}) {
      spoiler.RefusedWhere(StrCat(label, " merged with or called ", other), any,
                           relabel(label, other));
    }
    std::vector<VertexId> members;
    for (VertexId vertex = 0; vertex < num_vertices; ++vertex) {
      if (right[vertex] == label) members.push_back(vertex);
    }
    spoiler.Refused("split in two", [&](std::span<uint32_t> values) {
      const size_t half = members.size() / 2;
      for (size_t i = half; half > 0 && i < members.size(); ++i) values[members[i]] = members[half];
    });
    spoiler.Refused("called by the last member", [&](std::span<uint32_t> values) {
      for (const VertexId member : members) values[member] = members.back();
    });
  }
  spoiler.RefusedWhere("all in one", any, [](uint32_t) { return 0u; });
  spoiler.Refused("all alone",
                  [](std::span<uint32_t> values) { std::iota(values.begin(), values.end(), 0u); });
}

/// Spoils a centrality, whose array is called `array`.
void SpoilScores(const Verification& verification, const char* array) {
  Spoiler<double> spoiler(verification, array);
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const double score = right[vertex];
    spoiler.RefusedAt(vertex, {score + 1, -1, score * 1.001, kInfinity,
                               std::numeric_limits<double>::quiet_NaN()});
  }
  const auto some = [](double score) { return score > 0; };
  spoiler.RefusedWhere("twice as much", some, [](double score) { return 2 * score; });
  spoiler.RefusedWhere("nothing", some, [](double) { return 0.0; });
}

void SpoilCores(const Verification& verification) {
  Spoiler<uint32_t> spoiler(verification, "core");
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const uint32_t core = right[vertex];
    spoiler.RefusedAt(vertex, {core + 1, core - 1, 0, 1, kNone});
  }
  const auto any = [](uint32_t) { return true; };
  spoiler.RefusedWhere("all one more", any, [](uint32_t core) { return core + 1; });
  spoiler.RefusedWhere("none", any, [](uint32_t) { return 0u; });
  for (const uint32_t from : {1u, 2u, 3u}) {
    const auto beyond = [&](uint32_t core) { return core >= from; };
    spoiler.RefusedWhere(StrCat("from core ", from, " one less"), beyond,
                         [](uint32_t core) { return core - 1; });
    spoiler.RefusedWhere(StrCat("no core beyond ", from), beyond, [&](uint32_t) { return from; });
  }
}

template <typename T>
void SpoilDistances(const Verification& verification) {
  Spoiler<T> spoiler(verification, "distance");
  const auto& right = spoiler.right();
  constexpr bool kReal = std::is_floating_point_v<T>;
  const T unreached = kReal ? static_cast<T>(kInfinity) : std::numeric_limits<T>::max();
  for (const VertexId vertex : Places(right.size())) {
    const T distance = right[vertex];
    spoiler.RefusedAt(vertex, {static_cast<T>(distance + 1), static_cast<T>(distance - 1), 0,
                               unreached, static_cast<T>(distance / 2)});
    if constexpr (kReal) {
      spoiler.RefusedAt(vertex, {std::nan(""), -kInfinity, -1.0, std::nextafter(distance, 1e300),
                                 std::nextafter(distance, -1.0)});
    }
  }
  const auto reached = [&](T distance) { return distance != unreached; };
  spoiler.RefusedWhere("all further", reached, [](T distance) { return distance + 1; });
  spoiler.RefusedWhere("all half as far", reached,
                       [](T distance) { return static_cast<T>(distance / 2); });
  spoiler.RefusedWhere("all twice as far", reached, [](T distance) { return distance * 2; });
  for (const T from : {1, 5, 20}) {
    const auto beyond = [&](T distance) { return distance != unreached && distance >= from; };
    spoiler.RefusedWhere("beyond it further", beyond, [](T distance) { return distance + 1; });
    spoiler.RefusedWhere("beyond it nearer", beyond, [](T distance) { return distance - 1; });
    spoiler.RefusedWhere("beyond it unreached", beyond, [&](T) { return unreached; });
  }
  for (const T distance : {0, 1, 1000000}) {
    spoiler.RefusedWhere(
        "unreached ones reached", [&](T value) { return value == unreached; },
        [&](T) { return distance; });
  }
}

/// A width as the state stores it: a T for reals, or an integer plus 1.
template <typename T>
void SpoilWidths(const Verification& verification) {
  constexpr bool kReal = std::is_floating_point_v<T>;
  Spoiler<T> spoiler(verification, kReal ? "real width" : "width");
  const auto& right = spoiler.right();
  const T none = kReal ? static_cast<T>(-kInfinity) : T{0};
  for (const VertexId vertex : Places(right.size())) {
    const T width = right[vertex];
    spoiler.RefusedAt(vertex, {none, static_cast<T>(width + 1), static_cast<T>(width - 1), T{1},
                               static_cast<T>(width * 2), static_cast<T>(width / 2),
                               right[verification.source()], std::numeric_limits<T>::max()});
    if constexpr (kReal) {
      spoiler.RefusedAt(vertex, {std::nan(""), kInfinity, -1.0, std::nextafter(width, kInfinity),
                                 std::nextafter(width, -kInfinity)});
    }
  }
  const auto reached = [&](T width) { return width != none; };
  spoiler.RefusedWhere("all half as wide", reached,
                       [](T width) { return static_cast<T>(width / 2); });
  spoiler.RefusedWhere("none reached", reached, [&](T) { return none; });
  const T source = right[verification.source()];
  spoiler.RefusedWhere("all as wide as the source", reached, [&](T) { return source; });
  for (const T from : {1, 5, 20}) {
    const auto others = [&](T width) { return width != none && width != source; };
    const auto wide = [&](T width) { return others(width) && width >= from; };
    const auto narrow = [&](T width) { return others(width) && width <= from; };
    spoiler.RefusedWhere("wide ones wider", wide, [](T width) { return width + 1; });
    spoiler.RefusedWhere("wide ones narrower", wide, [](T width) { return width - 1; });
    spoiler.RefusedWhere("wide ones unreached", wide, [&](T) { return none; });
    spoiler.RefusedWhere("narrow ones wider", narrow, [](T width) { return width + 1; });
    spoiler.RefusedWhere("narrow ones unreached", narrow, [&](T) { return none; });
  }
  for (const T width : {T{1}, T{2}, T{1000000}, source}) {
    spoiler.RefusedWhere(
        "unreached ones reached", [&](T value) { return value == none; }, [&](T) { return width; });
  }
}

void SpoilPathCounts(const Verification& verification) {
  Spoiler<uint64_t> spoiler(verification, "paths");
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const uint64_t paths = right[vertex];
    spoiler.RefusedAt(vertex, {0, 1, 2, paths + 1, paths - 1, paths * 2, ~uint64_t{0},
                               paths + (uint64_t{1} << 32), paths + (uint64_t{1} << 63)});
  }
  const auto reached = [](uint64_t paths) { return paths > 0; };
  spoiler.RefusedWhere("none reached", reached, [](uint64_t) { return uint64_t{0}; });
  spoiler.RefusedWhere("twice as many", reached, [](uint64_t paths) { return 2 * paths; });
  spoiler.RefusedWhere("as many as doubles hold", reached, [](uint64_t paths) {
    return static_cast<uint64_t>(static_cast<double>(paths));
  });
  spoiler.RefusedWhere("one path each", reached, [](uint64_t) { return uint64_t{1}; });
  spoiler.RefusedWhere(
      "unreached ones reached", [](uint64_t paths) { return paths == 0; },
      [](uint64_t) { return uint64_t{1}; });
  for (const uint64_t from : {2, 3, 10}) {
    const auto many = [&](uint64_t paths) { return paths >= from; };
    spoiler.RefusedWhere("some more", many, [](uint64_t paths) { return paths + 1; });
    spoiler.RefusedWhere("some fewer", many, [](uint64_t paths) { return paths - 1; });
  }
}

/// Ranks, or the contribution of each rank to each out-neighbour.
template <typename T>
void SpoilRanks(const Verification& verification, std::string_view array, bool spread) {
  Spoiler<T> spoiler(verification, array);
  const auto& right = spoiler.right();
  const VertexIndexView index = verification.graph().index(Direction::kOut);
  constexpr T kInfinite = static_cast<T>(kInfinity);
  for (const VertexId vertex : Places(right.size())) {
    const T rank = right[vertex];
    const auto parts = std::is_same_v<T, float> ? std::max<EdgeIndex>(1, index.degree(vertex)) : 1;
    const T step = static_cast<T>(1e-4) / static_cast<T>(parts);
    const T nan = static_cast<T>(std::nan(""));
    spoiler.RefusedAt(vertex,
                      {rank + step, rank - step, -rank, nan, kInfinite, -kInfinite, 1 + rank});
  }
  const auto all = [](T) { return true; };
  for (const double factor : {0.0, 0.5, 0.9999, 1.0001, 2.0, -1.0, kInfinity, std::nan("")}) {
    spoiler.RefusedWhere(StrCat("times ", factor), all,
                         [&](T rank) { return static_cast<T>(rank * factor); });
  }
  if (!spread || std::is_same_v<T, float>) return;
  spoiler.Refused("two ranks exchanged", [](std::span<T> ranks) {
    const auto [least, greatest] = std::minmax_element(ranks.begin(), ranks.end());
    if (*greatest - *least > 1e-4) std::swap(*least, *greatest);
  });
}

void SpoilValues(const Verification& verification) {
  Spoiler<float> spoiler(verification, "value");
  const auto& right = spoiler.right();
  constexpr auto kInfinite = static_cast<float>(kInfinity);
  for (const VertexId vertex : Places(right.size())) {
    const float value = right[vertex];
    spoiler.RefusedAt(vertex,
                      {value + 1e-3f, value - 1e-3f, value + 1, -2, std::nanf(""), kInfinite});
  }
  const auto some = [](float value) { return std::abs(value) > 1e-2f; };
  for (const float factor : {0.0f, 0.9f, 1.1f, -1.0f, kInfinite}) {
    spoiler.RefusedWhere(StrCat("times ", factor), some,
                         [factor](float value) { return value * factor; });
  }
  spoiler.Refused("two values exchanged", [](std::span<float> values) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    if (*greatest - *least > 1e-2f) std::swap(*least, *greatest);
  });
}

/// A path to the last vertex.
template <typename Prepare>
void SpoilSteps(Prepare prepare, uint64_t source, uint64_t target, bool weighted) {
  RunOptions options{.algorithm = "path",
                     .values = {{"--source", source}, {"--target", InputVertex{target}}}};
  if (weighted) options.values.Set("--weighted", true);
  const Verification verification = prepare(options);
  Spoiler<uint32_t> spoiler(verification, "links");
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const uint32_t step = right[vertex];
    spoiler.RefusedAt(vertex, {step + 1, step - 1, 0, 1, 5, kNone});
  }
  spoiler.RefusedWhere(
      "no path", [](uint32_t) { return true; }, [](uint32_t) { return kNone; });
}

/// Values that iterations give, which may be scaled in the end. A change counts where it is not
/// tiny beside the greatest value.
void SpoilIterations(const Verification& verification, const char* array) {
  Spoiler<double> spoiler(verification, array);
  const auto& right = spoiler.right();
  const double most = right.empty() ? 0 : *std::max_element(right.begin(), right.end());
  const double step = most / 100;
  for (const VertexId vertex : Places(right.size())) {
    const double value = right[vertex];
    spoiler.RefusedAt(vertex, {kInfinity, -kInfinity, std::nan("")});
    if (most == 0) continue;
    spoiler.RefusedAt(vertex, {value + step, value - step, value + most, -most});
    if (value > step) spoiler.RefusedAt(vertex, {0, 2 * value});
  }
}

/// Answers of ppr, katz, hits, eigenvector, and strengths.
template <typename Prepare>
void SpoilIterated(Prepare prepare, bool has_weights) {
  const auto spoil = [&](RunOptions options, const char* array) {
    SpoilIterations(prepare(options), array);
    if (!has_weights) return;
    options.values.Set("--weighted", true);
    SpoilIterations(prepare(options), array);
  };
  for (const uint64_t iterations : {2, 60}) {
    const auto run = [&](std::string name) {
      return RunOptions{.algorithm = std::move(name), .values = {{"--iterations", iterations}}};
    };
    spoil(run("ppr"), "share");
    spoil(run("eigenvector"), "value");
    spoil(run("hits"), "hub");
    spoil(run("hits"), "authority");
  }
  SpoilIterations(
      prepare({.algorithm = "katz", .values = {{"--alpha", 1e-3}, {"--iterations", 3}}}), "value");
  if (!has_weights) return;
  SpoilScores(prepare({.algorithm = "degrees", .values = {{"--weighted", true}}}), "strength");
}

/// Spoils single values, of which every other one is wrong.
template <typename T>
void SpoilPlaces(const Verification& verification, std::string_view array,
                 const std::function<std::vector<T>(VertexId vertex, T right)>& wrong) {
  Spoiler<T> spoiler(verification, array);
  for (const VertexId vertex : Places(spoiler.right().size())) {
    for (const T value : wrong(vertex, spoiler.right()[vertex])) spoiler.RefusedAt(vertex, {value});
  }
  EXPECT_GT(spoiler.num_spoilt(), 0u) << array;
}

void SpoilStrongComponents(const Verification& verification) {
  SpoilPlaces<uint32_t>(verification, "component", [](VertexId v, uint32_t) {
    return std::vector<uint32_t>{v, 0, 1, v + 1, kNone, kNone - 1};
  });
  Spoiler<uint32_t> spoiler(verification, "component");
  const auto& right = spoiler.right();
  const auto size = static_cast<VertexId>(right.size());
  if (std::count(right.begin(), right.end(), right.front()) < size) {  // else another name
    spoiler.Refused("all in one",
                    [](std::span<uint32_t> names) { std::fill(names.begin(), names.end(), 0); });
  }
  spoiler.Refused("all alone",
                  [](std::span<uint32_t> names) { std::iota(names.begin(), names.end(), 0u); });
  spoiler.Refused("two merged", [&](std::span<uint32_t> names) {
    for (VertexId v = 0; v < size; ++v)
      names[v] = right[v] == right[0] ? right[size - 1] : right[v];
  });
}

void SpoilTriangles(const std::function<Verification(const RunOptions&)>& prepare) {
  const auto lists = [&](Direction direction) {
    return prepare({.algorithm = "triangles"}).graph().has_lists(direction);
  };
  if (!lists(Direction::kOut) || !lists(Direction::kIn)) return;  // both are needed
  SpoilPlaces<uint64_t>(prepare({.algorithm = "triangles"}), "triangles",
                        [](VertexId, uint64_t count) {
                          return std::vector<uint64_t>{count + 1, count + 3, count - 3, ~count};
                        });
  SpoilPlaces<uint64_t>(prepare({.algorithm = "lcc"}), "links", [](VertexId, uint64_t links) {
    return std::vector<uint64_t>{links + 1, links - 1, 2 * links + 2};
  });
  SpoilPlaces<uint32_t>(prepare({.algorithm = "lcc"}), "neighbours", [](VertexId, uint32_t count) {
    return std::vector<uint32_t>{count + 1, count - 1};
  });
}

/// Where other algorithms look for structure.
void SpoilStructure(const std::function<Verification(const RunOptions&)>& prepare,
                    const GraphInfo& info) {
  SpoilPlaces<uint8_t>(prepare({.algorithm = "mis"}), "choice", [](VertexId, uint8_t) {
    return std::vector<uint8_t>{1, 2};
  });
  SpoilPlaces<uint32_t>(prepare({.algorithm = "coloring"}), "color", [](VertexId, uint32_t color) {
    return std::vector<uint32_t>{color + 1, color + 64, color - 1, 0, 1, kNone};
  });
  SpoilStrongComponents(prepare({.algorithm = "scc"}));
  const auto vertices = [](VertexId v, uint32_t label) {
    return std::vector<uint32_t>{v, v + 1, 0, label + 1, kNone};
  };
  for (const uint64_t iterations : {1, 3}) {
    SpoilPlaces<uint32_t>(prepare({.algorithm = "cdlp", .values = {{"--iterations", iterations}}}),
                          "label", vertices);
  }
  const auto size = static_cast<uint32_t>(info.num_vertices);
  SpoilPlaces<uint32_t>(prepare({.algorithm = "mst"}), "parent", [size](VertexId v, uint32_t) {
    return std::vector<uint32_t>{v, size, kNone};
  });
  SpoilPlaces<uint8_t>(prepare({.algorithm = "bipartite"}), "side", [](VertexId, uint8_t) {
    return std::vector<uint8_t>{0, 1, 2, 255};
  });
  if (info.directed) {
    SpoilPlaces<uint32_t>(prepare({.algorithm = "toposort"}), "level", [](VertexId, uint32_t l) {
      return std::vector<uint32_t>{l + 1, l - 1, 0, 1, kNone};
    });
  }
  SpoilTriangles(prepare);
  for (const bool all : {false, true}) {
    if (all && info.num_vertices > 500) continue;  // each verdict takes as many searches as the run
    const RunOptions options{.algorithm = "diameter", .values = {{"--eccentricity", all}}};
    SpoilPlaces<uint32_t>(prepare(options), "lower", [](VertexId, uint32_t bound) {
      return std::vector<uint32_t>{bound + 1, bound - 1, 0};
    });
  }
}

/// The edges of a graph in the direction in which they are stored.
std::set<std::pair<VertexId, VertexId>> EdgesOf(const TestCase& graph, bool directed) {
  std::set<std::pair<VertexId, VertexId>> edges;
  for (const TestEdge& edge : graph.edges) {
    const auto source = static_cast<VertexId>(edge.source);
    const auto target = static_cast<VertexId>(edge.target);
    edges.insert({source, target});
    if (!directed) edges.insert({target, source});
  }
  return edges;
}

void SpoilEverything(const GraphStore& store, BlockReader& reader, const TestCase& graph) {
  const ExternalId source = graph.edges.empty() ? 0 : graph.edges.front().source;
  const auto prepare = [&](const RunOptions& options) {
    return Verification(store, reader, options);
  };
  SpoilLevels(prepare({.algorithm = "bfs", .values = {{"--source", source}}}));
  SpoilLevels(prepare({.algorithm = "bfs", .values = {{"--source", source}, {"--iterations", 2}}}));
  SpoilLevels(prepare({.algorithm = "msbfs", .values = {{"--source", source}}}));
  for (const bool bounded : {false, true}) {
    RunOptions options{.algorithm = "ssnsp", .values = {{"--source", source}}};
    if (bounded) options.values.Set("--iterations", 2);
    SpoilLevels(prepare(options));
    SpoilPathCounts(prepare(options));
  }
  for (const std::string search : {"bfs", "sssp"}) {
    SpoilParents(
        prepare({.algorithm = search, .values = {{"--source", source}, {"--parents", true}}}),
        EdgesOf(graph, store.info().directed));
  }
  SpoilComponents(prepare({.algorithm = "cc"}));
  for (const uint64_t k : {0, 2, 3}) {
    SpoilCores(prepare({.algorithm = "kcore", .values = {{"--core", k}}}));
  }
  SpoilStructure(prepare, store.info());
  const bool has_weights = store.info().weights != WeightType::kNone;
  SpoilIterated(prepare, has_weights);
  for (const bool weighted : {false, has_weights}) {
    SpoilSteps(prepare, source, graph.num_vertices - 1, weighted);
  }
  SpoilScores(prepare({.algorithm = "betweenness", .values = {{"--source", source}}}),
              "betweenness");
  const bool harmonic = store.info().directed;
  SpoilScores(
      prepare({.algorithm = "closeness", .values = {{"--harmonic", harmonic}, {"--sample", 100}}}),
      "sum");
  const Verification sssp = prepare({.algorithm = "sssp", .values = {{"--source", source}}});
  const Verification sswp = prepare({.algorithm = "sswp", .values = {{"--source", source}}});
  if (store.info().weights == WeightType::kFloat64) {
    SpoilDistances<double>(sssp);
    SpoilWidths<double>(sswp);
  } else {
    SpoilDistances<uint32_t>(sssp);
    SpoilWidths<uint32_t>(sswp);
  }
  for (const std::string name : {"hs", "cs", "nn"}) {
    if (name == "nn" && store.info().weights == WeightType::kNone) continue;
    for (const uint64_t iterations : {1, 4}) {
      RunOptions options{.algorithm = name, .values = {{"--iterations", iterations}}};
      // With weights as large as these, rounding hides every difference between answers.
      if (name == "nn") options.values.Set("--gain", 0.02);
      SpoilValues(prepare(options));
    }
  }
  for (const bool spread : {true, false}) {
    RunOptions options{
        .algorithm = "pagerank",
        .values = {{"--tolerance", 1e-7}, {"--dangling", spread ? "spread" : "drop"}}};
    SpoilRanks<float>(prepare(options), "share", spread);
    RunOptions stopped = options;
    stopped.values.Remove("--tolerance");
    for (const uint64_t iterations : {1, 6}) {
      stopped.values.Set("--iterations", iterations);
      SpoilRanks<float>(prepare(stopped), "share", spread);
    }
    options.values.Set("--method", "delta");
    SpoilRanks<double>(prepare(options), "rank", spread);
  }
}

class Verifiers : public testing::TestWithParam<std::tuple<size_t, bool, WeightType>> {};

TEST_P(Verifiers, AcceptTheRightAnswerAndRefuseWrongOnes) {
  const auto [number, directed, weights] = GetParam();
  const TestCase graph = HardGraphs()[number];
  SCOPED_TRACE(graph.name);
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                          {.directed = directed, .weights = weights});
  InMemoryReader reader(*store, 1);
  SpoilEverything(*store, reader, graph);
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, Verifiers,
    testing::Combine(testing::Range(size_t{0}, HardGraphs().size()), testing::Bool(),
                     testing::Values(WeightType::kNone, WeightType::kInt32, WeightType::kFloat64)));

TEST(Verifiers, WorkOnSeveralDataDirectories) {
  const TemporaryDirectory root;
  const TestCase graph{"random", 1500, RandomTestEdges(12, 1200, 5000)};
  IngestOptions options;
  options.weights.kind = WeightChoice::Kind::kInt32;
  options.columns = ColumnChoice::kBoth;
  options.block_edges = 128;
  options.page_blocks = 1;
  options.ids = IdMode::kDense;
  for (int i = 0; i < 3; ++i) options.data_directories.push_back(root / StrCat("data", i));
  const auto built = BuildGraph(DenseList(graph), root / "g.mill", options);
  ASSERT_TRUE(built.ok()) << built.status().message();
  MemoryBudget budget(uint64_t{256} << 20);
  const auto store = GraphStore::Open(root / "g.mill", {}, budget);
  ASSERT_TRUE(store.ok()) << store.status().message();
  const auto reader = BlockReader::Create(**store, {}, budget);
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  SpoilEverything(**store, **reader, graph);
}

/// Two vertices with edges of weight 0 between them must not justify each other's distance.
TEST(Verifiers, EdgesOfWeightZeroDoNotJustifyEachOther) {
  // 0 -> 1 <-> 2, and 3 <-> 4, to which no path leads.
  const std::vector<TestEdge> edges = {{0, 1, 5}, {1, 2, 0}, {2, 1, 0}, {3, 4, 0}, {4, 3, 0}};
  const auto store = InMemoryGraph::Dense(5, edges, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader,
                                  {.algorithm = "sssp", .values = {{"--source", 0}}});
  Spoiler<uint32_t> spoiler(verification, "distance");
  EXPECT_EQ((std::vector<uint32_t>{0, 5, 5, kNone, kNone}), spoiler.right());
  spoiler.Refused("both too near", [](std::span<uint32_t> values) { values[1] = values[2] = 4; });
  spoiler.Refused("out of reach", [](std::span<uint32_t> values) { values[3] = values[4] = 7; });
}

/// Two equally wide vertices with wider edges between them must not justify each other's width.
TEST(Verifiers, EdgesWiderThanPathsDoNotJustifyEachOther) {
  // 0 -> 1 <-> 2, and 3 <-> 4, to which no path leads.
  const std::vector<TestEdge> edges = {{0, 1, 5}, {1, 2, 9}, {2, 1, 9}, {3, 4, 9}, {4, 3, 9}};
  const auto store = InMemoryGraph::Dense(5, edges, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader,
                                  {.algorithm = "sswp", .values = {{"--source", 0}}});
  Spoiler<uint32_t> spoiler(verification, "width");
  EXPECT_EQ((std::vector<uint32_t>{1u << 31, 6, 6, 0, 0}), spoiler.right());
  for (const uint32_t width : {1u, 5u, 7u, 10u}) {
    spoiler.Refused("both too wide or too narrow",
                    [&](std::span<uint32_t> values) { values[1] = values[2] = width; });
    spoiler.Refused("out of reach",
                    [&](std::span<uint32_t> values) { values[3] = values[4] = width; });
  }
}

/// Sums beyond 64 bits must not hide wrong answers: 2^64 paths are not 0 paths, and a part of 2^64
/// is not all of them.
TEST(Verifiers, SumsOfPathsThatPass64BitsAreWrong) {
  const auto store = InMemoryGraph::Dense(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}, {});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader,
                                  {.algorithm = "ssnsp", .values = {{"--source", 0}}});
  Spoiler<uint64_t> spoiler(verification, "paths");
  EXPECT_EQ((std::vector<uint64_t>{1, 1, 1, 2, 2}), spoiler.right());
  constexpr uint64_t kHalf = uint64_t{1} << 63;
  for (const uint64_t more : {0, 2}) {
    spoiler.Refused("a sum is 2^64, or more", [&](std::span<uint64_t> values) {
      values[1] = values[2] = kHalf + more / 2;
      values[3] = values[4] = more;
    });
    spoiler.Refused("a sum is 2^64, or more, and the most there is", [&](auto values) {
      values[1] = values[2] = kHalf + more / 2;
      values[3] = values[4] = ~uint64_t{0};
    });
  }
}

/// A stopped search may have widths that are not the widest yet. A width that no path has is
/// refused.
TEST(Verifiers, StoppedSearchesForWidthsAreOfPaths) {
  const auto store =
      InMemoryGraph::Dense(6, {{0, 1, 5}, {0, 2, 3}, {1, 2, 4}, {2, 3, 9}, {3, 4, 9}, {4, 3, 9}},
                           {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(
      *store, reader, {.algorithm = "sswp", .values = {{"--source", 0}, {"--iterations", 1}}});
  Spoiler<uint32_t> spoiler(verification, "width");
  EXPECT_EQ((std::vector<uint32_t>{1u << 31, 6, 4, 0, 0, 0}), spoiler.right());
  spoiler.RefusedAt(0, {6, 0});
  spoiler.RefusedAt(1, {7});
  spoiler.RefusedAt(2, {6, 10});
  spoiler.RefusedAt(3, {6, 10});
  spoiler.RefusedAt(5, {1, 6});
  spoiler.Refused("each by the other", [](auto values) { values[3] = values[4] = 6; });
  const std::unique_ptr<State> narrower = verification.Run();
  narrower->Find<uint32_t>("width")[1] = 5;
  EXPECT_TRUE(verification.Verify(*narrower).ok());
}

/// A stopped search may have distances that are not the shortest yet. A distance that no path has
/// is refused.
TEST(Verifiers, StoppedSearchesAreOfPaths) {
  const auto store = InMemoryGraph::Dense(
      6, {{0, 1, 5}, {1, 2, 5}, {2, 3, 5}, {3, 4, 0}, {4, 3, 0}}, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(
      *store, reader, {.algorithm = "sssp", .values = {{"--source", 0}, {"--iterations", 2}}});
  Spoiler<uint64_t> spoiler(verification, "distance");
  constexpr uint64_t kInfinite = ~uint64_t{0};
  EXPECT_EQ((std::vector<uint64_t>{0, 5, 10, kInfinite, kInfinite, kInfinite}), spoiler.right());
  spoiler.RefusedAt(0, {1, kInfinite});
  spoiler.RefusedAt(1, {0, 4});
  spoiler.RefusedAt(3, {10, 14});
  spoiler.RefusedAt(5, {0, 100});
  spoiler.Refused("each by the other", [](auto values) { values[3] = values[4] = 14; });
  const std::unique_ptr<State> longer = verification.Run();
  longer->Find<uint64_t>("distance")[3] = 15;
  EXPECT_TRUE(verification.Verify(*longer).ok());
}

TEST(Verifiers, StoppedLabelsAreOfTheComponent) {
  const auto store =
      InMemoryGraph::Dense(8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {6, 7}}, {.directed = false});
  InMemoryReader reader(*store, 1);
  RunOptions options{.algorithm = "cc", .values = {{"--method", "labels"}, {"--iterations", 1}}};
  options.mode = Mode::kPush;
  const Verification verification(*store, reader, options);
  Spoiler<uint32_t> spoiler(verification, "component");
  spoiler.RefusedAt(4, {5, 6, 7, kNone});
  spoiler.RefusedAt(6, {0, 5, 7});
  spoiler.RefusedAt(7, {0, 4, 5});
}

/// A path has one forest. A circle of parents, and edges that are not the lightest, are refused.
TEST(Verifiers, ForestsAreWholeAndLightest) {
  const std::vector<TestEdge> edges = {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}, {1, 3, 9}};
  const auto store =
      InMemoryGraph::Dense(4, edges, {.directed = false, .weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader, {.algorithm = "mst"});
  Spoiler<uint32_t> spoiler(verification, "parent");
  EXPECT_EQ((std::vector<uint32_t>{0, 0, 1, 2}), spoiler.right());
  spoiler.RefusedAt(3, {0, 1, 3});
  spoiler.RefusedAt(0, {1, 2, 3});
  spoiler.Refused("a circle", [](auto parents) { parents[0] = 3; });
  spoiler.Refused("another root", [](auto parents) { parents[0] = parents[1] = 1; });
}

/// Each component of a circle of components is whole by itself.
TEST(Verifiers, ComponentsInACircleAreOne) {
  const auto store = InMemoryGraph::Dense(4, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}, {3, 0}}, {});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader, {.algorithm = "scc"});
  Spoiler<uint32_t> spoiler(verification, "component");
  spoiler.Refused("two", [](auto names) {
    names[0] = names[1] = 0;
    names[2] = names[3] = 2;
  });
}

TEST(Verifiers, TiesThatGoAgainstTheOrderOfEdgesAreFollowed) {
  std::vector<TestEdge> edges;
  for (uint64_t v = 400; v > 0; --v) edges.push_back({v, v - 1, 0});
  const auto store = InMemoryGraph::Dense(401, edges, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 0);
  const Verification verification(*store, reader,
                                  {.algorithm = "sssp", .values = {{"--source", 400}}});
  Spoiler<uint32_t> spoiler(verification, "distance");
  spoiler.RefusedAt(0, {1, kNone});
  const Verification of_widths(*store, reader,
                               {.algorithm = "sswp", .values = {{"--source", 400}}});
  Spoiler<uint32_t> width_spoiler(of_widths, "width");
  width_spoiler.RefusedAt(0, {0, 2});
}

}  // namespace
}  // namespace edgemill
