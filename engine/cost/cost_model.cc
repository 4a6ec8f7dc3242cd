#include "engine/cost/cost_model.h"

#include <algorithm>
#include <limits>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {

std::string_view CostModelName(CostModelKind kind) {
  return kind == CostModelKind::kHytgraph ? "hytgraph" : "calibrated";
}

double CostModel::BulkSeconds(double bytes) const {
  CHECK(!calibration_.copy_rate.points().empty());  // a GPU's calibration has it
  return bytes / calibration_.copy_rate.points().back().second;
}

double CostModel::KernelCopySeconds(double bytes) const {
  CHECK_GT(calibration_.zero_copy_rate, 0);
  return bytes / calibration_.zero_copy_rate;
}

double CostModel::AloneSeconds(const BlockShape& block) const {
  const auto& [least, rate] = calibration_.copy_rate.points().front();
  const double start = std::max(0.0, least / rate - BulkSeconds(least));
  const double bytes = static_cast<double>(block.bytes);
  const double by_kernel = KernelCopySeconds(bytes) - BulkSeconds(bytes);
  if (block.bytes >= kMinCopyBytes * block.columns) return start * block.columns;
  return std::clamp(by_kernel, 0.0, start * block.columns);
}

BlockPrices CostModel::PricesOf(const BlockShape& block) const {
  CHECK_GT(block.columns, 0u);
  const double bytes = static_cast<double>(block.bytes);
  return {.shape = block,
          .whole_seconds = BulkSeconds(bytes),
          .alone_seconds = AloneSeconds(block),
          .group_seconds = KernelCopySeconds(bytes) / std::max(block.num_groups, 1u)};
}

void CostModel::Choose(std::span<const uint64_t> blocks, std::span<const uint32_t> wanted_groups,
                       const BlockPrices& prices, std::span<Choice> choices) const {
  CHECK_GE(choices.size(), blocks.size());
  if (kind_ == CostModelKind::kHytgraph) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      choices[i] = {.transfer = ChosenByHytgraph(prices.shape, wanted_groups[blocks[i]])};
    }
    return;
  }
  // `whole` and `part` are the least times of the blocks so far, if the last one is sent whole or
  // in part. Each choice notes how the block before was sent in these two cases.
  double whole = std::numeric_limits<double>::infinity();
  double part = 0;
  const double alone = prices.alone_seconds;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const double seconds = prices.PartSeconds(wanted_groups[blocks[i]]);
    const bool follows = i > 0 && blocks[i] == blocks[i - 1] + 1;
    const double joined = follows ? whole : whole + alone;
    choices[i] = {.transfer = Transfer::kZeroCopy,
                  .after_whole = joined < part + alone,
                  .after_part = whole < part,
                  .seconds = seconds,
                  .whole_seconds = prices.whole_seconds};
    const double least = std::min(whole, part);
    whole = std::min(joined, part + alone) + prices.whole_seconds;
    part = least + seconds;
  }
  bool is_whole = whole <= part;
  for (size_t i = blocks.size(); i-- > 0;) {
    Choice& choice = choices[i];
    const bool before = is_whole ? choice.after_whole : choice.after_part;
    if (is_whole) {
      choice.transfer = Transfer::kFilter;
      choice.seconds = choice.whole_seconds;
    }
    is_whole = before;
  }
}

bool CostModel::Stays(const Choice& choice, double spent_seconds, double patience) const {
  return kind_ == CostModelKind::kHytgraph || choice.transfer == Transfer::kFilter ||
         spent_seconds >= patience * choice.whole_seconds;
}

double CostModel::Patience(double spent_seconds, double filling_seconds, double spread) {
  return std::min(spread, 1.0) *
         std::clamp(1 - spent_seconds / std::max(filling_seconds, 1e-9), 0.0, 1.0);
}

double CostModel::Spread(double seconds, double squares, uint64_t num_blocks) {
  if (!(seconds > 0)) return 0;
  return std::max(0.0, static_cast<double>(num_blocks) * squares / (seconds * seconds) - 1);
}

}  // namespace edgemill
