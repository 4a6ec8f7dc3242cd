// Random sequences of operators on the model and on the engine, which are compared after every
// step. One seed decides the graph, the setting and the sequence.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/strings.h"
#include "test/model/answers.h"
#include "test/model/composed/composed_firsts.h"
#include "test/model/composed/composed_relaxing.h"
#include "test/model/composed/composed_steps.h"
#include "test/model/composed/composed_sums.h"
#include "test/model/composed/composed_values.h"

namespace edgemill::model {

/// Declares all programs of the steps. `directions` are those in which the graph can be
/// read.
struct ComposedPrograms : ComposerState {
  ComposedPrograms(uint64_t num_vertices, int threads, Directions directions)
      : ComposerState(num_vertices, threads),
        sums(*this, directions),
        relaxing(*this, directions),
        firsts(*this, directions),
        values(*this, directions),
        lists(*this, directions) {}
  SumPrograms sums;
  RelaxingPrograms relaxing;
  FirstPrograms firsts;
  ValuePrograms values;
  VisitedLists lists;
};

/// All that a seed decides, except the sequence.
struct Composition {
  uint64_t seed;
  Graph graph;
  TestGraphOptions options;
  OperatorSetting setting;
  bool order_counts;  // parallel edges are stored in the order of the input
  int steps;
};

/// Edges of three hubs, whose lists have at least `least` edges, and other edges. Weights are
/// integers 0 to 7.
inline std::vector<InputEdge> HubEdges(uint64_t num_vertices, uint64_t least,
                                       std::mt19937_64& random) {
  std::vector<InputEdge> edges = RandomEdges(num_vertices, num_vertices, random, false);
  for (uint64_t hub = 0; hub < 3; ++hub) {
    const auto center = static_cast<VertexId>(random() % num_vertices);
    for (uint64_t i = least + random() % 600; i > 0; --i) {
      const auto other = static_cast<VertexId>(random() % num_vertices);
      const auto weight = static_cast<double>(random() % 8);
      edges.push_back({hub % 2 == 0 ? center : other, hub % 2 == 0 ? other : center, weight});
    }
  }
  return edges;
}

/// Draws a graph. Weights are integers 0 to 7, or all are 1.
inline Graph DrawGraph(std::mt19937_64& random, bool weighted) {
  const bool directed = random() % 3 != 0;
  uint64_t n = 1 + random() % 40;
  std::vector<InputEdge> edges;
  const auto weight = [&] { return static_cast<double>(random() % 8); };
  switch (random() % 6) {
    case 0:
      edges = RandomEdges(n, random() % 100, random, random() % 2 == 0);
      break;
    case 1:  // lists of hubs fill several blocks
      n = 100 + random() % 150;
      edges = HubEdges(n, 0, random);
      break;
    case 2:
      n = 200 + random() % 200;
      edges = RandomEdges(n, 1000 + random() % 1500, random, true);
      break;
    case 3:
      n = 300 + random() % 1000;
      edges = RandomEdges(n, n * 3 / 4, random, false);
      break;
    case 4:
      n = 66 + random() % 100;
      for (VertexId v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1, weight()});
      break;
    default:  // few vertices, many parallel edges and loops
      n = 2 + random() % 5;
      edges = RandomEdges(n, 100 + random() % 700, random, false);
      break;
  }
  if (!weighted) {
    for (InputEdge& edge : edges) edge.weight = 1;
  }
  return Graph(n, std::move(edges), directed);
}

inline Composition Compose(uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr std::array kModes = {edgemill::Mode::kAuto, edgemill::Mode::kPush,
                                 edgemill::Mode::kPull, edgemill::Mode::kNotifyPull};
  constexpr std::array kWeights = {WeightType::kInt32, WeightType::kFloat64, WeightType::kFloat32,
                                   WeightType::kNone};
  TestGraphOptions options;
  options.weights = kWeights[random() % 4];
  options.block_edges = std::array{128, 128, 128, 256, 1024}[random() % 5];
  OperatorSetting setting;
  setting.mode = kModes[random() % 4];
  setting.threads = ThreadCounts({1, 3})[random() % ThreadCounts({1, 3}).size()];
  setting.async_passes = std::array{0u, 1u, 16u}[random() % 3];
  setting.shuffle_seed = random() % 1000;
  if (random() % 4 == 0) setting.spare_bytes = 0;
  const bool may_lack = setting.mode == edgemill::Mode::kAuto ||  //
                        setting.mode == edgemill::Mode::kPush;
  options.in_columns = !may_lack || random() % 4 != 0;
  Graph graph = DrawGraph(random, options.weights != WeightType::kNone);
  setting.sub_csrs = random() % 4 == 0;
  return {seed, std::move(graph), options, setting, true, 25};
}

/// The first difference between both sides, or an empty string.
inline std::string Difference(const Side<Engine>& model, const Side<RealEngine>& engine) {
  const auto of = [](const auto& values) { return CopyOf(values); };
  const ComposerState& a = engine.state;
  const ComposerState& b = model.state;
  const std::pair<const char*, std::string> all[] = {
      {"x0", Compare(of(a.x0), of(b.x0))},
      {"x1", Compare(of(a.x1), of(b.x1))},
      {"x2", Compare(of(a.x2), of(b.x2))},
      {"y", Compare(of(a.y), of(b.y))},
      {"z", Compare(of(a.z), of(b.z))},
      {"byte", Compare(of(a.byte), of(b.byte))},
      {"half", Compare(of(a.half), of(b.half))},
      {"word", Compare(of(a.word), of(b.word))},
      {"real", Compare(of(a.real), of(b.real))},
      {"counts", Compare(of(a.counts), of(b.counts))},
      {"numbers", Compare(engine.numbers, model.numbers)}};
  for (const auto& [name, difference] : all) {
    if (!difference.empty()) return StrCat(name, ": ", difference);
  }
  for (size_t i = 0; i < kComposedSets; ++i) {
    if (engine.sets[i].size() != model.sets[i].size() ||
        engine.sets[i].Members() != model.sets[i].Members()) {
      return StrCat("set ", i, " has ", engine.sets[i].size(), " members, not ",
                    model.sets[i].size(), ", or others");
    }
  }
  return "";
}

inline std::vector<Step> AllSteps() {
  std::vector<Step> all;
  for (const auto steps :
       {SumSteps(), RelaxingSteps(), FirstSteps(), ValueSteps(), VertexSteps()}) {
    all.insert(all.end(), steps.begin(), steps.end());
  }
  return all;
}

/// Draws steps and runs them on both sides. Returns what went wrong, or an empty string.
class Composer {
 public:
  /// `steps` has the steps to draw from.
  Composer(const Composition& composition, RealEngine& engine, ComposerState& engine_state,
           std::vector<Step> steps = AllSteps())
      : composition_(composition),
        random_(composition.seed + 1),
        model_(composition.graph, ModelMode(random_)),
        model_state_(composition.graph.num_vertices(), 1),
        on_model_{model_, model_state_, composition.graph, {}, {}},
        on_engine_{engine, engine_state, composition.graph, {}, {}},
        steps_(std::move(steps)) {}

  std::string Run() {
    if (!model_state_.Allocate(model_.budget()).ok()) return "no memory for the model";
    const bool started = Start(on_model_) && Start(on_engine_);
    if (!started) return "no memory for sets";
    for (int i = 0; i < composition_.steps; ++i) {
      const Step& step = steps_[random_() % steps_.size()];
      const StepParameters parameters = Draw();
      if (!MayRun(step)) continue;
      ++num_steps;
      const std::string wrong = RunStep(step, parameters);
      if (!wrong.empty()) {
        return StrCat("step ", i, ", ", step.name, " to ", static_cast<int>(parameters.directions),
                      " of ", on_model_.sets[parameters.from].size(), ": ", wrong);
      }
    }
    return "";
  }

  /// The number of steps in all compositions.
  static inline uint64_t num_steps = 0;

 private:
  static Mode ModelMode(std::mt19937_64& random) {
    const std::vector<Mode> modes = Modes();
    Mode mode = modes[random() % modes.size()];
    mode.seed = random();
    return mode;
  }
  bool MayRun(const Step& step) const {
    const edgemill::Mode mode = composition_.setting.mode;
    const bool only_push = mode == edgemill::Mode::kPush || !composition_.options.in_columns;
    return !(step.only_pulls && only_push) && !(step.order_counts && !composition_.order_counts);
  }
  /// Sets of all vertices, of one, of every third, and of none.
  template <typename E>
  static bool Start(Side<E>& side) {
    SetPool& sets = side.engine.sets();
    const auto n = static_cast<VertexId>(side.graph.num_vertices());
    std::vector<VertexId> some;
    for (VertexId v = 0; v < n; v += 3) some.push_back(v);
    auto one = sets.Of({n / 2});
    auto third = sets.Of(some);
    if (!one.ok() || !third.ok()) return false;
    side.sets = {sets.All(), std::move(*one), std::move(*third), sets.None()};
    return true;
  }
  StepParameters Draw() {
    StepParameters p;
    p.directions = std::array{kOut, kIn, kBoth}[random_() % 3];
    if (composition_.graph.directed() && !composition_.options.in_columns) p.directions = kOut;
    p.from = random_() % kComposedSets;
    for (int i = 0; i < 3 && on_model_.sets[p.from].empty(); ++i)
      p.from = random_() % kComposedSets;
    p.into = random_() % kComposedSets;
    p.a = random_() % 3;
    p.b = (p.a + 1 + random_() % 2) % 3;
    p.c = 3 - p.a - p.b;
    p.number = random_() % 100000;
    return p;
  }
  std::string RunStep(const Step& step, const StepParameters& p) {
    on_model_.numbers.clear();
    on_engine_.numbers.clear();
    const Status model = step.on_model(on_model_, p);
    if (!model.ok()) return StrCat("the model: ", model.message());
    const Status engine = step.on_engine(on_engine_, p);
    if (!engine.ok()) return StrCat("the engine: ", engine.message());
    if (!violation.empty()) return StrCat("the engine: ", violation);
    return Difference(on_model_, on_engine_);
  }

  const Composition& composition_;
  std::mt19937_64 random_;
  Engine model_;
  ComposerState model_state_;
  Side<Engine> on_model_;
  Side<RealEngine> on_engine_;
  const std::vector<Step> steps_;
};

}  // namespace edgemill::model
