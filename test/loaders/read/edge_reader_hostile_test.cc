// Hostile input is read exactly, or refused with file, line, column and reason.
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/os/file.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/read/edge_reader.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<ReadEdge>;
using std::string_literals::operator""s;

constexpr uint64_t kMax = kMaxExternalId;

struct Accepted {
  const char* name;
  std::string text;
  Edges edges;
};

struct Refused {
  const char* name;
  std::string text;
  const char* place;   // "LINE:COLUMN"
  const char* reason;  // part of the message
};

const std::string& Mtx() {
  static const std::string& banner = *new std::string("%%MatrixMarket matrix coordinate ");
  return banner;
}

std::vector<Accepted> AcceptedInputs() {
  return {
      {"a.el",
       "0 2147483647\n2147483648 4294967295\n",
       {{0, 2147483647}, {2147483648, 4294967295}}},
      {"b.el",
       "4294967296 9223372036854775807\n9223372036854775808 18446744073709551614\n",
       {{4294967296, 9223372036854775807}, {9223372036854775808u, kMax}}},
      {"c.el", "007 0000000000000000000000000000008\n", {{7, 8}}},
      {"d.el", "1 2\n3 18446744073709551614\n5 6\n", {{1, 2}, {3, kMax}, {5, 6}}},
      {"e.wel",
       "1 2 -1\n1 2 -0.0\n1 2 4.9e-324\n1 2 1e-310\n",
       {{1, 2, -1}, {1, 2, -0.0}, {1, 2, 4.9e-324}, {1, 2, 1e-310}}},
      {"f.wel",
       "1 2 9007199254740992\n1 2 1e308\n1 2 .5\n1 2 5.\n",
       {{1, 2, 9007199254740992.0}, {1, 2, 1e308}, {1, 2, .5}, {1, 2, 5}}},
      {"g.wel", "1 2 0x\n"s.substr(0, 4) + "0.1\n", {{1, 2, 0.1}}},
      {"empty.el", "", {}},
      {"comments.el", "# a\n% b\n// c\n  # d\n", {}},
      {"loop.el", "5 5\n", {{5, 5}}},
      {"note.el", "1 2 # note\n", {{1, 2}}},
      {"crlf.el", "# c\r\n1 2\r\n\r\n3 4\r\n", {{1, 2}, {3, 4}}},
      {"cr.el", "# c\r1 2\r\r3 4", {{1, 2}, {3, 4}}},
      {"bom.el",
       "\xef\xbb\xbf"
       "1 2\n3 4",
       {{1, 2}, {3, 4}}},
      {"tabs.el", "\t 1 \t\t 2  \t\n  \n3\t4\n", {{1, 2}, {3, 4}}},
      {"quoted.csv", "s,t\n\"1\",\"2\"\n", {{1, 2}}},
      {"pad.csv", " 1 , 2 \n3,4\n", {{1, 2}, {3, 4}}},
      {"isolated.graph", "3 0\n\n\n\n", {}},
      {"none.mtx", Mtx() + "pattern general\n0 0 0\n", {}},
      {"spaces.mtx",
       Mtx() + "REAL General\n\n% c\n 2 2 2 \n1 2 1e3\n% d\n\n2 1 -.5\n",
       {{1, 2, 1000}, {2, 1, -.5}}},
      {"late.gr", "c a\nc\np sp 2 1\nc b\na 1 2 3\nc\n", {{1, 2, 3}}},
      {"alone.adj", "1\n2 1 3\n", {{2, 1}, {2, 3}}},
      {"content.txt", "# SNAP\n1\t2\n3\t4\n", {{1, 2}, {3, 4}}},
      {"extra.graph", "2 1\n2\n1\n\n\n", {{1, 2}, {2, 1}}},
  };
}

std::vector<Refused> RefusedIds() {
  return {
      {"a.el", "1 2\n18446744073709551615 3\n", "2:1", "an id above 18446744073709551614"},
      {"b.el", "1 18446744073709551616\n", "1:3", "an id above"},
      {"c.el", "1 -1\n", "1:3", "a negative id"},
      {"d.el", "-0 1\n", "1:1", "a negative id"},
      {"e.el", "1 +1\n", "1:3", "plus sign"},
      {"f.el", "1.0 1\n", "1:2", "decimal point"},
      {"g.el", "1 1e3\n", "1:4", "exponent"},
      {"h.el", "0x10 3\n", "1:2", "hexadecimal"},
      {"i.el", "1 2\n\xd9\xa1 2\n", "2:1", "not ASCII"},
      {"j.el", "1 2\n3\n", "2:2", "too few columns"},
      {"k.csv", "1,2\n1,\n", "2:3", "a missing id"},
      {"l.csv", "1,2\n,2\n", "2:1", "a missing id"},
      {"m.el", "1 2\n" + std::string(3000000, '7') + " 1\n", "2:1", "an id above"},
      {"n.el", "1 2\n" + std::string(6000000, '7') + " 1\n", "2:1", "a line longer"},
      {"o.el", "1 2\na b\n", "2:1", "not a number"},
      {"p.el", "1,2\n3,4\n", "1:2", "use --format csv"},
      {"q.el", "1 2\n1 2 3\n", "2:5", "an extra column"},
      {"s.adj", "1 2\n1 2 x\n", "2:5", "not a number"},
  };
}

std::vector<Refused> RefusedWeights() {
  return {
      {"a.wel", "1 2 NaN\n", "1:5", "not a number (NaN)"},
      {"b.wel", "1 2 inf\n", "1:5", "infinite"},
      {"c.wel", "1 2 -Infinity\n", "1:5", "infinite"},
      {"d.wel", "1 2 1e309\n", "1:5", "out of range"},
      {"e.wel", "1 2 1e-400\n", "1:5", "out of range"},
      {"f.wel", "1 2 1,5\n", "1:6", "not a number where a weight"},
      {"g.csv", "1,2,1\n1,2,1,5\n", "2:7", "an extra column"},
      {"h.wel", "1 2 3\n1 2\n", "2:4", "a missing weight"},
      {"i.wel", "1 2 3\n1 2 3 4\n", "2:7", "an extra column"},
      {"j.wel", "1 2 9007199254740993\n", "1:5", "beyond 2^53"},
      {"k.wel", "1 2 +1\n", "1:5", "not a number where a weight"},
      {"l.wel", "1 2 0x10\n", "1:6", "not a number where a weight"},
      {"m.gr", "p sp 2 1\na 1 2 1.5\n", "2:7", "no integer"},
      {"n.mtx", Mtx() + "integer general\n2 2 1\n1 2 .5\n", "3:5", "no integer"},
      {"o.wel", "1 2 99999999999999999999\n", "1:5", "beyond 2^53"},
      {"p.graph", "2 1 1\n2 1,5\n1 1\n", "2:4", "not a number where a weight"},
      {"q.graph", "2 1 1\n2\n1 1\n", "2:2", "a missing weight"},
  };
}

std::vector<Refused> RefusedText() {
  return {
      {"a.el",
       "\xff\xfe"
       "1\0 \0"s,
       "1:1", "UTF-16"},
      {"b.el", "1 2\n1\0 2\n"s, "2:2", "NUL byte"},
      {"c.el", "1 2\n" + std::string(2000, '\0'), "2:1", "NUL byte"},
      {"d.el", "1 2\r3 4\n", "1:4", "carriage return"},
      {"e.el", "1 2\n\xff\xff 3\n", "2:1", "not UTF-8"},
      {"f.csv", "1,2\n\"1,2\n", "2:1", "quoted field"},
      {"g.csv", "1,2\n3;4\n", "2:2", "comma or semicolon"},
      {"h.csv", "1,2\n3 4\n", "2:2", "not a number where an id"},
      {"i.mtx", "", "1:1", "an empty file"},
      {"j.mtx", "1 2\n", "1:1", "not a MatrixMarket file"},
      {"k.mtx", Mtx() + "pattern general\n", "1:49", "no size line"},
  };
}

std::vector<Refused> RefusedStructure() {
  const std::string pattern = Mtx() + "pattern general\n";  // 49 bytes
  return {
      {"a.mtx", pattern + "2 3 1\n1 4\n", "3:3", "a row or column above the number"},
      {"b.mtx", Mtx() + "pattern symmetric\n2 3 1\n1 2\n", "2:1", "not square"},
      {"c.mtx", Mtx() + "complex general\n1 1 0\n", "1:34", "--weights none reads"},
      {"d.mtx", Mtx() + "real antisymmetric\n1 1 0\n", "1:39", "an unknown symmetry"},
      {"e.mtx", pattern + "18446744073709551614 9 1\n1 1\n", "2:1", "more rows and columns"},
      {"f.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", "1:23", "array"},
      {"g.mtx", pattern + "2 2 1\n1 2 5\n", "3:5", "an extra column"},
      {"h.mtx", pattern + "2 2 1\n0 1\n", "3:1", "id 0"},
      {"i.mtx", pattern + "2 2 1\n1 3\n", "3:3", "above the number of vertices"},
      {"j.mtx", pattern + "2 2\n", "2:4", "not three numbers"},
      {"k.gr", "p sp 2 1\na 1 3 1\n", "2:5", "above the number of vertices"},
      {"l.gr", "a 1 2 3\n", "1:1", "p sp"},
      {"m.gr", "p sp 2 1\nb 1 2 3\n", "2:1", "does not begin with"},
      {"m.col", "p edge 2 1\na 1 2\n", "2:1", "does not begin with 'e' or 'c'"},
      {"n.col", "p edge 2 1\ne 1 2 3\n", "2:7", "an extra column"},
      {"o.col", "p edge 2 1\ne 1 3\n", "2:5", "above the number of vertices"},
      {"p.col", "p cnf 2 1\n1 2 0\n", "1:1", "not a line 'p sp|max|edge"},
      {"t.gr", "p tw 2 1\n1 2 3\n", "2:5", "an extra column"},
      {"n.gr", "p sp 2 1\na 1 2\n", "2:6", "a missing weight"},
      {"o.graph", "2 1 7\n\n\n", "1:1", "unknown METIS format"},
      {"p.graph", "2 1\n2\n3\n", "3:1", "above the number of vertices"},
      {"q.graph", "2 1\n2\n0\n", "3:1", "id 0"},
      {"r.graph", "1 0\n\n1\n", "3:1", "more vertices"},
      {"s.graph", "two 1\n", "1:1", "first line"},
  };
}

void CheckRefused(const std::vector<Refused>& cases) {
  TemporaryDirectory directory;
  for (const Refused& one : cases) {
    const std::string path = directory.Write(one.name, one.text);
    for (const size_t chunk : {size_t{4} << 20, size_t{5}}) {
      if (chunk == 5 && one.text.size() > 10000) continue;
      ReadOptions options;
      options.chunk_bytes = chunk;
      options.ids = IdReading::kNumbers;
      const Status status = Read({path}, options).status;
      EXPECT_EQ(status.code(), Code::kBadData) << one.name << ": " << status.message();
      const std::string wanted = StrCat(path, ":", one.place, ": ");
      EXPECT_EQ(status.message().find(wanted), 0u) << wanted << " in " << status.message();
      EXPECT_NE(status.message().find(one.reason), std::string_view::npos) << status.message();
      EXPECT_EQ(status.message().find('\n'), std::string_view::npos) << status.message();
      EXPECT_LT(status.message().size(), 600u);
    }
  }
}

TEST(HostileInput, AcceptedExactly) {
  TemporaryDirectory directory;
  for (const Accepted& one : AcceptedInputs()) {
    const std::string path = directory.Write(one.name, one.text);
    for (const size_t chunk : {size_t{4} << 20, size_t{1}}) {
      ReadOptions options;
      options.chunk_bytes = chunk;
      const ReadAll all = Read({path}, options);
      EXPECT_TRUE(all.status.ok()) << all.status.message();
      EXPECT_EQ(all.edges, one.edges) << one.name << " in chunks of " << chunk;
    }
  }
}

TEST(HostileInput, Ids) { CheckRefused(RefusedIds()); }
TEST(HostileInput, Weights) { CheckRefused(RefusedWeights()); }
TEST(HostileInput, Text) { CheckRefused(RefusedText()); }
TEST(HostileInput, Structure) { CheckRefused(RefusedStructure()); }

TEST(HostileInput, WrongCounts) {
  TemporaryDirectory directory;
  const std::vector<std::tuple<const char*, std::string, const char*>> cases = {
      {"a.mtx", Mtx() + "pattern general\n3 3 3\n1 2\n2 3\n", "declares 3 edges, the file has 2"},
      {"b.mtx", Mtx() + "pattern general\n3 3 1\n1 2\n2 3\n",
       "declares 1 edges, the file has 2: correct the number"},
      {"c.gr", "p sp 3 3\na 1 2 1\n", "declares 3 edges, the file has 1"},
      {"d.graph", "3 3\n2\n\n1\n", "declares 3 edges, the file lists 2"},
      {"e.graph", "3 1\n2\n", "declares 3 vertices, the file has lines for 1"},
  };
  for (const auto& [name, text, reason] : cases) {
    const Status status = Read({directory.Write(name, text)}).status;
    EXPECT_EQ(status.code(), Code::kBadData);
    EXPECT_NE(status.message().find(reason), std::string_view::npos) << status.message();
  }
}

TEST(HostileInput, Containers) {
  TemporaryDirectory directory;
  EXPECT_EQ(Read({directory / "missing.el"}).status.code(), Code::kMissing);
  EXPECT_EQ(Read({directory / ""}).status.code(), Code::kBadData);
  ASSERT_EQ(symlink("loop.el", (directory / "loop.el").c_str()), 0);
  EXPECT_EQ(Read({directory / "loop.el"}).status.code(), Code::kMissing);
  if (geteuid() != 0) {
    const std::string secret = directory.Write("secret.el", "1 2\n");
    std::filesystem::permissions(secret, std::filesystem::perms::none);
    EXPECT_EQ(Read({secret}).status.code(), Code::kPermission);
  }
  EXPECT_EQ(Read({}).status.code(), Code::kUsage);
}

TEST(HostileInput, EndlessInputWithoutLineEnds) {
  ReadOptions options;
  for (const auto& [format, reason] : {std::pair(EdgeFormat::kEdgeList, "a line longer than "),
                                       std::pair(EdgeFormat::kAdjacency, "a NUL byte ")}) {
    options.format = format;
    const Status status = Read({"/dev/zero"}, options).status;
    EXPECT_EQ(status.message().find(StrCat("/dev/zero:1:1: ", reason)), 0u) << status.message();
  }
  EXPECT_EQ(Read({"/dev/zero"}).status.code(), Code::kUsage);
}

TEST(HostileInput, FilesThatChangeWhileRead) {
  TemporaryDirectory directory;
  ReadOptions options;
  options.chunk_bytes = 4096;
  for (const int by : {-60, +60}) {
    std::string text;
    while (text.size() < (size_t{2} << 20)) text += "123 456\n";
    const std::string path = directory.Write("a.el", text);
    auto source = OpenEdgeReader({path}, options);
    ASSERT_TRUE(source.ok());
    EdgeChunk chunk;
    ASSERT_TRUE((*source)->Next(&chunk).ok());
    std::filesystem::resize_file(path, static_cast<uint64_t>(static_cast<int>(text.size()) + by));
    const Status status = Drain(**source, 1).status;
    EXPECT_EQ(status.code(), Code::kBadData);
    EXPECT_NE(status.message().find("changed"), std::string_view::npos) << status.message();
    EXPECT_FALSE((*source)->Next(&chunk).ok());
  }
}

TEST(HostileInput, ReadErrorsAreReported) {
  TemporaryDirectory directory;
  std::string text;
  while (text.size() < (size_t{3} << 20)) text += "123 456\n";
  const std::string path = directory.Write("a.el", text);
  for (int n = 0;; ++n) {
    int left = n;
    fault::SetHook([&](fault::Op op, std::string_view) {
      return (op == fault::Op::kRead || op == fault::Op::kOpen) && left-- == 0 ? EIO : 0;
    });
    const ReadAll all = Read({path});
    fault::SetHook({});
    if (all.status.ok()) {
      EXPECT_EQ(all.edges.size(), text.size() / 8);
      EXPECT_GT(n, 3);
      break;
    }
    EXPECT_EQ(all.status.code(), Code::kIo) << all.status.message();
    EXPECT_NE(all.status.message().find(path), std::string_view::npos);
  }
}

TEST(HostileInput, PartsThatCannotBeLookedAtAreNotLeftOut) {
  TemporaryDirectory directory;
  directory.Write("g.v", "1\n2\n3\n");
  directory.Write("g.properties", "graph.g.directed = false\n");
  const std::string path = directory.Write("g.e", "1 2\n");
  bool failed = true;
  for (int n = 0; failed; ++n) {
    int count = 0;
    fault::SetHook([&](fault::Op op, std::string_view) {
      return op == fault::Op::kStat && count++ == n ? EIO : 0;
    });
    const ReadAll all = Read({path});
    fault::SetHook({});
    failed = count > n;
    if (!all.status.ok()) {
      EXPECT_TRUE(failed && all.status.code() == Code::kIo) << all.status.message();
      continue;
    }
    EXPECT_EQ(all.vertices.size(), 3u) << n;
    EXPECT_TRUE(all.info.undirected) << n;
  }
}

}  // namespace
}  // namespace edgemill
