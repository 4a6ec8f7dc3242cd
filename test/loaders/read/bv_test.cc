// BV graphs of WebGraph: the example of its paper, graphs of every shape, damage.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "loaders/formats/bv/bv_input.h"
#include "loaders/formats/bv/bv_list.h"
#include "test/bv_writing.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Lists = std::vector<std::vector<uint64_t>>;

std::span<const uint8_t> Bytes(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

/// Lists that have some vertices in common with the ones before, runs, and others.
Lists RandomLists(uint64_t num_vertices, Random& random) {
  Lists lists(num_vertices);
  for (uint64_t v = 0; v < num_vertices; ++v) {
    std::set<uint64_t> list;
    if (v > 0 && random.Below(2) == 0) {
      for (const uint64_t u : lists[v - 1 - random.Below(std::min<uint64_t>(v, 5))]) {
        if (random.Below(4) > 0) list.insert(u);
      }
    }
    for (uint64_t i = random.Below(4); i > 0; --i) list.insert(random.Below(num_vertices));
    if (random.Below(4) == 0) {
      const uint64_t first = random.Below(num_vertices);
      for (uint64_t u = first; u < std::min(num_vertices, first + random.Below(12)); ++u) {
        list.insert(u);
      }
    }
    lists[v].assign(list.begin(), list.end());
  }
  return lists;
}

std::vector<ReadEdge> EdgesOf(const Lists& lists) {
  std::vector<ReadEdge> edges;
  for (uint64_t v = 0; v < lists.size(); ++v) {
    for (const uint64_t u : lists[v]) edges.push_back({v, u, 0});
  }
  return edges;
}

class BvTest : public testing::Test {
 protected:
  std::string Place(const BvFiles& files, bool with_offsets = true) {
    directory_.Empty();
    directory_.Write("web.properties", files.properties);
    if (with_offsets) directory_.Write("web.offsets", files.offsets);
    return directory_.Write("web.graph", files.graph);
  }
  /// Reading ends with a BadDataError that says `text`.
  void ExpectBad(const ReadAll& read, std::string_view text) {
    EXPECT_EQ(read.status.code(), Code::kBadData) << read.status.message();
    EXPECT_NE(read.status.message().find(text), std::string_view::npos) << read.status.message();
  }

  const TemporaryDirectory directory_;
};

/// Vertices 15 to 18 of the example in the paper (tables 1 to 5). It has the intervals of at least
/// two, and the numbers below come from its table of copy blocks and its table of intervals.
TEST(BvList, TheExampleOfThePaper) {
  const BvShape shape{.num_vertices = 4000, .window = 3, .min_interval = 2};
  BitWriter bits;
  const auto gamma = [&](std::initializer_list<uint64_t> values) {
    for (const uint64_t value : values) bits.Gamma(value);
  };
  const auto residuals = [&](std::initializer_list<uint64_t> values) {
    for (const uint64_t value : values) bits.Zeta(value, 3);
  };
  gamma({11});  // of 15
  bits.Unary(0);
  gamma({2, 0, 3, 2, 0});  // intervals
  residuals({3, 189, 111, 718});
  gamma({10});  // of 16
  bits.Unary(1);
  gamma({7, 0, 0, 2, 1, 1, 0, 0});  // copy blocks
  gamma({1, 600, 0});               // intervals
  residuals({12, 3018});
  gamma({0});  // of 17
  gamma({5});  // of 18
  bits.Unary(3);
  gamma({1, 4});  // copy blocks
  gamma({0});     // intervals
  residuals({64});
  const Lists want = {{13, 15, 16, 17, 18, 19, 23, 24, 203, 315, 1034},
                      {15, 16, 17, 22, 23, 24, 315, 316, 317, 3041},
                      {},
                      {13, 15, 16, 17, 50}};
  BitReader reader(Bytes(bits.bytes()), 0, 0);
  BvListReader list(shape);
  Lists lists;
  for (uint64_t v = 15; v <= 18; ++v) {
    ASSERT_EQ(list.ReadFront(reader, v), "");
    const auto referred = list.reference() == 0
                              ? std::span<const uint64_t>()
                              : std::span<const uint64_t>(lists[v - 15 - list.reference()]);
    std::vector<uint64_t> own;
    ASSERT_EQ(list.ReadRest(reader, referred, &own), "") << v;
    lists.push_back(own);
  }
  EXPECT_EQ(lists, want);
  EXPECT_EQ(reader.bit(), bits.bit());
}

TEST(BitReaderTest, NumbersComeBack) {
  Random random(5);
  std::vector<uint64_t> values = {0, 1, 2, 3, 6, 7, 8, 62, 63, 64, uint64_t{1} << 48};
  for (int i = 0; i < 2000; ++i) values.push_back(random() >> (16 + random.Below(48)));
  for (const BvCode code : {BvCode::kUnary, BvCode::kGamma, BvCode::kDelta, BvCode::kZeta}) {
    for (const unsigned k : {1u, 3u, 5u}) {
      BitWriter bits;
      const auto limit = [&](uint64_t value) {
        return code == BvCode::kUnary ? value % 300 : value;
      };
      for (const uint64_t value : values) bits.Number(limit(value), code, k);
      BitReader reader(Bytes(bits.bytes()), 0, 0);
      for (const uint64_t value : values) ASSERT_EQ(reader.Number(code, k), limit(value));
      EXPECT_EQ(reader.bit(), bits.bit());
      EXPECT_FALSE(reader.ended());
      reader.Bits(64);
      reader.Bits(1);
      EXPECT_TRUE(reader.ended());
    }
  }
}

TEST_F(BvTest, GraphsOfEveryShape) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto any = [&](std::initializer_list<BvCode> codes) {
      return codes.begin()[random.Below(codes.size())];
    };
    BvShape shape;
    shape.num_vertices = seed == 0 ? 0 : 1 + random.Below(seed % 7 == 0 ? 3000 : 60);
    shape.window = random.Below(3) == 0 ? 0 : 1 + random.Below(9);
    shape.max_chain = random.Below(3) == 0 ? UINT64_MAX : random.Below(5);
    shape.min_interval = random.Below(4);
    shape.zeta_k = 1 + static_cast<uint32_t>(random.Below(5));
    shape.outdegrees = any({BvCode::kGamma, BvCode::kDelta});
    shape.references = any({BvCode::kUnary, BvCode::kGamma, BvCode::kDelta});
    shape.block_counts = any({BvCode::kUnary, BvCode::kGamma, BvCode::kDelta});
    shape.blocks = any({BvCode::kGamma, BvCode::kDelta});
    shape.residuals = any({BvCode::kZeta, BvCode::kGamma, BvCode::kDelta});
    shape.offsets = any({BvCode::kGamma, BvCode::kDelta});
    const Lists lists = RandomLists(shape.num_vertices, random);
    const std::vector<ReadEdge> want = EdgesOf(lists);
    const BvFiles files = BvWriter(shape, lists, seed).Write();
    for (const bool with_offsets : {true, false}) {
      const std::string path = Place(files, with_offsets);
      const ReadOptions options{.chunk_bytes = size_t{1} << (4 + random.Below(16))};
      const ReadAll read = Read({path}, options, 1 + static_cast<int>(random.Below(3)));
      ASSERT_TRUE(read.status.ok()) << seed << ": " << read.status.message();
      ASSERT_EQ(read.edges, want) << seed;
      EXPECT_EQ(read.info.num_vertices, shape.num_vertices);
      EXPECT_EQ(read.info.expected_edges, want.size());
      EXPECT_EQ(read.info.notes.size(), with_offsets ? 0 : 1);
      for (uint64_t stop = 1; stop < std::min<uint64_t>(read.num_chunks, 6); ++stop) {
        const ReadAll parts = ReadResumed({path}, options, stop, 2);
        ASSERT_TRUE(parts.status.ok()) << parts.status.message();
        ASSERT_EQ(parts.edges, want) << seed;
      }
    }
  }
}

/// It is found by each of its names; other formats with the suffix are not taken for it.
TEST_F(BvTest, IsFoundByItsProperties) {
  const BvShape shape{.num_vertices = 3};
  const Lists lists = {{1, 2}, {}, {0}};
  Place(BvWriter(shape, lists, 1).Write());
  for (const std::string_view name : {"web.graph", "web.properties", "web"}) {
    EXPECT_EQ(Read({directory_ / std::string(name)}).edges, EdgesOf(lists)) << name;
  }
  const ReadOptions asked{.format = EdgeFormat::kBv};
  EXPECT_EQ(Read({directory_ / "web.graph"}, asked).edges, EdgesOf(lists));
  ExpectBad(Read({directory_ / "web.graph"}, {.base = 1}), "which --base 1 excludes");
  directory_.Write("web.properties", "graph.web.directed = true\n");
  directory_.Write("web.graph", "2 1\n2\n1\n");
  EXPECT_EQ(Read({directory_ / "web.graph"}).edges.size(), 2u);
  ExpectBad(Read({directory_ / "web.graph"}, asked), "describes no BV graph");
  std::filesystem::remove(directory_ / "web.properties");
  EXPECT_EQ(Read({directory_ / "web.graph"}, asked).status.code(), Code::kMissing);
  directory_.Write("web.graph", std::string("7w\x85\0\x7f", 5));
  ExpectBad(Read({directory_ / "web.graph"}), "neither text, as METIS graphs are, nor a BV graph");
}

TEST_F(BvTest, WrongPropertiesAreRefused) {
  const BvShape shape{.num_vertices = 40};
  Random random(3);
  const Lists lists = RandomLists(40, random);
  const BvFiles files = BvWriter(shape, lists, 2).Write();
  const auto with = [&](std::string_view line) {
    BvFiles changed = files;
    changed.properties += line;
    return Read({Place(changed)});
  };
  EXPECT_TRUE(with("").status.ok());
  ExpectBad(with("nodes = many\n"), "web.properties:11: 'nodes' is many, and should be a number");
  ExpectBad(with("nodes=41\n"), "vertex 40");
  ExpectBad(with("nodes=39\n"), "not what its .properties say");
  ExpectBad(with("arcs=1\n"), "and its .properties say 1");
  ExpectBad(with("version=1\n"), "'version' is 1");
  ExpectBad(with("zetak=0\n"), "zetak is 0");
  ExpectBad(with("endianness=little\n"), "big-endian order");
  ExpectBad(with("compressionflags=RESIDUALS_GOLOMB\n"), "'RESIDUALS_GOLOMB' is not read");
  BvFiles none = files;
  none.properties = "graphclass=it.unimi.dsi.webgraph.BVGraph\narcs=1\n";
  ExpectBad(Read({Place(none)}), "has no 'nodes'");
  Place(files);
  directory_.Write("web.offsets", files.offsets.substr(0, 9));
  ExpectBad(Read({directory_ / "web.graph"}), "the file of offsets is cut short: remove it");
}

/// Every bit flipped, and every length: an error, or edges between vertices.
TEST_F(BvTest, DamageIsFoundOrHarmless) {
  const BvShape shape{.num_vertices = 50};
  Random random(7);
  const Lists lists = RandomLists(50, random);
  const BvFiles files = BvWriter(shape, lists, 4).Write();
  int found = 0;
  const auto expect_whole = [&](const ReadAll& read) {
    found += read.status.ok() ? 0 : 1;
    if (!read.status.ok()) {
      EXPECT_EQ(read.status.code(), Code::kBadData) << read.status.message();
      return;
    }
    for (const ReadEdge& edge : read.edges) ASSERT_LT(std::max(edge.source, edge.target), 50u);
  };
  for (const bool with_offsets : {true, false}) {
    for (size_t bit = 0; bit < 8 * files.graph.size(); ++bit) {
      BvFiles damaged = files;
      damaged.graph[bit / 8] = static_cast<char>(damaged.graph[bit / 8] ^ 1 << bit % 8);
      expect_whole(Read({Place(damaged, with_offsets)}, {.chunk_bytes = 64}));
    }
    for (size_t length = 0; length < files.graph.size(); ++length) {
      BvFiles damaged = files;
      damaged.graph.resize(length);
      const ReadAll read = Read({Place(damaged, with_offsets)}, {.chunk_bytes = 64});
      EXPECT_EQ(read.status.code(), Code::kBadData) << length;
    }
  }
  for (size_t bit = 0; bit < 8 * files.offsets.size(); ++bit) {
    BvFiles damaged = files;
    damaged.offsets[bit / 8] = static_cast<char>(damaged.offsets[bit / 8] ^ 1 << bit % 8);
    expect_whole(Read({Place(damaged)}, {.chunk_bytes = 64}));
  }
  EXPECT_GT(found, 1000);
}

/// A few bits may claim any number of neighbours.
TEST_F(BvTest, ListsAreBounded) {
  const BvShape shape{.num_vertices = uint64_t{1} << 40, .window = 0, .min_interval = 1};
  BitWriter bits;
  bits.Gamma(uint64_t{1} << 39);
  bits.Gamma(1);
  bits.Gamma(0);
  bits.Gamma((uint64_t{1} << 39) - 1);
  BitReader reader(Bytes(bits.bytes()), 0, 0);
  BvListReader list(shape);
  EXPECT_EQ(list.ReadFront(reader, 0), "has more than 16,777,216 neighbours, which is the limit");
}

/// Chains without a bound are followed as far as places are known. Bytes that fill the last word
/// are no lists. A graph that is named twice is read once.
TEST_F(BvTest, LongChainsAndPadding) {
  BvShape shape{.num_vertices = 70'000, .window = 1, .max_chain = UINT64_MAX};
  const Lists lists(shape.num_vertices, {3, 7, 60'000});
  BvFiles files = BvWriter(shape, lists, 1).Write();
  files.graph += std::string(15, '\0');
  const std::string path = Place(files);
  const ReadAll read = Read({path, directory_ / "web.properties"}, {.chunk_bytes = 1 << 14});
  ASSERT_TRUE(read.status.ok()) << read.status.message();
  EXPECT_EQ(read.edges, EdgesOf(lists));
  EXPECT_GT(read.num_chunks, 20u);
  files.graph += '\0';
  ExpectBad(Read({Place(files)}), "bytes behind the last list");
}

TEST_F(BvTest, CompressedFilesAreRefused) {
  Place(BvWriter({.num_vertices = 1}, {{0}}, 1).Write());
  const std::string empty_gzip("\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20);
  const ReadAll read = Read({directory_.Write("web.graph.gz", empty_gzip)});
  EXPECT_EQ(read.status.code(), Code::kUsage);
  EXPECT_NE(read.status.message().find("a file that is not compressed"), std::string_view::npos)
      << read.status.message();
}

}  // namespace
}  // namespace edgemill
