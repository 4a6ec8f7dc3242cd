#include "engine/run/prepared_run.h"

#include <algorithm>

#include "common/check.h"
#include "engine/plan/direction_policy.h"
#include "engine/run/run.h"

namespace edgemill {
namespace {

/// The method that was given, or the default; empty for an algorithm without methods.
std::string_view ChosenMethod(const Algorithm& algorithm, const OptionValues& values) {
  for (const OptionDeclaration& option : algorithm.options) {
    if (option.long_name() != "--method") continue;
    return values.GetOr("--method", option.choices.substr(0, option.choices.find('|')));
  }
  return {};
}

/// UsageError for an option of passes that the algorithm, or its method, does not have.
template <typename Takes>
Status CheckPassOption(const Algorithm& algorithm, const RunOptions& options, std::string_view name,
                       std::string_view why, Takes takes) {
  if (takes(PassChoicesOf(algorithm, options.values))) return OkStatus();
  std::string methods;  // that take it
  const std::string_view chosen = ChosenMethod(algorithm, options.values);
  for (const OptionDeclaration& option : algorithm.options) {
    if (option.long_name() != "--method") continue;
    for (const std::string& method : option.Choices()) {
      if (!takes(PassChoicesOf(algorithm, {{"--method", method}}))) continue;
      methods += StrCat(methods.empty() ? "" : " or ", method);
    }
  }
  if (!methods.empty()) {
    return UsageError(StrCat(name, " is for --method ", methods, ": ", chosen, " ", why));
  }
  return UsageError(
      StrCat(algorithm.name, " has no option ", name, ": see edgemill help run ", algorithm.name));
}

Status CheckPassOptions(const Algorithm& algorithm, const RunOptions& options) {
  const auto mode = [](const PassChoices& choices) { return choices.mode; };
  const auto async = [](const PassChoices& choices) { return choices.async; };
  if (options.mode != Mode::kAuto) {
    RETURN_IF_ERROR(CheckPassOption(algorithm, options, "--mode", "has one way of its own", mode));
  }
  if (options.async_passes.value_or(0) > 0) {
    RETURN_IF_ERROR(CheckPassOption(algorithm, options, "--async",
                                    "takes messages of the iteration before", async));
  }
  if (options.hybrid.cpu_share.has_value()) {
    RETURN_IF_ERROR(
        CheckPassOption(algorithm, options, "--cpu-share", "runs on one processor", mode));
  }
  return OkStatus();
}

Status CheckValues(const Algorithm& algorithm, const OptionValues& values) {
  for (const auto& [name, value] : values.entries()) {
    const auto option = std::find_if(
        algorithm.options.begin(), algorithm.options.end(),
        [&name = name](const OptionDeclaration& declared) { return declared.long_name() == name; });
    if (option == algorithm.options.end()) {
      return UsageError(StrCat(algorithm.name, " has no option ", name, ": see edgemill help run ",
                               algorithm.name));
    }
    RETURN_IF_ERROR(CheckValue(*option, value));
    if (!option->method.empty() && ChosenMethod(algorithm, values) != option->method) {
      return UsageError(StrCat(name, " is for --method ", option->method, ": give that too"));
    }
  }
  for (const OptionDeclaration& option : algorithm.options) {
    if (!option.required || values.Has(option.long_name())) continue;
    const bool is_vertex =
        option.kind == OptionKind::kVertex || option.kind == OptionKind::kVertices;
    return UsageError(StrCat(algorithm.name, " needs a ", option.long_name().substr(2),
                             ": give it with ", option.short_name(), is_vertex ? " ID" : " X"));
  }
  return OkStatus();
}

StatusOr<const Algorithm*> ChooseAlgorithm(const RunOptions& options) {
  const Algorithm* algorithm = FindAlgorithm(options.algorithm);
  if (algorithm != nullptr) return algorithm;
  std::string names;
  for (const Algorithm* known : AllAlgorithms()) {
    names += StrCat(names.empty() ? "" : ", ", known->name);
  }
  return UsageError(StrCat("no algorithm ", options.algorithm, ": there are ", names));
}

Status CheckOptions(const Algorithm& algorithm, const RunOptions& options) {
  RETURN_IF_ERROR(CheckValues(algorithm, options.values));
  RETURN_IF_ERROR(CheckPassOptions(algorithm, options));
  return options.threads < 1 ? UsageError("--threads must be at least 1") : OkStatus();
}

/// UsageError where SubCSRs are asked for, and no pass can take them. They serve pushes.
Status CheckSubCsrs(const PreparedRun& run) {
  const RunOptions& options = run.options;
  if (options.gpu.transfer != Transfer::kSubCsr) return OkStatus();
  constexpr std::string_view kOption = "--transfer subcsr";
  if (options.mode == Mode::kPull || options.mode == Mode::kNotifyPull) {
    return UsageError(StrCat(kOption, " serves pushes, and --mode ", ModeName(options.mode),
                             " pulls: leave one of the two out"));
  }
  if (options.async_passes.value_or(0) > 0) {
    return UsageError(StrCat(kOption,
                             " passes over lists once, and --async again and again: leave "
                             "one of the two out"));
  }
  std::string cause = StrCat(run.algorithm.name, " has none: leave the option out");
  for (const ProgramTraits& program : run.state->programs()) {
    if (!program.may_push) continue;
    const DirectionPolicy pushes(program, ListColumnsOf(run.store), Mode::kPush, false, {});
    const Status lists = pushes.Check(run.store.path());
    if (lists.ok()) return OkStatus();
    cause = lists.message();
  }
  return UsageError(StrCat(kOption, " serves pushes, and ", cause));
}

/// UsageError where blocks are to come in an order that no pass of the algorithm has.
Status CheckPriority(const PreparedRun& run) {
  const BlockPriority priority = run.options.gpu.priority;
  if (priority == BlockPriority::kNone) return OkStatus();
  const std::string option = StrCat("--priority ", BlockPriorityName(priority));
  if (run.options.async_passes.value_or(0) == 0) {
    return UsageError(
        StrCat(option, " orders the blocks of asynchronous passes: give --async too"));
  }
  const ProgramList programs = run.state->programs();
  if (priority == BlockPriority::kHub || AnyOf(programs, &ProgramTraits::has_pending)) {
    return OkStatus();
  }
  return UsageError(StrCat(option, ": ", run.algorithm.name,
                           " does not say how much its vertices have to pass on: take --priority "
                           "hub"));
}

/// UsageError where pulls are to go by cells, and no pass of the algorithm can.
Status CheckKernel(const PreparedRun& run) {
  if (run.options.gpu.kernel != PullKernel::kDense) return OkStatus();
  const std::string option = StrCat("--kernel ", PullKernelName(PullKernel::kDense));
  if (run.options.mode == Mode::kPush) {
    return UsageError(StrCat(option, " serves pulls, and --mode push has none: leave one out"));
  }
  for (const ProgramTraits& program : run.state->programs()) {
    const bool one_way = program.directions != Directions::kBoth || !run.store.info().directed;
    if (program.may_use_cells && one_way) return OkStatus();
  }
  return UsageError(StrCat(option, " serves passes in which every vertex takes 4-byte messages of ",
                           "all its neighbors, and ", run.algorithm.name,
                           " has none: leave it out"));
}

/// Checks that the graph has what the algorithm needs.
Status CheckGraph(const PreparedRun& run) {
  const Algorithm& algorithm = run.algorithm;
  const GraphStore& store = run.store;
  if (algorithm.refuses_negative_weights && store.info().has_negative_weight) {
    return UsageError(StrCat(store.path(), " has negative weights, and ", algorithm.name,
                             " takes none: shift or drop them and ingest again, or ingest with "
                             "--weights none"));
  }
  if (run.options.async_passes.value_or(0) > 0) {
    for (const ProgramTraits& program : run.state->programs()) {
      if (!program.may_run_asynchronously || !EmitsBothWays(program, store)) continue;
      return UsageError(StrCat("--async: ", algorithm.name, " sends both ways along the edges of ",
                               store.path(),
                               ", which is directed: leave it out, or ingest with "
                               "--symmetrize"));
    }
  }
  const ListColumns lists = ListColumnsOf(store);
  for (const ProgramTraits& program : run.state->programs()) {
    // Programs without weights may be declared and left out, by what lists the graph has.
    if (!program.weighted) continue;
    RETURN_IF_ERROR(DirectionPolicy(program, lists, run.options.mode, /*asynchronous=*/false, {})
                        .Check(store.path()));
  }
  for (const ListVisit& visit : run.state->visits()) {
    if (!store.info().directed || visit.directions == Directions::kBoth) continue;
    const bool out = visit.directions == Directions::kOut;
    if (store.has(out ? ColumnKind::kOutOffsets : ColumnKind::kInOffsets)) continue;
    return UsageError(StrCat(store.path(), " has no ", out ? "out" : "in", "-columns, which ",
                             algorithm.name, " needs: ingest it with --columns both"));
  }
  return OkStatus();
}

}  // namespace

PreparedRun::PreparedRun(const Algorithm& run, const GraphStore& on, const RunOptions& by)
    : algorithm(run),
      store(on),
      options(by),
      setup{on.info(), by.values, by.threads, ListColumnsOf(on).in,
            ListColumnsOf(on).Has(Direction::kOut, /*weighted=*/true) ? kOut : kIn},
      state(run.driver.make_state(setup)) {
  CHECK(state != nullptr);
  if (run.description.run != nullptr) describes = run.description.make_state(setup);
  if (by.verify) verifies = run.verifier.make_state(setup);
}

StatusOr<PreparedRun> PrepareRun(const GraphStore& store, const RunOptions& options) {
  ASSIGN_OR_RETURN(const Algorithm* const algorithm, ChooseAlgorithm(options));
  return PrepareRun(*algorithm, store, options);
}

StatusOr<PreparedRun> PrepareRun(const Algorithm& algorithm, const GraphStore& store,
                                 const RunOptions& options) {
  RETURN_IF_ERROR(CheckOptions(algorithm, options));
  if (algorithm.check != nullptr) {
    RETURN_IF_ERROR(algorithm.check({store.info(), options.values, options.threads}));
  }
  PreparedRun run(algorithm, store, options);
  RETURN_IF_ERROR(CheckGraph(run));
  RETURN_IF_ERROR(CheckSubCsrs(run));
  RETURN_IF_ERROR(CheckPriority(run));
  RETURN_IF_ERROR(CheckKernel(run));
  return run;
}

bool MayRunAsynchronously(const RunOptions& options) {
  const Algorithm* const algorithm = FindAlgorithm(options.algorithm);
  return algorithm != nullptr && PassChoicesOf(*algorithm, options.values).async;
}

}  // namespace edgemill
