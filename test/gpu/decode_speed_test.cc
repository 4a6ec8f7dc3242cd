// How fast a whole graph is decoded once it is on the GPU. EDGEMILL_GPU_GRAPH is its path.
#include <cstdio>

#include "common/clock.h"
#include "common/threads/parallel.h"
#include "engine/device/device_arena.h"
#include "engine/transfer/stream/device_direction.h"
#include "test/gpu/gpu_testing.h"

namespace edgemill {
namespace {

class DecodeSpeed : public GpuTest {
 protected:
  using Payloads = std::vector<std::vector<std::byte>>;

  /// Copies all payloads to `bytes`, on the GPU, and enters them in the table of `direction`.
  /// Returns the number of bytes.
  StatusOr<uint64_t> Upload(const Payloads& payloads, const DeviceDirection& direction,
                            std::byte* bytes, BlockPlace* device_places, uint32_t* numbers,
                            GpuStream& stream) {
    std::vector<BlockPlace> places(payloads.size());
    uint64_t at = 0;
    for (uint64_t block = 0; block < places.size(); ++block) {
      places[block] = {block, {reinterpret_cast<const uint64_t*>(bytes + at), nullptr}};
      RETURN_IF_ERROR(
          stream.CopyToDevice(bytes + at, payloads[block].data(), payloads[block].size()));
      at += (payloads[block].size() + 127) / 128 * 128;
    }
    RETURN_IF_ERROR(
        stream.CopyToDevice(device_places, places.data(), places.size() * sizeof(places[0])));
    LaunchPlaceBlocks(device_places, static_cast<uint32_t>(places.size()), direction.blocks(),
                      numbers, stream.handle());
    RETURN_IF_ERROR(gpu_->AfterLaunch("place blocks"));
    RETURN_IF_ERROR(stream.Synchronize());
    return at;
  }
};

TEST_F(DecodeSpeed, OfAGraphOnTheGpu) {
  const char* const path = std::getenv("EDGEMILL_GPU_GRAPH");
  if (path == nullptr) GTEST_SKIP() << "skipped: EDGEMILL_GPU_GRAPH names no graph";
  MemoryBudget budget(uint64_t{16} << 30);
  Progress progress;
  const auto store = GraphStore::Open(path, {}, budget);
  ASSERT_TRUE(store.ok()) << store.status().message();
  BlockReaderOptions options;
  options.buffer_bytes = uint64_t{256} << 20;
  const auto reader = BlockReader::Create(**store, options, budget);
  ASSERT_TRUE(reader.ok());
  const auto graph = LoadedGraph::Load({**store, **reader, AvailableThreads(), budget, progress},
                                       {.out_index = true});
  ASSERT_TRUE(graph.ok());
  const uint64_t num_blocks = (*graph)->num_blocks();
  const uint64_t max_bytes = (MaxPackedBytes((*graph)->info().block_edges) + 127) / 128 * 128;
  Payloads payloads(num_blocks);
  ASSERT_OK((*graph)->blocks().VisitAll(
      Direction::kOut, false, [&](int, const BlockEdges& edges) -> StatusOr<bool> {
        payloads[edges.block].assign(edges.payload.begin(), edges.payload.end());
        return true;
      }));
  auto stream = GpuStream::Create(*gpu_);
  ASSERT_TRUE(stream.ok());
  DeviceArena arena;
  DeviceDirection direction;
  DirectionArrays arrays;
  arrays.Plan((*store)->info(), Direction::kOut, true, false, &arena);
  BlockPlace* device_places;
  uint32_t* numbers;
  std::byte* bytes;
  unsigned long long* sum;
  uint32_t* damaged;
  arena.Plan(&device_places, num_blocks);
  arena.Plan(&numbers, num_blocks);
  arena.Plan(&bytes, num_blocks * max_bytes);
  arena.Plan(&sum, 1);
  arena.Plan(&damaged, 1);
  ASSERT_OK(arena.Allocate(*gpu_, 0, "a benchmark"));
  ASSERT_OK(direction.Upload(**graph, Direction::kOut, arrays, *gpu_, *stream));
  const auto size = Upload(payloads, direction, bytes, device_places, numbers, *stream);
  ASSERT_TRUE(size.ok());
  ASSERT_OK(stream->Fill(sum, 0, sizeof(*sum)));
  ASSERT_OK(stream->Fill(damaged, 0xff, sizeof(*damaged)));
  TileSelection source;
  source.num_blocks = static_cast<uint32_t>(num_blocks);
  const double edges = static_cast<double>((*graph)->num_edges());
  for (const uint32_t blocks_per_sm : {4u, 8u, 16u, 64u}) {
    ASSERT_OK(stream->Synchronize());
    constexpr int kLaunches = 20;
    const Stopwatch watch;
    const uint32_t grid = blocks_per_sm * static_cast<uint32_t>(gpu_->properties().multiprocessors);
    for (int i = 0; i < kLaunches; ++i) {
      LaunchDecodeAll(direction.edges(), source, nullptr, nullptr, sum, damaged, grid,
                      stream->handle());
    }
    ASSERT_OK(stream->Synchronize());
    std::printf("decode: %u blocks an SM, %.1f G edges/s, %.2f bits an edge\n", blocks_per_sm,
                edges * kLaunches / watch.seconds() * 1e-9, static_cast<double>(*size) * 8 / edges);
  }
  uint32_t found = 0;
  ASSERT_OK(stream->CopyToHost(&found, damaged, sizeof(found)));
  ASSERT_OK(stream->Synchronize());
  EXPECT_EQ(found, ~0u);
}

}  // namespace
}  // namespace edgemill
