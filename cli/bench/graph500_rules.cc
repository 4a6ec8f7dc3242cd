#include "cli/bench/graph500_rules.h"

#include <cmath>
#include <utility>

#include "common/strings.h"

namespace edgemill::cli {
namespace {

constexpr double kMaxScale = 31;
/// The range is that of all algorithms' options of this name; TakeGraph500Scale has the bounds.
constexpr Option<double> kScaleOption{
    .names = "--scale", .help = "2^X vertices, X from 1 to 31", .range = {.above = 0}};

}  // namespace

Status RefuseBesideRules(const OptionSet& given, std::string_view rules, std::string_view option) {
  if (!given.Given(option)) return OkStatus();
  return UsageError(StrCat("bench run: ", option, " is decided by --rules ", rules,
                           ": leave one of the two out"));
}

AlgorithmHelp Graph500Options() {
  AlgorithmHelp help{};
  help.name = "--rules graph500";
  help.options = {kScaleOption};
  return help;
}

Status CheckGraph500(const OptionSet& given, const std::vector<std::string>& algorithms,
                     std::string_view start) {
  if (given.Given("GRAPH")) {
    return UsageError(
        "bench run: --rules graph500 makes its graph: leave GRAPH out, and give --scale N");
  }
  for (const char* const option : {"--trials", "--source", "--skip-verify", "--in-turn",
                                   "--by-iteration", "--data", "--parents", "--weight"}) {
    RETURN_IF_ERROR(RefuseBesideRules(given, "graph500", option));
  }
  if (start == "both") {
    return UsageError(
        "bench run: --rules graph500 has one series of searches: give --start cold or "
        "--start warm");
  }
  for (const std::string& name : algorithms) {
    if (name == "bfs" || name == "sssp") continue;
    return UsageError(
        StrCat("bench run: --rules graph500 has no ", name, ": give bfs, sssp or bfs,sssp"));
  }
  return OkStatus();
}

StatusOr<uint64_t> TakeGraph500Scale(OptionValues* values) {
  const OptionValue* const given = values->Find("--scale");
  if (given == nullptr) {
    return UsageError("bench run: --rules graph500 needs the scale of its graph: give --scale N");
  }
  const double scale = given->As<double>();
  if (!(scale >= 1 && scale <= kMaxScale) || scale != std::floor(scale)) {
    return UsageError(StrCat("bench run: --scale: \"", given->Text(),
                             "\" is not valid: give a whole number from 1 to ", kMaxScale));
  }
  values->Remove("--scale");
  return static_cast<uint64_t>(scale);
}

StatusOr<std::vector<bench::TrialSeries>> RunKernels(const GraphStore& store,
                                                     const bench::TrialPlan& plan,
                                                     Session& session) {
  std::vector<bench::TrialSeries> all;
  for (const bench::TrialPlan::Entry& entry : plan.entries) {
    bench::TrialPlan kernel = plan;
    kernel.entries = {entry};
    ASSIGN_OR_RETURN(std::vector<bench::TrialSeries> series,
                     bench::RunTrials(store, kernel, session.budget(), session.progress()));
    for (bench::TrialSeries& one : series) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace edgemill::cli
