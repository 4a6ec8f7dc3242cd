// Ingest killed at its named points, then resumed: the graph's files are those of an uninterrupted
// ingest.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "loaders/generate/generator.h"
#include "loaders/ingest/ingest.h"
#include "test/graphs/list_source.h"
#include "test/ingest_in_child.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

struct CrashCase {
  std::optional<Renumbering> renumbering = Renumbering::kNone;
  GeneratorKind kind = GeneratorKind::kWeb;
  bool weighted = false;
  ColumnChoice weights_in = ColumnChoice::kBoth;
  EdgeDirection direction = EdgeDirection::kDirected;
  int threads = 2;
  uint64_t mebibytes = 96;
  int scale = 13;
  bool small_parts = true;  // many buckets, spills and checkpoints
};

IngestOptions OptionsFor(const CrashCase& setup, const fs::path& root) {
  IngestOptions options;
  options.data_directories = {root / "d1", root / "d2"};
  options.uuid = Uuid::Parse("00000000-0000-4000-8000-000000000001").value();
  options.block_edges = 1024;
  options.page_blocks = 4;
  if (setup.small_parts) {
    // The number of parts is the same at each scale.
    options.max_sort_edges = uint64_t{1} << setup.scale;
    options.spill_memory_bytes = uint64_t{64} << setup.scale;
    options.checkpoint_bytes = uint64_t{16} << setup.scale;
  }
  options.direction = setup.direction;
  options.renumbering = setup.renumbering;
  if (setup.weighted) options.weights.kind = WeightChoice::Kind::kRandom;
  options.weights_in = setup.weights_in;
  options.threads = setup.threads;
  return options;
}

Status RunOnce(const CrashCase& setup, const fs::path& root, bool resume) {
  GeneratorOptions generator;
  generator.kind = setup.kind;
  generator.scale = setup.scale;
  StatusOr<std::unique_ptr<EdgeSource>> source = MakeGenerator(generator);
  if (!source.ok()) return source.status();
  MemoryBudget budget(setup.mebibytes << 20);
  Progress progress;
  const IngestOptions options = OptionsFor(setup, root);
  const StatusOr<IngestReport> report =
      resume ? ResumeIngest(**source, root / "g.mill", {options, true}, budget, progress)
             : Ingest(**source, root / "g.mill", options, budget, progress);
  return report.ok() ? OkStatus() : report.status();
}

/// Runs the ingest, or resumes it, in a child. Returns its exit code, or 1000 + the signal.
int IngestInChild(const CrashCase& setup, const fs::path& root, bool resume,
                  const std::string& kill) {
  return RunInChild(kill, [&] { return RunOnce(setup, root, resume); });
}

void ExpectSameAfterKills(const CrashCase& setup) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(IngestInChild(setup, scratch.path(), false, ""), 0);
  const auto want = Segments(scratch.path());
  ASSERT_FALSE(want.empty());
  const std::string want_records = Records(scratch.path());
  ASSERT_FALSE(want_records.empty());
  int killed = 0;
  for (const char* point : {"ingest.begun", "ingest.chunk:5", "ingest.placed", "ingest.placed:11",
                            "ingest.read_checkpoint", "ingest.read_checkpoint:2", "ingest.read",
                            "ingest.split:2", "ingest.prepared", "ingest.bucket:3", "ingest.page:7",
                            "ingest.encode_checkpoint", "ingest.encode_checkpoint:3",
                            "ingest.encoded_out", "ingest.encoded_in", "storage.commit.synced"}) {
    SCOPED_TRACE(point);
    scratch.Empty();
    const int first = IngestInChild(setup, scratch.path(), false, point);
    if (first == 0) continue;  // this setup does not reach that point
    ASSERT_EQ(first, 1000 + SIGKILL);
    ++killed;
    ASSERT_EQ(IngestInChild(setup, scratch.path(), true, ""), 0);
    EXPECT_TRUE(Records(scratch.path()) == want_records);
    const auto got = Segments(scratch.path());
    ASSERT_EQ(got.size(), want.size());
    for (const auto& [name, contents] : want) {
      ASSERT_TRUE(got.count(name) == 1) << name;
      EXPECT_TRUE(got.at(name) == contents) << name;
    }
  }
  EXPECT_GE(killed, 8);
}

/// Edges are spilled or in memory, in many buckets or few, on one thread or on more than memory
/// allows.
TEST(IngestCrashTest, ThreadsAndMemoryChangeNothing) {
  const TemporaryDirectory scratch;
  for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
    std::map<std::string, std::string> want;
    for (const int threads : {1, 2, 4, 16}) {
      for (const uint64_t mebibytes : {64, 512}) {
        SCOPED_TRACE(StrCat(threads, " threads, ", mebibytes, " MiB"));
        scratch.Empty();
        CrashCase setup{.renumbering = renumbering, .weighted = true};
        setup.threads = threads;
        setup.mebibytes = mebibytes;
        setup.small_parts = mebibytes == 64;
        ASSERT_EQ(IngestInChild(setup, scratch.path(), false, ""), 0);
        const auto got = Segments(scratch.path());
        ASSERT_FALSE(got.empty());
        if (want.empty()) want = got;
        EXPECT_TRUE(got == want);
      }
    }
  }
}

/// Which files of an unfinished ingest are damaged.
enum class Damaged { kSpills, kCatalog };

/// Flips bits of the files of an ingest that was killed: of each temporary file, or of the catalog
/// with its journal. It flips a bit in every 4 KiB; without EDGEMILL_TEST_ALL, in at most eight
/// places. A resume gives the same graph, or says that the file is damaged.
void ExpectDamageIsFound(const CrashCase& setup, Damaged damaged_files) {
  const size_t most = std::getenv("EDGEMILL_TEST_ALL") != nullptr ? 1'000'000 : 8;
  const TemporaryDirectory scratch, kept;
  ASSERT_EQ(IngestInChild(setup, scratch.path(), false, ""), 0);
  const auto want = Segments(scratch.path());
  size_t damaged = 0, found = 0;
  for (const char* point : {"ingest.read_checkpoint:2", "ingest.read", "ingest.prepared",
                            "ingest.encode_checkpoint", "ingest.encoded_out"}) {
    SCOPED_TRACE(point);
    scratch.Empty();
    if (IngestInChild(setup, scratch.path(), false, point) == 0) continue;
    kept.Empty();
    fs::copy(scratch.path(), kept.path(), fs::copy_options::recursive);
    std::vector<std::pair<std::string, uint64_t>> places;
    for (const auto& entry : fs::recursive_directory_iterator(kept.path())) {
      const bool is_chosen = damaged_files == Damaged::kSpills
                                 ? entry.path().extension() == ".spill"
                                 : entry.path().parent_path() == kept / "g.mill/catalog";
      if (!is_chosen) continue;
      for (uint64_t at = 0; at < entry.file_size(); at += 4096) {
        places.emplace_back(fs::relative(entry.path(), kept.path()).string(), at);
      }
    }
    std::sort(places.begin(), places.end());
    const size_t step = std::max<size_t>(1, places.size() / most);
    for (size_t i = step / 2; i < places.size(); i += step) {
      const auto& [name, at] = places[i];
      SCOPED_TRACE(StrCat(name, ", byte ", at));
      scratch.Empty();
      fs::copy(kept.path(), scratch.path(), fs::copy_options::recursive);
      FlipBits(scratch / name, at, 16);
      ++damaged;
      const int code = IngestInChild(setup, scratch.path(), true, "");
      if (code == static_cast<int>(Code::kBadData)) {
        ++found;
      } else {
        ASSERT_EQ(code, 0);
        ASSERT_TRUE(Segments(scratch.path()) == want);
      }
    }
  }
  std::printf("%zu places were damaged, %zu were read and refused\n", damaged, found);
  // Up to half of a file may be preallocated space.
  EXPECT_GT(found, damaged / 16);
}

TEST(IngestCrashTest, DamagedSpillsWithWeightsAreFound) {
  ExpectDamageIsFound({.weighted = true, .scale = 11}, Damaged::kSpills);
}
TEST(IngestCrashTest, DamagedSpillsWhileRenumberingAreFound) {
  ExpectDamageIsFound({.renumbering = Renumbering::kDegree, .scale = 11}, Damaged::kSpills);
}
TEST(IngestCrashTest, DamagedSpillsWhileSymmetrizingAreFound) {
  ExpectDamageIsFound({.direction = EdgeDirection::kSymmetrize, .scale = 11}, Damaged::kSpills);
}
TEST(IngestCrashTest, ADamagedJournalIsFound) {
  ExpectDamageIsFound({.renumbering = Renumbering::kDegree, .weighted = true}, Damaged::kCatalog);
}

// An id that is too large for the sets of ids in little memory is not too large in more memory.
TEST(IngestCrashTest, LargeListedIdsAreResumedInMoreMemory) {
  EdgeList list{.name = "listed"};
  for (ExternalId v = 0; v < 50; ++v) list.ids.push_back(v < 25 ? v : 600'000'000 + v);
  for (uint64_t i = 0; i < 5000; ++i) list.edges.push_back({list.ids[i % 49], list.ids[i % 50], 1});
  for (const bool lists_all : {false, true}) {
    const TemporaryDirectory scratch;
    const auto run = [&](uint64_t mebibytes, bool resume, const std::string& kill) {
      return RunInChild(kill, [&]() -> Status {
        ListSource source(list);
        source.mutable_info().has_vertex_list = lists_all;
        const IngestOptions options = OptionsFor({.scale = 10}, scratch.path());
        MemoryBudget budget(mebibytes << 20);
        Progress progress;
        const std::string path = scratch / "g.mill";
        return (resume ? ResumeIngest(source, path, {options, true}, budget, progress)
                       : Ingest(source, path, options, budget, progress))
            .status();
      });
    };
    ASSERT_EQ(run(96, false, ""), 0);
    const auto segments = Segments(scratch.path());
    const std::string records = Records(scratch.path());
    scratch.Empty();
    ASSERT_EQ(run(96, false, "ingest.split:1"), 1000 + SIGKILL);
    EXPECT_EQ(run(1024, true, ""), 0);
    EXPECT_TRUE(Segments(scratch.path()) == segments);
    EXPECT_TRUE(Records(scratch.path()) == records);
  }
}

TEST(IngestCrashTest, DirectedComesOutTheSame) { ExpectSameAfterKills({}); }

TEST(IngestCrashTest, WeightedAndRenumberedComesOutTheSame) {
  CrashCase setup;
  setup.weighted = true;
  setup.renumbering = Renumbering::kDegree;
  ExpectSameAfterKills(setup);
}

/// The first edges of the input decide the order of vertices, here by degree. A resume keeps this
/// order.
TEST(IngestCrashTest, WeightsOfOneDirectionComeOutTheSame) {
  for (const ColumnChoice weights_in : {ColumnChoice::kOut, ColumnChoice::kIn}) {
    ExpectSameAfterKills({.weighted = true, .weights_in = weights_in});
  }
}

TEST(IngestCrashTest, AnOpenOrderComesOutTheSame) {
  ExpectSameAfterKills({.renumbering = std::nullopt, .kind = GeneratorKind::kUniform});
}

TEST(IngestCrashTest, SymmetrizedComesOutTheSame) {
  CrashCase setup;
  setup.direction = EdgeDirection::kSymmetrize;
  ExpectSameAfterKills(setup);
}

}  // namespace
}  // namespace edgemill
