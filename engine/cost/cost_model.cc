#include "engine/cost/cost_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "storage/format/block_format.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

/// Groups that one warp visits in turn.
constexpr double kRunGroups = 16;
/// What of earlier observations still counts; and how far factors go.
constexpr double kMemory = 0.5;
constexpr double kMostFactor = 16;
/// The link is no faster than was measured: loops across it may be slower only.
constexpr double kLeastAcross = 0.9;

}  // namespace

std::string_view CostModelName(CostModelKind kind) {
  return kind == CostModelKind::kHytgraph ? "hytgraph" : "calibrated";
}

double BatchWork::wanted_share() const {
  return groups == 0 ? 0 : static_cast<double>(wanted_groups) / static_cast<double>(groups);
}

double BatchWork::group_bytes() const {
  return groups == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(groups);
}

void BatchWork::Add(const BatchWork& other) {
  blocks += other.blocks;
  groups += other.groups;
  wanted_groups += other.wanted_groups;
  bytes += other.bytes;
  moved_bytes += other.moved_bytes;
  copies += other.copies;
  kernel_bytes += other.kernel_bytes;
  host_bytes += other.host_bytes;
}

CostModel::CostModel(CostModelKind kind, const Calibration& calibration, uint64_t state_bytes,
                     int threads)
    : kind_(kind), calibration_(calibration), threads_(threads) {
  const double state = static_cast<double>(std::max<uint64_t>(1, state_bytes));
  const double pull = calibration.pull_rate.At(state);
  kernel_rate_ = {
      calibration.push_rate.At(state), calibration.add_rate.At(state), pull, pull, pull, pull};
}

double CostModel::CopySeconds(double bytes, double copies) const {
  if (copies == 0) return 0;
  const Curve& rate = calibration_.copy_rate;
  // The least copy that was measured stands for what any copy takes.
  const double size = std::max(bytes / copies, rate.points().front().first);
  return copies * size / rate.At(size);
}

double CostModel::KernelSeconds(double edges, EdgeKernel kernel, KernelPlace place) const {
  const size_t which = static_cast<size_t>(kernel);
  const Factor& factor = factors_[which][static_cast<size_t>(place)];
  return edges / kernel_rate_[which] * (place == KernelPlace::kAcross ? 1 : factor.value);
}

double CostModel::WaitSeconds(const BatchWork& work, EdgeKernel kernel, KernelPlace place) const {
  if (work.wanted_groups == 0) return 0;
  const bool pulls = kernel == EdgeKernel::kPull || kernel == EdgeKernel::kPullFirst;
  const double wait = (pulls ? calibration_.group_wait : calibration_.push_wait) +
                      (place == KernelPlace::kAcross ? calibration_.zero_copy_wait : 0);
  // At random, the fullest of many runs has about three deviations more than the mean. Long lists
  // are whole runs.
  const double mean = kRunGroups * work.wanted_share();
  const double of_block = static_cast<double>(work.wanted_groups) /
                          static_cast<double>(std::max<uint64_t>(work.blocks, 1));
  return wait * std::clamp(std::max(mean + 3 * std::sqrt(mean), of_block), 1.0, kRunGroups);
}

double CostModel::LeastSeconds(const BatchWork& work, EdgeKernel kernel, KernelPlace place) const {
  const size_t which = static_cast<size_t>(kernel);
  return (calibration_.batch_seconds + WaitSeconds(work, kernel, place)) *
         small_factors_[which][static_cast<size_t>(place)].value;
}

double CostModel::AcrossFactor(EdgeKernel kernel) const {
  return factors_[static_cast<size_t>(kernel)][static_cast<size_t>(KernelPlace::kAcross)].value;
}

double CostModel::ZeroCopySeconds(const BatchWork& work) const {
  const double share = std::min(work.wanted_share(), 1 - 1e-3);
  // Of groups wanted at random so many lie side by side.
  const double together = work.group_bytes() / (1 - share);
  const bool far = static_cast<double>(work.bytes) > calibration_.reach_bytes;
  const Curve& rate = far ? calibration_.far_zero_copy_rate : calibration_.zero_copy_rate;
  return static_cast<double>(work.moved_bytes) / rate.At(std::max(together, 1.0));
}

double CostModel::GatherSeconds(const BatchWork& work) const {
  return (static_cast<double>(work.blocks) * calibration_.gather_block_seconds) / threads_ +
         static_cast<double>(work.host_bytes) / calibration_.gather_rate.At(threads_);
}

StageSeconds CostModel::Predict(const BatchWork& work, Transfer transfer, EdgeKernel kernel) const {
  if (kind_ == CostModelKind::kHytgraph) return PredictAsHytgraph(work, transfer);
  const double edges = static_cast<double>(work.wanted_groups) * kGroupSize;
  const bool resident = transfer == Transfer::kResident && work.moved_bytes == 0;
  const KernelPlace place = resident                          ? KernelPlace::kResident
                            : transfer == Transfer::kZeroCopy ? KernelPlace::kAcross
                                                              : KernelPlace::kBatch;
  StageSeconds stages;
  if (work.host_bytes > 0) stages.host = GatherSeconds(work) * host_factor_.value;
  stages.gpu = KernelSeconds(edges, kernel, place);
  if (place == KernelPlace::kAcross) {
    stages.reads_across = true;
    stages.gpu = std::max(stages.gpu, ZeroCopySeconds(work) * AcrossFactor(kernel));
  }
  stages.wait = LeastSeconds(work, kernel, place);
  switch (transfer) {
    case Transfer::kZeroCopy:
      break;
    case Transfer::kManaged:
      stages.reads_across = work.moved_bytes > 0;
      stages.gpu += static_cast<double>(work.moved_bytes) / calibration_.managed_rate;
      break;
    case Transfer::kAuto:
    case Transfer::kResident:
    case Transfer::kFilter:
    case Transfer::kCompaction:
      stages.link = CopySeconds(static_cast<double>(work.moved_bytes -
                                                    std::min(work.moved_bytes, work.kernel_bytes)),
                                static_cast<double>(work.copies)) +
                    KernelCopySeconds(static_cast<double>(work.kernel_bytes));
      break;
  }
  return stages;
}

BatchWork CostModel::WorkOf(const BlockShape& block, uint32_t wanted_groups, Transfer transfer) {
  BatchWork work{.blocks = 1,
                 .groups = block.num_groups,
                 .wanted_groups = wanted_groups,
                 .bytes = block.bytes,
                 .moved_bytes = block.bytes};
  const double share = work.wanted_share();
  if (transfer == Transfer::kZeroCopy || transfer == Transfer::kCompaction) {
    work.moved_bytes = static_cast<uint64_t>(share * static_cast<double>(block.bytes));
  }
  if (transfer == Transfer::kCompaction) {
    work.moved_bytes += sizeof(uint64_t) * block.num_groups;
    work.host_bytes = work.moved_bytes;
  }
  return work;
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

BringingCosts CostModel::BringingOf(const BlockShape& block) const {
  BringingCosts costs{.whole_seconds = BulkSeconds(static_cast<double>(block.bytes)),
                      .alone_seconds = AloneSeconds(block),
                      .by_wanted_groups = {}};
  for (uint32_t wanted = 0; wanted <= block.num_groups; ++wanted) {
    const BatchWork gathered = WorkOf(block, wanted, Transfer::kCompaction);
    const BatchWork across = WorkOf(block, wanted, Transfer::kZeroCopy);
    costs.by_wanted_groups.push_back(
        {.zero_copy_seconds = ZeroCopySeconds(across),
         .gather_seconds = GatherSeconds(gathered),
         // Gathered blocks lie together.
         .gathered_link_seconds = BulkSeconds(static_cast<double>(gathered.moved_bytes)),
         .published = ChosenByHytgraph(across)});
  }
  return costs;
}

CostModel::Rates CostModel::RatesOf(EdgeKernel kernel) const {
  return {.batch_group = KernelSeconds(kGroupSize, kernel, KernelPlace::kBatch),
          .across_group = KernelSeconds(kGroupSize, kernel, KernelPlace::kAcross),
          .across = AcrossFactor(kernel),
          .host = host_factor_.value};
}

BlockPrice CostModel::PriceOf(const BringingCosts& costs, uint32_t wanted_groups,
                              const Rates& rates) {
  const BringingCosts::OfParts& parts = costs.by_wanted_groups[wanted_groups];
  const double in_batch = wanted_groups * rates.batch_group;
  return {.whole_seconds = std::max(costs.whole_seconds, in_batch),
          .zero_copy_seconds =
              std::max(parts.zero_copy_seconds * rates.across, wanted_groups * rates.across_group),
          .compaction_seconds =
              std::max({parts.gather_seconds * rates.host, parts.gathered_link_seconds, in_batch}),
          .published = parts.published};
}

BlockPrice CostModel::PriceOf(const BringingCosts& costs, uint32_t wanted_groups,
                              EdgeKernel kernel) const {
  return PriceOf(costs, wanted_groups, RatesOf(kernel));
}

BlockPrices CostModel::PricesOf(const BringingCosts& costs, EdgeKernel kernel) const {
  const Rates rates = RatesOf(kernel);
  std::vector<BlockPrice> by_wanted_groups(costs.by_wanted_groups.size());
  for (uint32_t wanted = 0; wanted < by_wanted_groups.size(); ++wanted) {
    by_wanted_groups[wanted] = PriceOf(costs, wanted, rates);
  }
  return BlockPrices(costs.alone_seconds, std::move(by_wanted_groups));
}

void CostModel::Choose(std::span<const uint64_t> blocks, std::span<const uint32_t> wanted_groups,
                       const BlockPrices& prices, bool gathers, size_t stretches,
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
  const double alone = prices.alone_seconds();
  for (size_t i = 0; i < blocks.size(); ++i) {
    const BlockPrice& price = prices.At(wanted_groups[blocks[i]]);
    const bool gathered = gathers && price.compaction_seconds < price.zero_copy_seconds;
    const double seconds = gathered ? price.compaction_seconds : price.zero_copy_seconds;
    const bool follows = i > 0 && blocks[i] == blocks[i - 1] + 1;
    const double joined = follows ? whole : whole + alone;
    choices[i] = {.transfer = gathered ? Transfer::kCompaction : Transfer::kZeroCopy,
                  .after_whole = joined < part + alone,
                  .after_part = whole < part,
                  .seconds = seconds,
                  .whole_seconds = price.whole_seconds};
    const double least = std::min(whole, part);
    whole = std::min(joined, part + alone) + price.whole_seconds;
    part = least + seconds;
  }
  bool is_whole = whole <= part;
  size_t num_across = 0;
  for (size_t i = blocks.size(); i-- > 0;) {
    Choice& choice = choices[i];
    const bool before = is_whole ? choice.after_whole : choice.after_part;
    if (is_whole) {
      choice.transfer = Transfer::kFilter;
      choice.seconds = choice.whole_seconds;
    }
    num_across += choice.transfer == Transfer::kZeroCopy;
    is_whole = before;
  }
  if (num_across == 0) return;
  const double wait = (calibration_.batch_seconds + calibration_.zero_copy_wait) /
                      static_cast<double>(num_across) /
                      static_cast<double>(std::max<size_t>(stretches, 1));
  for (Choice& choice : choices) {
    if (choice.transfer == Transfer::kZeroCopy) choice.seconds += wait;
  }
}

bool CostModel::Gathers(const BlockPrices& prices, std::span<const uint32_t> num_blocks) const {
  if (kind_ == CostModelKind::kHytgraph) return prices.GathersAsPublished(num_blocks);
  return prices.GatheringGain(num_blocks) > calibration_.gather_start_seconds;
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

void CostModel::Factor::Follow(double predicted, double measured, double least, double most) {
  if (!(predicted > 0) || !(measured > 0)) return;
  const double before = kMemory * seconds;
  seconds = before + measured;
  value = std::clamp(value * std::pow(measured / predicted, measured / seconds), least, most);
}

void CostModel::Observe(EdgeKernel kernel, KernelPlace place, bool small, double predicted,
                        double measured) {
  Factor& factor =
      (small ? small_factors_ : factors_)[static_cast<size_t>(kernel)][static_cast<size_t>(place)];
  const double least = place == KernelPlace::kAcross && !small ? kLeastAcross : 1 / kMostFactor;
  factor.Follow(predicted, measured, least, kMostFactor);
}

void CostModel::ObserveHost(double predicted, double measured) {
  host_factor_.Follow(predicted, measured, 1 / kMostFactor, kMostFactor);
}

}  // namespace edgemill
