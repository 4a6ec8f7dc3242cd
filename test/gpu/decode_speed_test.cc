// How fast a whole graph on disk, named by EDGEMILL_GPU_GRAPH, is decoded once it is on the card.
#include <cstdio>

#include "common/clock.h"
#include "common/parallel.h"
#include "engine/gpu/device_direction.h"
#include "test/gpu/gpu_testing.h"

namespace edgemill {
namespace {

using DecodeSpeed = GpuTest;

TEST_F(DecodeSpeed, OfAGraphOnTheCard) {
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
  const auto graph = LoadedGraph::Load(**store, **reader, {.out_index = true}, AvailableThreads(),
                                       budget, progress);
  ASSERT_TRUE(graph.ok());
  const uint64_t num_blocks = (*graph)->num_blocks();
  const uint64_t most_bytes = (MaxPackedBytes((*graph)->info().block_edges) + 127) / 128 * 128;
  std::vector<std::vector<std::byte>> payloads(num_blocks);
  std::vector<uint32_t> expected(num_blocks);
  ASSERT_OK((*graph)->SweepAll(
      Direction::kOut, false, [&](int, const BlockEdges& edges) -> StatusOr<bool> {
        const auto* bytes = reinterpret_cast<const std::byte*>(edges.neighbors.headers());
        const GroupHeader last = edges.neighbors.header(edges.neighbors.num_groups() - 1);
        const auto* end =
            reinterpret_cast<const std::byte*>(edges.neighbors.data(last) + last.num_words());
        payloads[edges.block].assign(bytes, end);
        return true;
      }));
  auto stream = GpuStream::Create(*gpu_);
  ASSERT_TRUE(stream.ok());
  DeviceArena arena;
  DeviceDirection direction;
  ASSERT_OK(direction.Plan(**graph, Direction::kOut, true, &arena));
  BlockPlace* device_places;
  std::byte* bytes;
  unsigned long long* sum;
  uint32_t* damaged;
  arena.Plan(&device_places, num_blocks);
  arena.Plan(&bytes, num_blocks * most_bytes);
  arena.Plan(&sum, 1);
  arena.Plan(&damaged, 1);
  ASSERT_OK(arena.Allocate(*gpu_, 0, "a benchmark"));
  ASSERT_OK(direction.Upload(*gpu_, *stream));
  std::vector<BlockPlace> places(num_blocks);
  uint64_t at = 0;
  for (uint64_t block = 0; block < num_blocks; ++block) {
    places[block] = {block, {reinterpret_cast<const uint64_t*>(bytes + at), nullptr}};
    ASSERT_OK(stream->CopyToDevice(bytes + at, payloads[block].data(), payloads[block].size()));
    at += (payloads[block].size() + 127) / 128 * 128;
  }
  ASSERT_OK(stream->CopyToDevice(device_places, places.data(), places.size() * sizeof(places[0])));
  LaunchPlaceBlocks(device_places, static_cast<uint32_t>(num_blocks), direction.blocks(),
                    stream->handle());
  ASSERT_OK(stream->Fill(sum, 0, sizeof(*sum)));
  ASSERT_OK(stream->Fill(damaged, 0xff, sizeof(*damaged)));
  RunSource source;
  source.num_blocks = static_cast<uint32_t>(num_blocks);
  const double edges = static_cast<double>((*graph)->num_edges());
  for (const uint32_t blocks_per_sm : {2u, 4u, 8u, 16u, 64u}) {
    ASSERT_OK(stream->Synchronize());
    constexpr int kLaunches = 20;
    const Stopwatch watch;
    for (int i = 0; i < kLaunches; ++i) {
      LaunchDecodeAll(direction.edges(), source, nullptr, nullptr, sum, damaged,
                      blocks_per_sm * static_cast<uint32_t>(gpu_->properties().multiprocessors),
                      stream->handle());
    }
    ASSERT_OK(gpu_->AfterLaunch("decode"));
    ASSERT_OK(stream->Synchronize());
    std::printf("decode: %u blocks an SM, %.1f G edges/s, %.2f bits an edge\n", blocks_per_sm,
                edges * kLaunches / watch.seconds() * 1e-9, static_cast<double>(at) * 8 / edges);
  }
  uint32_t found = 0;
  ASSERT_OK(stream->CopyToHost(&found, damaged, sizeof(found)));
  ASSERT_OK(stream->Synchronize());
  EXPECT_EQ(found, ~0u);
}

}  // namespace
}  // namespace edgemill
