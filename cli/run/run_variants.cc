#include "cli/run/run_variants.h"

#include <string>
#include <utility>

#include "cli/options/name_list.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

constexpr std::string_view kDevice = "--device", kAsync = "--async", kMode = "--mode",
                           kTransfer = "--transfer", kKernel = "--kernel";
/// In the order in which variants take one of each.
constexpr std::string_view kDecisions[] = {kDevice, kAsync, kMode, kTransfer, kKernel};

template <Transfer kEngine, CostModelKind kModel = CostModelKind::kCalibrated>
void SetTransfer(RunOptions* options) {
  options->gpu.transfer = kEngine;
  options->gpu.cost_model = kModel;
  options->gpu.expected = true;
}

template <PullKernel kChoice>
void SetKernel(RunOptions* options) {
  options->gpu.kernel = kChoice;
  options->gpu.expected = true;
}

constexpr VariantPart kVariantParts[] = {
    {"cpu", kDevice, [](RunOptions* options) { options->device = Device::kCpu; }},
    {"gpu", kDevice, [](RunOptions* options) { options->device = Device::kGpu; }},
    {"hybrid", kDevice, [](RunOptions* options) { options->device = Device::kHybrid; }},
    {"sync", kAsync, [](RunOptions* options) { options->async_passes = 0; }},
    {"async", kAsync, [](RunOptions* options) { options->async_passes = kAsyncPasses; }},
    {"pull", kMode, [](RunOptions* options) { options->mode = Mode::kPull; }},
    {"push", kMode, [](RunOptions* options) { options->mode = Mode::kPush; }},
    {"notify-pull", kMode, [](RunOptions* options) { options->mode = Mode::kNotifyPull; }},
    {"dual", kMode, [](RunOptions* options) { options->mode = Mode::kAuto; }},
    {"resident", kTransfer, SetTransfer<Transfer::kResident>},
    {"filter", kTransfer, SetTransfer<Transfer::kFilter>},
    {"compaction", kTransfer, SetTransfer<Transfer::kCompaction>},
    {"zero-copy", kTransfer, SetTransfer<Transfer::kZeroCopy>},
    {"subcsr", kTransfer, SetTransfer<Transfer::kSubCsr>},
    {"hytgraph", kTransfer, SetTransfer<Transfer::kAuto, CostModelKind::kHytgraph>},
    {"auto", kTransfer, SetTransfer<Transfer::kAuto>},
    {"lists", kKernel, SetKernel<PullKernel::kLists>},
    {"dense", kKernel, SetKernel<PullKernel::kDense>}};

}  // namespace

StatusOr<std::vector<RunVariant>> RunVariants(std::string_view names, const OptionSet& given) {
  std::vector<std::string> known;
  for (const VariantPart& part : kVariantParts) known.emplace_back(part.name);
  ASSIGN_OR_RETURN(const std::vector<size_t> places, ChosenNames(names, known, "--in-turn"));
  std::vector<RunVariant> all = {{}};
  for (const std::string_view option : kDecisions) {
    std::vector<RunVariant> longer;
    for (const RunVariant& variant : all) {
      for (const size_t place : places) {
        if (kVariantParts[place].option != option) continue;
        if (given.Given(option)) {
          return UsageError(StrCat("bench run: --in-turn ", known[place], " decides ", option,
                                   ": leave one of the two out"));
        }
        longer.push_back(variant);
        longer.back().push_back(&kVariantParts[place]);
      }
    }
    if (!longer.empty()) all = std::move(longer);
  }
  return all;
}

}  // namespace edgemill::cli
