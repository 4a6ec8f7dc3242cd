// What an edge pass moves to the GPU, and how. Tests properties of plans for seeded random
// requests, and the prices at which choices change. The tests need no GPU.
#include "engine/transfer/transfer_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "common/random.h"
#include "engine/plan/staging_layout.h"

namespace edgemill {
namespace {

constexpr uint32_t kEdgesABlock = 32768;
constexpr uint32_t kGroupsABlock = kEdgesABlock / kGroupSize;
constexpr uint64_t kBlockPayload = 60'000;
constexpr uint64_t kStagingBytes = uint64_t{1} << 20;

/// Rates of a link on which copies have no start-up time.
Calibration LinkAlone() {
  Calibration calibration = BuiltInCalibration();
  calibration.copy_rate = Curve({{4096, 50e9}, {67108864, 50e9}});
  calibration.zero_copy_rate = 25e9;
  return calibration;
}

/// A direction of a graph, where its blocks are, and which groups a pass wants.
struct PlannedCase {
  Calibration calibration = BuiltInCalibration();
  CostModelKind kind = CostModelKind::kCalibrated;
  TransferRules rules{.exceeds_gpu = true, .buffer_bytes = kStagingBytes};
  uint64_t num_blocks;
  std::vector<uint32_t> wanted;
  std::vector<uint8_t> resident;
  std::vector<uint8_t> pinned;
  std::vector<float> spent;
  PassRequest request;
  uint64_t capacity_bytes = 0;
  uint64_t used_bytes = 0;
  SkiRental rental;
  TransferPlan plan;

  explicit PlannedCase(uint64_t blocks)
      : num_blocks(blocks), wanted(blocks), resident(blocks), pinned(blocks), spent(blocks) {
    request.blocks = {0, blocks};
    plan.Reserve(blocks);
  }
  /// The last block has only an eighth of the edges that the others have.
  uint64_t num_edges() const {
    return num_blocks == 0 ? 0 : (num_blocks - 1) * kEdgesABlock + kEdgesABlock / 8;
  }
  CostModel Model() const { return CostModel(kind, calibration); }
  DirectionBlocks Blocks(const CostModel& model) const {
    return DirectionBlocks::Of(num_edges(), kEdgesABlock,
                               num_edges() * kBlockPayload / kEdgesABlock, 1, model);
  }
  PassInputs Inputs(const DirectionBlocks& blocks) const {
    PassInputs inputs{request, wanted, blocks, {}, pinned};
    inputs.resident = {
        .is_resident = resident,
        .num_resident = static_cast<uint32_t>(std::count(resident.begin(), resident.end(), 1)),
        .spent_seconds = spent,
        .capacity_bytes = capacity_bytes,
        .used_bytes = used_bytes,
        .rental = rental};
    return inputs;
  }
  const TransferPlan& Plan() {
    const CostModel model = Model();
    const DirectionBlocks blocks = Blocks(model);
    const PassInputs inputs = Inputs(blocks);
    const TransferPlanner planner(model, rules);
    planner.List(inputs, &plan);
    planner.Choose(inputs, &plan);
    return plan;
  }
  /// The wanted groups of a block, at most all of its groups.
  uint32_t Wanted(uint64_t block) const {
    const uint32_t groups = block + 1 == num_blocks ? kGroupsABlock / 8 : kGroupsABlock;
    return wanted.empty() ? groups : wanted[block];
  }
  /// The seconds by prices if each missing block comes by these transfers, without the start-up
  /// times of copies.
  double Seconds(const BlockPrices& prices, std::span<const Transfer> transfers) const {
    double seconds = 0;
    uint64_t last_whole = ~uint64_t{1};
    for (const uint64_t block : plan.missing) {
      if (transfers[block] == Transfer::kZeroCopy) {
        seconds += prices.PartSeconds(Wanted(block));
      } else {
        seconds += prices.whole_seconds + (last_whole + 1 == block ? 0 : prices.alone_seconds);
        last_whole = block;
      }
    }
    return seconds;
  }
};

PlannedCase RandomCase(uint64_t seed) {
  Random random(seed);
  PlannedCase made(1 + random.Below(random.Below(4) == 0 ? 1500 : 40));
  const uint64_t one_in = 1 + random.Below(4);
  for (uint64_t block = 0; block < made.num_blocks; ++block) {
    const uint32_t most = block + 1 == made.num_blocks ? kGroupsABlock / 8 : kGroupsABlock;
    made.wanted[block] =
        random.Below(one_in) == 0 ? static_cast<uint32_t>(random.Below(most + 1)) : 0;
    made.spent[block] = static_cast<float>(random.Unit() * 2e-6);
    made.resident[block] = random.Below(3) == 0;
    made.pinned[block] = random.Below(2) == 0;
  }
  if (random.Below(5) == 0) made.pinned.clear();
  if (random.Below(5) == 0) made.spent.clear();
  if (random.Below(5) == 0) made.wanted.clear();  // all groups are wanted
  made.capacity_bytes = random.Below(2) * random.Below(made.num_blocks * kBlockPayload * 2);
  made.used_bytes = random.Below(made.capacity_bytes + 1);
  made.rental = {random.Unit() * 1e-3, random.Unit() * 1e-3};
  made.rules.exceeds_gpu = random.Below(4) != 0;
  made.rules.shared = random.Below(4) == 0;
  made.kind = random.Below(4) == 0 ? CostModelKind::kHytgraph : CostModelKind::kCalibrated;
  made.request.zero_copy_first = random.Below(4) == 0;
  made.request.rarely_reused = random.Below(4) == 0;
  if (random.Below(3) == 0) {
    made.request.blocks.begin = random.Below(made.num_blocks);
    made.request.blocks.end =
        made.request.blocks.begin + random.Below(made.num_blocks - made.request.blocks.begin + 1);
  }
  made.request.takes_sub_csrs = random.Below(2) == 0;
  constexpr Transfer kTold[] = {Transfer::kFilter,  Transfer::kCompaction, Transfer::kZeroCopy,
                                Transfer::kManaged, Transfer::kResident,   Transfer::kSubCsr};
  if (random.Below(3) == 0) made.rules.transfer = kTold[random.Below(std::size(kTold))];
  return made;
}

constexpr uint64_t kPlannedCases = 600;

TEST(TransferPlanner, EachWantedBlockComesOnceAndNothingElse) {
  for (uint64_t seed = 0; seed < kPlannedCases; ++seed) {
    SCOPED_TRACE(seed);
    PlannedCase made = RandomCase(seed);
    const TransferPlan& plan = made.Plan();
    std::vector<uint64_t> expected;
    uint64_t wanted_resident = 0;
    for (uint64_t block = made.request.blocks.begin; block < made.request.blocks.end; ++block) {
      if (made.Wanted(block) == 0) continue;
      if (made.resident[block] == 0) {
        expected.push_back(block);
      } else {
        ++wanted_resident;
      }
    }
    EXPECT_EQ(std::vector(plan.missing.begin(), plan.missing.end()), expected);
    std::vector<uint64_t> moved(plan.pinned.begin(), plan.pinned.end());
    moved.insert(moved.end(), plan.from_reader.begin(), plan.from_reader.end());
    std::sort(moved.begin(), moved.end());
    ASSERT_EQ(moved, expected);
    EXPECT_EQ(plan.wanted_resident, wanted_resident);
    for (const uint64_t block : expected) EXPECT_EQ(plan.wanted_groups[block], made.Wanted(block));
  }
}

/// Each block's transfer follows the rules, the capacity and the place of the block.
TEST(TransferPlanner, TransfersKeepTheRules) {
  std::set<Transfer> seen;
  for (uint64_t seed = 0; seed < kPlannedCases; ++seed) {
    SCOPED_TRACE(seed);
    PlannedCase made = RandomCase(seed);
    const TransferPlan& plan = made.Plan();
    for (const uint64_t block : plan.missing) {
      const Transfer transfer = plan.transfers[block];
      seen.insert(transfer);
      const bool is_pinned = !made.pinned.empty() && made.pinned[block] != 0;
      if (made.rules.transfer != Transfer::kAuto) {
        const bool whole = made.rules.transfer == Transfer::kSubCsr && !made.request.takes_sub_csrs;
        EXPECT_EQ(transfer, whole ? Transfer::kFilter : made.rules.transfer);
      } else {
        EXPECT_TRUE(transfer == Transfer::kResident || transfer == Transfer::kFilter ||
                    transfer == Transfer::kZeroCopy ||
                    (transfer == Transfer::kCompaction && made.kind == CostModelKind::kHytgraph));
        if (made.rules.exceeds_gpu && made.request.rarely_reused) {
          EXPECT_NE(transfer, Transfer::kResident);
        }
        if (made.rules.exceeds_gpu && made.used_bytes == made.capacity_bytes) {
          EXPECT_NE(transfer, Transfer::kResident);
        }
        if (!made.rules.exceeds_gpu) {
          EXPECT_TRUE(transfer == Transfer::kResident || transfer == Transfer::kZeroCopy);
          if (!is_pinned) {
            EXPECT_EQ(transfer, Transfer::kResident);
          }
        }
      }
      const bool in_place = is_pinned && transfer != Transfer::kCompaction &&
                            transfer != Transfer::kManaged && transfer != Transfer::kSubCsr;
      const auto& list = in_place ? plan.pinned : plan.from_reader;
      EXPECT_EQ(std::count(list.begin(), list.end(), block), 1);
    }
    const auto is_compacted = [&](uint64_t block) {
      return plan.transfers[block] == Transfer::kCompaction;
    };
    EXPECT_EQ(plan.Has(Transfer::kCompaction),
              std::any_of(plan.missing.begin(), plan.missing.end(), is_compacted));
  }
  EXPECT_EQ(seen.size(), 6u);
}

/// Copies come first, or zero-copied blocks if the request says so. Within both, numbers ascend.
TEST(TransferPlanner, BlocksComeInOrder) {
  for (uint64_t seed = 0; seed < kPlannedCases; ++seed) {
    SCOPED_TRACE(seed);
    PlannedCase made = RandomCase(seed);
    const TransferPlan& plan = made.Plan();
    EXPECT_TRUE(std::is_sorted(plan.from_reader.begin(), plan.from_reader.end()));
    const bool zero_copy_first = made.request.zero_copy_first;
    EXPECT_TRUE(std::is_sorted(plan.pinned.begin(), plan.pinned.end(), [&](auto a, auto b) {
      const auto comes_late = [&](uint64_t block) {
        return (plan.transfers[block] == Transfer::kZeroCopy) != zero_copy_first;
      };
      return std::pair(comes_late(a), a) < std::pair(comes_late(b), b);
    }));
  }
}

/// If nothing may stay, no other assignment of engines is cheaper. The test tries all.
TEST(TransferPlanner, NoOtherPlanIsCheaper) {
  constexpr Transfer kEngines[] = {Transfer::kFilter, Transfer::kZeroCopy};
  std::set<Transfer> seen;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    PlannedCase made(2 + random.Below(10));
    for (uint64_t block = 0; block + 1 < made.num_blocks; ++block) {
      made.wanted[block] = static_cast<uint32_t>(random.Below(kGroupsABlock + 1));
      made.resident[block] = random.Below(6) == 0;
    }
    const TransferPlan& plan = made.Plan();
    const CostModel model = made.Model();
    const BlockPrices prices = made.Blocks(model).prices;
    double least = std::numeric_limits<double>::infinity();
    std::vector<Transfer> tried(made.num_blocks);
    for (size_t number = 0; number < size_t{1} << plan.missing.size(); ++number) {
      size_t left = number;
      for (const uint64_t block : plan.missing) {
        tried[block] = kEngines[left % 2];
        left /= 2;
      }
      least = std::min(least, made.Seconds(prices, tried));
    }
    EXPECT_LE(made.Seconds(prices, plan.transfers), least * (1 + 1e-12));
    for (const uint64_t block : plan.missing) seen.insert(plan.transfers[block]);
  }
  EXPECT_EQ(seen.size(), std::size(kEngines));
}

/// Here zero-copy is half as fast as copies, so it pays for up to half of a block.
TEST(TransferPlanner, ZeroCopyTurnsIntoCopiesAtThePrice) {
  for (uint32_t wanted = 1; wanted <= kGroupsABlock; ++wanted) {
    PlannedCase made(3);
    made.calibration = LinkAlone();
    made.wanted[1] = wanted;
    const Transfer transfer = made.Plan().transfers[1];
    if (wanted < kGroupsABlock / 2 - 1) {
      EXPECT_EQ(transfer, Transfer::kZeroCopy) << wanted;
    }
    if (wanted > kGroupsABlock / 2 + 1) {
      EXPECT_EQ(transfer, Transfer::kFilter) << wanted;
    }
  }
}

/// Without start-up times, blocks are charged the time of their bytes.
TEST(TransferPlanner, ChargesAreThePlansBytes) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    PlannedCase made = RandomCase(seed);
    made.rules = {.exceeds_gpu = true, .buffer_bytes = 1};
    made.kind = CostModelKind::kCalibrated;
    made.request.rarely_reused = false;
    made.calibration = LinkAlone();
    made.rental.parts_seconds = 0;
    made.spent.clear();
    made.capacity_bytes = 1;
    made.used_bytes = 0;
    const TransferPlan& plan = made.Plan();
    const CostModel model = made.Model();
    const DirectionBlocks blocks = made.Blocks(model);
    double parts = 0;
    EXPECT_EQ(plan.charges.blocks.size(), plan.missing.size());
    for (const uint64_t block : plan.missing) {
      const double share = double{1} * made.Wanted(block) / blocks.prices.shape.num_groups;
      const double wanted_bytes = share * static_cast<double>(blocks.prices.shape.bytes);
      double bytes = static_cast<double>(blocks.prices.shape.bytes);
      if (plan.transfers[block] == Transfer::kZeroCopy) bytes = 2 * wanted_bytes;
      EXPECT_NEAR(plan.charges.seconds[block] * 50e9, bytes, 2);
      if (plan.transfers[block] == Transfer::kZeroCopy) parts += plan.charges.seconds[block];
    }
    EXPECT_NEAR(plan.charges.rental.parts_seconds, parts, 1e-12);
  }
}

/// All blocks must come whole. Blocks stay as long as the bytes of one staging buffer are left.
TEST(TransferPlanner, BlocksStayWhileThereIsCapacity) {
  constexpr uint64_t kMax = 200;
  const uint64_t bytes = StagingLayout::DeviceBytes(kBlockPayload);
  for (const uint64_t free_blocks : {0u, 1u, 7u, 150u}) {
    PlannedCase made(kMax);
    std::fill(made.wanted.begin(), made.wanted.end() - 1, kGroupsABlock);
    made.rules.buffer_bytes = bytes;
    made.used_bytes = 10 * bytes;
    made.capacity_bytes = made.used_bytes + free_blocks * bytes;
    // The capacity is not used to the last byte. Blocks that come whole stay anyway, as long as
    // Reserve has memory. So only a full capacity, and parts of blocks, show the bound.
    const TransferPlan& plan = made.Plan();
    const auto stays =
        std::count(plan.transfers.begin(), plan.transfers.end() - 1, Transfer::kResident);
    EXPECT_EQ(stays, free_blocks == 0 ? 0 : int{kMax - 1});
    std::fill(made.wanted.begin(), made.wanted.end() - 1, 1);
    std::fill(made.spent.begin(), made.spent.end(), 1.0f);  // parts have cost more than enough
    const TransferPlan& parts = made.Plan();
    EXPECT_EQ(static_cast<uint64_t>(std::count(parts.transfers.begin(), parts.transfers.end() - 1,
                                               Transfer::kResident)),
              free_blocks);
  }
}

/// Each pass wants parts of one block. The block stays once the parts have cost as much as the
/// whole block would.
TEST(TransferPlanner, ABlockStaysOnceItsPartsHaveCostTheWhole) {
  PlannedCase made(100);
  made.wanted[40] = 8;
  made.capacity_bytes = uint64_t{1} << 30;
  ResidentSet set;
  set.SetCapacity(made.capacity_bytes);
  set.AddSide(0, made.num_blocks, true);
  const CostModel model = made.Model();
  const DirectionBlocks blocks = made.Blocks(model);
  const BlockPrices& prices = blocks.prices;
  const double whole = prices.whole_seconds + prices.alone_seconds;
  double spent = 0;
  int passes = 0;
  for (; passes < 1000 && spent < 10 * whole; ++passes) {
    PassInputs inputs = made.Inputs(blocks);
    inputs.resident = set.View(0);
    const TransferPlanner planner(model, made.rules);
    planner.List(inputs, &made.plan);
    planner.Choose(inputs, &made.plan);
    set.Charge(0, made.plan.charges);
    if (made.plan.transfers[40] == Transfer::kResident) break;
    EXPECT_EQ(made.plan.transfers[40], Transfer::kZeroCopy);
    spent += made.plan.charges.seconds[40];
  }
  EXPECT_GT(passes, 0);
  EXPECT_LT(spent, whole);
  EXPECT_GT(spent + made.plan.charges.seconds[40], 0.5 * whole);
}

/// Copied and zero-copied blocks each come by falling priority, and equal ones by number. Blocks
/// that are read come by number.
TEST(TransferPlanner, BlocksOfHighPriorityComeFirst) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    PlannedCase made(1 + random.Below(300));
    std::vector<float> priorities(made.num_blocks);
    for (uint64_t block = 0; block < made.num_blocks; ++block) {
      made.wanted[block] = static_cast<uint32_t>(random.Below(kGroupsABlock / 8));
      made.pinned[block] = random.Below(3) != 0;
      priorities[block] = static_cast<float>(random.Below(20));
    }
    const CostModel model = made.Model();
    const DirectionBlocks blocks = made.Blocks(model);
    PassInputs inputs = made.Inputs(blocks);
    inputs.priorities = priorities;
    const TransferPlanner planner(model, made.rules);
    planner.List(inputs, &made.plan);
    planner.Choose(inputs, &made.plan);
    const auto zero_copied = [&](uint64_t block) {
      return made.plan.transfers[block] == Transfer::kZeroCopy;
    };
    const auto comes_before = [&](uint64_t a, uint64_t b) {
      return priorities[a] > priorities[b] || (priorities[a] == priorities[b] && a < b);
    };
    const std::span<const uint64_t> pinned = made.plan.pinned;
    const auto border = std::find_if(pinned.begin(), pinned.end(), zero_copied);
    EXPECT_TRUE(std::all_of(border, pinned.end(), zero_copied));
    EXPECT_TRUE(std::is_sorted(pinned.begin(), border, comes_before));
    EXPECT_TRUE(std::is_sorted(border, pinned.end(), comes_before));
    const std::span<const uint64_t> read = made.plan.from_reader;
    EXPECT_TRUE(std::is_sorted(read.begin(), read.end()));
    EXPECT_EQ(pinned.size() + read.size(), made.plan.missing.size());
  }
}

/// If all edges fit, blocks in pinned memory are read there until it pays that they stay. In a pass
/// that comes once, only blocks that come whole stay or count their cost.
TEST(TransferPlanner, PassesThatComeOnceKeepAndCountNothing) {
  for (const bool once : {false, true}) {
    PlannedCase made(100);
    made.rules.exceeds_gpu = false;
    made.request.rarely_reused = once;
    made.capacity_bytes = uint64_t{1} << 30;
    std::fill(made.pinned.begin(), made.pinned.end(), uint8_t{1});
    made.wanted[40] = 1;
    EXPECT_EQ(made.Plan().transfers[40], Transfer::kZeroCopy);
    EXPECT_EQ(made.plan.charges.rental.parts_seconds > 0, !once);
    made.spent[40] = 1;
    EXPECT_EQ(made.Plan().transfers[40], once ? Transfer::kZeroCopy : Transfer::kResident);
    made.wanted[40] = kGroupsABlock;
    EXPECT_EQ(made.Plan().transfers[40], Transfer::kResident);
    made.used_bytes = made.capacity_bytes;  // full to the last byte
    EXPECT_EQ(made.Plan().transfers[40], once ? Transfer::kZeroCopy : Transfer::kResident);
  }
}

/// In passes that may evict, the ski rental counts what other blocks would have saved.
TEST(TransferPlanner, ResidentsAreWeighedWhereTheCapacityIsUsed) {
  const auto idle_after = [](auto change) {
    PlannedCase made(50);
    for (uint64_t block = 0; block + 1 < made.num_blocks; ++block) {
      made.resident[block] = block < 10;
      made.wanted[block] = block < 10 ? 0 : kGroupsABlock;
    }
    made.capacity_bytes = made.used_bytes = 10 * kBlockPayload;
    made.rental.idle_seconds = 1e-6;
    change(made);
    return made.Plan().charges.rental.idle_seconds;
  };
  EXPECT_GT(idle_after([](PlannedCase&) {}), 5e-6);
  EXPECT_EQ(idle_after([](PlannedCase& made) { made.rules.shared = true; }), 1e-6);
  EXPECT_EQ(idle_after([](PlannedCase& made) { made.rules.exceeds_gpu = false; }), 1e-6);
  EXPECT_EQ(idle_after([](PlannedCase& made) { made.request.rarely_reused = true; }), 1e-6);
  EXPECT_EQ(idle_after([](PlannedCase& made) { made.wanted.clear(); }), 1e-6);
  EXPECT_EQ(idle_after([](PlannedCase& made) { made.kind = CostModelKind::kHytgraph; }), 1e-6);
  EXPECT_EQ(idle_after([](PlannedCase& made) { made.rules.transfer = Transfer::kFilter; }), 1e-6);
  EXPECT_EQ(idle_after([](PlannedCase& made) { made.capacity_bytes += kStagingBytes; }), 1e-6);
  // Resident blocks that are equally wanted are worth four times as much.
  const auto all_wanted = [](PlannedCase& made) {
    std::fill(made.wanted.begin(), made.wanted.end() - 1, kGroupsABlock);
  };
  EXPECT_EQ(idle_after(all_wanted), 0);
}

TEST(TransferPlanner, SameInputsSamePlan) {
  TransferPlan used;  // other passes have used it before
  used.Reserve(1500);
  for (uint64_t seed = 0; seed < kPlannedCases; ++seed) {
    SCOPED_TRACE(seed);
    PlannedCase made = RandomCase(seed);
    const TransferPlan& plan = made.Plan();
    const CostModel model = made.Model();
    const DirectionBlocks blocks = made.Blocks(model);
    const PassInputs inputs = made.Inputs(blocks);
    const TransferPlanner planner(model, made.rules);
    planner.List(inputs, &used);
    planner.Choose(inputs, &used);
    EXPECT_TRUE(
        std::equal(plan.pinned.begin(), plan.pinned.end(), used.pinned.begin(), used.pinned.end()));
    EXPECT_TRUE(std::equal(plan.from_reader.begin(), plan.from_reader.end(),
                           used.from_reader.begin(), used.from_reader.end()));
    EXPECT_EQ(plan.charges.blocks.size(), used.charges.blocks.size());
    EXPECT_EQ(plan.charges.rental.parts_seconds, used.charges.rental.parts_seconds);
    EXPECT_EQ(plan.charges.rental.idle_seconds, used.charges.rental.idle_seconds);
    for (const uint64_t block : plan.missing) {
      EXPECT_EQ(plan.transfers[block], used.transfers[block]);
    }
  }
}

/// A plan serves another pass only if that pass wants all groups again, no block has moved, and no
/// reader is needed.
TEST(TransferPlan, ServesTheSamePassAgain) {
  PlannedCase made(20);
  made.wanted.clear();
  made.resident[3] = 1;
  std::fill(made.pinned.begin(), made.pinned.end(), uint8_t{1});
  made.rules.transfer = Transfer::kZeroCopy;
  const TransferPlan& plan = made.Plan();
  const CostModel model = made.Model();
  const DirectionBlocks blocks = made.Blocks(model);
  EXPECT_TRUE(plan.Serves(made.Inputs(blocks)));
  const auto serves = [&](auto change) {
    PassInputs inputs = made.Inputs(blocks);
    change(inputs);
    return plan.Serves(inputs);
  };
  const std::vector<uint32_t> counts(20, kGroupsABlock);
  EXPECT_FALSE(serves([&](PassInputs& in) { in.wanted_groups = counts; }));
  EXPECT_FALSE(serves([](PassInputs& in) { in.request.side = 1; }));
  EXPECT_FALSE(serves([](PassInputs& in) { in.request.zero_copy_first = true; }));
  EXPECT_FALSE(serves([](PassInputs& in) { in.request.blocks.begin = 1; }));
  EXPECT_FALSE(serves([](PassInputs& in) { in.request.blocks.end = 19; }));
  EXPECT_FALSE(serves([](PassInputs& in) { in.request.rarely_reused = true; }));
  EXPECT_FALSE(serves([](PassInputs& in) { in.resident.num_resident = 2; }));
  made.pinned[7] = 0;
  made.Plan();
  EXPECT_FALSE(plan.Serves(made.Inputs(blocks)));
  made.pinned[7] = 1;
  made.wanted = counts;
  made.Plan();
  made.wanted.clear();
  EXPECT_FALSE(plan.Serves(made.Inputs(blocks)));
}

/// If everything is on the GPU or nothing is wanted, nothing is moved.
TEST(TransferPlanner, NothingToMove) {
  for (const bool all_resident : {true, false}) {
    PlannedCase made(7);
    std::fill(made.resident.begin(), made.resident.end(), uint8_t{all_resident});
    if (all_resident) made.wanted.clear();
    made.request.blocks = {2, 7};
    const TransferPlan& plan = made.Plan();
    EXPECT_TRUE(plan.missing.empty() && plan.pinned.empty() && plan.from_reader.empty());
    EXPECT_EQ(plan.wanted_resident, all_resident ? 5u : 0u);
  }
  PlannedCase none(0);
  none.wanted.clear();
  const CostModel model = none.Model();
  const DirectionBlocks blocks;
  TransferPlanner(model, {}).BringAll(none.Inputs(blocks), &none.plan);
  EXPECT_TRUE(none.plan.missing.empty());
}

TEST(TransferPlanner, BringsAllThatIsNotResident) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    PlannedCase made = RandomCase(seed);
    made.rules = {};
    const CostModel model = made.Model();
    const DirectionBlocks blocks = made.Blocks(model);
    const PassInputs inputs = made.Inputs(blocks);
    const TransferPlanner planner(model, made.rules);
    planner.BringAll(inputs, &made.plan);
    std::vector<uint64_t> moved(made.plan.pinned.begin(), made.plan.pinned.end());
    moved.insert(moved.end(), made.plan.from_reader.begin(), made.plan.from_reader.end());
    std::sort(moved.begin(), moved.end());
    std::vector<uint64_t> expected;
    double seconds = 0;
    for (uint64_t block = 0; block < made.num_blocks; ++block) {
      if (made.resident[block] != 0) continue;
      const BlockRange& own = inputs.request.blocks;  // others never come to this GPU
      if (block >= own.begin && block < own.end) {
        expected.push_back(block);
        EXPECT_EQ(made.plan.transfers[block], Transfer::kResident);
        EXPECT_EQ(made.plan.wanted_groups[block], 0u);
      }
      const double bytes = blocks.group_bytes * blocks.groups_of(block);
      const bool is_pinned = !made.pinned.empty() && made.pinned[block] != 0;
      seconds +=
          is_pinned ? model.BulkSeconds(bytes) : bytes / made.calibration.disk_rate.At(bytes);
    }
    EXPECT_EQ(moved, expected);
    EXPECT_FALSE(made.plan.Serves(inputs));
    const Curve& disk = made.calibration.disk_rate;
    EXPECT_TRUE(planner.MayBringAll(inputs, disk, seconds * 1.001 + 1e-12));
    EXPECT_EQ(planner.MayBringAll(inputs, disk, seconds * 0.999), seconds == 0);
    for (const TransferRules& rules :
         {TransferRules{.exceeds_gpu = true}, TransferRules{.transfer = Transfer::kFilter}}) {
      EXPECT_FALSE(TransferPlanner(model, rules).MayBringAll(inputs, disk, 1e9));
    }
  }
}

}  // namespace
}  // namespace edgemill
