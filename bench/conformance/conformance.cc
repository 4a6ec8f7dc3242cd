#include "bench/conformance/conformance.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "bench/conformance/model_runs.h"
#include "bench/conformance/run_ways.h"
#include "bench/conformance/test_graphs.h"
#include "bench/conformance/tested_answer.h"
#include "bench/conformance/time_limit.h"
#include "common/strings.h"
#include "engine/run/gpu_choice.h"

namespace edgemill::bench {
namespace {

class ConformanceTest {
 public:
  ConformanceTest(const ConformanceOptions& options, MemoryBudget& budget, Progress& progress)
      : options_(options), budget_(budget), progress_(progress) {}

  StatusOr<ConformanceReport> Run() {
    ASSIGN_OR_RETURN(const MemoryReservation memory,
                     budget_.Reserve(kConformanceBytes, "runs on test graphs"));
    ASSIGN_OR_RETURN(report_.on_model, TestOnModel(options_, progress_));
    ways_ = RunWays(OpenGpu({}).ok());
    const std::vector<TestGraph> graphs = TestGraphs(options_.seeds);
    progress_.StartStage("testing", "graphs", {.units = graphs.size()});
    for (const TestGraph& graph : graphs) {
      RETURN_IF_ERROR(TestGraphOnce(graph));
      progress_.Advance(1);
    }
    if (report_.graphs == 0) return UsageError(first_refusal_);
    for (const RunWay& way : ways_) {
      const std::string name = NameOf(way);
      if (ended_.contains(name)) report_.ways.push_back(name);
      const auto refused = refused_.find(name);
      if (!ended_.contains(name) && refused != refused_.end()) {
        report_.left_out.push_back(StrCat(name, ": ", refused->second));
      }
    }
    return std::move(report_);
  }

 private:
  static std::string NameOf(const RunWay& way) {
    return way.least_memory ? StrCat(way.text, ", in the least --memory") : way.text;
  }

  /// Makes the graph, tests it, and removes it in any case.
  Status TestGraphOnce(const TestGraph& test) {
    BenchmarkGraph graph(options_.scratch, "test");
    GeneratedGraphOptions making = test.options;
    making.memory_bytes = kConformanceBytes;
    Progress unseen;
    Status status = graph.Make(making, unseen);
    if (status.ok()) status = RunAllWays(test, graph.path());
    const Status removed = graph.Remove();
    return status.ok() ? removed : status;
  }

  Status RunAllWays(const TestGraph& test, const std::string& path) {
    const GeneratorOptions& generator = test.options.generator;
    const uint64_t vertices =
        generator.num_vertices > 0 ? generator.num_vertices : uint64_t{1} << generator.scale;
    const std::vector<RunOptions> runs = RunsOn(vertices, options_.run);
    bool any = false;
    for (const RunOptions& run : runs) {
      TestedAnswer first;
      for (const RunWay& way : ways_) {
        StatusOr<TestedAnswer> answer = RunOnce(path, run, way);
        const bool is_first = &way == &ways_.front();
        if (answer.status().code() == Code::kUsage) {
          if (is_first) {
            if (first_refusal_.empty()) first_refusal_ = answer.status().message();
            break;  // the algorithm does not take this graph
          }
          refused_.emplace(NameOf(way), answer.status().message());
          continue;
        }
        if (answer.status().code() == Code::kInternal) {
          return Wrong(test, run, way, answer.status().message());
        }
        RETURN_IF_ERROR(answer.status());
        ++report_.runs;
        any = true;
        ended_.insert(NameOf(way));
        if (is_first) {
          first = std::move(*answer);
        } else if (options_.compares) {
          RETURN_IF_ERROR(Compare(first, *answer, test, run, way));
        }
      }
    }
    if (any) ++report_.graphs;
    return OkStatus();
  }

  StatusOr<TestedAnswer> RunOnce(const std::string& path, RunOptions run, const RunWay& way) {
    way.set(&run);
    run.verify = true;
    uint64_t bytes = kConformanceBytes;
    if (way.least_memory) {
      MemoryBudget counted(kConformanceBytes);
      ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                       GraphStore::Open(path, {}, counted));
      ASSIGN_OR_RETURN(bytes, LeastBudget(*store, run, counted));
    }
    MemoryBudget own(bytes);
    ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store, GraphStore::Open(path, {}, own));
    ASSIGN_OR_RETURN(const std::unique_ptr<RunResult> result, RunHalted(*store, run, own, way));
    return AnswerOf(*result);
  }

  /// Runs. A run that halts at a checkpoint goes on from it. Its checkpoints are removed.
  /// InternalError for a run that takes too long.
  StatusOr<std::unique_ptr<RunResult>> RunHalted(const GraphStore& store, RunOptions& run,
                                                 MemoryBudget& budget, const RunWay& way) const {
    run.checkpoints.halts_after = way.halts_after;
    run.checkpoints.resume = false;
    Progress unseen;
    const TimeLimit limit(options_.run_seconds);
    auto result = edgemill::Run(store, run, budget, unseen);
    const bool halted = result.status().code() == Code::kCancelled && HasCheckpoint(store, run);
    if (halted) {
      run.checkpoints = {.resume = true};
      result = edgemill::Run(store, run, budget, unseen);
    }
    RETURN_IF_ERROR(RemoveCheckpoints(store, run));
    if (result.status().code() == Code::kCancelled && limit.expired()) {
      return InternalError(
          StrCat("it did not end in ", options_.run_seconds, " s, which --limit sets"));
    }
    return result;
  }

  Status Compare(const TestedAnswer& first, const TestedAnswer& other, const TestGraph& test,
                 const RunOptions& run, const RunWay& way) const {
    const std::string what = Difference(other, first, ways_.front().text, options_.difference);
    if (what.empty()) return OkStatus();
    return Wrong(test, run, way, StrCat(what, "; the verifier accepts both"));
  }

  /// The error for a wrong answer.
  Status Wrong(const TestGraph& test, const RunOptions& run, const RunWay& way,
               std::string_view what) const {
    const std::string command = CommandOf(run, options_.plugins);
    return InternalError(StrCat(what, " (", test.command, "; ", command, " ", NameOf(way), ")"));
  }

  const ConformanceOptions& options_;
  MemoryBudget& budget_;
  Progress& progress_;
  std::vector<RunWay> ways_;
  ConformanceReport report_;
  std::string first_refusal_;
  std::set<std::string> ended_;                 // names of ways
  std::map<std::string, std::string> refused_;  // why
};

}  // namespace

StatusOr<ConformanceReport> TestConformance(const ConformanceOptions& options, MemoryBudget& budget,
                                            Progress& progress) {
  return ConformanceTest(options, budget, progress).Run();
}

}  // namespace edgemill::bench
