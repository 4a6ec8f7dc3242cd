// Ingests of random inputs with random options, budgets and threads are killed at every point and
// resumed. The bytes are those of an uninterrupted ingest.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "common/random.h"
#include "loaders/ingest/ingest.h"
#include "test/graphs/list_source.h"
#include "test/ingest_in_child.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kGroups = 6;  // groups of seeds, one for each test

/// Edges among ids that are dense, far apart, or too large for 32 bits, with repeated edges and
/// loops; some vertices have many.
EdgeList RandomList(Random& random) {
  EdgeList list{.name = "random", .weighted = random.Below(2) == 0};
  const uint64_t vertices = 1 + random.Below(random.Below(2) == 0 ? 50 : 5000);
  const uint64_t stride = uint64_t{1} << (random.Below(3) == 0 ? random.Below(45) : 0);
  const uint64_t first = random.Below(3) == 0 ? random.Below(uint64_t{1} << 34) : random.Below(2);
  const bool reals = random.Below(3) == 0;
  if (random.Below(4) == 0) list.name_prefix = "v";
  const auto id = [&](uint64_t v) { return first + v * stride; };
  if (random.Below(3) == 0) {
    for (uint64_t v = 0; v < vertices; ++v) list.ids.push_back(id(v));
  }
  const uint64_t edges = random.Below(40'000);
  for (uint64_t i = 0; i < edges; ++i) {
    const uint64_t source = random.Below(1 + random.Below(vertices));
    const uint64_t target = random.Below(9) == 0 ? source : random.Below(vertices);
    // The weight is nearly always a function of the two ends, so that both directions agree.
    const uint64_t weight = (source ^ target) % 97 + (random.Below(5000) == 0 ? 1 : 0);
    list.edges.push_back({id(source), id(target), double(weight) + (reals ? 0.1 : 0)});
  }
  return list;
}

IngestOptions RandomOptions(Random& random, const fs::path& root) {
  IngestOptions options;
  options.data_directories = {root / "d1", root / "d2"};
  options.uuid = Uuid::Parse("00000000-0000-4000-8000-000000000001").value();
  options.block_edges = 128u << random.Below(5);
  options.page_blocks = uint32_t{1} << random.Below(5);
  options.direction = static_cast<EdgeDirection>(random.Below(5));
  if (random.Below(3) == 0) options.columns = static_cast<ColumnChoice>(random.Below(3));
  if (random.Below(2) == 0) options.weights.kind = static_cast<WeightChoice::Kind>(random.Below(6));
  if (random.Below(2) == 0) options.weights_in = static_cast<ColumnChoice>(random.Below(3));
  if (random.Below(4) == 0) options.ids = IdMode::kSparse;
  if (random.Below(2) == 0) options.duplicates = static_cast<DuplicateRule>(random.Below(5));
  options.keep_loops = random.Below(3) > 0;
  options.renumbering = static_cast<Renumbering>(random.Below(3));
  options.checkpoint_bytes = uint64_t{32 << 10} << random.Below(6);
  if (random.Below(3) > 0) {
    options.max_sort_edges = 2000 + random.Below(20'000);
    options.spill_memory_bytes = uint64_t{256 << 10} << random.Below(3);
  }
  return options;
}

/// What may change between an ingest and its resumption.
struct Means {
  uint64_t mebibytes;
  int threads;
};

Means RandomMeans(Random& random) {
  constexpr int kThreads[] = {1, 2, 3, 4, 7, 16, 33, 64};
  return {64 + random.Below(4) * random.Below(60), kThreads[random.Below(8)]};
}

class RandomIngest {
 public:
  explicit RandomIngest(uint64_t seed)
      : random_(seed),
        list_(RandomList(random_)),
        options_(RandomOptions(random_, scratch_.path())) {}

  /// Kills an ingest at each point, when it is reached for the 1st, 2nd, 4th, ... time, or at a few
  /// of these times. Returns the number of kills.
  int KillEverywhere(bool all) {
    const int undisturbed = Run(false, "");
    const Left want = ReadLeft(undisturbed);
    int kills = 0;
    for (const char* point :
         {"ingest.begun", "ingest.chunk", "ingest.placed", "ingest.read_checkpoint", "ingest.read",
          "ingest.split", "ingest.prepared", "ingest.bucket", "ingest.page",
          "ingest.encode_checkpoint", "storage.checkpoint.begin", "storage.checkpoint.synced",
          "storage.checkpoint.written", "storage.commit.synced", "storage.commit.written",
          "storage.commit.cleaned"}) {
      for (int visit = 1; visit <= 64; visit *= 2) {
        if (!all && random_.Below(12) > 0) continue;
        const std::string kill = StrCat(point, ":", visit);
        SCOPED_TRACE(kill);
        scratch_.Empty();
        int code = Run(false, kill);
        if (code != 1000 + SIGKILL) {  // the run does not reach the point, or not so often
          EXPECT_EQ(code, undisturbed);
          break;
        }
        ++kills;
        const bool committed =
            kill.starts_with("storage.commit.") && !kill.starts_with("storage.commit.synced");
        // The resume may be killed too, at the same point.
        code = Run(true, random_.Below(2) == 0 ? StrCat(point, ":1") : "");
        if (code == 1000 + SIGKILL) code = Run(true, "");
        // A whole graph cannot be resumed, and says so.
        if (code == static_cast<int>(Code::kOutput)) code = 0;
        EXPECT_EQ(code, undisturbed);
        EXPECT_TRUE(ReadLeft(code) == want);
        if (testing::Test::HasFailure()) return kills;
        if (committed) break;
      }
    }
    return kills;
  }

 private:
  struct Left {
    std::map<std::string, std::string> segments;
    std::string records;
    bool operator==(const Left&) const = default;
  };

  /// Ingests or resumes with random memory and threads. If the memory is too small, tries again
  /// with more.
  int Run(bool resume, const std::string& kill) {
    Means context = RandomMeans(random_);
    int code = RunOn(context, resume, kill);
    if (code != static_cast<int>(Code::kBudget)) return code;
    context.mebibytes = 1024;
    return RunOn(context, fs::exists(scratch_ / "g.mill"), kill);
  }

  int RunOn(const Means& context, bool resume, const std::string& kill) {
    return RunInChild(kill, [&]() -> Status {
      ListSource source(list_);
      IngestOptions options = options_;
      options.threads = context.threads;
      MemoryBudget budget(context.mebibytes << 20);
      Progress progress;
      const std::string path = scratch_ / "g.mill";
      return (resume ? ResumeIngest(source, path, {options, true}, budget, progress)
                     : Ingest(source, path, options, budget, progress))
          .status();
    });
  }

  /// Returns the contents of a whole graph; empty if the graph could not be made.
  Left ReadLeft(int code) {
    if (code != 0) return {};
    return {Segments(scratch_.path()), Records(scratch_.path())};
  }

  const TemporaryDirectory scratch_;
  Random random_;
  const EdgeList list_;
  const IngestOptions options_;
};

class IngestRandomTest : public testing::TestWithParam<uint64_t> {};

TEST_P(IngestRandomTest, KilledAnywhereComesOutTheSame) {
  const bool all = std::getenv("EDGEMILL_TEST_ALL") != nullptr;  // more inputs, killed everywhere
  int kills = 0;
  for (uint64_t seed = GetParam(); seed < (all ? 96u : kGroups); seed += kGroups) {
    SCOPED_TRACE(StrCat("seed ", seed));
    kills += RandomIngest(seed).KillEverywhere(all);
    if (testing::Test::HasFailure()) break;
  }
  std::printf("killed %d times\n", kills);
  EXPECT_GE(kills, all ? 40 : 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, IngestRandomTest, testing::Range(uint64_t{0}, kGroups));

}  // namespace
}  // namespace edgemill
