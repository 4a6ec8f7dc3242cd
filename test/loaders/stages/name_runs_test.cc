// Names of vertices: gathered and merged in little memory, as ranks, and in whole ingests.
#include "loaders/names/name_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/random.h"
#include "common/units.h"
#include "loaders/ingest/ingest.h"
#include "loaders/names/name_filter.h"
#include "loaders/names/name_ranks.h"
#include "loaders/names/name_run.h"
#include "test/graphs/memory_graph_writer.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

/// Two names that were made to have the same XXH3-128 hash with seed 0.
const std::string kTwin = "x-name-of-a-nodeD0A4AA3A\xe9\xa4\x88yub\xc3\x85";
const std::string kOtherTwin = "x-name-of-a-nodeE0A4AA3A\xe8\xa4\x88yub\xc3\x85";

class NameRunsTest : public testing::Test {
 protected:
  void OpenSpace(uint64_t memory) {
    SpillSpace::Options options;
    options.directories = {root_.path()};
    options.page_bytes = 16384;
    options.memory_bytes = memory;
    space_ = SpillSpace::Create(options, budget_).value();
  }
  static NameList ListOf(const std::vector<std::string>& names) {
    NameList list;
    for (const std::string& name : names) list.Add(HashName(name, 0), name);
    return list;
  }
  static std::vector<std::string> NamesIn(const SpillStream& run) {
    NameRunReader reader(run);
    std::vector<std::string> names;
    std::string_view name;
    for (;;) {
      const StatusOr<bool> more = reader.Next(&name);
      EXPECT_TRUE(more.ok()) << more.status().message();
      if (!more.ok() || !*more) return names;
      names.emplace_back(name);
    }
  }
  /// Short and long names, most more than once.
  static std::vector<std::string> RandomNames(uint64_t seed, size_t count) {
    Random random(seed);
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t id = random.Below(count);
      std::string name = random.Below(2) == 0 ? StrCat("n", id) : StrCat("https://a.example/", id);
      if (random.Below(5000) == 0) name.append(random.Below(kMaxNameBytes - name.size()), 'z');
      names.push_back(std::move(name));
    }
    return names;
  }

  TemporaryDirectory root_;
  MemoryBudget budget_{64 * kMebibyte};
  std::unique_ptr<SpillSpace> space_;
};

TEST_F(NameRunsTest, MergesWhatMemoryCannotHold) {
  const std::vector<std::string> all = RandomNames(1, 300'000);
  const std::set<std::string> distinct(all.begin(), all.end());
  const std::vector<std::string> want(distinct.begin(), distinct.end());
  for (const int threads : {1, 3}) {
    // With 2 MiB left, 5 runs are merged at a time.
    for (const uint64_t left : {2 * kMebibyte, 20 * kMebibyte}) {
      SCOPED_TRACE(StrCat(threads, " threads, ", left));
      space_.reset();
      OpenSpace(4 * kMebibyte);
      StatusOr<NameRuns> runs = NameRuns::Create(NameRuns::kMinBytes, threads, budget_);
      ASSERT_TRUE(runs.ok());
      for (size_t at = 0; at < all.size(); at += 1000) {
        const NameList some =
            ListOf({all.begin() + ptrdiff_t(at), all.begin() + ptrdiff_t(at + 1000)});
        ASSERT_TRUE(runs->Add(some, *space_).ok());
      }
      EXPECT_GT(runs->runs().size(), 6u);
      const auto held = budget_.Reserve(budget_.available_bytes() - left, "the rest");
      ASSERT_TRUE(held.ok());
      const StatusOr<NameRun> sorted = runs->Merge(*space_, budget_);
      ASSERT_TRUE(sorted.ok()) << sorted.status().message();
      EXPECT_EQ(sorted->num_names, want.size());
      EXPECT_EQ(NamesIn(*sorted->stream), want);
    }
  }
}

TEST_F(NameRunsTest, RanksAreFoundInEverySlice) {
  OpenSpace(16 * kMebibyte);
  const std::vector<std::string> all = RandomNames(2, 50'000);
  NameRuns runs = NameRuns::Create(4 * kMebibyte, 2, budget_).value();
  ASSERT_TRUE(runs.Add(ListOf(all), *space_).ok());
  const NameRun sorted = runs.Merge(*space_, budget_).value();
  const std::vector<std::string> names = NamesIn(*sorted.stream);
  EXPECT_EQ(NameRanks::NumSlices(names.size(), 64 * kMebibyte), 1u);
  const uint64_t slices = NameRanks::NumSlices(names.size(), 100'000);
  EXPECT_GT(slices, 3u);
  for (const uint64_t seed : {0, 7}) {
    for (const uint64_t count : {uint64_t{1}, slices}) {
      std::vector<int> found(names.size());
      for (HashSlice slice{.count = count}; slice.index < count; ++slice.index) {
        const auto ranks = NameRanks::Create(sorted, seed, slice, 2, budget_);
        ASSERT_TRUE(ranks.ok()) << ranks.status().message();
        for (size_t rank = 0; rank < names.size(); ++rank) {
          const uint64_t id = HashName(names[rank], seed);
          if (!slice.Holds(id)) continue;
          EXPECT_EQ(ranks->Find(id), rank);
          ++found[rank];
        }
      }
      EXPECT_EQ(std::count(found.begin(), found.end(), 1), ptrdiff_t(names.size()));
    }
  }
}

TEST_F(NameRunsTest, AFilterForgetsButNeverInvents) {
  NameFilter filter = NameFilter::Create(NameFilter::kMinBytes, budget_).value();
  const auto add = [&filter](const std::string& name) {
    return filter.Add(HashName(name, 0), name);
  };
  int known = 0;
  for (int i = 0; i < 100'000; ++i) EXPECT_FALSE(add(StrCat(i)));
  for (int i = 0; i < 100'000; ++i) known += add(StrCat(i));
  EXPECT_LT(known, 100'000);
  for (int i = 0; i < 1000; ++i) add(StrCat("x", i));
  for (int i = 0; i < 1000; ++i) known += add(StrCat("x", i)) ? 0 : 1;
  EXPECT_TRUE(add("x999"));
  // Two names with one hash are different names.
  ASSERT_EQ(HashName(kTwin, 0), HashName(kOtherTwin, 0));
  NameFilter empty = NameFilter::Create(NameFilter::kMinBytes, budget_).value();
  for (const bool known_before : {false, true}) {
    for (const std::string& name : {kTwin, kOtherTwin}) {
      EXPECT_EQ(empty.Add(HashName(name, 0), name), known_before);
    }
  }
}

/// Two names with one hash are also two vertices, if they are close, far apart, or in a list of
/// vertices.
TEST(NamesIngest, NamesOfOneHashAreTwoVertices) {
  const TemporaryDirectory directory;
  const std::string near = StrCat("one ", kTwin, "\n", kOtherTwin, " two\n");
  std::string apart = StrCat("one ", kTwin, "\n");
  for (int i = 0; i < 20'000; ++i) apart += "one two\n";
  apart += StrCat(kOtherTwin, " two\n");
  for (const std::string& text : {near, apart}) {
    const std::string path = directory.Write("twins.el", text);
    for (const uint64_t seed : {0, 1}) {
      ReadOptions read;
      read.chunk_bytes = 4096;
      const auto source = OpenEdgeReader({path}, read);
      ASSERT_TRUE(source.ok());
      MemoryGraphWriter writer(1024, 4);
      IngestOptions options;
      options.name_seed = seed;
      options.block_edges = 1024;
      options.page_blocks = 4;
      MemoryBudget budget(uint64_t{1} << 30);
      Progress progress;
      const auto report = IngestInto(**source, writer, options, budget, progress);
      if (seed == 0) {
        ASSERT_EQ(report.status().code(), Code::kBadData);
        EXPECT_NE(report.status().message().find("--name-seed 1"), std::string_view::npos);
        continue;
      }
      ASSERT_TRUE(report.ok()) << report.status().message();
      EXPECT_EQ(report->num_vertices, 4u);
      EXPECT_EQ(writer.Names(), (std::vector<std::string>{"one", "two", kTwin, kOtherTwin}));
    }
  }
}

/// Names in the least memory, spilled and in several slices, give the same graph as in much memory.
TEST(NamesIngest, MemoryAndThreadsChangeNothing) {
  const TemporaryDirectory directory;
  Random random(5);
  std::string text;
  for (int i = 0; i < 400'000; ++i) {
    text += StrCat("vertex-", random.Below(150'000), " vertex-", random.Below(150'000), "\n");
  }
  const std::string path = directory.Write("a.el", text);
  std::vector<std::byte> names, neighbors;
  for (const uint64_t mebibytes : {72, 1024}) {
    for (const int threads : {1, 4}) {
      SCOPED_TRACE(StrCat(mebibytes, " MiB, ", threads, " threads"));
      ReadOptions read;
      read.chunk_bytes = 128 << 10;
      const auto source = OpenEdgeReader({path}, read);
      ASSERT_TRUE(source.ok());
      MemoryGraphWriter writer(1024, 4);
      IngestOptions options;
      options.threads = threads;
      options.block_edges = 1024;
      options.page_blocks = 4;
      if (mebibytes < 100) options.spill_memory_bytes = 1 << 20;
      MemoryBudget budget(mebibytes << 20);
      Progress progress;
      const auto report = IngestInto(**source, writer, options, budget, progress);
      ASSERT_TRUE(report.ok()) << report.status().message();
      if (names.empty()) {
        names = writer.Bytes(ColumnKind::kNames);
        neighbors = writer.Bytes(ColumnKind::kOutNeighbors);
        const std::vector<std::string> all = writer.Names();
        EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
        EXPECT_EQ(all.size(), report->num_vertices);
      }
      EXPECT_TRUE(writer.Bytes(ColumnKind::kNames) == names);
      EXPECT_TRUE(writer.Bytes(ColumnKind::kOutNeighbors) == neighbors);
    }
  }
}

}  // namespace
}  // namespace edgemill
