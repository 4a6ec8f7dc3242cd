// Compressed sparse rows of Galois (binary) and Ligra (text): read in any parts, resumed, and
// refused if damaged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/random.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<ReadEdge>;

Edges RandomRows(uint64_t n, size_t count, bool weighted) {
  Random random(n);
  Edges edges;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t source = random.Below(3) == 0 ? n / 2 : random.Below(n);
    edges.push_back({source, random.Below(n), weighted ? double(random.Below(500)) : 0});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

template <typename T>
void PutNumber(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// The number of edges whose source is below `vertex`.
uint64_t EdgesBefore(const Edges& edges, uint64_t vertex) {
  return static_cast<uint64_t>(std::count_if(
      edges.begin(), edges.end(), [&](const ReadEdge& edge) { return edge.source < vertex; }));
}

/// The bytes of a .gr file of Galois with edge data of type Data; without edge data if Data is
/// char.
template <typename Target, typename Data>
std::string Galois(const Edges& edges, uint64_t n, bool padded = true) {
  const bool weighted = sizeof(Data) > 1;
  std::string bytes;
  PutNumber<uint64_t>(&bytes, sizeof(Target) == 4 ? 1 : 2);
  PutNumber<uint64_t>(&bytes, weighted ? sizeof(Data) : 0);
  PutNumber<uint64_t>(&bytes, n);
  PutNumber<uint64_t>(&bytes, edges.size());
  for (uint64_t v = 0; v < n; ++v) PutNumber(&bytes, EdgesBefore(edges, v + 1));
  for (const ReadEdge& edge : edges) PutNumber(&bytes, static_cast<Target>(edge.target));
  if (padded && edges.size() % 2 == 1) PutNumber(&bytes, Target{0});
  if (!weighted) return bytes;
  for (const ReadEdge& edge : edges) PutNumber(&bytes, static_cast<Data>(edge.weight));
  return bytes;
}

std::string Ligra(const Edges& edges, uint64_t n, bool weighted, const char* between = "\n") {
  std::string text = weighted ? "WeightedAdjacencyGraph" : "AdjacencyGraph";
  const auto put = [&](auto number) { text += StrCat(between, number); };
  put(n);
  put(edges.size());
  for (uint64_t v = 0; v < n; ++v) put(EdgesBefore(edges, v));
  for (const ReadEdge& edge : edges) put(edge.target);
  if (weighted) {
    for (const ReadEdge& edge : edges) put(edge.weight);
  }
  return text + "\n";
}

/// Expects that every chunk size and every resume gives `edges`.
void CheckRows(const std::string& path, const Edges& edges, ReadOptions options = {}) {
  for (const size_t chunk : {1, 16, 40, 1000, 4 << 20}) {
    options.chunk_bytes = chunk;
    const ReadAll all = Read({path}, options, 3);
    ASSERT_TRUE(all.status.ok()) << all.status.message();
    ASSERT_EQ(all.edges, edges) << path << " in chunks of " << chunk;
    if (all.num_chunks > 70) continue;
    for (uint64_t stop = 1; stop <= all.num_chunks; ++stop) {
      ASSERT_EQ(ReadResumed({path}, options, stop, 2).edges, edges)
          << path << " in chunks of " << chunk << " after " << stop;
    }
  }
}

TEST(GaloisInput, AllVersionsAndData) {
  TemporaryDirectory directory;
  ReadOptions real;
  real.weights = WeightMode::kFloat;
  ReadOptions none;
  none.weights = WeightMode::kNone;
  for (const size_t count : {300, 301}) {
    const Edges plain = RandomRows(50, count, false);
    const Edges weighted = RandomRows(50, count, true);
    CheckRows(directory.Write("a.gr", Galois<uint32_t, char>(plain, 50)), plain);
    CheckRows(directory.Write("b.gr", Galois<uint32_t, char>(plain, 52, false)), plain);
    CheckRows(directory.Write("c.gr", Galois<uint64_t, char>(plain, 50)), plain);
    CheckRows(directory.Write("d.gr", Galois<uint32_t, uint32_t>(weighted, 50)), weighted);
    CheckRows(directory.Write("e.gr", Galois<uint64_t, int64_t>(weighted, 50)), weighted);
    CheckRows(directory.Write("f.gr", Galois<uint64_t, int64_t>(weighted, 50, false)), weighted);
    CheckRows(directory.Write("g.gr", Galois<uint32_t, float>(weighted, 50)), weighted, real);
    CheckRows(directory.Write("h.gr", Galois<uint32_t, double>(weighted, 50)), weighted, real);
    Edges bare = weighted;
    for (ReadEdge& edge : bare) edge.weight = 0;
    CheckRows(directory / "h.gr", bare, none);
  }
  const ReadAll all = Read({directory / "d.gr"});
  EXPECT_EQ(all.info.num_vertices, 50u);
  EXPECT_EQ(all.info.first_id, 0u);
  EXPECT_TRUE(all.info.weighted && all.info.integer_weights && !all.info.undirected);
  ASSERT_EQ(all.info.notes.size(), 1u);
  EXPECT_NE(all.info.notes[0].find("--weights float"), std::string::npos);
  EXPECT_EQ(all.info.previews[0].format, "galois");
  CheckRows(directory.Write("i.gr", Galois<uint32_t, char>({}, 3)), {});
  CheckRows(directory.Write("j.gr", Galois<uint32_t, char>({}, 0)), {});
}

TEST(GaloisInput, DamagedFilesAreRefused) {
  TemporaryDirectory directory;
  const Edges edges = RandomRows(20, 100, true);
  const std::string good = Galois<uint32_t, uint32_t>(edges, 20);
  const auto refused = [&](std::string bytes, const char* place, const char* reason) {
    const std::string path = directory.Write("a.gr", bytes);
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
  refused(good.substr(0, 20), "20", "header");
  refused(good.substr(0, good.size() - 1), "991", "a file of");
  refused(good + "x", "992", "a file of");
  refused(with(8, uint64_t{3}), "8", "not a weight");
  refused(with(8, uint64_t{1} << 40), "8", "size of an edge's data");
  refused(with(16, ~uint64_t{0}), "16", "vertices");
  refused(with(24, uint64_t{1} << 60), "24", "edges");
  refused(with(32 + 8 * 5, uint64_t{1} << 40), "72", "offset");
  refused(with(32 + 8 * 5, ~uint64_t{0}), "72", "offset");
  refused(with(32 + 8 * 19, uint64_t{99}), "184", "offset");
  refused(with(32 + 8 * 20 + 4 * 7, uint32_t{20}), "220", "not a vertex");
  std::string bytes = Galois<uint64_t, int64_t>({{0, 1, 1}, {1, 0, 2}}, 2);
  const int64_t large = int64_t{1} << 60;
  std::memcpy(&bytes[bytes.size() - 8], &large, 8);
  refused(bytes, "56", "beyond 2^53");
}

TEST(GaloisInput, FloatsThatAreNoNumbersAreRefused) {
  TemporaryDirectory directory;
  ReadOptions real;
  real.weights = WeightMode::kFloat;
  const std::string path = directory.Write("a.gr", Galois<uint32_t, float>({{0, 0, NAN}}, 1));
  EXPECT_NE(Read({path}, real).status.message().find("NaN"), std::string_view::npos);
}

TEST(LigraInput, PlainAndWeighted) {
  TemporaryDirectory directory;
  ReadOptions none;
  none.weights = WeightMode::kNone;
  const Edges plain = RandomRows(50, 300, false);
  Edges weighted = RandomRows(50, 300, true);
  weighted[17].weight = -2.5;
  CheckRows(directory.Write("a.adj", Ligra(plain, 50, false)), plain);
  CheckRows(directory.Write("b.adj", Ligra(weighted, 55, true)), weighted);
  CheckRows(directory.Write("c.adj", Ligra(weighted, 50, true, " \r\n\t")), weighted);
  CheckRows(directory.Write("d.txt", Ligra(plain, 50, false)), plain);
  Edges bare = weighted;
  for (ReadEdge& edge : bare) edge.weight = 0;
  CheckRows(directory / "b.adj", bare, none);
  const ReadAll all = Read({directory / "b.adj"});
  EXPECT_EQ(all.info.num_vertices, 55u);
  EXPECT_EQ(all.info.expected_edges, 300u);
  EXPECT_TRUE(all.info.weighted && !all.info.undirected);
  EXPECT_EQ(all.info.previews[0].format, "ligra");
  CheckRows(directory.Write("e.adj", "AdjacencyGraph\n3\n0\n0\n0\n0"), {});
  CheckRows(directory.Write("f.adj", "AdjacencyGraph 0 0"), {});
  ReadOptions base;
  base.base = 1;
  CheckRows(directory.Write("g.adj", "AdjacencyGraph 3 2 0 0 1 2 1"), {{0, 1}, {1, 0}}, base);
}

TEST(LigraInput, NumbersCrossBlocks) {
  TemporaryDirectory directory;
  const Edges edges = RandomRows(3, 9, true);
  const std::string between(65521, ' ');
  const ReadAll all = Read({directory.Write("a.adj", Ligra(edges, 3, true, between.c_str()))});
  ASSERT_TRUE(all.status.ok()) << all.status.message();
  EXPECT_EQ(all.edges, edges);
}

TEST(LigraInput, DamagedFilesAreRefused) {
  TemporaryDirectory directory;
  const auto refused = [&](const std::string& text, const char* place, const char* reason,
                           WeightMode weights = WeightMode::kAuto) {
    const std::string path = directory.Write("a.adj", text);
    ReadOptions options;
    options.weights = weights;
    for (const size_t chunk : {size_t{1}, size_t{4} << 20}) {
      options.chunk_bytes = chunk;
      const Status status = Read({path}, options).status;
      EXPECT_EQ(status.code(), Code::kBadData);
      EXPECT_EQ(status.message().find(StrCat(path, ":", place, ": ")), 0u) << status.message();
      EXPECT_NE(status.message().find(reason), std::string_view::npos) << status.message();
    }
  };
  const std::string front = "AdjacencyGraph\n3\n2\n";
  refused("AdjacencyGraph\n3\n", "1:1", "not the front");
  refused("AdjacencyGraph\n3\n-2\n", "1:1", "not the front");
  refused("AdjacencyGraph\n0\n2\n", "1:1", "not the front");
  refused("AdjacencyGraph\n3\n18446744073709551614\n", "1:1", "not the front");
  refused(front + "1\n1\n2\n0\n0\n", "4:1", "first offset");
  refused(front + "0\n2\n1\n0\n0\n", "6:1", "below the offset before it");
  refused(front + "0\n3\n2\n0\n0\n", "5:1", "above the number of edges");
  refused(front + "0\n1\n2\n0\n 3\n", "8:2", "not a vertex");
  refused(front + "0\n1\n2\n0\nx\n", "8:1", "not a whole number");
  refused(front + "0\n1\n2\n0\n", "8:1", "cut short");
  refused(front + "0\n1\n", "6:1", "cut short");
  refused(front + "0\n1\n2\n0\n1\n9\n", "9:1", "behind the last number");
  refused(front + "0\n1\n2\n0\n" + std::string(200000, '1'), "8:1", "longer than 64 KiB");
  refused("Weighted" + front + "0\n1\n2\n0\n1\n5\n", "10:1", "cut short");
  refused("Weighted" + front + "0\n1\n2\n0\n1\n5\nx\n", "10:1", "not a number where a weight");
  refused("Weighted" + front + "0\n1\n2\n0\n1\n5\n.5\n", "10:1", "no integer", WeightMode::kInt);
}

}  // namespace
}  // namespace edgemill
