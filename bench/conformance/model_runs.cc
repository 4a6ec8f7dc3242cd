#include "bench/conformance/model_runs.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/conformance/tested_answer.h"
#include "bench/conformance/time_limit.h"
#include "bench/trials/generated_graph.h"
#include "common/check.h"
#include "common/strings.h"
#include "engine/api/algorithm.h"
#include "engine/model/model_cases.h"
#include "engine/model/on_model.h"
#include "engine/run/opened_run.h"
#include "engine/run/prepared_run.h"
#include "engine/run/processor.h"
#include "engine/run/run.h"
#include "engine/run/run_plan.h"

namespace edgemill::bench {
namespace {

/// So many broken rules are shown at most: the first ones explain the others.
constexpr size_t kMostRules = 8;

/// The edges of a graph of the model, for ingest.
class CaseEdges : public EdgeSource {
 public:
  explicit CaseEdges(const model::Graph& graph) {
    info_.names = {"a graph of the model"};
    info_.weighted = true;
    for (const model::InputEdge& edge : graph.input()) {
      edges_.narrow.push_back({edge.from, edge.to});
      edges_.weights.push_back(edge.weight);
    }
  }
  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk* chunk) override {
    const MutexLock lock(mutex_);
    *chunk = std::exchange(edges_, {});
    chunk->sequence = 0;
    return chunk->num_edges() > 0;
  }
  StatusOr<std::string> PositionAfter(uint64_t /*sequence*/) override { return std::string(); }
  Status Resume(const std::string& /*position*/) override {
    return UsageError("a test's graph is made at once");
  }

 private:
  EdgeSourceInfo info_;
  Mutex mutex_;
  EdgeChunk edges_ GUARDED_BY(mutex_);
};

/// A graph of the model that is stored, and open for runs.
struct OpenCase {
  static StatusOr<std::unique_ptr<OpenCase>> Open(const model::Case& c, const std::string& path) {
    constexpr uint64_t kCacheBytes = uint64_t{1} << 20;
    auto open = std::make_unique<OpenCase>(OpenCase{.c = c});
    MemoryBudget& budget = *open->budget;
    ASSIGN_OR_RETURN(open->store, GraphStore::Open(path, {}, budget));
    const BlockReaderOptions options{.cache_bytes = kCacheBytes, .threads = 4};
    ASSIGN_OR_RETURN(open->reader, BlockReader::Create(*open->store, options, budget));
    Progress unseen;
    ASSIGN_OR_RETURN(
        const std::unique_ptr<LoadedGraph> loaded,
        LoadedGraph::Load({*open->store, *open->reader, 1, budget, unseen}, {.out_index = true}));
    ASSIGN_OR_RETURN(open->graph, model::GraphOf(*loaded));
    open->shared = {open->reader.get(), kCacheBytes};
    return open;
  }

  const model::Case& c;
  std::unique_ptr<MemoryBudget> budget = std::make_unique<MemoryBudget>(kConformanceBytes);
  std::unique_ptr<GraphStore> store = nullptr;
  std::unique_ptr<BlockReader> reader = nullptr;
  SharedReader shared = {};
  model::Graph graph = model::Graph(0, {}, false);  // as stored: ids may be others than in `c`
};

/// The run that DriveOnModel belongs to, since a Driver is a plain function.
struct ModelRun {
  const model::OnModel& functions;
  const model::Graph& graph;
  model::Mode mode;
  bool broke_rule = false;
  model::Trace trace;
};
ModelRun* current_run = nullptr;

Status DriveOnModel(Engine& engine, State& state, const RunContext& context, Answer* answer) {
  CHECK(current_run != nullptr);
  const Status status = current_run->functions.run(
      {current_run->graph, engine.graph(), current_run->mode, current_run->trace}, state, context,
      answer);
  current_run->broke_rule = status.code() == Code::kInternal;
  return status;
}

class ModelTest {
 public:
  ModelTest(const ConformanceOptions& options, const model::OnModel& functions, Progress& progress)
      : options_(options),
        functions_(functions),
        progress_(progress),
        algorithm_(*FindAlgorithm(options.run.algorithm)) {
    algorithm_.driver = {functions.make_state, DriveOnModel};
    algorithm_.verifier = {functions.make_check, functions.verify};
    algorithm_.description = {};  // it adds facts, which are not compared
  }

  StatusOr<ModelReport> Run() {
    const std::vector<model::Case> cases = model::Cases();
    progress_.StartStage("testing on the model", "graphs", {.units = cases.size()});
    for (const model::Case& c : cases) {
      // The engine is tested on graphs without vertices elsewhere.
      if (c.graph.num_vertices() > 0) RETURN_IF_ERROR(TestCase(c));
      progress_.Advance(1);
      if (lines_.size() >= kMostRules) break;
    }
    if (!lines_.empty()) return InternalError(Joined());
    if (!wrong_.empty()) return InternalError(wrong_);
    return report_;
  }

 private:
  /// Makes the graph, tests it, and removes it in any case.
  Status TestCase(const model::Case& c) {
    BenchmarkGraph graph(options_.scratch, "model");
    CaseEdges edges(c.graph);
    // In turn: weights of each type, and ids as given or by degree.
    constexpr WeightChoice::Kind kWeights[] = {
        WeightChoice::Kind::kInt32, WeightChoice::Kind::kFloat64, WeightChoice::Kind::kFloat32};
    const uint64_t number = ++num_cases_;
    IngestOptions making{
        .direction = c.graph.directed() ? EdgeDirection::kDirected : EdgeDirection::kUndirected,
        .weights = {.kind = kWeights[number % 3]},
        .num_vertices = c.graph.num_vertices(),
        .block_edges = 128,
        .threads = 1};
    if (number % 2 == 1) making.renumbering = Renumbering::kDegree;
    MemoryBudget budget(kConformanceBytes);
    Progress unseen;
    Status status = graph.Make(edges, making, budget, unseen);
    if (status.ok()) {
      StatusOr<std::unique_ptr<OpenCase>> open = OpenCase::Open(c, graph.path());
      status = open.ok() ? RunOnCase(**open) : open.status();
    }
    const Status removed = graph.Remove();
    return status.ok() ? removed : status;
  }

  Status RunOnCase(const OpenCase& open) {
    bool any = false;
    for (RunOptions& run : RunsOn(open.graph.num_vertices(), options_.run)) {
      run.device = Device::kCpu;
      run.threads = 1;
      run.async_passes = 0;
      run.verify = true;
      run.shared_reader = open.shared;
      TestedAnswer first;
      const Status status = RunSchedules(open, run, &first);
      if (status.code() == Code::kUsage) continue;  // the algorithm does not take this graph
      RETURN_IF_ERROR(status);
      any = true;
      // What breaks rules may never end on the engine.
      if (lines_.empty() && wrong_.empty()) RETURN_IF_ERROR(CompareEngine(open, run, first));
    }
    report_.graphs += any ? 1 : 0;
    return OkStatus();
  }

  /// Runs in all modes, and compares the answers with the `first` one.
  Status RunSchedules(const OpenCase& open, const RunOptions& run, TestedAnswer* first) {
    const model::Case& c = open.c;
    const std::vector<model::Mode> modes = model::Modes();
    std::string first_mode;
    model::Trace first_trace;
    // What the arrays say of a wrong answer.
    const auto explain = [&](std::string what, const ModelRun& wrong) {
      const std::string where = FirstDifference(wrong.trace, first_trace);
      return where.empty() ? what : StrCat(what, "; ", where);
    };
    for (size_t i = 0; i < modes.size() * options_.seeds; ++i) {
      model::Mode mode = modes[i % modes.size()];
      mode.seed = ++seed_;
      ModelRun on_model{functions_, open.graph, mode, false, {}};
      current_run = &on_model;
      const TimeLimit limit(options_.run_seconds);
      StatusOr<TestedAnswer> answer = RunOnModel(*open.store, run);
      current_run = nullptr;
      if (answer.status().code() == Code::kCancelled && limit.expired()) {
        AddWrong(StrCat("it did not end in ", options_.run_seconds, " s, which --limit sets"), c,
                 run, NameOf(mode));
        return lines_.empty() ? InternalError(wrong_) : InternalError(Joined());
      }
      if (answer.status().code() == Code::kInternal) {
        if (on_model.broke_rule) {
          AddRule(answer.status().message(), c, mode);
        } else {
          AddWrong(explain(std::string(answer.status().message()), on_model), c, run, NameOf(mode));
        }
        continue;
      }
      if (answer.status().code() == Code::kUsage && !first_mode.empty()) {
        AddWrong(StrCat("it refuses what it took before: ", answer.status().message()), c, run,
                 NameOf(mode));
        continue;
      }
      RETURN_IF_ERROR(answer.status());
      ++report_.runs;
      if (first_mode.empty()) {
        first_mode = NameOf(mode);
        *first = std::move(*answer);
        first_trace = std::move(on_model.trace);
      } else if (options_.compares) {
        const std::string what = Difference(*answer, *first, first_mode, options_.difference);
        if (!what.empty()) {
          AddWrong(explain(StrCat(what, "; the verifier accepts both"), on_model), c, run,
                   NameOf(mode));
        }
      }
    }
    return OkStatus();
  }

  /// One run on the model, whose answer is verified.
  StatusOr<TestedAnswer> RunOnModel(const GraphStore& store, const RunOptions& options) {
    MemoryBudget budget(kConformanceBytes);
    Progress unseen;
    ASSIGN_OR_RETURN(PreparedRun run, PrepareRun(algorithm_, store, options));
    ASSIGN_OR_RETURN(const std::unique_ptr<Processor> processor,
                     Processor::Choose(options, unseen));
    ASSIGN_OR_RETURN(const RunPlan plan, PlanRun(run, budget, unseen, *processor));
    processor->Begin(store, plan);
    const ReaderFactory make_reader = BlockReader::Create;
    ASSIGN_OR_RETURN(const std::unique_ptr<OpenedRun> opened,
                     OpenedRun::Open(run, plan, *processor, {budget, unseen, make_reader}));
    ASSIGN_OR_RETURN(const std::unique_ptr<RunResult> result, opened->RunAndVerify());
    return AnswerOf(*result);
  }

  /// Compares the model's answer with that of the engine on one thread.
  Status CompareEngine(const OpenCase& open, const RunOptions& run, const TestedAnswer& first) {
    const model::Case& c = open.c;
    MemoryBudget budget(kConformanceBytes);
    Progress unseen;
    const TimeLimit limit(options_.run_seconds);
    const auto result = edgemill::Run(*open.store, run, budget, unseen);
    if (result.status().code() == Code::kCancelled && limit.expired()) {
      AddWrong(StrCat("it did not end in ", options_.run_seconds, " s, which --limit sets"), c, run,
               "");
      return OkStatus();
    }
    if (result.status().code() == Code::kInternal) {
      AddWrong(result.status().message(), c, run, "");
      return OkStatus();
    }
    RETURN_IF_ERROR(result.status());
    ASSIGN_OR_RETURN(const TestedAnswer answer, AnswerOf(**result));
    const std::string what =
        options_.compares ? Difference(answer, first, "the model", options_.difference) : "";
    if (!what.empty()) AddWrong(StrCat(what, "; the verifier accepts both"), c, run, "");
    return OkStatus();
  }

  /// Keeps a rule that was broken, once.
  void AddRule(std::string_view rule, const model::Case& c, const model::Mode& mode) {
    if (!rules_.emplace(rule).second || lines_.size() == kMostRules) return;
    lines_.push_back(StrCat(rule, " (on the model: ", NameOf(mode), "; graph: ", c.name, ")"));
  }
  /// Keeps the first wrong answer. `mode` is empty where the engine gave it.
  void AddWrong(std::string_view what, const model::Case& c, const RunOptions& run,
                const std::string& mode) {
    if (!wrong_.empty()) return;
    wrong_ = StrCat(what, " (", mode.empty() ? "on the engine" : StrCat("on the model: ", mode),
                    "; graph: ", c.name, "; ", CommandOf(run, {}), ")");
  }
  std::string Joined() const {
    std::string text;
    for (const std::string& line : lines_) text += StrCat(text.empty() ? "" : "\n", line);
    return text;
  }

  const ConformanceOptions& options_;
  const model::OnModel& functions_;
  Progress& progress_;
  Algorithm algorithm_;  // with the functions for the model
  ModelReport report_;
  uint64_t num_cases_ = 0;
  uint64_t seed_ = 0;
  std::set<std::string, std::less<>> rules_;  // that were broken
  std::vector<std::string> lines_;            // the same, each with the run that showed it first
  std::string wrong_;                         // the first wrong answer; empty: none
};

}  // namespace

StatusOr<ModelReport> TestOnModel(const ConformanceOptions& options, Progress& progress) {
  const model::OnModel* const functions =
      model::FindOnModel(FileOf(*FindAlgorithm(options.run.algorithm)));
  if (functions == nullptr) return ModelReport{};
  return ModelTest(options, *functions, progress).Run();
}

}  // namespace edgemill::bench
