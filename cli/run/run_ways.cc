#include "cli/run/run_ways.h"

#include <string>
#include <utility>

#include "cli/options/name_list.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

constexpr Way kWays[] = {
    {"cpu", "--device", [](RunOptions* options) { options->device = Device::kCpu; }},
    {"gpu", "--device", [](RunOptions* options) { options->device = Device::kGpu; }},
    {"hybrid", "--device", [](RunOptions* options) { options->device = Device::kHybrid; }},
    {"sync", "--async", [](RunOptions* options) { options->async_passes = 0; }},
    {"async", "--async", [](RunOptions* options) { options->async_passes = kAsyncPasses; }}};

}  // namespace

StatusOr<std::vector<std::vector<const Way*>>> WaysInTurn(std::string_view ways,
                                                          const OptionSet& given) {
  std::vector<std::string> names;
  for (const Way& way : kWays) names.emplace_back(way.name);
  ASSIGN_OR_RETURN(const std::vector<size_t> places, ChosenNames(ways, names, "--in-turn"));
  std::vector<std::vector<const Way*>> all = {{}};
  for (const std::string_view option : {"--device", "--async"}) {
    std::vector<std::vector<const Way*>> longer;
    for (const auto& way : all) {
      for (const size_t place : places) {
        if (kWays[place].option != option) continue;
        if (given.Given(option)) {
          return UsageError(StrCat("bench run: --in-turn ", names[place], " decides ", option,
                                   ": leave one of the two out"));
        }
        longer.push_back(way);
        longer.back().push_back(&kWays[place]);
      }
    }
    if (!longer.empty()) all = std::move(longer);
  }
  return all;
}

}  // namespace edgemill::cli
