#include "engine/cost_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "storage/block_format.h"
#include "storage/group_codec.h"

namespace edgemill {
namespace {

/// Groups that one warp visits in turn.
constexpr double kRunGroups = 16;
/// How far later observations move a factor, in the logarithm; and how far factors go.
constexpr double kLearning = 0.5;
constexpr double kMostFactor = 16;
/// The link is no faster than was measured: loops across it may be slower only.
constexpr double kLeastAcross = 0.9;
/// Prices are kept while factors move less, in the logarithm.
constexpr double kSameFactor = 0.05;

// HyTGraph V-A.
constexpr double kAlpha = 0.8;
constexpr double kBeta = 0.4;
constexpr double kGamma = 0.625;
constexpr double kRequestBytes = 128;  // m
constexpr double kRequests = 256;      // MR: outstanding requests of a TLP

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// HyTGraph's costs in round trips: formulas (1), (2) without compaction's throughput, as their
/// selection has it, and (3).
struct RoundTrips {
  double filter = 0;
  double compaction = 0;
  double zero_copy = 0;
};

RoundTrips HytgraphCosts(const BatchWork& work) {
  const double share = Ratio(work.wanted_groups, work.groups);
  const double whole = static_cast<double>(work.bytes);
  const double wanted = static_cast<double>(work.wanted_groups);
  const double group_bytes = Ratio(work.bytes, work.groups);
  const double index = sizeof(uint64_t) * static_cast<double>(work.groups);
  // A group is what a vertex's list is to them; groups start anywhere, so each may need one more.
  const double requests = wanted * (std::ceil(group_bytes / kRequestBytes) + 1);
  RoundTrips trips;
  // Not rounded up: blocks are a thousandth of their partitions, and only sums over blocks matter.
  trips.filter = whole / kRequestBytes / kRequests;
  trips.compaction = (whole * share + index) / kRequestBytes / kRequests;
  trips.zero_copy = requests / kRequests * (kGamma + (1 - kGamma) * share);
  return trips;
}

}  // namespace

std::string_view CostModelName(CostModelKind kind) {
  return kind == CostModelKind::kHytgraph ? "hytgraph" : "calibrated";
}

void BatchWork::Add(const BatchWork& other) {
  blocks += other.blocks;
  groups += other.groups;
  wanted_groups += other.wanted_groups;
  bytes += other.bytes;
  moved_bytes += other.moved_bytes;
  copies += other.copies;
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
  const double mean = kRunGroups * Ratio(work.wanted_groups, work.groups);
  const double of_block = Ratio(work.wanted_groups, work.blocks);
  return wait * std::clamp(std::max(mean + 3 * std::sqrt(mean), of_block), 1.0, kRunGroups);
}

double CostModel::LeastSeconds(const BatchWork& work, EdgeKernel kernel, KernelPlace place) const {
  const size_t which = static_cast<size_t>(kernel);
  return (calibration_.batch_seconds + WaitSeconds(work, kernel, place)) *
         small_factors_[which][static_cast<size_t>(place)].value;
}

double CostModel::ZeroCopySeconds(const BatchWork& work, EdgeKernel kernel) const {
  const double share = std::min(Ratio(work.wanted_groups, work.groups), 1 - 1e-3);
  // Of groups wanted at random so many lie side by side.
  const double together = Ratio(work.bytes, work.groups) / (1 - share);
  const bool far = static_cast<double>(work.bytes) > calibration_.reach_bytes;
  const Curve& rate = far ? calibration_.far_zero_copy_rate : calibration_.zero_copy_rate;
  return static_cast<double>(work.moved_bytes) / rate.At(std::max(together, 1.0)) *
         factors_[static_cast<size_t>(kernel)][static_cast<size_t>(KernelPlace::kAcross)].value;
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
  if (work.host_bytes > 0) stages.host = GatherSeconds(work);
  stages.gpu = KernelSeconds(edges, kernel, place);
  if (place == KernelPlace::kAcross) {
    stages.reads_across = true;
    stages.gpu = std::max(stages.gpu, ZeroCopySeconds(work, kernel));
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
      stages.link =
          CopySeconds(static_cast<double>(work.moved_bytes), static_cast<double>(work.copies));
      break;
  }
  return stages;
}

BatchWork CostModel::WorkOf(const BlockSituation& block, Transfer transfer) const {
  BatchWork work{.blocks = 1,
                 .groups = block.num_groups,
                 .wanted_groups = block.wanted_groups,
                 .bytes = block.bytes,
                 .moved_bytes = block.bytes};
  const double share = Ratio(block.wanted_groups, block.num_groups);
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

double CostModel::CopyStartSeconds() const {
  const auto& [bytes, rate] = calibration_.copy_rate.points().front();
  return std::max(0.0, bytes / rate - BulkSeconds(bytes));
}

double CostModel::BlockSeconds(const BlockSituation& block, Transfer transfer,
                               EdgeKernel kernel) const {
  const BatchWork work = WorkOf(block, transfer);
  const double edges = static_cast<double>(block.wanted_groups) * kGroupSize;
  const double kernel_seconds = KernelSeconds(
      edges, kernel, transfer == Transfer::kZeroCopy ? KernelPlace::kAcross : KernelPlace::kBatch);
  const double bytes = static_cast<double>(work.moved_bytes);
  switch (transfer) {
    case Transfer::kZeroCopy:
      return std::max(ZeroCopySeconds(work, kernel), kernel_seconds);
    case Transfer::kCompaction:  // gathered blocks lie together
      return std::max({GatherSeconds(work), BulkSeconds(bytes), kernel_seconds});
    case Transfer::kManaged:
      return std::max(bytes / calibration_.managed_rate, kernel_seconds);
    case Transfer::kAuto:
    case Transfer::kResident:
    case Transfer::kFilter:
      break;
  }
  return std::max(BulkSeconds(bytes), kernel_seconds);
}

CostModel::PriceTable& CostModel::TableOf(uint64_t block_bytes) {
  for (PriceTable& table : tables_) {
    if (table.block_bytes == block_bytes) return table;
  }
  if (tables_.size() == kMostTables) tables_.clear();
  tables_.push_back({block_bytes, {}});
  return tables_.back();
}

CostModel::Priced CostModel::Price(const BlockSituation& block, EdgeKernel kernel) {
  return PriceIn(&TableOf(block.bytes), block, kernel);
}

CostModel::Priced CostModel::PriceIn(PriceTable* table, const BlockSituation& block,
                                     EdgeKernel kernel) {
  std::vector<Priced>& prices = table->prices[static_cast<size_t>(kernel)];
  if (prices.size() <= block.wanted_groups) prices.resize(block.wanted_groups + size_t{1});
  Priced& priced = prices[block.wanted_groups];
  if (!priced.known) {
    priced = {true, BlockSeconds(block, Transfer::kFilter, kernel),
              BlockSeconds(block, Transfer::kZeroCopy, kernel),
              BlockSeconds(block, Transfer::kCompaction, kernel)};
  }
  return priced;
}

double CostModel::LeastBlockSeconds(const BlockSituation& block, EdgeKernel kernel) {
  const Priced priced = Price(block, kernel);
  return std::min(priced.whole_seconds, priced.zero_copy_seconds);
}

void CostModel::ChooseWhole(std::span<const BlockSituation> blocks, std::vector<Choice>* choices) {
  // The least that the blocks so far take, with the last one sent whole or not; and how the one
  // before it was brought for that.
  double whole = std::numeric_limits<double>::infinity();
  double part = 0;
  constexpr uint8_t kOfWhole = 1, kOfPart = 2;  // that one was whole for this block's whole, part
  before_.resize(blocks.size());
  const double start = CopyStartSeconds();
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Choice& choice = (*choices)[i];
    const double alone = start * blocks[i].columns;
    const double joined = blocks[i].follows ? whole : whole + alone;
    before_[i] =
        static_cast<uint8_t>((joined < part + alone ? kOfWhole : 0) | (whole < part ? kOfPart : 0));
    const double least = std::min(whole, part);
    whole = std::min(joined, part + alone) + choice.whole_seconds;
    part = least + choice.seconds;
  }
  bool is_whole = whole <= part;
  for (size_t i = blocks.size(); i-- > 0;) {
    Choice& choice = (*choices)[i];
    if (is_whole) choice = {Transfer::kFilter, choice.whole_seconds, choice.whole_seconds};
    is_whole = (before_[i] & (is_whole ? kOfWhole : kOfPart)) != 0;
  }
}

void CostModel::Choose(Transfer asked, std::span<const BlockSituation> blocks, EdgeKernel kernel,
                       std::vector<Choice>* choices) {
  choices->clear();
  choices->reserve(blocks.size());
  if (asked != Transfer::kAuto || kind_ == CostModelKind::kHytgraph) {
    for (const BlockSituation& block : blocks) {
      choices->push_back(asked == Transfer::kAuto ? ChooseAsHytgraph(block) : Choice{asked});
    }
    return;
  }
  double gathering_gains = 0;
  bool some_whole = false;  // may be better whole
  bool all_whole = true;    // each is, whatever the others
  const double start = CopyStartSeconds();
  PriceTable* table = nullptr;
  Priced priced;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const BlockSituation& block = blocks[i];
    if (table == nullptr || block.bytes != table->block_bytes) table = &TableOf(block.bytes);
    const bool alike = i > 0 && block.wanted_groups == blocks[i - 1].wanted_groups &&
                       block.bytes == blocks[i - 1].bytes;
    if (!alike) priced = PriceIn(table, block, kernel);
    choices->push_back({Transfer::kZeroCopy, priced.zero_copy_seconds, priced.whole_seconds});
    const double least = std::min(priced.zero_copy_seconds, priced.whole_seconds);
    gathering_gains += std::max(0.0, least - priced.compaction_seconds);
    some_whole |= priced.whole_seconds <= priced.zero_copy_seconds;
    all_whole &= priced.whole_seconds + (block.follows ? 0 : start * block.columns) <=
                 priced.zero_copy_seconds;
  }
  if (gathering_gains > calibration_.gather_start_seconds) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      const double seconds = Price(blocks[i], kernel).compaction_seconds;
      Choice& choice = (*choices)[i];
      if (seconds < choice.seconds) choice = {Transfer::kCompaction, seconds, choice.whole_seconds};
    }
    all_whole = false;
  }
  if (all_whole) {
    for (Choice& choice : *choices) {
      choice = {Transfer::kFilter, choice.whole_seconds, choice.whole_seconds};
    }
    return;
  }
  if (some_whole) ChooseWhole(blocks, choices);
  const auto across = [](const Choice& choice) { return choice.transfer == Transfer::kZeroCopy; };
  const auto num_across = std::count_if(choices->begin(), choices->end(), across);
  const double wait = (calibration_.batch_seconds + calibration_.zero_copy_wait) /
                      static_cast<double>(std::max<ptrdiff_t>(num_across, 1));
  for (Choice& choice : *choices) {
    if (across(choice)) choice.seconds += wait;
  }
}

bool CostModel::Stays(const Choice& choice, double spent_seconds, double patience) const {
  return kind_ == CostModelKind::kHytgraph || choice.transfer == Transfer::kFilter ||
         spent_seconds >= patience * choice.whole_seconds;
}

void CostModel::Observe(EdgeKernel kernel, KernelPlace place, bool small, double predicted,
                        double measured) {
  if (!(predicted > 0) || !(measured > 0)) return;
  Factor& factor =
      (small ? small_factors_ : factors_)[static_cast<size_t>(kernel)][static_cast<size_t>(place)];
  const double weight = factor.observed ? kLearning : 1;
  const double least = place == KernelPlace::kAcross && !small ? kLeastAcross : 1 / kMostFactor;
  factor.value =
      std::clamp(factor.value * std::pow(measured / predicted, weight), least, kMostFactor);
  factor.observed = true;
  if (small || std::abs(std::log(factor.value / factor.priced)) < kSameFactor) return;
  factor.priced = factor.value;
  for (PriceTable& table : tables_) table.prices[static_cast<size_t>(kernel)].clear();
}

CostModel::Choice CostModel::ChooseAsHytgraph(const BlockSituation& block) const {
  const RoundTrips trips = HytgraphCosts(WorkOf(block, Transfer::kFilter));
  if (trips.compaction < kAlpha * trips.filter && trips.compaction < kBeta * trips.zero_copy) {
    return {Transfer::kCompaction};
  }
  return {trips.zero_copy < trips.filter ? Transfer::kZeroCopy : Transfer::kFilter};
}

StageSeconds CostModel::PredictAsHytgraph(const BatchWork& work, Transfer transfer) const {
  const double round_trip =
      kRequestBytes * kRequests / calibration_.copy_rate.points().back().second;
  const RoundTrips trips = HytgraphCosts(work);
  StageSeconds stages;
  if (transfer == Transfer::kZeroCopy) {
    stages.link = trips.zero_copy * round_trip;
  } else if (transfer == Transfer::kCompaction) {
    stages.link = trips.compaction * round_trip;
  } else if (work.moved_bytes > 0) {
    stages.link = trips.filter * round_trip;
  }
  return stages;
}

double PredictionError(double predicted, double measured) {
  return measured > 0 ? std::abs(predicted / measured - 1) : 0;
}

double MedianPredictionError(std::vector<TransferAccount> accounts) {
  const auto error = [](const TransferAccount& account) {
    return PredictionError(account.predicted_seconds, account.measured_seconds);
  };
  std::sort(accounts.begin(), accounts.end(),
            [&](const auto& a, const auto& b) { return error(a) < error(b); });
  double left = 0;
  for (const TransferAccount& account : accounts) left += account.measured_seconds / 2;
  for (const TransferAccount& account : accounts) {
    left -= account.measured_seconds;
    if (left <= 0) return error(account);
  }
  return 0;
}

}  // namespace edgemill
