#include "bench/trials/algorithm_trials.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "bench/trials/kept_reader.h"
#include "common/check.h"

namespace edgemill::bench {
namespace {

/// Runs one trial, and adds its figures to the series.
Status RunTrial(const GraphStore& store, const RunOptions& options, const RunResources& resources,
                TrialSeries* series) {
  ASSIGN_OR_RETURN(
      const std::unique_ptr<RunResult> result,
      Run(store, options, resources.budget, resources.progress, resources.make_reader));
  if (!result->timing_caveat().empty()) return BadDataError(result->timing_caveat());
  const RunReport& report = result->report();
  series->iterations = report.iterations;
  double passes_seconds = 0;
  for (const IterationReport& iteration : report.iterations) passes_seconds += iteration.seconds;
  TrialFigures& figures = series->figures;
  figures.seconds.push_back(report.run_seconds);
  figures.passes_seconds.push_back(passes_seconds);
  figures.load_seconds.push_back(report.load_seconds);
  figures.iterations.push_back(static_cast<double>(report.num_iterations));
  figures.edges.push_back(static_cast<double>(report.edges_counted));
  figures.edges_per_second.push_back(report.edges_per_second);
  figures.verify_seconds.push_back(report.verify_seconds);
  figures.bytes_read.push_back(static_cast<double>(report.bytes_read));
  figures.link_bytes.push_back(static_cast<double>(report.transfers.total().bytes));
  series->gpu = report.gpu;
  series->cells = report.cells;
  series->facts = result->facts();
  series->io_engine = report.io_engine;
  return OkStatus();
}

}  // namespace

std::string TrialSeries::Name() const { return StrCat(entry, warm ? ", warm" : ", cold"); }

StatusOr<std::vector<TrialSeries>> RunTrials(const GraphStore& store, const TrialPlan& plan,
                                             MemoryBudget& budget, Progress& progress) {
  std::vector<TrialSeries> all;
  std::vector<const TrialPlan::Entry*> entries;
  uint64_t most = 0;
  for (const TrialPlan::Entry& entry : plan.entries) {
    CHECK(!entry.has_source || !plan.sources.empty());
    most = std::max(most, entry.trials);
    for (const bool warm : {false, true}) {
      if (!(warm ? plan.warm : plan.cold)) continue;
      all.push_back({.entry = entry.name,
                     .group = entry.group,
                     .algorithm = entry.options.algorithm,
                     .warm = warm,
                     .has_source = entry.has_source});
      entries.push_back(&entry);
    }
  }
  KeptReader kept;
  ReaderFactory make_reader = BlockReader::Create;
  // Where some trials start cold, there would be no memory for their caches beside the kept one.
  if (!plan.cold) make_reader = std::bind_front(&KeptReader::Lend, &kept);
  for (uint64_t trial = 0; trial < most; ++trial) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (trial >= entries[i]->trials) continue;
      progress.StartRound(StrCat(all[i].Name(), ", trial ", trial + 1, " of ", entries[i]->trials));
      RunOptions options = entries[i]->options;
      options.warm = all[i].warm;
      if (all[i].has_source) {
        all[i].sources.push_back(plan.sources[trial % plan.sources.size()]);
        options.values.Set("--source", all[i].sources.back());
      }
      const Status status = RunTrial(store, options, {budget, progress, make_reader}, &all[i]);
      if (!status.ok()) return Annotate(status, StrCat(all[i].Name(), ", trial ", trial + 1));
    }
  }
  return all;
}

}  // namespace edgemill::bench
