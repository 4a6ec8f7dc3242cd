#include "cli/run/algorithm_options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "cli/plugins.h"
#include "cli/run/values_file.h"
#include "engine/cost/calibration_file.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/names/vertex_called.h"
#include "engine/run/gpu_choice.h"

namespace edgemill::cli {

namespace {

/// The help texts of `algorithms` about the option. If there are several algorithms, each text
/// follows the names of those that have it.
std::string HelpTextOf(const std::vector<AlgorithmHelp>& algorithms, std::string_view name) {
  std::vector<std::pair<std::string, std::string>> texts;  // of algorithms
  for (const AlgorithmHelp& help : algorithms) {
    const OptionDeclaration* const option = help.Find(name);
    if (option == nullptr) continue;
    std::string text = option->HelpText();
    const auto same = std::find_if(texts.begin(), texts.end(),
                                   [&](const auto& known) { return known.second == text; });
    if (same == texts.end()) {
      texts.emplace_back(help.name, std::move(text));
    } else {
      same->first += StrCat(", ", help.name);
    }
  }
  if (algorithms.size() == 1) return texts[0].second;
  std::string all;
  for (const auto& [names, text] : texts) {
    all += StrCat(all.empty() ? "" : "; ", names, ": ", text);
  }
  return all;
}

/// The smallest range that contains both ranges.
OptionRange UnionOf(const OptionRange& a, const OptionRange& b) {
  return {.least = std::min(a.least, b.least),
          .above = std::min(a.above, b.above),
          .most = std::max(a.most, b.most),
          .below = std::max(a.below, b.below)};
}

uint64_t WholeBound(double bound, uint64_t otherwise) {
  return std::isfinite(bound) ? static_cast<uint64_t>(bound) : otherwise;
}

}  // namespace

void AlgorithmOptions::Declare(OptionSet& options, const std::vector<AlgorithmHelp>& algorithms) {
  DeclareOwn(options, algorithms);
  DeclareMachine(options);
}

void AlgorithmOptions::DeclareOwn(OptionSet& options,
                                  const std::vector<AlgorithmHelp>& algorithms) {
  options.Section("The algorithm");
  for (const AlgorithmHelp& help : algorithms) {
    for (const OptionDeclaration& option : help.options) {
      const bool is_known = std::any_of(
          declared_.begin(), declared_.end(),
          [&](const Declared& declared) { return declared.name == option.long_name(); });
      if (!is_known) DeclareOption(options, algorithms, option);
    }
  }
  const std::vector<std::string> names = options.Names();
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (has("--values") && has("--value-seed")) options.Exclude({"--values", "--value-seed"});
}

void AlgorithmOptions::DeclareOption(OptionSet& options,
                                     const std::vector<AlgorithmHelp>& algorithms,
                                     const OptionDeclaration& option) {
  const std::string help = HelpTextOf(algorithms, option.long_name());
  OptionRange range = option.range;
  bool same_choices = true;
  std::string choices;
  for (const AlgorithmHelp& algorithm : algorithms) {
    const OptionDeclaration* const other = algorithm.Find(option.long_name());
    if (other == nullptr) continue;
    range = UnionOf(range, other->range);
    same_choices &= other->choices == option.choices;
    choices += StrCat(choices.empty() ? "" : "|", other->choices);
  }
  declared_.push_back({.name = std::string(option.long_name()), .kind = option.kind});
  Declared& declared = declared_.back();
  switch (option.kind) {
    case OptionKind::kFlag:
      return options.Flag(option.names, &declared.flag, help);
    case OptionKind::kNumber:
      return options.Number(option.names, &declared.number, "N", help,
                            {WholeBound(range.least, 0), WholeBound(range.most, ~uint64_t{0})});
    case OptionKind::kReal: {
      constexpr double kLargest = std::numeric_limits<double>::max();
      const double least = std::max({range.least, range.above, -kLargest});
      return options.Real(option.names, &declared.real, "X", help,
                          {least, std::min({range.most, range.below, kLargest})});
    }
    case OptionKind::kChoice:
      // The engine checks which of the choices the algorithm has.
      if (!same_choices) return options.Text(option.names, &declared.text, choices, help);
      return options.Choice(option.names, &declared.text, option.Choices(), help);
    case OptionKind::kVertex:
    case OptionKind::kVertices:
      return options.Texts(option.names, &declared.texts, "ID", help);
    case OptionKind::kValues:
      options.Text(option.names, &declared.text, "FILE", help);
      return options.Reads(option.long_name());
  }
}

void AlgorithmOptions::DeclareMachine(OptionSet& options) {
  options.Section("The machine");
  options.Choice("--mode", &mode_, {"auto", "pull", "push", "notify-pull"},
                 "how messages move; auto, the default, chooses in each iteration");
  options.Real("--mode-threshold", &mode_threshold_, "X",
               "with --mode auto: pull where active vertices have more than this share of all "
               "edges, as Garaph does; default: as predicted times suggest",
               {0, 1});
  options.Flag(
      "--sync", &sync_,
      "vertices that become active send in the next iteration: the default, except where the "
      "CPU reads blocks from disk again and again, and --async reads fewer of them");
  options.Flag("--async", &async_,
               "vertices that become active send in the same iteration where their edges are "
               "already loaded: fewer bytes are read, or cross to a GPU, where neighbours lie "
               "near each other");
  options.Number("--async-passes", &async_passes_, "N",
                 "with --async: how often a block is passed over while it is loaded, at most "
                 "(default 16)",
                 {1, 1'000'000});
  options.Choice(
      "--device", &device_, {"auto", "cpu", "gpu", "hybrid"},
      "where to run; auto takes a GPU where there is one that the run fits, and else says "
      "so; hybrid a CPU and a GPU together, iteration by iteration as is fastest");
  options.Real("--cpu-share", &cpu_share_, "X",
               "with --device hybrid: the share of each iteration's blocks that the CPU takes, "
               "instead of what measured times suggest",
               {0, 1});
  options.Exclude({"--sync", "--async"});
  // A pull takes only messages that were to be sent when it began.
  options.ActsWith("--async", "--mode", {"auto", "push"});
  options.ActsWith("--async-passes", "--async");
  options.ActsWith("--mode-threshold", "--mode", {"auto"});
  options.ActsWith("--cpu-share", "--device", {"hybrid"});
  gpu_.Declare(options);
  DeclarePlugins(options, &plugins_);
  options.Choice("--io", &io_, {"auto", "uring", "pread"}, "how to read the disks");
  options.Number("--queue-depth", &queue_depth_, "N", "reads under way at a time", {1, 1024});
}

void AlgorithmOptions::GpuFlags::Declare(OptionSet& options) {
  options.Bytes("--gpu-memory", &memory,
                "hard bound of memory on each GPU, such as 1GiB (default: nine tenths of what is "
                "free there)");
  options.Text(
      "--gpus", &gpus, "N|LIST",
      "how many GPUs of this machine share passes, or which ones, such as 0,2 (default 1); "
      "auto: all, where the graph is large enough for them");
  options.Choice(
      "--transfer", &transfer,
      {"auto", "resident", "filter", "compaction", "zero-copy", "managed", "subcsr"},
      "how edges get to the GPU: all kept there, copied whole each time, only what is "
      "wanted of them, read by the kernels across the link, in unified memory, or as SubCSRs: "
      "lists of active vertices that the host has decoded, for pushes, also with --device cpu; or, "
      "auto, as many as fit kept there, and the others by the fastest way");
  options.Choice("--cost-model", &cost_model, {"calibrated", "hytgraph"},
                 "by what auto chooses: what this machine was measured to do, or HyTGraph's "
                 "published constants, for comparison");
  options.Choice(
      "--priority", &priority, {"none", "hub", "delta"},
      "with --async on a GPU: which blocks in memory go first: none, the default, by number; hub, "
      "those with the longest lists; delta, those whose vertices have most to pass on "
      "(pagerank --method delta)");
  options.Choice(
      "--kernel", &kernel, {"auto", "lists", "dense"},
      "how a GPU pulls where every vertex takes part, as in pagerank: lists, from the packed "
      "lists; dense, by cells of edges that it makes first, which take up to 28 bytes an edge "
      "while they are made; auto, lists until cells pay");
  options.Flag("--no-combining", &no_combining,
               "copy and visit each block by itself, not many together, for comparison");
  options.Text("--calibration", &calibration, "FILE",
               "what edgemill calibrate measured (default: where it stores that)");
  options.Number("--streams", &streams, "N", "batches of blocks on their way to the GPU at a time",
                 {1, 64});
  options.Reads("--calibration");
  for (const std::string_view name :
       {"--gpu-memory", "--cost-model", "--streams", "--no-combining"}) {
    options.ActsWith(name, "--device", {"auto", "gpu", "hybrid"});
  }
  // SubCSRs serve both processors.
  options.ActsWith("--transfer", "--device", {"auto", "gpu", "hybrid"},
                   /*except=*/TransferName(Transfer::kSubCsr));
  options.ActsWith("--cost-model", "--transfer", {"auto"});
  options.ActsWith("--priority", "--device", {"auto", "gpu"});
  options.ActsWith("--priority", "--async");
  options.ActsWith("--kernel", "--device", {"auto", "gpu"});
  options.ActsWith("--gpus", "--device", {"auto", "gpu"});
}

Status AlgorithmOptions::GpuFlags::Parse(const OptionSet& given, GpuRunOptions* options) const {
  for (const char* const name : {"--gpu-memory", "--gpus", "--transfer", "--cost-model",
                                 "--streams", "--priority", "--kernel", "--no-combining"}) {
    options->expected |= given.Given(name);
  }
  options->gpu.memory_bytes = memory;
  RETURN_IF_ERROR(ChooseGpus(gpus, options));
  ASSIGN_OR_RETURN(options->calibration, CalibrationForRun(calibration));
  if (CostModelName(CostModelKind::kHytgraph) == cost_model) {
    options->cost_model = CostModelKind::kHytgraph;
  }
  options->num_batches = static_cast<uint32_t>(streams);
  for (int i = 0; i < kNumTransfers; ++i) {
    const auto choice = static_cast<Transfer>(i);
    if (TransferName(choice) == transfer) options->transfer = choice;
  }
  for (const BlockPriority choice : {BlockPriority::kHub, BlockPriority::kDelta}) {
    if (BlockPriorityName(choice) == priority) options->priority = choice;
  }
  for (const PullKernel choice : {PullKernel::kLists, PullKernel::kDense}) {
    if (PullKernelName(choice) == kernel) options->kernel = choice;
  }
  options->combines = !no_combining;
  return OkStatus();
}

namespace {

/// A single id becomes an InputVertex, which algorithms with several vertices also accept.
OptionValue Vertices(std::vector<ExternalId> ids) {
  if (ids.size() == 1) return InputVertex{ids[0]};
  return InputVertices{std::move(ids)};
}

}  // namespace

OptionValue AlgorithmOptions::ValueOf(const Declared& declared) {
  switch (declared.kind) {
    case OptionKind::kFlag:
      return declared.flag;
    case OptionKind::kNumber:
      return declared.number;
    case OptionKind::kReal:
      return declared.real;
    case OptionKind::kChoice:
      return declared.text;
    case OptionKind::kVertex:
    case OptionKind::kVertices:
      return Vertices(std::vector<ExternalId>(declared.texts.size()));  // until ReadInputs
    case OptionKind::kValues:
      break;
  }
  return InputValues{declared.text};  // until ReadInputs
}

Status AlgorithmOptions::ReadInputs(const GraphStore& store, const Means& means,
                                    const std::string& algorithm, OptionValues* values) const {
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(algorithm);
  for (const Declared& declared : declared_) {
    if (declared.kind == OptionKind::kValues && values->Has(declared.name)) {
      const OptionDeclaration* const option = help->Find(declared.name);
      ASSIGN_OR_RETURN(InputValues rows, ReadValues(declared.text, option->range, store, means));
      values->Set(declared.name, std::move(rows));
    }
    if (declared.texts.empty() || !values->Has(declared.name)) continue;
    std::vector<ExternalId> ids;
    for (const std::string& text : declared.texts) {
      if (HasNames(store)) means.progress.StartStage("finding the source", "vertices", 0);
      ASSIGN_OR_RETURN(const ExternalId id, VertexCalled(text, store, means.threads, means.budget));
      ids.push_back(id);
    }
    values->Set(declared.name, Vertices(std::move(ids)));
  }
  return OkStatus();
}

Status CheckWeightColumn(std::string_view command, const std::vector<AlgorithmHelp>& algorithms,
                         const OptionSet& given) {
  if (!given.Given("--weight")) return OkStatus();
  std::string with_option;
  for (const AlgorithmHelp& algorithm : algorithms) {
    const bool ignores = std::count(algorithm.facts.begin(), algorithm.facts.end(),
                                    DeclaredFact("weights", "ignored")) > 0;
    if (ignores) continue;
    if (algorithm.Find("--weighted") == nullptr || given.Given("--weighted")) return OkStatus();
    with_option = algorithm.name;
  }
  if (!with_option.empty()) {
    return UsageError(StrCat(command, ": --weight: ", with_option,
                             " takes weights only with --weighted: add that"));
  }
  std::string names;
  for (const AlgorithmHelp& algorithm : algorithms) {
    names += StrCat(names.empty() ? "" : " and ", algorithm.name);
  }
  return UsageError(StrCat(command, ": ", names, algorithms.size() == 1 ? " ignores" : " ignore",
                           " weights: leave --weight out"));
}

StatusOr<RunOptions> AlgorithmOptions::Parse(const OptionSet& given, int threads) const {
  RunOptions options;
  for (const Declared& declared : declared_) {
    if (given.Given(declared.name)) options.values.Set(declared.name, ValueOf(declared));
  }
  for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull}) {
    if (ModeName(mode) == mode_) options.mode = mode;
  }
  if (async_) options.async_passes = static_cast<uint32_t>(async_passes_);
  if (given.Given("--mode-threshold")) options.pull_threshold = mode_threshold_;
  if (sync_) options.async_passes = 0;
  options.threads = threads;
  options.queue_depth = static_cast<uint32_t>(queue_depth_);
  if (io_ == "uring") options.io_engine = IoEngineKind::kUring;
  if (io_ == "pread") options.io_engine = IoEngineKind::kPread;
  options.device = device_ == "cpu"      ? Device::kCpu
                   : device_ == "gpu"    ? Device::kGpu
                   : device_ == "hybrid" ? Device::kHybrid
                                         : Device::kAuto;
  if (given.Given("--cpu-share")) options.hybrid.cpu_share = cpu_share_;
  RETURN_IF_ERROR(gpu_.Parse(given, &options.gpu));
  return options;
}

}  // namespace edgemill::cli
