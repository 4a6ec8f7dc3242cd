#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/graph500/graph500_report.h"
#include "bench/record/result_file.h"
#include "bench/trials/algorithm_trials.h"
#include "bench/trials/generated_graph.h"
#include "bench/trials/known_algorithms.h"
#include "bench/trials/source_picker.h"
#include "cli/bench/graph500_rules.h"
#include "cli/bench/iteration_table.h"
#include "cli/bench/result_page.h"
#include "cli/bench/trials_report.h"
#include "cli/command.h"
#include "cli/graphs/graph_opening.h"
#include "cli/options/name_list.h"
#include "cli/run/algorithm_options.h"
#include "cli/run/run_variants.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::cli {
namespace {

using bench::TrialPlan;
using bench::TrialSeries;

constexpr uint64_t kDefaultTrials = 5;
/// The numbers of trials by GAP's rules.
constexpr uint64_t kGapSearchTrials = 64;
constexpr uint64_t kGapTrials = 16;

class BenchRunCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  std::string_view description() const override;
  Status Run(const OptionSet& given, Session& session) override;

 private:
  /// How each trial runs.
  struct Ways {
    std::string start;
    std::string in_turn = "none";
    std::string weight;
  };
  struct Chosen {
    std::string name;  // in results: that of the algorithm, or of a method of it
    AlgorithmHelp help;
    OptionValues values;  // the options that select the method
  };
  StatusOr<std::vector<Chosen>> ChosenAlgorithms() const;
  Status ApplyGapRules(const OptionSet& given, TrialPlan::Entry* entry) const;
  /// What is common to Graph500's trials and to others.
  StatusOr<TrialPlan> PlanWith(const OptionSet& given, const RunOptions& options) const;
  StatusOr<TrialPlan> Plan(const OptionSet& given, const Session& session) const;
  StatusOr<std::unique_ptr<GraphStore>> Open(const TrialPlan& plan, Session& session) const;
  Status RunOnGraph(const OptionSet& given, Session& session);
  /// Makes Graph500's graph at graph_, runs RunKernels on it, and removes it.
  Status RunGraph500(const OptionSet& given, Session& session);
  Status RunGraph500On(TrialPlan plan, bench::Graph500Report report, Session& session) const;
  TrialsReport ReportOn(const std::vector<TrialSeries>& all, const GraphStore& store,
                        const TrialPlan& plan) const;

  std::string algorithms_;
  std::string graph_;
  AlgorithmOptions algorithm_options_;
  std::string rules_ = "none";
  Ways ways_;
  std::string scratch_ = ".";
  uint64_t trials_ = 0;
  uint64_t seed_ = bench::kGapSeed;
  bool skip_verify_ = false;
  bool by_iteration_ = false;
  PlotFlag plot_;
};

/// An algorithm without the options that stop it early, which trials may not have.
AlgorithmHelp ForTrials(AlgorithmHelp help) {
  std::erase_if(help.options, [](const OptionDeclaration& option) { return option.stops_early; });
  return help;
}

std::vector<AlgorithmHelp> AlgorithmsForTrials() {
  std::vector<AlgorithmHelp> algorithms = Algorithms();
  for (AlgorithmHelp& help : algorithms) help = ForTrials(std::move(help));
  return algorithms;
}

std::vector<AlgorithmHelp> HelpForOptions() {
  std::vector<AlgorithmHelp> algorithms = AlgorithmsForTrials();
  algorithms.push_back(Graph500Options());
  return algorithms;
}

void BenchRunCommand::Declare(OptionSet& options) {
  options.Positional(
      "ALGORITHM", &algorithms_, true,
      "what to time; several, as in bfs,cc, take turns; delta is pagerank by deltas");
  options.Positional("GRAPH", &graph_, false,
                     "the graph directory (NAME.mill); required, except by Graph500's rules");
  options.Section("The trials");
  options.Number(
      "-n,--trials", &trials_, "N",
      "time each so many times (default: 5; by GAP's rules 64 of searches, 16 of others)",
      {1, 1'000'000});
  options.Choice("--rules", &rules_, {"none", "gap", "graph500"}, "whose rules to follow");
  options.Choice("--start", &ways_.start, {"cold", "warm", "both"},
                 "with an empty cache (default), with the cache as an earlier run left it "
                 "(default by rules), or each trial both ways");
  options.Text("--weight", &ways_.weight, "NAME",
               "take this column of the edges as their weight (ingest --column)");
  options.Text(
      "--in-turn", &ways_.in_turn, "WAYS",
      "run each in all these ways, in turns: on cpu, gpu and hybrid; sync and async; by "
      "pull, push, notify-pull, or dual, which chooses; with edges sent to the GPU by "
      "filter, compaction, zero-copy, subcsr, resident, auto or hytgraph; with pulls on it "
      "by lists or dense");
  options.Flag("--by-iteration", &by_iteration_,
               "show the iterations of each one's last trial, those of all ways side by side");
  options.Number("--seed", &seed_, "N",
                 "chooses the sources where no -r is given; by Graph500's rules the graph too");
  options.Text("--scratch", &scratch_, "DIR",
               "where Graph500's graph is made, and removed at the end (default: here)");
  options.ActsWith("--scratch", "--rules", {"graph500"});
  options.Flag("--skip-verify", &skip_verify_,
               "do not check the answers: the result says that they are not");
  plot_.Declare(options, "the times and the bytes read");
  algorithm_options_.Declare(options, HelpForOptions());
  options.Exclude({"--seed", "--source"});
}

std::string_view BenchRunCommand::description() const {
  return "Times algorithms without loading, and checks every trial's answer by its definition.\n"
         "Searches start at vertices with out-edges that a seed chooses, a new one each trial, or\n"
         "at -r. Trials take turns: the first of each algorithm, then the second of each. Blocks\n"
         "are read past the kernel's cache, so a cold trial reads everything from disk.\n"
         "\n"
         "--rules gap: the GAP benchmark's trials, seed, way of choosing sources and PageRank\n"
         "(damping .85, dangling rank dropped, to a change of 1e-4). The mean is its figure.\n"
         "\n"
         "--rules graph500 --scale N: Graph500's benchmark, for bfs, sssp or both. Makes its "
         "graph\n"
         "of 2^N vertices, searches from 64 keys with parents, makes Graph500's five checks of "
         "each\n"
         "answer, removes the graph, and prints Graph500's statistics.\n";
}

StatusOr<std::vector<BenchRunCommand::Chosen>> BenchRunCommand::ChosenAlgorithms() const {
  std::vector<Chosen> all;
  for (const std::string& name : SplitNames(algorithms_)) {
    Chosen chosen;
    if (const bench::KnownAlgorithm* const known = bench::FindKnown(name);
        known != nullptr && known->name != known->algorithm) {
      chosen = Chosen{known->name, ForTrials(*AlgorithmCalled(known->algorithm)), known->values};
    } else {
      const std::optional<AlgorithmHelp> found = AlgorithmCalled(name);
      if (!found.has_value()) return AlgorithmHelpText(name).status();
      chosen = Chosen{std::string(found->name), ForTrials(*found), {}};
    }
    if (std::any_of(all.begin(), all.end(),
                    [&](const Chosen& other) { return other.name == chosen.name; })) {
      return UsageError(StrCat("bench run: ", name, " is given more than once: give it once"));
    }
    all.push_back(std::move(chosen));
  }
  return all;
}

/// `options` without those that the algorithm does not have.
RunOptions OptionsFor(const AlgorithmHelp& help, const RunOptions& options) {
  RunOptions own = options;
  own.algorithm = help.name;
  for (const auto& entry : options.values.entries()) {
    if (!help.Has(entry.first)) own.values.Remove(entry.first);
  }
  if (!help.takes_mode) own.mode = Mode::kAuto;
  if (!help.takes_async) own.async_passes.reset();
  return own;
}

/// Returns UsageError for an option that none of the algorithms has.
Status CheckOptionIsUsed(const std::vector<AlgorithmHelp>& chosen, const RunOptions& options) {
  const auto check = [&](std::string_view name, auto has) {
    if (std::any_of(chosen.begin(), chosen.end(), has)) return OkStatus();
    return UsageError(StrCat("bench run: no algorithm to be run has option ", name,
                             ": see edgemill help run ", chosen[0].name));
  };
  for (const auto& entry : options.values.entries()) {
    RETURN_IF_ERROR(
        check(entry.first, [&](const AlgorithmHelp& help) { return help.Has(entry.first); }));
  }
  if (options.mode != Mode::kAuto) {
    RETURN_IF_ERROR(check("--mode", [](const AlgorithmHelp& help) { return help.takes_mode; }));
  }
  if (options.async_passes.value_or(0) == 0) return OkStatus();
  return check("--async", [](const AlgorithmHelp& help) { return help.takes_async; });
}

Status BenchRunCommand::ApplyGapRules(const OptionSet& given, TrialPlan::Entry* entry) const {
  for (const char* option : {"--source", "--seed"})
    RETURN_IF_ERROR(RefuseBesideRules(given, "gap", option));
  for (const AlgorithmHelp& help : AlgorithmsForTrials()) {
    for (const OptionDeclaration& option : help.options) {
      if (bench::GapRulesDecide(option.long_name())) {
        RETURN_IF_ERROR(RefuseBesideRules(given, "gap", option.long_name()));
      }
    }
  }
  if (trials_ == 0) entry->trials = entry->has_source ? kGapSearchTrials : kGapTrials;
  if (const bench::KnownAlgorithm* const known = bench::FindKnown(entry->options.algorithm)) {
    for (const auto& [name, value] : known->gap.entries()) entry->options.values.Set(name, value);
  }
  return OkStatus();
}

StatusOr<TrialPlan> BenchRunCommand::Plan(const OptionSet& given, const Session& session) const {
  ASSIGN_OR_RETURN(const RunOptions options, algorithm_options_.Parse(given, session.threads()));
  return PlanWith(given, options);
}

StatusOr<TrialPlan> BenchRunCommand::PlanWith(const OptionSet& given,
                                              const RunOptions& options) const {
  ASSIGN_OR_RETURN(const std::vector<Chosen> chosen, ChosenAlgorithms());
  ASSIGN_OR_RETURN(const std::vector<RunVariant> variants, RunVariants(ways_.in_turn, given));
  std::vector<AlgorithmHelp> helps;
  for (const Chosen& algorithm : chosen) helps.push_back(algorithm.help);
  RETURN_IF_ERROR(CheckOptionIsUsed(helps, options));
  RETURN_IF_ERROR(CheckWeightColumn("bench run", helps, given));
  const bool searches = std::any_of(helps.begin(), helps.end(),
                                    [](const AlgorithmHelp& help) { return help.needs_source(); });
  if (given.Given("--seed") && !searches) {
    return UsageError(
        StrCat("bench run: --seed chooses sources, and ", algorithms_, " has none: leave it out"));
  }
  const bool gap = rules_ == "gap";
  const std::string start = !ways_.start.empty() ? ways_.start : rules_ != "none" ? "warm" : "cold";
  TrialPlan plan;
  plan.cold = start != "warm";
  plan.warm = start != "cold";
  if (const auto source = options.values.source()) plan.sources = {*source};
  for (const Chosen& algorithm : chosen) {
    for (const RunVariant& variant : variants) {
      TrialPlan::Entry entry{.name = algorithm.name,
                             .group = algorithm.name,
                             .options = OptionsFor(algorithm.help, options),
                             .trials = trials_ > 0 ? trials_ : kDefaultTrials,
                             .has_source = algorithm.help.needs_source()};
      for (const auto& [name, value] : algorithm.values.entries()) {
        entry.options.values.Set(name, value);
      }
      bool may = true;
      for (const VariantPart* const part : variant) {
        part->set(&entry.options);
        entry.name += StrCat(" ", part->name);
        may &= part->name != "async" || MayRunAsynchronously(entry.options);
        may &= part->option != "--mode" || algorithm.help.takes_mode;
        may &= part->option != "--transfer" || entry.options.device != Device::kCpu ||
               entry.options.gpu.transfer == Transfer::kSubCsr;
      }
      if (!may) continue;
      entry.options.verify = !skip_verify_;
      if (gap) RETURN_IF_ERROR(ApplyGapRules(given, &entry));
      plan.entries.push_back(std::move(entry));
    }
  }
  if (plan.entries.empty()) {
    return UsageError(
        StrCat("bench run: --in-turn ", ways_.in_turn, ": none of the algorithms can run so"));
  }
  return plan;
}

TrialsReport BenchRunCommand::ReportOn(const std::vector<TrialSeries>& all, const GraphStore& store,
                                       const TrialPlan& plan) const {
  return {all, store, plan, graph_, rules_, seed_, !skip_verify_, by_iteration_};
}

StatusOr<std::unique_ptr<GraphStore>> BenchRunCommand::Open(const TrialPlan& plan,
                                                            Session& session) const {
  const auto least = [&](const GraphStore& opened) -> StatusOr<uint64_t> {
    uint64_t bytes = 0;
    for (const TrialPlan::Entry& entry : plan.entries) {
      RunOptions options = entry.options;
      // Any source: only counts are used.
      if (entry.has_source) options.values.Set("--source", InputVertex{opened.info().id_base});
      ASSIGN_OR_RETURN(const uint64_t needed, LeastBudget(opened, options, session.budget()));
      bytes = std::max(bytes, needed);
    }
    return bytes;
  };
  return OpenGraph(graph_, "bench run", session, least, ways_.weight);
}

Status BenchRunCommand::RunGraph500On(TrialPlan plan, bench::Graph500Report report,
                                      Session& session) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store, Open(plan, session));
  const bench::SourceDraws keys{.seed = seed_, .count = bench::kGraph500Keys, .distinct = true};
  ASSIGN_OR_RETURN(plan.sources, bench::PickSources(*store, keys, session.threads(),
                                                    session.budget(), session.progress()));
  report.num_keys = plan.sources.size();
  for (TrialPlan::Entry& entry : plan.entries) entry.trials = report.num_keys;
  ASSIGN_OR_RETURN(const std::vector<TrialSeries> all, RunKernels(*store, plan, session));
  for (const TrialSeries& series : all) {
    const bench::TrialFigures& figures = series.figures;
    report.kernels.push_back(
        {series.algorithm, figures.seconds, figures.edges, figures.verify_seconds});
  }
  ASSIGN_OR_RETURN(bench::BenchmarkResult result,
                   TrialsResult(ReportOn(all, *store, plan), session));
  bench::AddGraph500(report, &result);
  if (plot_.wanted()) RETURN_IF_ERROR(plot_.Write(TrialsPage(all, !skip_verify_), result));
  return PrintResult(
      result, StrCat(bench::Graph500Text(report), "\n", TrialsText(all, !skip_verify_)), session);
}

Status BenchRunCommand::RunGraph500(const OptionSet& given, Session& session) {
  RETURN_IF_ERROR(CheckGraph500(given, SplitNames(algorithms_), ways_.start));
  ASSIGN_OR_RETURN(RunOptions options, algorithm_options_.Parse(given, session.threads()));
  bench::Graph500Report report;
  ASSIGN_OR_RETURN(report.scale, TakeGraph500Scale(&options.values));
  ASSIGN_OR_RETURN(TrialPlan plan, PlanWith(given, options));
  for (TrialPlan::Entry& entry : plan.entries) entry.options.values.Set("--parents", true);
  RETURN_IF_ERROR(bench::CheckSpaceForGraph(scratch_, report.scale, bench::kGraph500EdgeFactor,
                                            "give a smaller --scale, or another --scratch"));
  bench::BenchmarkGraph graph(scratch_, StrCat("graph500-", report.scale));
  graph_ = graph.path();
  bench::GeneratedGraphOptions making = bench::Graph500Graph(report.scale, seed_);
  making.threads = session.threads();
  making.memory_bytes = session.memory_bytes();
  const Stopwatch watch;
  Status status = graph.Make(making, session.progress());
  report.construction_seconds = watch.seconds();
  if (status.ok()) status = RunGraph500On(std::move(plan), std::move(report), session);
  const Status removed = graph.Remove();
  RETURN_IF_ERROR(CheckCancelled());
  RETURN_IF_ERROR(status);
  return removed;
}

Status BenchRunCommand::Run(const OptionSet& given, Session& session) {
  RETURN_IF_ERROR(plot_.Check("bench run"));
  if (rules_ == "graph500") return RunGraph500(given, session);
  if (!graph_.empty()) return RunOnGraph(given, session);
  return UsageError(
      "bench run: GRAPH is missing: usage is edgemill bench run ALGORITHM GRAPH, or edgemill bench "
      "run bfs,sssp --rules graph500 --scale N");
}

Status BenchRunCommand::RunOnGraph(const OptionSet& given, Session& session) {
  ASSIGN_OR_RETURN(TrialPlan plan, Plan(given, session));
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store, Open(plan, session));
  for (TrialPlan::Entry& entry : plan.entries) {
    RETURN_IF_ERROR(algorithm_options_.ReadInputs(*store, session.means(), entry.options.algorithm,
                                                  &entry.options.values));
  }
  if (!plan.sources.empty()) {
    OptionValues values{{"--source", InputVertex{}}};
    RETURN_IF_ERROR(
        algorithm_options_.ReadInputs(*store, session.means(), /*algorithm=*/"", &values));
    plan.sources = {*values.source()};
  }
  uint64_t searches = 0;
  for (const TrialPlan::Entry& entry : plan.entries) {
    if (entry.has_source) searches = std::max(searches, entry.trials);
  }
  if (searches > 0 && plan.sources.empty()) {
    ASSIGN_OR_RETURN(plan.sources, bench::PickSources(*store, {seed_, searches}, session.threads(),
                                                      session.budget(), session.progress()));
  }
  ASSIGN_OR_RETURN(const std::vector<TrialSeries> all,
                   bench::RunTrials(*store, plan, session.budget(), session.progress()));
  ASSIGN_OR_RETURN(const bench::BenchmarkResult result,
                   TrialsResult(ReportOn(all, *store, plan), session));
  if (plot_.wanted()) RETURN_IF_ERROR(plot_.Write(TrialsPage(all, !skip_verify_), result));
  return PrintResult(
      result, StrCat(TrialsText(all, !skip_verify_), by_iteration_ ? IterationTables(all) : ""),
      session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchRunCommand() { return std::make_unique<BenchRunCommand>(); }

}  // namespace edgemill::cli
