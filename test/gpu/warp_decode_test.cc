// The GPU's decoder against the scalar reference: target and source of each edge of whole graphs.
#include <numeric>

#include "common/random.h"
#include "engine/device/device_arena.h"
#include "engine/transfer/stream/device_direction.h"
#include "kernels/group_ring.h"
#include "storage/format/group_codec.h"
#include "test/engine_testing.h"
#include "test/gpu/gpu_testing.h"

namespace edgemill {
namespace {

/// The edges that the device decoded.
struct Decoded {
  std::vector<VertexId> targets;
  std::vector<VertexId> owners;
  uint64_t sum = 0;
  uint32_t damaged = 0;
};

class WarpDecode : public GpuTest {
 protected:
  /// Decodes all out-edges of `graph` on the device.
  StatusOr<Decoded> DecodeOnDevice(const InMemoryGraph& store) {
    MemoryBudget budget(uint64_t{1} << 30);
    Progress progress;
    InMemoryReader reader(store, 0);
    ASSIGN_OR_RETURN(const auto graph,
                     LoadedGraph::Load({store, reader, 1, budget, progress}, {.out_index = true}));
    ASSIGN_OR_RETURN(GpuStream stream, GpuStream::Create(*gpu_));
    DeviceArena arena;
    DeviceDirection direction;
    DirectionArrays arrays;
    arrays.Plan(graph->info(), Direction::kOut, true, false, &arena);
    const uint64_t num_edges = graph->num_edges();
    std::vector<BlockPlace> places(graph->num_blocks());
    std::vector<uint64_t> payloads;
    std::vector<size_t> offsets;
    for (uint64_t block = 0; block < places.size(); ++block) {
      const auto payload = store.payload(ColumnKind::kOutNeighbors, block);
      offsets.push_back(payloads.size());
      payloads.resize(payloads.size() + (payload.size() + 7) / 8);
      std::memcpy(payloads.data() + offsets.back(), payload.data(), payload.size());
    }
    payloads.resize(payloads.size() + kLineWords / 2);  // kernels read whole lines
    BlockPlace* device_places;
    uint64_t* device_payloads;
    uint32_t* numbers;
    VertexId* targets;
    VertexId* owners;
    unsigned long long* sum;
    uint32_t* damaged;
    arena.Plan(&device_places, places.size());
    arena.Plan(&device_payloads, payloads.size());
    arena.Plan(&numbers, places.size());
    arena.Plan(&targets, num_edges);
    arena.Plan(&owners, num_edges);
    arena.Plan(&sum, 1);
    arena.Plan(&damaged, 1);
    RETURN_IF_ERROR(arena.Allocate(*gpu_, 0, "a test"));
    RETURN_IF_ERROR(direction.Upload(*graph, Direction::kOut, arrays, *gpu_, stream));
    for (uint64_t block = 0; block < places.size(); ++block) {
      places[block] = {block, {device_payloads + offsets[block], nullptr}};
    }
    RETURN_IF_ERROR(stream.CopyToDevice(device_payloads, payloads.data(), payloads.size() * 8));
    RETURN_IF_ERROR(
        stream.CopyToDevice(device_places, places.data(), places.size() * sizeof(places[0])));
    LaunchPlaceBlocks(device_places, static_cast<uint32_t>(places.size()), direction.blocks(),
                      numbers, stream.handle());
    RETURN_IF_ERROR(gpu_->AfterLaunch("place blocks"));
    RETURN_IF_ERROR(stream.Fill(sum, 0, sizeof(*sum)));
    RETURN_IF_ERROR(stream.Fill(targets, 0xee, num_edges * sizeof(*targets)));
    RETURN_IF_ERROR(stream.Fill(owners, 0xee, num_edges * sizeof(*owners)));
    RETURN_IF_ERROR(stream.Fill(damaged, 0xff, sizeof(*damaged)));
    TileSelection source;
    source.num_blocks = static_cast<uint32_t>(places.size());
    LaunchDecodeAll(direction.edges(), source, targets, owners, sum, damaged, 100, stream.handle());
    RETURN_IF_ERROR(gpu_->AfterLaunch("decode"));
    Decoded decoded;
    decoded.targets.resize(num_edges);
    decoded.owners.resize(num_edges);
    RETURN_IF_ERROR(stream.CopyToHost(decoded.targets.data(), targets, num_edges * 4));
    RETURN_IF_ERROR(stream.CopyToHost(decoded.owners.data(), owners, num_edges * 4));
    RETURN_IF_ERROR(stream.CopyToHost(&decoded.sum, sum, 8));
    RETURN_IF_ERROR(stream.CopyToHost(&decoded.damaged, damaged, 4));
    RETURN_IF_ERROR(stream.Synchronize());
    return decoded;
  }

  /// Compares what the device decodes with the scalar reference. The device must leave out targets
  /// that are not vertices, and name their block.
  void ExpectAsReference(const InMemoryGraph& store, const std::string& name) {
    const auto decoded = DecodeOnDevice(store);
    ASSERT_TRUE(decoded.ok()) << name << ": " << decoded.status().message();
    MemoryBudget budget(uint64_t{1} << 30);
    Progress progress;
    InMemoryReader reader(store, 0);
    const auto graph = LoadedGraph::Load({store, reader, 1, budget, progress}, {.out_index = true});
    ASSERT_TRUE(graph.ok());
    const VertexIndexView index = (*graph)->index(Direction::kOut);
    uint64_t sum = 0;
    uint32_t damaged = ~0u;
    for (uint64_t block = 0; block < (*graph)->num_blocks(); ++block) {
      const BlockEdges extent = (*graph)->indexes().Extent(Direction::kOut, block);
      const uint32_t size = static_cast<uint32_t>(extent.end - extent.begin);
      const auto view = PackedView::Open(store.payload(ColumnKind::kOutNeighbors, block), size);
      ASSERT_TRUE(view.ok());
      VertexId vertex = index.OwnerOf(extent.begin, 0, index.num_vertices);
      VisitNeighbors(
          *view, 0, size,
          [&](uint32_t edge) {
            while (index.first_edge(vertex + 1) <= extent.begin + edge) ++vertex;
            return std::pair(vertex, index.first_edge(vertex) == extent.begin + edge);
          },
          [&](uint32_t edge, VertexId source, VertexId target) {
            const EdgeIndex at = extent.begin + edge;
            if (target >= index.num_vertices) {
              damaged = std::min(damaged, static_cast<uint32_t>(block));
              EXPECT_EQ(decoded->targets[at], 0xeeeeeeeeu) << name << ", edge " << at;
            } else {
              sum += target;
              EXPECT_EQ(decoded->targets[at], target) << name << ", edge " << at;
              EXPECT_EQ(decoded->owners[at], source) << name << ", edge " << at;
            }
          });
      if (HasFailure()) return;
    }
    EXPECT_EQ(decoded->sum, sum) << name;
    EXPECT_EQ(decoded->damaged, damaged) << name;
  }
};

TEST_F(WarpDecode, HardGraphsOverBlockSizes) {
  for (const TestCase& hard : HardGraphs()) {
    if (hard.edges.empty()) continue;
    for (const uint32_t block_edges : {128u, 256u, 1024u, 32768u}) {
      for (const bool directed : {true, false}) {
        TestGraphOptions options;
        options.block_edges = block_edges;
        options.directed = directed;
        ExpectAsReference(*InMemoryGraph::Dense(hard.num_vertices, hard.edges, options), hard.name);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST_F(WarpDecode, ManyEmptyListsBetween) {
  Random random(11);
  std::vector<TestEdge> edges;
  for (uint64_t v = 0; v < 300'000; v += 1 + random.Below(random.Below(20'000) + 1)) {
    for (uint64_t i = random.Below(5); i > 0; --i) edges.push_back({v, random.Below(300'000)});
  }
  edges.push_back({299'999, 0});
  ExpectAsReference(*InMemoryGraph::Dense(300'000, edges), "empty lists");
}

TEST_F(WarpDecode, WideGapsAndExceptions) {
  Random random(12);
  for (const uint64_t reach : {10ull, 1000ull, 1ull << 22}) {
    std::vector<TestEdge> edges;
    for (int i = 0; i < 20'000; ++i) {
      const uint64_t source = random.Below(1000) * random.Below(1000);
      const uint64_t near = std::min<uint64_t>(source + random.Below(10), (1 << 22) - 1);
      edges.push_back({source, random.Below(10) == 0 ? random.Below(reach) : near});
    }
    ExpectAsReference(*InMemoryGraph::Dense(1 << 22, edges), "wide gaps");
    ASSERT_FALSE(HasFailure());
  }
}

/// A loop that is alone in its list is packed as 0. Groups of only such loops take no words.
std::vector<TestEdge> LoopsAndOthers(Random& random) {
  std::vector<TestEdge> edges;
  for (uint64_t v = 0; v < 20'000; ++v) {
    if (v / 400 % 3 != 1) {
      edges.push_back({v, v, 0});
      continue;
    }
    for (int i = 0; i < 3; ++i) edges.push_back({v, random.Below(20'000), double(i)});
  }
  return edges;
}

TEST_F(WarpDecode, GroupsWithoutWords) {
  Random random(15);
  for (const uint32_t block_edges : {128u, 2048u, 32768u}) {
    TestGraphOptions options;
    options.block_edges = block_edges;
    ExpectAsReference(*InMemoryGraph::Dense(20'000, LoopsAndOthers(random), options), "loops");
  }
}

TEST_F(WarpDecode, FlippedBitsThatPassTheHeaderChecks) {
  Random random(13);
  const auto edges = RandomTestEdges(14, 700, 6000, 3);
  uint64_t decoded = 0;
  for (int trial = 0; trial < 60; ++trial) {
    TestGraphOptions options;
    options.block_edges = 1024;
    const auto graph = InMemoryGraph::Dense(700, edges, options);
    const uint64_t block = random.Below(graph->column(ColumnKind::kOutNeighbors).num_blocks);
    const auto payload = graph->mutable_payload(ColumnKind::kOutNeighbors, block);
    for (int flips = 0; flips < 4; ++flips) {
      payload[random.Below(payload.size())] ^= std::byte(1u << random.Below(8));
    }
    const uint32_t size =
        static_cast<uint32_t>(std::min<uint64_t>(1024, graph->info().num_edges - block * 1024));
    if (!PackedView::Open(payload, size).ok()) continue;  // such payloads never reach a device
    ++decoded;
    ExpectAsReference(*graph, "flipped bits");
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(decoded, 20u);
}

}  // namespace
}  // namespace edgemill
