#include "engine/gpu/probes/kernel_probe.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/device/device_arena.h"
#include "engine/transfer/stream/device_direction.h"
#include "storage/format/block_format.h"

namespace edgemill {
namespace {

constexpr uint64_t kAlignment = 128;
constexpr int kLaunches = 20;
constexpr uint32_t kBlocksPerMultiprocessor = 8;

/// Returns the groups of a warp tile.
uint32_t TileGroups(const DeviceEdges& edges) { return 1u << edges.tile_shift; }

class KernelProber {
 public:
  KernelProber(Gpu& gpu, LoadedGraph& graph) : gpu_(gpu), graph_(graph) {}

  Status Prepare();
  StatusOr<KernelFigures> Measure();

 private:
  /// Makes the GPU's table of blocks point to the GPU's copy, or to the host's memory.
  Status Place(bool on_device);
  /// Marks groups as wanted.
  Status Want(const std::vector<uint32_t>& groups);
  /// Returns the seconds of one launch over the wanted groups of `num_blocks` blocks: the median of
  /// several launches. If `as_batch`, table entries are made before and removed afterwards, as for
  /// a batch.
  StatusOr<double> Time(uint32_t num_blocks, bool as_batch);
  StatusOr<double> TimeGroups(uint32_t count);

  /// Arrays on the GPU.
  struct DeviceArrays {
    BlockPlace* places = nullptr;
    uint32_t* numbers = nullptr;
    std::byte* bytes = nullptr;
    unsigned long long* sum = nullptr;
    uint32_t* damaged = nullptr;
  };
  /// All blocks, in the host's memory.
  struct HostBlocks {
    MemoryReservation reservation;
    PinnedBuffer memory;  // places, then payloads
    uint64_t num_blocks = 0;
    uint64_t payload_bytes = 0;
    std::vector<uint64_t> starts;  // of payloads, in bytes
  };

  Gpu& gpu_;
  LoadedGraph& graph_;
  GpuStream stream_;
  GpuEvent begun_, ended_;
  DeviceArena arena_;
  DeviceDirection direction_;
  DeviceArrays gpu_side_;
  HostBlocks host_;
};

Status KernelProber::Prepare() {
  host_.num_blocks = graph_.num_blocks();
  std::vector<std::vector<std::byte>> payloads(host_.num_blocks);
  RETURN_IF_ERROR(graph_.blocks().VisitAll(
      Direction::kOut, false, [&](int, const BlockEdges& edges) -> StatusOr<bool> {
        payloads[edges.block].assign(edges.payload.begin(), edges.payload.end());
        return true;
      }));
  uint64_t bytes = 0;
  for (const auto& payload : payloads) {
    host_.starts.push_back(bytes);
    host_.payload_bytes += payload.size();
    bytes += (payload.size() + kAlignment - 1) / kAlignment * kAlignment;
  }
  const uint64_t table =
      (host_.num_blocks * sizeof(BlockPlace) + kAlignment - 1) / kAlignment * kAlignment;
  ASSIGN_OR_RETURN(host_.reservation,
                   graph_.budget().Reserve(table + bytes, "blocks to measure with"));
  ASSIGN_OR_RETURN(host_.memory, PinnedBuffer::Allocate(gpu_, table + bytes, graph_.threads()));
  for (uint64_t& start : host_.starts) start += table;
  for (uint64_t block = 0; block < host_.num_blocks; ++block) {
    std::memcpy(host_.memory.data() + host_.starts[block], payloads[block].data(),
                payloads[block].size());
  }
  ASSIGN_OR_RETURN(stream_, GpuStream::Create(gpu_));
  for (GpuEvent* const event : {&begun_, &ended_}) {
    ASSIGN_OR_RETURN(*event, GpuEvent::Create(gpu_, true));
  }
  DirectionArrays arrays;
  arrays.Plan(graph_.info(), Direction::kOut, true, false, &arena_);
  arena_.Plan(&gpu_side_.places, host_.num_blocks);
  arena_.Plan(&gpu_side_.numbers, host_.num_blocks);
  arena_.Plan(&gpu_side_.bytes, table + bytes);
  arena_.Plan(&gpu_side_.sum, 1);
  arena_.Plan(&gpu_side_.damaged, 1);
  RETURN_IF_ERROR(arena_.Allocate(gpu_, 0, "measuring kernels"));
  RETURN_IF_ERROR(direction_.Upload(graph_, Direction::kOut, arrays, gpu_, stream_));
  RETURN_IF_ERROR(stream_.Fill(gpu_side_.damaged, 0xff, sizeof(*gpu_side_.damaged)));
  return stream_.CopyToDevice(gpu_side_.bytes, host_.memory.data(), table + bytes);
}

Status KernelProber::Place(bool on_device) {
  RETURN_IF_ERROR(stream_.Synchronize());
  auto* const places = reinterpret_cast<BlockPlace*>(host_.memory.data());
  std::byte* const base = on_device ? gpu_side_.bytes : host_.memory.data();
  for (uint64_t block = 0; block < host_.num_blocks; ++block) {
    places[block] = {block,
                     {reinterpret_cast<const uint64_t*>(base + host_.starts[block]), nullptr}};
  }
  RETURN_IF_ERROR(
      stream_.CopyToDevice(gpu_side_.places, places, host_.num_blocks * sizeof(BlockPlace)));
  LaunchPlaceBlocks(gpu_side_.places, static_cast<uint32_t>(host_.num_blocks), direction_.blocks(),
                    gpu_side_.numbers, stream_.handle());
  RETURN_IF_ERROR(gpu_.AfterLaunch("place blocks"));
  return stream_.Synchronize();
}

Status KernelProber::Want(const std::vector<uint32_t>& groups) {
  // `groups` is not pinned, so the copy ends before this call returns.
  return stream_.CopyToDevice(direction_.groups(), groups.data(), direction_.group_bytes());
}

StatusOr<double> KernelProber::Time(uint32_t num_blocks, bool as_batch) {
  TileSelection source;
  source.num_blocks = num_blocks;
  source.blocks = gpu_side_.numbers;
  source.groups = direction_.groups();
  const uint64_t tiles = uint64_t{num_blocks} << direction_.edges().block_tiles_shift();
  const uint64_t most =
      kBlocksPerMultiprocessor * static_cast<uint64_t>(gpu_.properties().multiprocessors);
  const auto grid =
      static_cast<uint32_t>(std::clamp<uint64_t>((tiles + kVisitWarps - 1) / kVisitWarps, 1, most));
  std::vector<double> seconds;
  for (int i = 0; i < kLaunches; ++i) {
    RETURN_IF_ERROR(stream_.Record(begun_));
    if (as_batch) {
      LaunchPlaceBlocks(reinterpret_cast<const BlockPlace*>(host_.memory.data()), num_blocks,
                        direction_.blocks(), gpu_side_.numbers, stream_.handle());
      RETURN_IF_ERROR(gpu_.AfterLaunch("place blocks"));
    }
    LaunchDecodeAll(direction_.edges(), source, nullptr, nullptr, gpu_side_.sum, gpu_side_.damaged,
                    grid, stream_.handle());
    RETURN_IF_ERROR(gpu_.AfterLaunch("decode"));
    if (as_batch) {
      LaunchForgetBlocks(gpu_side_.numbers, num_blocks, direction_.blocks(), stream_.handle());
      RETURN_IF_ERROR(gpu_.AfterLaunch("forget blocks"));
    }
    RETURN_IF_ERROR(stream_.Record(ended_));
    RETURN_IF_ERROR(stream_.Synchronize());
    ASSIGN_OR_RETURN(const double once, ended_.SecondsSince(begun_));
    seconds.push_back(once);
  }
  std::nth_element(seconds.begin(), seconds.begin() + kLaunches / 2, seconds.end());
  return seconds[kLaunches / 2];
}

/// Returns the seconds of a batch that wants only the first `count` groups of the first warp tile.
StatusOr<double> KernelProber::TimeGroups(uint32_t count) {
  std::vector<uint32_t> groups(direction_.group_bytes() / sizeof(uint32_t));
  groups[0] = (1u << count) - 1;
  RETURN_IF_ERROR(Want(groups));
  return Time(1, true);
}

StatusOr<KernelFigures> KernelProber::Measure() {
  KernelFigures figures;
  const uint32_t most = TileGroups(direction_.edges());
  RETURN_IF_ERROR(Place(true));
  ASSIGN_OR_RETURN(const double one, TimeGroups(1));
  ASSIGN_OR_RETURN(const double run, TimeGroups(most));
  const double group_wait = std::max(1e-8, (run - one) / (most - 1));
  figures.batch_seconds = std::max(1e-7, one - group_wait);
  RETURN_IF_ERROR(Place(false));
  RETURN_IF_ERROR(Want(std::vector<uint32_t>(direction_.group_bytes() / sizeof(uint32_t), ~0u)));
  ASSIGN_OR_RETURN(const double all, Time(static_cast<uint32_t>(host_.num_blocks), false));
  figures.zero_copy_rate = static_cast<double>(host_.payload_bytes) / all;
  return figures;
}

}  // namespace

StatusOr<KernelFigures> ProbeKernels(Gpu& gpu, LoadedGraph& graph) {
  KernelProber probe(gpu, graph);
  RETURN_IF_ERROR(probe.Prepare());
  return probe.Measure();
}

}  // namespace edgemill
