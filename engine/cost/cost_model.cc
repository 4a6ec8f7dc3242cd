#include "engine/cost/cost_model.h"

#include <algorithm>
#include <limits>

#include "engine/cost/tuning.h"

namespace edgemill {

std::string_view CostModelName(CostModelKind kind) {
  return kind == CostModelKind::kHytgraph ? "hytgraph" : "calibrated";
}

double CostModel::BulkSeconds(double bytes) const {
  return bytes / calibration_.copy_rate.points().back().second;
}

double CostModel::KernelCopySeconds(double bytes) const {
  return bytes / calibration_.zero_copy_rate.points().back().second;
}

double CostModel::AloneSeconds(const BlockShape& block) const {
  const auto& [least, rate] = calibration_.copy_rate.points().front();
  const double start = std::max(0.0, least / rate - BulkSeconds(least));
  const double bytes = static_cast<double>(block.bytes);
  const double by_kernel = KernelCopySeconds(bytes) - BulkSeconds(bytes);
  if (block.bytes >= kLeastCopyBytes * block.columns) return start * block.columns;
  return std::clamp(by_kernel, 0.0, start * block.columns);
}

double CostModel::ZeroCopySeconds(const BlockShape& block, uint32_t wanted_groups) const {
  const double share = static_cast<double>(wanted_groups) / block.num_groups;
  const double bytes = static_cast<double>(block.bytes);
  // Of groups wanted at random so many lie side by side.
  const double together = bytes / block.num_groups / (1 - std::min(share, kMostRandomShare));
  return share * bytes / calibration_.zero_copy_rate.At(std::max(together, 1.0));
}

BlockPrices CostModel::PricesOf(const BlockShape& block) const {
  BlockPrices prices{.whole_seconds = BulkSeconds(static_cast<double>(block.bytes)),
                     .alone_seconds = AloneSeconds(block),
                     .by_wanted_groups = {}};
  prices.by_wanted_groups.resize(block.num_groups + 1);
  for (uint32_t wanted = 1; wanted <= block.num_groups; ++wanted) {
    prices.by_wanted_groups[wanted] = {.zero_copy_seconds = ZeroCopySeconds(block, wanted),
                                       .published = ChosenByHytgraph(block, wanted)};
  }
  return prices;
}

void CostModel::Choose(std::span<const uint64_t> blocks, std::span<const uint32_t> wanted_groups,
                       const BlockPrices& prices, size_t stretches,
                       std::span<Choice> choices) const {
  if (kind_ == CostModelKind::kHytgraph) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      choices[i] = {.transfer = prices.At(wanted_groups[blocks[i]]).published};
    }
    return;
  }
  // The least that the blocks so far take, with the last one sent whole or not; and, kept in each
  // choice, how the one before it was brought for that.
  double whole = std::numeric_limits<double>::infinity();
  double part = 0;
  const double alone = prices.alone_seconds;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const double seconds = prices.At(wanted_groups[blocks[i]]).zero_copy_seconds;
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
  size_t num_zero_copied = 0;
  for (size_t i = blocks.size(); i-- > 0;) {
    Choice& choice = choices[i];
    const bool before = is_whole ? choice.after_whole : choice.after_part;
    if (is_whole) {
      choice.transfer = Transfer::kFilter;
      choice.seconds = choice.whole_seconds;
    }
    num_zero_copied += choice.transfer == Transfer::kZeroCopy;
    is_whole = before;
  }
  if (num_zero_copied == 0) return;
  const double wait = (calibration_.batch_seconds + calibration_.zero_copy_wait) /
                      static_cast<double>(num_zero_copied) /
                      static_cast<double>(std::max<size_t>(stretches, 1));
  for (Choice& choice : choices) {
    if (choice.transfer == Transfer::kZeroCopy) choice.seconds += wait;
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
