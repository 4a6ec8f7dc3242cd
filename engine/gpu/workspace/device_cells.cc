#include "engine/gpu/workspace/device_cells.h"

#include <algorithm>
#include <utility>

#include "common/clock.h"
#include "engine/cost/tuning.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/plan/vertex_shares.h"
#include "kernels/gpu/cells/make_cells.h"

namespace edgemill {

StatusOr<LengthCounts> CountLengths(GpuWorkspace& workspace, Direction lists) {
  LengthCounts counts;
  static_assert(sizeof(counts) == 2 * LengthCounts::kNumLengths * sizeof(unsigned long long));
  static_assert(sizeof(counts) <= kMaxReduceChunks * kMaxReducedBytes);
  std::byte* const memory = workspace.arrays().sums.reduced;  // an allocation would take .3 ms
  GpuStream& main = workspace.main();
  RETURN_IF_ERROR(main.Fill(memory, 0, sizeof(counts)));
  LaunchCountLengths(workspace.edges(lists).index, LengthCounts::kNumLengths,
                     reinterpret_cast<unsigned long long*>(memory),
                     {workspace.Grids().vertices, main.handle()});
  RETURN_IF_ERROR(workspace.gpu().AfterLaunch("count lengths"));
  RETURN_IF_ERROR(workspace.control().Read(std::as_writable_bytes(std::span(&counts, 1)), memory));
  return counts;
}

std::vector<uint32_t> ShareCellTiles(std::span<const uint32_t> range_begin, uint32_t num_shares) {
  const uint32_t num_tiles = range_begin.back();
  const uint64_t all = num_tiles + kTilesOfCellRange * (range_begin.size() - 1);
  std::vector<uint32_t> begin = {0};
  uint64_t before = 0;  // the cost of earlier ranges
  for (size_t range = 0; range + 1 < range_begin.size(); ++range) {
    const uint64_t tiles = range_begin[range + 1] - range_begin[range];
    before += kTilesOfCellRange;
    while (begin.size() < num_shares && before + tiles > all * begin.size() / num_shares) {
      const uint64_t due = all * begin.size() / num_shares;
      const uint64_t tile = range_begin[range] + (due > before ? due - before : 0);
      begin.push_back(
          std::max(begin.back(), static_cast<uint32_t>(tile / kWarpTiles * kWarpTiles)));
    }
    before += tiles;
  }
  begin.resize(num_shares + size_t{1}, num_tiles);
  return begin;
}

uint64_t DeviceCells::MostBytes(const CellShape& shape) {
  const uint64_t edges = shape.num_edges, vertices = shape.num_vertices;
  const uint64_t tiles = edges / kCellTileEdges + shape.num_cells() + 1;
  const uint64_t stays = tiles * (kCellTileEdges * sizeof(CellEdge) + 8) + vertices * 13;
  const uint64_t keys = edges * sizeof(CellKey);
  // Parts are sorted while a copy of the keys is there; slots and partials come afterwards.
  const uint64_t parts = edges * 4 * sizeof(uint32_t) + vertices * 5 + tiles * 8;
  const uint64_t slack = edges / 4 + (uint64_t{64} << 20);  // scratch, and the rounding of sizes
  return stays + shape.num_cells() * 16 + vertices * 8 + std::max(2 * keys, keys + parts) + slack;
}

uint32_t DeviceCells::num_take_blocks() const {
  return static_cast<uint32_t>((edges_.num_vertices + kTakePlaces - 1) / kTakePlaces);
}

/// Makes cells step by step. What later steps do not need is freed.
class CellMaker {
 public:
  CellMaker(GpuWorkspace& workspace, Direction lists, const VertexRange& owners)
      : workspace_(workspace),
        lists_(lists),
        owners_(owners),
        shape_(workspace.graph().num_vertices(), EdgesOfLists(workspace.graph(), lists, owners)),
        made_(std::unique_ptr<DeviceCells>(new DeviceCells)) {}

  StatusOr<std::unique_ptr<DeviceCells>> Make() {
    const Stopwatch watch;
    made_->edges_.num_vertices = shape_.num_vertices;
    made_->num_shares_ = static_cast<uint32_t>(workspace_.gpu().properties().multiprocessors);
    const uint64_t items =
        std::max({shape_.num_edges, shape_.num_cells() + 1, shape_.num_vertices + 1});
    ASSIGN_OR_RETURN(scratch_, Allocate<std::byte>(CellScratchBytes(items)));
    RETURN_IF_ERROR(MakePlaces());
    RETURN_IF_ERROR(MakeKeys());
    RETURN_IF_ERROR(MakeTiles());
    RETURN_IF_ERROR(MakeShares());
    RETURN_IF_ERROR(MakeSlots());
    RETURN_IF_ERROR(Keep(shape_.num_vertices * kCellMessageBytes, &made_->messages_));
    RETURN_IF_ERROR(Keep(made_->num_parts_ * kCellMessageBytes, &made_->partials_));
    RETURN_IF_ERROR(main().Synchronize());
    uint64_t bytes = 0;
    for (const DeviceBuffer& memory : made_->memory_) bytes += memory.size();
    workspace_.recorder().AddCells(
        {.times = 1, .parts = made_->num_parts_, .bytes = bytes, .make_seconds = watch.seconds()});
    return std::move(made_);
  }

 private:
  /// Scratch memory on the GPU.
  template <typename T>
  struct Array {
    DeviceBuffer memory;
    T* data() const { return reinterpret_cast<T*>(memory.data()); }
  };
  template <typename T>
  StatusOr<Array<T>> Allocate(uint64_t count) {
    Array<T> array;
    ASSIGN_OR_RETURN(array.memory, DeviceBuffer::Allocate(workspace_.gpu(),
                                                          std::max<uint64_t>(1, count) * sizeof(T),
                                                          "making cells"));
    return array;
  }
  /// Allocates an array that stays.
  template <typename T>
  Status Keep(uint64_t count, T** place) {
    ASSIGN_OR_RETURN(Array<T> array, Allocate<T>(count));
    *place = array.data();
    made_->memory_.push_back(std::move(array.memory));
    return OkStatus();
  }

  GpuStream& main() { return workspace_.main(); }
  CellWork work() {
    return {shape_,
            {workspace_.Grids(~0u).tiles, main().handle()},
            scratch_.data(),
            scratch_.memory.size()};
  }
  Status After(std::string_view step) { return workspace_.gpu().AfterLaunch(step); }
  template <typename T>
  StatusOr<T> ReadOne(const T* place) {
    T value{};
    RETURN_IF_ERROR(workspace_.control().Read(std::as_writable_bytes(std::span(&value, 1)),
                                              reinterpret_cast<const std::byte*>(place)));
    return value;
  }
  template <typename Launch>
  Status VisitLists(Launch launch) {
    RETURN_IF_ERROR(workspace_.RunPass(
        {.direction = lists_, .blocks = BlocksOfLists(workspace_.graph(), owners_).of(lists_)},
        [&](const TileSelection& source, uint64_t num_tiles, GpuStream& on, uint32_t) {
          launch(CellVisit{workspace_.edges(lists_),
                           source,
                           workspace_.directions().damaged(lists_),
                           {workspace_.Grids(num_tiles).tiles, on.handle()}});
          return After("visit lists");
        }));
    RETURN_IF_ERROR(workspace_.ReadCounters().status());  // also waits, and finds damage
    workspace_.pass_runner().DropAccounts();
    return OkStatus();
  }

  /// Orders vertices by falling degree, unless they are so already, or their lists are about
  /// equally long.
  Status MakePlaces() {
    const GraphInfo& info = workspace_.graph().info();
    places_.in_order = info.renumbering == Renumbering::kDegree;
    if (places_.in_order) return OkStatus();
    ASSIGN_OR_RETURN(Array<uint32_t> degrees, Allocate<uint32_t>(shape_.num_vertices));
    LaunchListDegrees(work(), workspace_.edges(lists_).index, degrees.data());
    RETURN_IF_ERROR(After("list degrees"));
    if (!info.directed) {
      ASSIGN_OR_RETURN(const Array<unsigned long long> slots, Allocate<unsigned long long>(1));
      RETURN_IF_ERROR(main().Fill(slots.data(), 0, sizeof(unsigned long long)));
      LaunchCountSlots(work(), degrees.data(), slots.data());
      RETURN_IF_ERROR(After("count slots"));
      ASSIGN_OR_RETURN(const unsigned long long needed, ReadOne(slots.data()));
      places_.in_order =
          static_cast<double>(needed) <= kMostCellSlots * static_cast<double>(shape_.num_edges);
      if (places_.in_order) return OkStatus();
    }
    RETURN_IF_ERROR(Order(degrees.data(), &made_->edges_.receivers, &places_.receiver));
    places_.view.receiver = places_.receiver.data();
    if (!info.directed) {
      made_->edges_.senders = made_->edges_.receivers;
      places_.view.sender = places_.view.receiver;
      return OkStatus();
    }
    RETURN_IF_ERROR(main().Fill(degrees.data(), 0, shape_.num_vertices * sizeof(uint32_t)));
    RETURN_IF_ERROR(
        VisitLists([&](const CellVisit& visit) { LaunchNeighborDegrees(visit, degrees.data()); }));
    RETURN_IF_ERROR(Order(degrees.data(), &made_->edges_.senders, &places_.sender));
    places_.view.sender = places_.sender.data();
    return OkStatus();
  }
  Status Order(uint32_t* degrees, const VertexId** order, Array<uint32_t>* place) {
    VertexId* kept = nullptr;
    RETURN_IF_ERROR(Keep(shape_.num_vertices, &kept));
    ASSIGN_OR_RETURN(*place, Allocate<uint32_t>(shape_.num_vertices));
    ASSIGN_OR_RETURN(const Array<uint32_t> spare, Allocate<uint32_t>(shape_.num_vertices));
    LaunchPlaces(work(), degrees, spare.data(), kept, place->data());
    RETURN_IF_ERROR(After("order vertices"));
    *order = kept;
    return main().Synchronize();  // `spare` is freed
  }

  Status MakeKeys() {
    ASSIGN_OR_RETURN(keys_, Allocate<CellKey>(shape_.num_edges));
    RETURN_IF_ERROR(VisitLists([&](const CellVisit& visit) {
      const auto first = static_cast<VertexId>(owners_.begin);
      LaunchCellKeys(visit, shape_, places_.view,
                     {first, static_cast<VertexId>(owners_.end),
                      workspace_.graph().index(lists_).first_edge(first)},
                     keys_.data());
    }));
    ASSIGN_OR_RETURN(Array<CellKey> spare, Allocate<CellKey>(shape_.num_edges));
    const CellKey* const sorted =
        LaunchSortKeys(work(), keys_.data(), spare.data(), places_.in_order);
    RETURN_IF_ERROR(After("sort keys"));
    RETURN_IF_ERROR(main().Synchronize());
    if (sorted == spare.data()) std::swap(keys_, spare);
    return OkStatus();
  }

  Status MakeTiles() {
    auto& [cells, tiles] = tables_.view;
    const uint64_t count = shape_.num_cells() + 1;
    ASSIGN_OR_RETURN(tables_.of_cells, Allocate<uint32_t>(4 * count));
    uint32_t* const first = tables_.of_cells.data();
    cells = {first, first + count, first + 2 * count, first + 3 * count};
    LaunchCellTiles(work(), keys_.data(), cells);
    RETURN_IF_ERROR(After("cell tiles"));
    ASSIGN_OR_RETURN(tiles.num_tiles, ReadOne(cells.first_tile + shape_.num_cells()));
    const uint64_t num_tiles = tiles.num_tiles;
    RETURN_IF_ERROR(Keep(num_tiles * kCellTileEdges, &tiles.edges));
    RETURN_IF_ERROR(Keep(num_tiles, &tiles.range));
    RETURN_IF_ERROR(Keep(num_tiles + 1, &tiles.first_part));
    ASSIGN_OR_RETURN(tables_.of_tiles, Allocate<uint32_t>(2 * num_tiles + 1));
    tiles.cell = tables_.of_tiles.data();
    tiles.parts_before = tiles.cell + num_tiles;
    LaunchCellEdges(work(), keys_.data(), tables_.view);
    RETURN_IF_ERROR(After("cell edges"));
    LaunchCellParts(work(), tables_.view);
    RETURN_IF_ERROR(After("cell parts"));
    ASSIGN_OR_RETURN(const uint32_t num_parts, ReadOne(cells.first_part + shape_.num_cells()));
    made_->num_parts_ = num_parts;
    made_->edges_.num_tiles = tiles.num_tiles;
    made_->edges_.edges = tiles.edges;
    made_->edges_.tile_range = tiles.range;
    made_->edges_.tile_part = tiles.first_part;
    return OkStatus();
  }

  Status MakeShares() {
    ASSIGN_OR_RETURN(const Array<uint32_t> begins, Allocate<uint32_t>(shape_.sender_ranges + 1));
    LaunchRangeTiles(work(), tables_.view.cells, begins.data());
    RETURN_IF_ERROR(After("range tiles"));
    std::vector<uint32_t> range_begin(shape_.sender_ranges + size_t{1});
    RETURN_IF_ERROR(workspace_.control().Read(std::as_writable_bytes(std::span(range_begin)),
                                              begins.memory.data()));
    const std::vector<uint32_t> shares = ShareCellTiles(range_begin, made_->num_shares_);
    uint32_t* share_begin = nullptr;
    RETURN_IF_ERROR(Keep(shares.size(), &share_begin));
    made_->edges_.share_begin = share_begin;
    return workspace_.control().Write(share_begin, std::as_bytes(std::span(shares)));
  }

  Status MakeSlots() {
    const uint64_t num_parts = made_->num_parts_, num_slices = shape_.num_slices();
    Array<uint32_t> sorting[4];
    for (Array<uint32_t>& array : sorting) {
      ASSIGN_OR_RETURN(array, Allocate<uint32_t>(num_parts));
    }
    CellParts parts{.num_parts = static_cast<uint32_t>(num_parts),
                    .receiver = {sorting[0].data(), sorting[1].data()},
                    .number = {sorting[2].data(), sorting[3].data()}};
    const uint64_t num_lists = uint64_t{shape_.receiver_ranges} << shape_.receiver_bits;
    ASSIGN_OR_RETURN(const Array<uint32_t> begin, Allocate<uint32_t>(num_lists + 1));
    CellLists lists{.begin = begin.data()};
    RETURN_IF_ERROR(Keep(2 * (num_slices + 1), &lists.slice_begin));
    LaunchSlices(work(), keys_.data(), tables_.view, &parts, lists);
    RETURN_IF_ERROR(After("slices"));
    ASSIGN_OR_RETURN(const uint64_t num_slots, ReadOne(lists.slice_begin + num_slices));
    keys_ = {};
    RETURN_IF_ERROR(Keep(num_slots, &lists.slots));
    RETURN_IF_ERROR(main().Fill(lists.slots, 0xff, num_slots * sizeof(uint32_t)));
    LaunchFillSlots(work(), parts, lists);
    RETURN_IF_ERROR(After("fill slots"));
    made_->edges_.slice_begin = lists.slice_begin;
    made_->edges_.slots = lists.slots;
    return main().Synchronize();
  }

  struct Places {
    bool in_order = false;  // places are vertices
    CellPlaces view;
    Array<uint32_t> sender, receiver;
  };
  struct Tables {
    CellTables view;
    Array<uint32_t> of_cells, of_tiles;
  };

  GpuWorkspace& workspace_;
  const Direction lists_;
  const VertexRange owners_;
  const CellShape shape_;
  std::unique_ptr<DeviceCells> made_;
  Array<std::byte> scratch_;
  Places places_;
  Array<CellKey> keys_;
  Tables tables_;
};

StatusOr<std::unique_ptr<DeviceCells>> DeviceCells::Create(GpuWorkspace& workspace, Direction lists,
                                                           const VertexRange& owners) {
  return CellMaker(workspace, lists, owners).Make();
}

}  // namespace edgemill
