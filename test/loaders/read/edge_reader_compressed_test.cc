// Compressed inputs: whole, in several members, cut at many points, damaged, or followed by
// other bytes.
#include <gtest/gtest.h>

#include "common/random.h"
#include "loaders/read/edge_reader.h"
#include "test/graphs/packed_text.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

std::string Lines(uint64_t seed, int count) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < count; ++i) text += StrCat(random.Below(100000), " ", random.Below(99), "\n");
  return text;
}

TEST(CompressedInput, EqualsPlainInput) {
  TemporaryDirectory directory;
  const std::string text = Lines(1, 300000);
  const std::vector<ReadEdge> edges = Read({directory.Write("a.el", text)}).edges;
  ASSERT_EQ(edges.size(), 300000u);
  for (const Packer& packer : kPackers) {
    const std::string packed = packer.pack(text);
    const std::string suffix = packer.suffix;
    EXPECT_EQ(Read({directory.Write("b.el" + suffix, packed)}, {}, 3).edges, edges);
    EXPECT_EQ(Read({directory.Write("c.el", packed)}).edges, edges);  // recognized by its content
    EXPECT_EQ(Read({directory.Write("d" + suffix, packed)}).edges, edges);
    const size_t half = text.find('\n', text.size() / 2) - 3;  // members end inside a line
    const std::string members =
        packer.pack(text.substr(0, half)) + packer.pack("") + packer.pack(text.substr(half));
    EXPECT_EQ(Read({directory.Write("e.el" + suffix, members)}).edges, edges);
  }
  EXPECT_EQ(Read({directory.Write("f.el.gz", Gzip(text) + std::string(512, '\0'))}).edges, edges);
  EXPECT_EQ(Read({directory.Write("f.el.xz", Xz(text) + std::string(512, '\0'))}).edges, edges);
}

TEST(CompressedInput, CutAnywhereIsAnError) {
  TemporaryDirectory directory;
  const std::string text = Lines(2, 1000);
  for (const Packer& packer : kPackers) {
    const std::string packed = packer.pack(text);
    for (int percent = 0; percent < 100; ++percent) {
      const std::string cut = packed.substr(0, packed.size() * static_cast<size_t>(percent) / 100);
      const ReadAll all = Read({directory.Write(StrCat("a.el", packer.suffix), cut)});
      EXPECT_EQ(all.status.code(), Code::kBadData) << percent << all.status.message();
      const std::string path = directory / StrCat("a.el", packer.suffix, ": ");
      EXPECT_EQ(all.status.message().find(path), 0u) << all.status.message();
    }
    for (size_t lost = 1; lost <= 12; ++lost) {
      const std::string cut = packed.substr(0, packed.size() - lost);
      EXPECT_FALSE(Read({directory.Write(StrCat("a.el", packer.suffix), cut)}).status.ok()) << lost;
    }
  }
}

TEST(CompressedInput, DamageIsAnError) {
  TemporaryDirectory directory;
  const std::string text = Lines(3, 500);
  Random random(4);
  for (const Packer& packer : kPackers) {
    const std::string packed = packer.pack(text);
    const std::vector<ReadEdge> edges = Read({directory.Write("a.el", text)}).edges;
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
      std::string damaged = packed;
      damaged[random.Below(damaged.size())] ^= static_cast<char>(1 << random.Below(8));
      const ReadAll all = Read({directory.Write(StrCat("a.el", packer.suffix), damaged)});
      refused += !all.status.ok();
      // Some bits of the header have no effect here, such as the file's time and the system.
      EXPECT_TRUE(!all.status.ok() || all.edges == edges);
    }
    EXPECT_GT(refused, 280);
    const std::string name = StrCat("b.el", packer.suffix);
    EXPECT_FALSE(Read({directory.Write(name, packed + "junk")}).status.ok());
    EXPECT_FALSE(Read({directory.Write(name, packed + "\n")}).status.ok());
    EXPECT_FALSE(Read({directory.Write(name, text)}).status.ok());
  }
  EXPECT_FALSE(Read({directory.Write("c.el.zst", Gzip(text))}).status.ok());
}

TEST(CompressedInput, EarlierBadLineWinsOverDamage) {
  TemporaryDirectory directory;
  std::string text = Lines(5, 200000);
  text.replace(text.find('\n', 1000) + 1, 1, "x");
  std::string packed = Gzip(text);
  packed.resize(packed.size() - 100);
  ReadOptions options;
  options.ids = IdReading::kNumbers;
  const Status status = Read({directory.Write("a.el.gz", packed)}, options, 4).status;
  EXPECT_NE(status.message().find("not a number"), std::string_view::npos) << status.message();
}

TEST(CompressedInput, ResumesBySkipping) {
  TemporaryDirectory directory;
  ReadOptions options;
  options.chunk_bytes = 1000;
  const std::string text = Lines(6, 1000);
  for (const Packer& packer : kPackers) {
    const std::string path = directory.Write(StrCat("a.el", packer.suffix), packer.pack(text));
    const ReadAll whole = Read({path}, options);
    for (uint64_t stop = 1; stop < whole.num_chunks; ++stop) {
      ReadAll parts;
      auto source = OpenEdgeReader({path}, options);
      EdgeChunk chunk;
      for (uint64_t i = 0; i < stop; ++i) {
        ASSERT_TRUE((*source)->Next(&chunk).ok());
        Append(chunk, &parts);
      }
      auto second = OpenEdgeReader({path}, options);
      ASSERT_TRUE((*second)->Resume(*(*source)->PositionAfter(stop - 1)).ok());
      const ReadAll rest = Drain(**second, 1);
      parts.edges.insert(parts.edges.end(), rest.edges.begin(), rest.edges.end());
      ASSERT_EQ(parts.edges, whole.edges);
    }
  }
}

TEST(CompressedInput, WindowsAndBombsAreBounded) {
  TemporaryDirectory directory;
  const std::string text = Lines(7, 400000);
  ReadOptions options;
  options.window_log_max = 20;
  const std::string path = directory.Write("a.el.zst", Zstd(text, 22));
  const Status status = Read({path}, options).status;
  EXPECT_EQ(status.code(), Code::kBudget) << status.message();
  EXPECT_TRUE(Read({path}).status.ok());
  const std::string wide = directory.Write("a.el.xz", Xz(text, uint32_t{1} << 22));
  const Status wide_status = Read({wide}, options).status;
  EXPECT_EQ(wide_status.code(), Code::kBudget) << wide_status.message();
  EXPECT_NE(wide_status.message().find("a window above 2^20 bytes"), std::string_view::npos);
  EXPECT_TRUE(Read({wide}).status.ok());
  const std::string narrow = directory.Write("b.el.xz", Xz(text, uint32_t{1} << 20));
  EXPECT_TRUE(Read({narrow}, options).status.ok());
  for (const Packer& packer : kPackers) {
    const std::string bomb = packer.pack(std::string(20 << 20, '1'));
    EXPECT_LT(bomb.size(), size_t{100000});
    const Status refused = Read({directory.Write(StrCat("b.el", packer.suffix), bomb)}).status;
    EXPECT_NE(refused.message().find("a line longer than"), std::string_view::npos)
        << refused.message();
  }
}

/// Data of a kind that no text begins with, but without the suffix of any.
TEST(CompressedInput, TextThatBeginsAsBzip2IsText) {
  TemporaryDirectory directory;
  const ReadAll all = Read({directory.Write("a.el", "BZh9 BZh91\nBZh91AY 3\n")});
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  EXPECT_EQ(all.edges.size(), 2u);
  EXPECT_EQ(Read({directory.Write("b.el.bz2", "BZh9")}).status.code(), Code::kBadData);
}

/// A plain file gives the same error, although its parts get line numbers after they are read.
TEST(CompressedInput, LinesThatAreTooLongAreToldByNumber) {
  TemporaryDirectory directory;
  std::string text;
  for (int i = 1; i <= 9000; ++i) text += i % 1000 == 0 ? std::string(20'000, '7') + "\n" : "1 2\n";
  ReadOptions options;
  options.max_line_bytes = 4000;
  for (const std::string& path :
       {directory.Write("a.el", text), directory.Write("b.el.gz", Gzip(text))}) {
    for (const size_t chunk : {64, 1000, 4500}) {
      options.chunk_bytes = chunk;
      for (const int threads : {1, 4}) {
        const Status status = Read({path}, options, threads).status;
        EXPECT_EQ(status.message().find(StrCat(path, ":1000:1: a line longer than 4000 bytes")), 0u)
            << status.message();
      }
    }
  }
}

}  // namespace
}  // namespace edgemill
