// Brings the blocks that an iteration wants before the kernels that visit them.
//
// Blocks that are on the card already are visited at once. The others come from the graph's reader
// (block cache or disk), checked there, in whatever order they arrive, into slots; a slot is sent
// and visited on its own stream. How each of its blocks gets there, CostModel says: kernels see
// addresses only. As long as the card has room beside index, state and slots, blocks stay there as
// soon as they come whole. Every batch is timed by marks in its stream, and its prediction kept.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cost/cost_model.h"
#include "engine/cost/sweep_record.h"
#include "engine/device/device_arena.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/plan/card_shares.h"
#include "engine/plan/gpu_run.h"
#include "engine/transfer/stream/block_slots.h"
#include "engine/transfer/stream/device_direction.h"

namespace edgemill {

/// What an iteration wants of a direction, in the host's memory.
struct WantedGroups {
  std::span<const uint32_t> counts;  // of each block's groups; empty: all of all
  /// Brings which, a bit each, from the card, and waits: for compaction.
  std::function<StatusOr<const uint32_t*>()> groups;
  bool once = false;      // later sweeps hardly want them: they stay on the card only if all do
  BlockRange blocks;      // of these alone
  bool repeated = false;  // launches pass over each batch several times: their time says nothing
};

/// One run's feeder. One thread drives it.
class BlockFeeder {
 public:
  /// Launches a kernel over `source` (at most `num_runs` runs) on `stream`; `number` is below
  /// num_streams(), and launches with the same number are in order.
  using Launch = std::function<Status(const RunSource& source, uint64_t num_runs, GpuStream& stream,
                                      uint32_t number)>;

  BlockFeeder(const GpuRun& run, LoadedGraph& graph) : run_(run), graph_(graph) {}

  /// `direction` will be swept, with weights or without. Before Plan.
  void Add(Direction direction, DeviceDirection* edges, bool with_weights);
  /// Shares out the card's memory beyond `fixed_bytes`: slots, then room for blocks. Makes the
  /// slots. BudgetError with the least workable --gpu-memory.
  Status Plan(const IterationNeeds& needs, uint64_t fixed_bytes);
  /// Bytes beyond the arena's plan: what Allocate is to be given as rest.
  uint64_t rest_bytes() const { return rest_bytes_; }
  /// After the arena's allocation. Waits for `main`.
  Status Start(std::byte* rest, GpuStream& main);
  /// Holds on to the blocks that an earlier run left in pinned memory, so that the first sweep
  /// need not ask the reader for each.
  Status KeepCached();
  /// Brings all blocks of all directions to the card, where they fit.
  Status Preload(GpuStream& main);
  /// Whether blocks may all be on the card, and bringing those of `direction` that are not takes at
  /// most so long.
  bool MayBringAll(Direction direction, double seconds);
  /// Brings them, before later work on `main`; waits until they are on their way.
  Status BringAll(Direction direction, GpuStream& main);

  /// Whether every block of `direction` is where it stays in pinned memory of the host.
  bool AllKept(Direction direction) const;
  /// Has `places` say where that is, by block, before later work on `main`. Waits, the first time.
  Status ShowKept(Direction direction, DeviceBlock* places, GpuStream& main);
  /// A kernel has read so many groups from there; how long the link took at least.
  double CountAcross(Direction direction, uint64_t groups);

  uint32_t num_streams() const { return num_slots_ + 1; }
  /// Whether every block of `direction` is on the card.
  bool all_resident(Direction direction);
  /// Whether the card has no room for all edges, so that sweeps bring them again and again.
  bool streams() const { return slots_on_card_; }
  /// Visits the runs of `direction` with a group set in `groups` (on the card; null: all of all
  /// blocks), by `launch`, which is a loop of kind `kernel`. `wanted` says the same for the host;
  /// its counts are not needed when all are wanted or resident. Work on `main` so far comes before,
  /// later work after. Waits for the reader and all batches from it. Errors of reader and device.
  Status Sweep(Direction direction, EdgeKernel kernel, const uint32_t* groups,
               const WantedGroups& wanted, GpuStream& main, const Launch& launch);
  /// Copies from the card to any memory of the host, through the slots; waits.
  Status ReadBack(std::byte* host, const std::byte* device, uint64_t bytes, GpuStream& main);

  /// What the sweeps since the last call moved, and how long it took; adds who worked when to
  /// `timeline`. The stream that they were given must be done.
  StatusOr<TransferAccounts> TakeAccounts(Timeline* timeline);

 private:
  /// Launches between two accounts of which the groups are counted.
  static constexpr size_t kCountedLaunches = 256;

  /// A direction's blocks, whether swept as such or as the other's mirror.
  struct Side {
    DeviceDirection* edges = nullptr;
    bool with_weights = false;
    std::vector<uint8_t> resident;  // by block: whether it is on the card
    uint32_t num_resident = 0;
    std::vector<float> spent;  // by block: in seconds, see CostModel::Stays
    double group_bytes = 0;    // of a group, weights included, on average
    BlockShape block;
    BringingCosts bringing;  // what that takes
    /// By block, of those in registered memory, since they first came: they are checked, stay where
    /// they are, and need no reader any more.
    std::vector<BlockLease> kept;
    std::vector<uint8_t> is_kept;  // by block: whether it is there
    bool shown = false;            // ShowKept has been
  };
  /// One sweep: what it wants, and how the blocks that are not on the card get there.
  struct Batch {
    const Side* side = nullptr;
    EdgeKernel kernel = EdgeKernel::kPush;
    BlockRange blocks;
    bool once = false;
    bool whole = false;                       // all groups are wanted of all of `blocks`
    uint32_t num_resident = 0;                // blocks on the card, before it brought any
    BatchWork resident;                       // what of it is there
    std::span<const uint32_t> wanted_groups;  // by block
    std::vector<uint32_t> alike;              // for that, where the host was not told
    /// So many blocks of its range, by how many of their groups are wanted: elsewhere, on the card.
    std::array<std::vector<uint32_t>, 2> num_wanting;
    std::vector<uint64_t> numbers;      // of blocks, for the next
    std::span<const uint64_t> missing;  // blocks it wants that are not on the card, rising
    std::vector<uint64_t> kept;         // of them, with leases of Side, as they are to come
    std::vector<uint64_t> kept_last;    // the latter of these, while they are put in order
    std::vector<uint64_t> unread;       // and from the reader
    std::vector<Transfer> transfers;    // by block

    // By which engines are chosen, where they are:
    std::optional<BlockPrices> prices;
    bool gathers = false;
    bool may_stay = false;  // blocks on the card: there is room, and they will be wanted again
    bool full = false;      // is the room, to the last byte
    double patience = 0;    // how long blocks wait before they stay (CostModel::Patience)

    /// Forgets the sweep before.
    void Clear();
    /// Whether a sweep that wants the same finds everything where it was.
    bool StillHolds(const Side& side, EdgeKernel kernel, const WantedGroups& wanted) const;
    /// Touches memory for sweeps over `num_blocks`.
    void Reserve(uint64_t num_blocks);
    /// Lists what is missing, and counts what is on the card.
    void Count(const Side& side);
  };

  size_t SideNumber(Direction direction) const {
    return graph_.info().directed ? static_cast<size_t>(direction) : 0;
  }
  Side& side(Direction direction) { return sides_[SideNumber(direction)]; }
  void KeepLeases();
  /// Keeps the lease of a block in registered memory. Threads may keep different blocks at a time.
  static void Keep(Side& side, const BlockEdges& edges);
  /// A launch over resident blocks, between two marks of main's.
  struct ResidentLaunch {
    GpuEvent begun;
    GpuEvent done;
    size_t record = 0;
    Transfer transfer = Transfer::kResident;
    const RunCounts* counted = nullptr;  // what it wanted, where that is not known before
  };

  /// Has batch_ say what is wanted, and what of that is on the card already.
  void ListWanted(Side& side, EdgeKernel kernel, const WantedGroups& wanted);
  Status SweepResident(Side& side, const uint32_t* groups, const WantedGroups& wanted,
                       GpuStream& main, const Launch& launch);
  StatusOr<ResidentLaunch*> TimeResident(const BatchWork& work, EdgeKernel kernel);
  /// Has what `launch` wanted known when `main` has come so far.
  Status CountLater(const DeviceDirection& edges, ResidentLaunch* launch, GpuStream& main);
  Status SweepOthers(Direction direction, const uint32_t* groups, const uint32_t* host_groups,
                     const Launch& launch);
  /// Finds out by what engines are chosen for what is missing.
  void PlanChoices(const Side& side);
  /// Fills in the transfers of what is missing.
  void ChooseTransfers(Side& side);
  /// Chooses for `blocks`, some of those missing.
  void ChooseTogether(Side& side, std::span<const uint64_t> blocks);
  bool HasRoom() const;  // for one more block to stay
  /// Whether a block stays for which `choice` was made: one that had better, or has cost as much in
  /// parts as it would have whole, while there is room.
  bool Stays(Side& side, uint64_t block, const CostModel::Choice& choice);
  /// Tells apart what of that is kept, in the order in which it is to come, and what is to be read.
  void PutInOrder(const Side& side);
  /// Whether some of it is gathered.
  bool Compacts() const;
  double Patience(const Side& side, const BlockPrices::Sums& sums) const;
  static bool IsKept(const Side& side, uint64_t block) {
    return !side.is_kept.empty() && side.is_kept[block] != 0;
  }
  /// Whether blocks on the card may make room for others.
  bool MayRenew(const WantedGroups& wanted) const;
  /// Forgets the blocks on the card, where others have been wanted more for long enough.
  Status RenewRoom(GpuStream& main);
  /// Adds to idle_seconds_ what the sweep under way says.
  void WeighRoom();
  Status Submit(Side& side, BlockSlot& slot, EdgeKernel kernel, const uint32_t* groups,
                const Launch& launch);
  /// Predicts a batch that is about to be queued.
  void Record(BlockSlot& slot, uint32_t number, EdgeKernel kernel);
  /// Reads the marks of a batch that is done.
  Status ReadTimes(const BlockSlot& slot);
  /// Queues the slot's copies, and has its places point to where the bytes will be; the first
  /// `num_staying` blocks go where they stay.
  Status QueueCopies(BlockSlot& slot, uint32_t num_staying);
  /// Puts the blocks that stay before the others; returns how many.
  static uint32_t PutStayingFirst(BlockSlot& slot);
  void PlanModel();
  Status Feed(Side& side, const uint32_t* groups, const Launch& launch);
  /// A free slot filled with kept blocks from number `*next` of the batch on; null without one.
  BlockSlot* FillFromKept(const Side& side, size_t* next);

  const GpuRun run_;
  LoadedGraph& graph_;
  std::array<Side, 2> sides_;
  uint32_t num_slots_ = 0;
  uint64_t slot_bytes_ = 0;
  bool slots_on_card_ = false;
  uint64_t room_bytes_ = 0;
  uint64_t room_used_ = 0;
  bool repeated_ = false;      // WantedGroups', of the sweep under way
  uint64_t room_planned_ = 0;  // and what the sweep under way is to leave there
  std::byte* room_begin_ = nullptr;
  std::byte* room_ = nullptr;  // beyond what is used
  double idle_seconds_ = 0;    // that other blocks on the card would have saved
  double parts_seconds_ = 0;   // that bringing parts of blocks has taken
  uint64_t across_bytes_ = 0;  // since the last account, by no sweep
  Batch batch_;                // of the sweep under way
  uint64_t rest_bytes_ = 0;
  DeviceBuffer managed_;
  std::unique_ptr<BlockSlots> slots_;
  GpuEvent ready_;
  MemoryReservation choice_reservation_;
  MemoryReservation kept_reservation_;
  std::optional<CostModel> model_;
  SweepRecord record_;
  GpuEvent origin_;  // of all times
  std::vector<ResidentLaunch> resident_launches_;
  PinnedBuffer run_counts_;           // RunCounts of kCountedLaunches
  size_t num_resident_launches_ = 0;  // since the last account
};

}  // namespace edgemill
