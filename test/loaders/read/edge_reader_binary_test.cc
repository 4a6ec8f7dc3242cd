// bin32, bin64, .sg and .wsg are read, resumed and checked for bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "common/random.h"
#include "loaders/read/edge_reader.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<ReadEdge>;

template <typename T>
void Put(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
std::string Pairs(const Edges& edges) {
  std::string bytes;
  for (const ReadEdge& edge : edges) {
    Put(&bytes, static_cast<T>(edge.source));
    Put(&bytes, static_cast<T>(edge.target));
  }
  return bytes;
}

/// A .sg (or .wsg) of `edges`, sorted by source, over `n` vertices.
std::string Serialized(const Edges& edges, int64_t n, bool directed, bool weighted) {
  std::string bytes;
  Put(&bytes, directed);
  Put(&bytes, static_cast<int64_t>(edges.size()));
  Put(&bytes, n);
  std::string part;
  size_t at = 0;
  for (int64_t v = 0; v <= n; ++v) {
    Put(&part, static_cast<int64_t>(at));
    while (at < edges.size() && static_cast<int64_t>(edges[at].source) == v) ++at;
  }
  for (const ReadEdge& edge : edges) {
    Put(&part, static_cast<int32_t>(edge.target));
    if (weighted) Put(&part, static_cast<int32_t>(edge.weight));
  }
  return bytes + part + (directed ? part : "");
}

Edges RandomEdges(uint64_t n, size_t count, bool weighted) {
  Random random(n);
  Edges edges;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t source = random.Below(3) == 0 ? n / 2 : random.Below(n);
    edges.push_back({source, random.Below(n), weighted ? double(random.Below(500)) - 99 : 0});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Expects that every chunk size and every resume gives `edges`.
void CheckReads(const std::string& path, const Edges& edges) {
  for (const size_t chunk : {1, 16, 40, 1000, 4 << 20}) {
    ReadOptions options;
    options.chunk_bytes = chunk;
    const ReadAll all = Read({path}, options, 3);
    ASSERT_TRUE(all.status.ok()) << all.status.message();
    ASSERT_EQ(all.edges, edges) << path << " in chunks of " << chunk;
    if (all.num_chunks > 70) continue;
    for (uint64_t stop = 1; stop <= all.num_chunks; ++stop) {
      ReadAll parts;
      auto source = OpenEdgeReader({path}, options);
      EdgeChunk one;
      for (uint64_t i = 0; i < stop; ++i) {
        ASSERT_TRUE((*source)->Next(&one).ok());
        Append(one, &parts);
      }
      auto second = OpenEdgeReader({path}, options);
      ASSERT_TRUE((*second)->Resume(*(*source)->PositionAfter(stop - 1)).ok());
      const ReadAll rest = Drain(**second, 2);
      ASSERT_TRUE(rest.status.ok()) << rest.status.message();
      parts.edges.insert(parts.edges.end(), rest.edges.begin(), rest.edges.end());
      ASSERT_EQ(parts.edges, edges) << path << " in chunks of " << chunk << " after " << stop;
    }
  }
}

TEST(BinaryInput, Pairs) {
  TemporaryDirectory directory;
  const Edges edges = RandomEdges(1000, 500, false);
  CheckReads(directory.Write("a.bin32", Pairs<uint32_t>(edges)), edges);
  CheckReads(directory.Write("a.bin64", Pairs<uint64_t>(edges)), edges);
  Edges wide = edges;
  wide[100].target = 0xffffffff;
  CheckReads(directory.Write("b.bin32", Pairs<uint32_t>(wide)), wide);
  wide[200].source = kMaxVertices << 20;
  CheckReads(directory.Write("b.bin64", Pairs<uint64_t>(wide)), wide);
  EXPECT_TRUE(Read({directory.Write("c.bin32", "")}).status.ok());
  EXPECT_EQ(Read({directory / "a.bin32"}).info.expected_edges, 500u);
}

TEST(BinaryInput, BadPairsAreRefused) {
  TemporaryDirectory directory;
  const std::string pairs = Pairs<uint64_t>({{1, 2}, {3, 4}, {5, ~uint64_t{0}}});
  const std::string path = directory.Write("a.bin64", pairs);
  const Status status = Read({path}).status;
  EXPECT_EQ(status.message().find(path + ": byte 40: the id 2^64 - 1"), 0u) << status.message();
  const std::string odd = directory.Write("b.bin64", pairs.substr(0, 45));
  EXPECT_EQ(Read({odd}).status.message().find(odd + ": byte 32: 45 bytes"), 0u);
  const std::string odd32 = directory.Write("b.bin32", pairs.substr(0, 45));
  EXPECT_EQ(Read({odd32}).status.message().find(odd32 + ": byte 40: 45 bytes"), 0u);
  ReadOptions base;
  base.base = 1;
  const std::string zero = directory.Write("c.bin32", Pairs<uint32_t>({{1, 2}, {3, 0}}));
  EXPECT_EQ(Read({zero}, base).status.message().find(zero + ": byte 12: id 0"), 0u);
  EXPECT_EQ(Read({directory.Write("d.bin32", Pairs<uint32_t>({{1, 2}}))}, base).edges,
            (Edges{{0, 1}}));
}

TEST(BinaryInput, SerializedGraphs) {
  TemporaryDirectory directory;
  const Edges edges = RandomEdges(60, 400, false);
  const Edges weighted = RandomEdges(60, 400, true);
  const std::string sg = directory.Write("a.sg", Serialized(edges, 60, true, false));
  CheckReads(sg, edges);
  CheckReads(directory.Write("b.sg", Serialized(edges, 65, false, false)), edges);
  CheckReads(directory.Write("c.wsg", Serialized(weighted, 60, true, true)), weighted);
  const ReadAll all = Read({directory / "b.sg"});
  EXPECT_TRUE(all.info.symmetric);
  EXPECT_EQ(all.info.num_vertices, 65u);
  EXPECT_FALSE(Read({sg}).info.symmetric);
  EXPECT_TRUE(Read({directory / "c.wsg"}).info.integer_weights);
  CheckReads(directory.Write("d.sg", Serialized({}, 3, false, false)), {});
  CheckReads(directory.Write("e.sg", Serialized({}, 0, true, false)), {});
}

TEST(BinaryInput, DamagedSerializedGraphsAreRefused) {
  TemporaryDirectory directory;
  const std::string good = Serialized(RandomEdges(20, 100, false), 20, false, false);
  const auto refused = [&](std::string bytes, const char* place, const char* reason) {
    const std::string path = directory.Write("a.sg", bytes);
    const Status status = Read({path}).status;
    EXPECT_EQ(status.code(), Code::kBadData);
    EXPECT_EQ(status.message().find(StrCat(path, ": byte ", place, ": ")), 0u) << status.message();
    EXPECT_NE(status.message().find(reason), std::string_view::npos) << status.message();
  };
  const auto with = [&](size_t at, auto value) {
    std::string bytes = good;
    std::memcpy(&bytes[at], &value, sizeof(value));
    return bytes;
  };
  refused(good.substr(0, 10), "10", "header");
  refused(good.substr(0, good.size() - 1), "584", "a file of");
  refused(good + "x", "585", "a file of");
  refused(with(0, char{2}), "0", "directed");
  refused(with(1, int64_t{-1}), "1", "edges");
  refused(with(9, int64_t{1} << 40), "9", "vertices");
  refused(with(17, int64_t{1}), "17", "first offset");
  refused(with(17 + 8 * 5, int64_t{1} << 40), "57", "offset");
  refused(with(17 + 8 * 5, int64_t{-1}), "57", "offset");
  refused(with(17 + 8 * 20, int64_t{99}), "177", "offset");
  refused(with(17 + 8 * 21 + 4 * 7, int32_t{20}), "213", "not a vertex");
  refused(with(17 + 8 * 21 + 4 * 7, int32_t{-1}), "213", "not a vertex");
}

}  // namespace
}  // namespace edgemill
