#include "cli/run/run_variants.h"

#include <string>
#include <utility>

#include "cli/options/name_list.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

constexpr VariantPart kVariantParts[] = {
    {"cpu", "--device", [](RunOptions* options) { options->device = Device::kCpu; }},
    {"gpu", "--device", [](RunOptions* options) { options->device = Device::kGpu; }},
    {"hybrid", "--device", [](RunOptions* options) { options->device = Device::kHybrid; }},
    {"sync", "--async", [](RunOptions* options) { options->async_passes = 0; }},
    {"async", "--async", [](RunOptions* options) { options->async_passes = kAsyncPasses; }}};

}  // namespace

StatusOr<std::vector<RunVariant>> RunVariants(std::string_view names, const OptionSet& given) {
  std::vector<std::string> known;
  for (const VariantPart& part : kVariantParts) known.emplace_back(part.name);
  ASSIGN_OR_RETURN(const std::vector<size_t> places, ChosenNames(names, known, "--in-turn"));
  std::vector<RunVariant> all = {{}};
  for (const std::string_view option : {"--device", "--async"}) {
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
