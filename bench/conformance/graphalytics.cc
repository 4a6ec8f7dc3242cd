#include "bench/conformance/graphalytics.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "bench/trials/generated_graph.h"
#include "common/clock.h"
#include "common/strings.h"
#include "engine/output/output_file.h"
#include "engine/output/tables/answer_output.h"
#include "loaders/ingest/ingest.h"
#include "loaders/read/edge_reader.h"
#include "loaders/read/graphalytics_properties.h"
#include "loaders/stream/stream_lines.h"

namespace edgemill::bench {
namespace {

/// How far a real value may be from the reference, relative to it.
constexpr double kEpsilon = 1e-4;

/// What an answer's values are.
enum class AnswerKind : uint8_t { kExact, kLabels, kReals };

/// An algorithm of the benchmark, and what it is here.
struct Rule {
  std::string_view name;  // in .properties
  std::string_view file;  // NAME-FILE has the reference
  std::string_view algorithm;
  AnswerKind kind;
  /// Its parameters, by their option. Others than these are not read.
  std::vector<std::pair<std::string_view, std::string_view>> parameters;
};

const std::vector<Rule>& Rules() {
  static const std::vector<Rule> rules = {
      {"bfs", "BFS", "bfs", AnswerKind::kExact, {{"--source", "source-vertex"}}},
      {"cdlp", "CDLP", "cdlp", AnswerKind::kExact, {{"--iterations", "max-iterations"}}},
      {"lcc", "LCC", "lcc", AnswerKind::kReals, {}},
      {"pr",
       "PR",
       "pagerank",
       AnswerKind::kReals,
       {{"--damping", "damping-factor"}, {"--iterations", "num-iterations"}}},
      {"sssp", "SSSP", "sssp", AnswerKind::kReals, {{"--source", "source-vertex"}}},
      {"wcc", "WCC", "cc", AnswerKind::kLabels, {}},
  };
  return rules;
}

/// One line of a reference.
struct ReferenceLine {
  ExternalId id = 0;
  uint64_t integer = 0;
  double real = 0;
};

/// A reference, in the order of ids.
struct ReferenceAnswer {
  std::string path;
  std::vector<ReferenceLine> lines;
  MemoryReservation memory;
};

/// Reads a file of "id value" lines. BadDataError, BudgetError.
StatusOr<ReferenceAnswer> ReadReference(const std::string& path, bool reals, uint64_t num_vertices,
                                        MemoryBudget& budget) {
  constexpr int kWindowLog = 27;
  ReferenceAnswer reference{.path = path, .lines = {}, .memory = {}};
  ASSIGN_OR_RETURN(reference.memory, budget.Reserve(num_vertices * sizeof(ReferenceLine),
                                                    StrCat("the answer in ", path)));
  std::vector<ReferenceLine>& lines = reference.lines;
  lines.reserve(num_vertices);
  ASSIGN_OR_RETURN(const std::unique_ptr<InputStream> input,
                   InputStream::Open(path, /*trust_suffix=*/false, kWindowLog));
  const auto parse = [&](uint64_t number, std::string_view text) -> Status {
    const std::string_view line = StripSpace(text);
    if (line.empty()) return OkStatus();
    const size_t blank = line.find_first_of(" \t");
    const std::string_view value =
        blank == line.npos ? std::string_view() : StripSpace(line.substr(blank));
    ReferenceLine read;
    bool fits = ParseNumber(line.substr(0, blank), &read.id);
    if (reals && value == "Infinity") {
      read.real = HUGE_VAL;
    } else {
      fits = fits && (reals ? ParseNumber(value, &read.real) : ParseNumber(value, &read.integer));
    }
    if (!fits || lines.size() == num_vertices) {
      return BadDataError(
          StrCat(path, ":", number, ": ",
                 fits ? "more lines than the graph has vertices" : "not a vertex and its value",
                 ": correct it, or remove the file"));
    }
    lines.push_back(read);
    return OkStatus();
  };
  RETURN_IF_ERROR(ForEachLine(*input, "give a vertex and its value a line", parse));
  std::sort(lines.begin(), lines.end(),
            [](const ReferenceLine& a, const ReferenceLine& b) { return a.id < b.id; });
  return reference;
}

/// Compares answers with a reference, vertex by vertex in the order of ids.
class AnswerComparison {
 public:
  AnswerComparison(AnswerKind kind, const ReferenceAnswer& reference)
      : kind_(kind), path_(reference.path), lines_(reference.lines) {}

  /// InternalError for a value that is wrong.
  Status Compare(const VertexValue& value) {
    if (next_ == lines_.size() || lines_[next_].id != value.id) {
      return BadDataError(
          StrCat(path_, ": has no line for vertex ", value.id, ": add it, or remove the file"));
    }
    const ReferenceLine& line = lines_[next_++];
    if (kind_ == AnswerKind::kReals) {
      const double found = value.reached ? value.real : HUGE_VAL;
      // Infinities are equal; else their difference is no number.
      const bool close =
          found == line.real || std::abs(found - line.real) <= kEpsilon * std::abs(line.real);
      return close ? OkStatus() : Wrong(value.id, StrCat(found), StrCat(line.real));
    }
    const uint64_t found = value.reached ? value.integer : kUnreached;
    uint64_t expected = line.integer;
    // Components have the least id as their name here, which is the first vertex's.
    if (kind_ == AnswerKind::kLabels)
      expected = names_.try_emplace(expected, value.id).first->second;
    return found == expected ? OkStatus() : Wrong(value.id, StrCat(found), StrCat(expected));
  }
  Status End() const {
    if (next_ == lines_.size()) return OkStatus();
    return BadDataError(StrCat(path_, ": vertex ", lines_[next_].id,
                               " is not in the graph: correct it, or remove the file"));
  }

 private:
  static constexpr uint64_t kUnreached = 9223372036854775807;

  Status Wrong(ExternalId vertex, const std::string& found, const std::string& expected) const {
    return InternalError(
        StrCat("vertex ", vertex, " has ", found, ", and by ", path_, " it should have ", expected,
               ": either is wrong; without the file, the answer is checked by its definition"));
  }

  const AnswerKind kind_;
  const std::string& path_;
  const std::span<const ReferenceLine> lines_;
  size_t next_ = 0;
  std::unordered_map<uint64_t, ExternalId> names_;  // by the reference's label
};

/// One graph of the benchmark.
class GraphRuns {
 public:
  GraphRuns(const GraphalyticsOptions& options, std::string properties_path, Progress& progress)
      : options_(options),
        properties_path_(std::move(properties_path)),
        name_(std::filesystem::path(properties_path_).stem().string()),
        graph_(options.scratch, name_),
        progress_(progress) {}

  const std::string& name() const { return name_; }
  Status ReadParameters(std::vector<std::string>* remarks) {
    ASSIGN_OR_RETURN(properties_, ReadGraphalyticsProperties(properties_path_));
    for (const std::string& algorithm : properties_.algorithms) {
      const auto rule =
          std::find_if(Rules().begin(), Rules().end(),
                       [&algorithm](const Rule& other) { return other.name == algorithm; });
      if (rule == Rules().end()) {
        remarks->push_back(
            StrCat(name_, ": ", algorithm, " left out: not an algorithm of ", "Graphalytics"));
        continue;
      }
      const auto& asked = options_.algorithms;
      if (std::find(asked.begin(), asked.end(), algorithm) == asked.end()) continue;
      ASSIGN_OR_RETURN(RunOptions run, OptionsOf(*rule));
      runs_.push_back({&*rule, std::move(run)});
      if (!options_.output.empty()) {
        RETURN_IF_ERROR(CheckOutputPath(OutputOf(*rule), options_.replaces_output));
      }
    }
    return OkStatus();
  }

  Status Run(GraphalyticsReport* report) {
    if (runs_.empty()) return OkStatus();
    ASSIGN_OR_RETURN(const double load_seconds, Load());
    report->load_seconds.emplace_back(name_, load_seconds);
    MemoryBudget budget(options_.memory_bytes);
    ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                     GraphStore::Open(graph_.path(), {}, budget));
    for (const auto& [rule, run] : runs_) {
      ASSIGN_OR_RETURN(GraphalyticsRun done, RunOne(*rule, run, *store, budget));
      report->runs.push_back(std::move(done));
    }
    return OkStatus();
  }
  Status Remove() { return graph_.Remove(); }

 private:
  std::string OutputOf(const Rule& rule) const {
    return StrCat(options_.output, "/", name_, "-", rule.file);
  }

  StatusOr<RunOptions> OptionsOf(const Rule& rule) const {
    RunOptions run = options_.run;
    run.algorithm = rule.algorithm;
    for (const auto& [option, key] : rule.parameters) {
      const std::string full = StrCat(rule.name, ".", key);
      const auto found = properties_.others.find(full);
      if (found == properties_.others.end()) {
        return BadDataError(
            StrCat(properties_path_, ": graph.", name_, ".", full, " is missing: add it"));
      }
      uint64_t number = 0;
      double real = 0;
      const bool is_real = option == "--damping";
      if (is_real ? !ParseNumber(found->second, &real) : !ParseNumber(found->second, &number)) {
        return BadDataError(StrCat(properties_path_, ": graph.", name_, ".", full, " = ",
                                   found->second, ": not a number: correct it"));
      }
      if (is_real) {
        run.values.Set(option, real);
      } else if (option == "--source") {
        run.values.Set(option, InputVertex{number});
      } else {
        run.values.Set(option, number);
      }
    }
    if (rule.name == "pr") run.values.Set("--tolerance", 0.0);  // all iterations
    return run;
  }

  /// Makes the graph. Returns the seconds.
  StatusOr<double> Load() {
    const Stopwatch watch;
    MemoryBudget budget(options_.memory_bytes);
    IngestOptions ingest;
    ingest.threads = options_.run.threads;
    ingest.renumbering = std::nullopt;
    ReadOptions read;
    ReadFor(ingest, &read);
    ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source,
                     OpenEdgeReader({properties_path_}, read));
    RETURN_IF_ERROR(graph_.Make(*source, ingest, budget, progress_));
    return watch.seconds();
  }

  StatusOr<GraphalyticsRun> RunOne(const Rule& rule, RunOptions run, const GraphStore& store,
                                   MemoryBudget& budget) {
    const GraphInfo& info = store.info();
    const EdgeIndex stored = info.directed ? info.num_edges : info.num_edges / 2;
    GraphalyticsRun done{.graph = name_,
                         .algorithm = std::string(rule.name),
                         .vertices = info.num_vertices,
                         .edges = properties_.edges.value_or(stored)};
    const std::string reference = StrCat(options_.directory, "/", name_, "-", rule.file);
    done.has_reference = std::filesystem::exists(reference);
    run.verify = !done.has_reference;
    const auto with_place = [&](const Status& status) {
      return Annotate(status, StrCat(name_, ", ", rule.name));
    };
    progress_.StartStage(rule.name, "trials", options_.trials);
    for (uint64_t trial = 0; trial < options_.trials; ++trial) {
      Progress unseen;  // its notes, such as that weights are ignored, follow from the rules
      StatusOr<std::unique_ptr<RunResult>> result = edgemill::Run(store, run, budget, unseen);
      if (result.status().code() == Code::kUsage && run.values.Has("--source")) {
        return BadDataError(StrCat(properties_path_, ": graph.", name_, ".", rule.name,
                                   ".source-vertex = ", run.values.sources()[0],
                                   ", which is not a vertex of the graph: correct it"));
      }
      if (!result.ok()) return with_place(result.status());
      done.seconds.push_back((*result)->report().run_seconds);
      if (done.has_reference) {
        RETURN_IF_ERROR(with_place(Compare(rule, reference, budget, **result)));
      }
      if (trial == 0 && !options_.output.empty()) {
        RETURN_IF_ERROR(with_place(Write(rule, **result, store, budget)));
      }
      progress_.Advance(1);
    }
    return done;
  }

  static Status Compare(const Rule& rule, const std::string& reference, MemoryBudget& budget,
                        RunResult& result) {
    const bool reals = rule.kind == AnswerKind::kReals;
    ASSIGN_OR_RETURN(const ReferenceAnswer read,
                     ReadReference(reference, reals, result.num_vertices(), budget));
    AnswerComparison comparison(rule.kind, read);
    RETURN_IF_ERROR(result.Visit([&](std::span<const VertexValue> values) -> Status {
      for (const VertexValue& value : values) RETURN_IF_ERROR(comparison.Compare(value));
      return OkStatus();
    }));
    return comparison.End();
  }

  Status Write(const Rule& rule, const RunResult& result, const GraphStore& store,
               MemoryBudget& budget) const {
    Progress unseen;  // the stage counts trials
    return WriteAnswer(result, store, {.path = OutputOf(rule), .graphalytics_unreachable = true},
                       {options_.run.threads, budget, unseen});
  }

  const GraphalyticsOptions& options_;
  const std::string properties_path_;
  const std::string name_;
  BenchmarkGraph graph_;
  Progress& progress_;
  GraphalyticsProperties properties_;
  std::vector<std::pair<const Rule*, RunOptions>> runs_;
};

/// The .properties files of the directory, by name. MissingError where there are none.
StatusOr<std::vector<std::string>> PropertiesIn(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".properties") paths.push_back(entry.path().string());
  }
  if (error) return MissingError(StrCat(directory, ": ", error.message(), ": name a directory"));
  if (paths.empty()) {
    return MissingError(StrCat(directory,
                               ": has no .properties: name the directory of graphs of "
                               "Graphalytics"));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::vector<std::string> GraphalyticsAlgorithms() {
  std::vector<std::string> names;
  for (const Rule& rule : Rules()) names.emplace_back(rule.name);
  return names;
}

StatusOr<GraphalyticsReport> RunGraphalytics(const GraphalyticsOptions& options,
                                             Progress& progress) {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths, PropertiesIn(options.directory));
  GraphalyticsReport report;
  std::vector<std::unique_ptr<GraphRuns>> graphs;
  for (const std::string& path : paths) {  // all of them before work
    graphs.push_back(std::make_unique<GraphRuns>(options, path, progress));
    RETURN_IF_ERROR(graphs.back()->ReadParameters(&report.remarks));
  }
  for (const std::unique_ptr<GraphRuns>& graph : graphs) {
    progress.StartRound(graph->name());
    const Status status = graph->Run(&report);
    const Status removed = graph->Remove();
    RETURN_IF_ERROR(status);
    RETURN_IF_ERROR(removed);
  }
  return report;
}

}  // namespace edgemill::bench
