// Edges that are found to be bad only after they were read. The error names the input's ids, file
// and line, also in an ingest that was killed and resumed.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <string>
#include <vector>

#include "loaders/ingest/ingest.h"
#include "loaders/read/edge_reader.h"
#include "test/graphs/written_graph.h"
#include "test/ingest_in_child.h"

namespace edgemill {
namespace {

constexpr int kKilled = 1000 + SIGKILL;

struct BadInput {
  std::string name;
  std::string file;
  std::string contents;
  IngestOptions options;
  std::string kill_point;
  std::string want;  // the beginning of the message after the directory
};

IngestOptions Squeezed(EdgeDirection direction) {
  IngestOptions options;
  options.direction = direction;
  options.max_sort_edges = 8000;
  options.spill_memory_bytes = 512 << 10;
  options.checkpoint_bytes = 128 << 10;
  options.threads = 2;
  return options;
}

/// A path over ids 1000, 1003, 1006, ..., with two lines for each step, one in each direction.
constexpr uint64_t kSteps = 60'000;
uint64_t IdOf(uint64_t step) { return 1000 + 3 * step; }
std::string Path(std::string_view weight) {
  std::string text;
  for (uint64_t i = 0; i < kSteps; ++i) {
    text +=
        StrCat(IdOf(i), " ", IdOf(i + 1), weight, "\n", IdOf(i + 1), " ", IdOf(i), weight, "\n");
  }
  return text;
}

std::vector<BadInput> BadInputs() {
  const std::string path = Path("");
  const std::string weighted = Path(" 2000000000");
  const auto begin = [](const std::string& name, uint64_t lines) {
    return StrCat(name, ":", lines + 1, ":1: ");
  };
  std::vector<BadInput> inputs;
  BadInput one_way{"one-way edge",
                   "g.el",
                   path + "1006 4000\n" + path,
                   Squeezed(EdgeDirection::kSymmetric),
                   "ingest.read_checkpoint",
                   begin("g.el", 2 * kSteps) + "edge 1006 -> 4000 has no edge"};
  inputs.push_back(one_way);
  one_way.name += ", renumbered";
  one_way.options.renumbering = Renumbering::kDegree;
  one_way.kill_point = "ingest.read";
  inputs.push_back(one_way);
  BadInput large{"large id",
                 "g.el",
                 path + "7 800001\n900000 900001\n",
                 Squeezed(EdgeDirection::kDirected),
                 "ingest.read_checkpoint",
                 begin("g.el", 2 * kSteps) + "vertex id 800001 is beyond"};
  large.options.ids = IdMode::kDense;
  large.options.max_vertex_id = 800'000;
  inputs.push_back(large);
  BadInput weight{"weight",
                  "g.wel",
                  weighted + "7 8 1.5\n" + weighted + "9 9 2.5\n",
                  Squeezed(EdgeDirection::kDirected),
                  "ingest.read_checkpoint",
                  begin("g.wel", 2 * kSteps) + "the weight 1.5 of edge 7 -> 8 "};
  weight.options.weights.kind = WeightChoice::Kind::kInt32;
  inputs.push_back(weight);
  BadInput sum{"sum of weights",
               "g.wel",
               weighted + "1003 1000 2000000000\n",
               Squeezed(EdgeDirection::kDirected),
               "ingest.prepared",
               "g.wel:2:1: the weights of edge 1003 -> 1000 add up to "};
  sum.options.duplicates = DuplicateRule::kSum;
  inputs.push_back(sum);
  sum.name += ", renumbered";
  sum.options.renumbering = Renumbering::kHub;
  inputs.push_back(sum);
  return inputs;
}

Status IngestOnce(const BadInput& bad, const TemporaryDirectory& root, bool resume) {
  auto source = OpenEdgeReader({root / bad.file}, {.chunk_bytes = 64 << 10});
  if (!source.ok()) return source.status();
  MemoryBudget budget(uint64_t{96} << 20);
  Progress progress;
  const std::string out = root / "g.mill";
  return (resume ? ResumeIngest(**source, out, {bad.options, true}, budget, progress)
                 : Ingest(**source, out, bad.options, budget, progress))
      .status();
}

/// Ingests in a child. If `kill`, the child is killed at the input's kill point. Returns its exit
/// code, or 1000 + the signal. The child writes its message to the file "message".
int IngestInChild(const BadInput& bad, const TemporaryDirectory& root, bool resume, bool kill) {
  return RunInChild(kill ? bad.kill_point : "", [&]() -> Status {
    const Status status = IngestOnce(bad, root, resume);
    RETURN_IF_ERROR(WriteFileAtomically(root / "message", status.message()));
    return status;
  });
}

TEST(IngestPlacesTest, NamesIdsFileAndLineAlsoAfterAKill) {
  for (const BadInput& bad : BadInputs()) {
    SCOPED_TRACE(bad.name);
    for (const bool killed : {false, true}) {
      const TemporaryDirectory root;
      ASSERT_TRUE(WriteFileAtomically(root / bad.file, bad.contents).ok());
      if (killed) {
        ASSERT_EQ(IngestInChild(bad, root, false, true), kKilled);
      }
      EXPECT_EQ(IngestInChild(bad, root, killed, false), static_cast<int>(Code::kBadData));
      std::ifstream file(root / "message");
      std::string message;
      std::getline(file, message);
      EXPECT_TRUE(message.starts_with(root / bad.want)) << message << "\nwanted " << bad.want;
    }
  }
}

TEST(IngestPlacesTest, FindsTheLineInEveryFormat) {
  struct Format {
    std::string file;
    std::string contents;
    std::string where;
  };
  const std::string matrix = "%%MatrixMarket matrix coordinate pattern general\n% note\n9 9 4\n";
  std::string pairs;
  for (const uint32_t id : {0u, 1u, 1u, 0u, 3u, 5u, 2u, 2u}) {
    pairs.append(reinterpret_cast<const char*>(&id), sizeof(id));
  }
  for (const Format& format :
       {Format{"g.csv", "from,to\n0,1\n\n1,0\n3,5\n2,2\n", ":5:1: edge 3 -> 5"},
        Format{"g.mtx", matrix + "1 2\n2 1\n4 6\n3 3\n", ":6:1: edge 4 -> 6"},
        Format{"g.graph", "% a\n6 3\n2\n1\n\n% b\n6\n\n\n", ":7:1: edge 4 -> 6"},
        Format{"g.bin32", pairs, " (edge 2): edge 3 -> 5"}}) {
    SCOPED_TRACE(format.file);
    const TemporaryDirectory root;
    ASSERT_TRUE(WriteFileAtomically(root / format.file, format.contents).ok());
    BadInput bad{"", format.file, "", Squeezed(EdgeDirection::kSymmetric), "", ""};
    const Status status = IngestOnce(bad, root, false);
    EXPECT_EQ(status.code(), Code::kBadData);
    const std::string message(status.message());
    EXPECT_TRUE(message.starts_with(root / format.file + format.where)) << message;
  }
}

}  // namespace
}  // namespace edgemill
