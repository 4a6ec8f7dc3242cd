// Edge columns: their passes killed and resumed, in small buckets and with files that change.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "loaders/ingest/ingest.h"
#include "loaders/read/edge_reader.h"
#include "test/ingest_in_child.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLines = 60'000;

/// An ingest of a file with two edge columns, in a folder of its own.
struct ColumnsCase {
  std::optional<Renumbering> renumbering = Renumbering::kNone;
  IdMode ids = IdMode::kAuto;
  EdgeDirection direction = EdgeDirection::kDirected;
  DuplicateRule duplicates = DuplicateRule::kKeep;
};

/// Parallel edges have values of their own; `shift` makes another order of them.
void WriteEdges(const fs::path& path, uint64_t shift = 0) {
  std::ofstream file(path);
  file << "source,target,first,second\n";
  for (uint64_t i = 0; i < kLines; ++i) {
    const uint64_t pair = i % (kLines / 3);  // each pair three times
    file << pair % 997 << ',' << pair * 7919 % 4999 << ',' << (i + shift) % kLines << ",kind "
         << i % 5 << '\n';
  }
}

Status RunColumnsOnce(const ColumnsCase& setup, const fs::path& input, const fs::path& root,
                      bool resume, bool asks_again = true) {
  IngestOptions options;
  options.data_directories = {root / "d1", root / "d2"};
  options.uuid = Uuid::Parse("00000000-0000-4000-8000-000000000001").value();
  options.block_edges = 1024;
  options.page_blocks = 4;
  options.max_sort_edges = 8192;
  options.spill_memory_bytes = 512 << 10;
  options.checkpoint_bytes = 128 << 10;
  options.threads = 2;
  options.renumbering = setup.renumbering;
  options.ids = setup.ids;
  options.direction = setup.direction;
  options.duplicates = setup.duplicates;
  options.edge_columns = {{.name = "first"}, {.name = "second"}};
  ReadOptions read;
  ReadFor(options, &read);
  read.chunk_bytes = 32 << 10;
  if (!asks_again) read.edge_columns.clear();
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source,
                   OpenEdgeReader({input.string()}, read));
  MemoryBudget budget(uint64_t{96} << 20);
  Progress progress;
  const StatusOr<IngestReport> report =
      resume ? ResumeIngest(*source, root / "g.mill", {options, asks_again}, budget, progress)
             : Ingest(*source, root / "g.mill", options, budget, progress);
  return report.ok() ? OkStatus() : report.status();
}

int InChild(const ColumnsCase& setup, const fs::path& input, const fs::path& root, bool resume,
            const std::string& kill) {
  return RunInChild(kill, [&] { return RunColumnsOnce(setup, input, root, resume); });
}

void ExpectSameColumnsAfterKills(const ColumnsCase& setup) {
  const TemporaryDirectory scratch, inputs;
  const fs::path input = fs::path(inputs.path()) / "edges.csv";
  WriteEdges(input);
  ASSERT_EQ(InChild(setup, input, scratch.path(), false, ""), 0);
  const auto want = Segments(scratch.path());
  ASSERT_FALSE(want.empty());
  const std::string want_records = Records(scratch.path());
  int killed = 0;
  for (const char* point :
       {"ingest.chunk:9", "ingest.read", "ingest.prepared", "ingest.encoded_out",
        "ingest.encoded_in", "ingest.chunk:60", "ingest.bucket:9", "ingest.page:20",
        "ingest.column", "ingest.page:60", "ingest.column:2", "storage.checkpoint.written:4",
        "storage.commit.synced"}) {
    SCOPED_TRACE(point);
    scratch.Empty();
    const int first = InChild(setup, input, scratch.path(), false, point);
    if (first == 0) continue;  // this setup does not reach that point
    ASSERT_EQ(first, 1000 + SIGKILL);
    ++killed;
    ASSERT_EQ(InChild(setup, input, scratch.path(), true, ""), 0);
    EXPECT_TRUE(Records(scratch.path()) == want_records);
    EXPECT_TRUE(Segments(scratch.path()) == want);
  }
  EXPECT_GE(killed, 9);
}

TEST(EdgeColumnsCrashTest, DirectedComesOutTheSame) { ExpectSameColumnsAfterKills({}); }

TEST(EdgeColumnsCrashTest, RenumberedAndBothWaysComesOutTheSame) {
  ExpectSameColumnsAfterKills(
      {.renumbering = Renumbering::kDegree, .direction = EdgeDirection::kUndirected});
}

TEST(EdgeColumnsCrashTest, NamesComeOutTheSame) {
  ExpectSameColumnsAfterKills({.ids = IdMode::kStrings});
}

TEST(EdgeColumnsCrashTest, MergedComesOutTheSame) {
  ExpectSameColumnsAfterKills(
      {.renumbering = Renumbering::kRandom, .duplicates = DuplicateRule::kFirst});
}

/// Resumes a graph of which one column is stored. Returns the code of its error.
Code ResumeWith(const std::function<void(const fs::path& input)>& change, bool asks_again = true) {
  const TemporaryDirectory scratch, inputs;
  const fs::path input = fs::path(inputs.path()) / "edges.csv";
  WriteEdges(input);
  EXPECT_EQ(InChild({}, input, scratch.path(), false, "ingest.column"), 1000 + SIGKILL);
  change(input);
  Code code = Code::kOk;
  // In a child, for the codes of Status are not exit codes.
  const fs::path said = fs::path(inputs.path()) / "said";
  RunInChild("", [&]() -> Status {
    const Status status = RunColumnsOnce({}, input, scratch.path(), true, asks_again);
    std::ofstream(said) << static_cast<int>(status.code());
    return status;
  });
  int number = 0;
  std::ifstream(said) >> number;
  code = static_cast<Code>(number);
  return code;
}

TEST(EdgeColumnsResumeTest, AnotherInputIsRefused) {
  EXPECT_EQ(ResumeWith([](const fs::path&) {}), Code::kOk);
  EXPECT_EQ(ResumeWith([](const fs::path&) {}, /*asks_again=*/false), Code::kUsage);
  // As many bytes, but other values at the front.
  EXPECT_EQ(ResumeWith([](const fs::path& input) { WriteEdges(input, 1); }), Code::kUsage);
  // Another edge far behind the front: found when its edges have been read.
  EXPECT_EQ(ResumeWith([](const fs::path& input) {
              std::fstream file(input, std::ios::in | std::ios::out);
              file.seekg(0, std::ios::end);
              const auto size = file.tellg();
              std::string line;
              file.seekg(size / 2);
              std::getline(file, line);
              const auto at = file.tellg();
              const int digit = file.peek();
              file.seekp(at);
              file.put(digit == '1' ? '2' : '1');
            }),
            Code::kBadData);
}

TEST(EdgeColumnsTest, SourcesWithoutColumnsAreRefused) {
  const TemporaryDirectory scratch;
  const fs::path input = fs::path(scratch.path()) / "edges.el";
  std::ofstream(input) << "0 1\n1 2\n";
  IngestOptions options;
  options.edge_columns = {{.name = "first"}};
  ReadOptions read;
  const auto source = OpenEdgeReader({input.string()}, read).value();
  MemoryBudget budget(uint64_t{128} << 20);
  Progress progress;
  const auto report =
      Ingest(*source, fs::path(scratch.path()) / "g.mill", options, budget, progress);
  EXPECT_EQ(report.status().code(), Code::kUsage);
  EXPECT_FALSE(fs::exists(fs::path(scratch.path()) / "g.mill"));
}

}  // namespace
}  // namespace edgemill
