#include "bench/conformance/conformance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "bench/conformance/run_ways.h"
#include "bench/conformance/test_graphs.h"
#include "bench/conformance/time_limit.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/gpu_choice.h"

namespace edgemill::bench {
namespace {

struct TestedAnswer {
  ResultType type = ResultType::kReal;
  std::vector<VertexValue> values;
};

std::string ValueText(const VertexValue& value, ResultType type) {
  if (!value.reached) return "none";
  return type == ResultType::kReal ? StrCat(value.real) : StrCat(value.integer);
}

class ConformanceTest {
 public:
  ConformanceTest(const ConformanceOptions& options, MemoryBudget& budget, Progress& progress)
      : options_(options), budget_(budget), progress_(progress) {}

  StatusOr<ConformanceReport> Run() {
    ASSIGN_OR_RETURN(const MemoryReservation memory,
                     budget_.Reserve(kConformanceBytes, "runs on test graphs"));
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
    const std::vector<RunOptions> runs = RunsOn(test);
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

  /// The runs on a graph: of a search one from the first and one from the last vertex, and from
  /// several where the search takes them.
  std::vector<RunOptions> RunsOn(const TestGraph& test) const {
    const AlgorithmHelp help = *AlgorithmCalled(options_.run.algorithm);
    // A sample is in place of sources.
    if (!help.needs_source() || options_.run.values.Has("--sample")) return {options_.run};
    const GeneratorOptions& generator = test.options.generator;
    const uint64_t vertices =
        generator.num_vertices > 0 ? generator.num_vertices : uint64_t{1} << generator.scale;
    std::vector<OptionValue> sources = {InputVertex{0}};
    if (vertices > 1) sources.emplace_back(InputVertex{vertices - 1});
    if (vertices > 2 && help.Find("--source")->kind == OptionKind::kVertices) {
      // In two orders: which source comes first must not depend on the way.
      sources.emplace_back(InputVertices{{0, vertices / 2, vertices - 1}});
      sources.emplace_back(InputVertices{{vertices - 1, vertices / 2, 0}});
    }
    RunOptions run = options_.run;
    for (const OptionDeclaration& option : help.options) {
      if (!option.required || option.kind != OptionKind::kVertex) continue;
      if (option.long_name() != "--source") {
        run.values.Set(option.long_name(), InputVertex{vertices / 2});
      }
    }
    std::vector<RunOptions> runs;
    for (OptionValue& source : sources) {
      runs.push_back(run);
      runs.back().values.Set("--source", std::move(source));
    }
    return runs;
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
    TestedAnswer answer{.type = result->type()};
    RETURN_IF_ERROR(result->Visit([&](std::span<const VertexValue> values) {
      answer.values.insert(answer.values.end(), values.begin(), values.end());
      return OkStatus();
    }));
    return answer;
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

  bool Same(const VertexValue& a, const VertexValue& b, ResultType type) const {
    if (a.id != b.id || a.reached != b.reached) return false;
    if (!a.reached) return true;
    if (type != ResultType::kReal) return a.integer == b.integer;
    if (a.real == b.real) return true;
    const double larger = std::max(std::abs(a.real), std::abs(b.real));
    return std::abs(a.real - b.real) <= options_.difference * larger;
  }

  Status Compare(const TestedAnswer& first, const TestedAnswer& other, const TestGraph& test,
                 const RunOptions& run, const RunWay& way) const {
    if (first.values.size() != other.values.size()) {
      return Wrong(test, run, way,
                   StrCat(other.values.size(), " values, and ", first.values.size(), " with ",
                          ways_.front().text));
    }
    for (size_t i = 0; i < first.values.size(); ++i) {
      const VertexValue& one = first.values[i];
      if (Same(one, other.values[i], first.type)) continue;
      return Wrong(test, run, way,
                   StrCat("vertex ", one.id, " has ", ValueText(other.values[i], first.type),
                          ", and ", ValueText(one, first.type), " with ", ways_.front().text,
                          "; the verifier accepts both"));
    }
    return OkStatus();
  }

  /// The error for a wrong answer.
  Status Wrong(const TestGraph& test, const RunOptions& run, const RunWay& way,
               std::string_view what) const {
    std::string command = StrCat("edgemill run ", run.algorithm, " g.mill --verify");
    for (const std::string& plugin : options_.plugins) command += StrCat(" --plugin ", plugin);
    for (const auto& [name, value] : run.values.entries()) {
      const auto* const several = std::get_if<std::vector<ExternalId>>(&value.variant());
      if (several != nullptr) {
        for (const ExternalId id : *several) command += StrCat(" ", name, " ", id);
      } else if (std::holds_alternative<bool>(value.variant())) {
        command += StrCat(" ", name);
      } else {
        command += StrCat(" ", name, " ", value.Text());
      }
    }
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
