// Names of vertices in input files.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "test/reader_testing.h"

namespace edgemill {
namespace {

using NamePairs = std::vector<std::pair<std::string, std::string>>;

/// The result of reading inputs with names.
struct NamedRead {
  Status status;
  EdgeSourceInfo info;
  NamePairs edges;
  std::vector<double> weights;
  std::set<std::string> names;
};

NamedRead ReadNames(const std::vector<std::string>& paths, const ReadOptions& options = {}) {
  NamedRead read;
  const auto source = OpenEdgeReader(paths, options);
  if (!source.ok()) {
    read.status = source.status();
    return read;
  }
  EdgeChunk chunk;
  for (;;) {
    const StatusOr<bool> more = (*source)->Next(&chunk);
    read.status = more.status();
    if (!more.ok() || !*more) break;
    for (size_t i = 0; i < chunk.num_edges(); ++i) {
      LocatedEdge edge = chunk.Edge(i);
      chunk.NameEnds(&edge);
      read.edges.emplace_back(edge.source_name, edge.target_name);
      if (!chunk.weights.empty()) read.weights.push_back(edge.weight);
    }
    for (const NameList::Entry& entry : chunk.names.entries()) {
      read.names.emplace(chunk.names.TextOf(entry));
    }
  }
  read.info = (*source)->info();
  return read;
}

TEST(Names, AreReadFromEdgeListsAndCsv) {
  const TemporaryDirectory directory;
  const NamePairs two = {{"alice", "bob"}, {"bob", "c d"}};
  const NamePairs plain = {{"alice", "bob"}, {"bob", "carol"}};
  struct File {
    const char* name;
    const char* text;
    NamePairs edges;
    std::vector<double> weights;
  };
  for (const File& file : {
           File{"a.el", "alice bob\nbob carol\n", plain, {}},
           File{"b.el", "\xef\xbb\xbf# x\r\nalice\tbob \r\n\r\n bob  carol\r\n", plain, {}},
           File{"c.el", "alice bob\nbob \"c d\"\n", two, {}},
           File{"d.wel", "alice bob 3.5\nbob carol 1e3\n", plain, {3.5, 1000}},
           File{"e.csv", "alice,bob\nbob,c d\n", two, {}},
           File{"f.csv", "alice,bob,3.5\nbob,c d,-2\n", two, {3.5, -2}},
           File{"g.csv", "\"alice\", bob ,1\nbob,\"c d\",2\n", two, {1, 2}},
           File{"h.csv", "source,target\nalice,bob\nbob,c d\n", two, {}},
           File{"i.csv", "who;whom;how\nalice;bob;1\nbob;c d;2\n", two, {1, 2}},
           File{"j.tsv", "alice\tbob\nbob\tc d\n", two, {}},
           File{"k.txt", "alice bob\nbob carol\n", plain, {}},
           File{"l.txt", "alice\tbob\nbob\tc d\n", two, {}},
           File{"m.el", "1 2\n2 x\n", {{"1", "2"}, {"2", "x"}}, {}},
           File{"n.el", "10.0.0.1 10.0.0.2\n", {{"10.0.0.1", "10.0.0.2"}}, {}},
           File{"o.csv", "zo\xc3\xab,\"say \"\"hi\"\"\"\n", {{"zo\xc3\xab", "say \"hi\""}}, {}},
           File{"p.el", "/a/b /c\n/c //d\n", {{"/a/b", "/c"}, {"/c", "//d"}}, {}},
       }) {
    SCOPED_TRACE(file.name);
    const std::string path = directory.Write(file.name, file.text);
    for (const size_t chunk : {size_t{4} << 20, size_t{4}}) {
      ReadOptions options;
      options.chunk_bytes = chunk;
      const NamedRead read = ReadNames({path}, options);
      EXPECT_TRUE(read.status.ok()) << read.status.message();
      EXPECT_TRUE(read.info.named);
      EXPECT_EQ(read.edges, file.edges);
      EXPECT_EQ(read.weights, file.weights);
      ASSERT_FALSE(read.info.notes.empty());
      EXPECT_NE(read.info.notes[0].find("ids are names (\""), std::string::npos);
    }
  }
}

TEST(Names, NumbersStayNumbersUnlessTheyAreAskedFor) {
  const TemporaryDirectory directory;
  const std::string numbers = directory.Write("a.el", "1 2\n2 -3\n");
  EXPECT_EQ(ReadNames({numbers}).status.code(), Code::kBadData);
  ReadOptions options;
  options.ids = IdReading::kNames;
  EXPECT_EQ(ReadNames({numbers}, options).edges, (NamePairs{{"1", "2"}, {"2", "-3"}}));
  // If bad lines are allowed, a line with a word is bad, unless the first line has words.
  const std::string word = directory.Write("b.el", "1 2\n2 x\n");
  options = {};
  options.max_bad_lines = 1;
  EXPECT_FALSE(ReadNames({word}, options).info.named);
  EXPECT_TRUE(ReadNames({directory.Write("c.el", "x 2\n2 3\n")}, options).info.named);
  // A word after the first lines is an error that says what to do.
  std::string late;
  while (late.size() < 200'000) late += "123 456\n";
  const Status status = ReadNames({directory.Write("d.el", late + "7 x\n")}).status;
  EXPECT_EQ(status.code(), Code::kBadData);
  EXPECT_NE(status.message().find("give --ids strings"), std::string_view::npos)
      << status.message();
}

TEST(Names, InputsAreReadAlike) {
  const TemporaryDirectory directory;
  const std::string numbers = directory.Write("a.el", "1 2\n");
  const std::string names = directory.Write("b.el", "2 x\n");
  ReadOptions options;
  options.vertices_file = directory.Write("c.v", "7\n\"alone here\"\n");
  const NamedRead read = ReadNames({numbers, names}, options);
  EXPECT_EQ(read.edges, (NamePairs{{"1", "2"}, {"2", "x"}}));
  EXPECT_EQ(read.names, (std::set<std::string>{"1", "2", "7", "alone here", "x"}));
  options.vertices_file = directory.Write("e.v", "x\nalone here\n");
  const Status blank = ReadNames({names}, options).status;
  EXPECT_NE(blank.message().find("e.v:2:7: an extra column"), std::string_view::npos)
      << blank.message();
  options = {};
  const Status pairs = ReadNames({names, directory.Write("d.bin32", std::string(8, '\0'))}).status;
  EXPECT_EQ(pairs.code(), Code::kUsage);
  EXPECT_NE(pairs.message().find("d.bin32"), std::string_view::npos);
  options.base = 1;
  EXPECT_EQ(ReadNames({names}, options).status.code(), Code::kUsage);
}

TEST(Names, BadOnesAreRefusedWithTheirPlace) {
  const TemporaryDirectory directory;
  const std::string longest(size_t{64} << 10, 'x');
  struct Bad {
    std::string text;
    const char* place;
    const char* reason;
  };
  for (const Bad& bad : {
           Bad{"alice,bob\n,carol\n", "2:1", "a missing name"},
           Bad{"alice,bob\nbob,\"\"\n", "2:5", "a missing name"},
           Bad{"alice,bob\nbob,ca\xe4l\n", "2:7", "not UTF-8"},
           Bad{"alice,bob\nbob,\xed\xa0\x80\n", "2:5", "not UTF-8"},
           Bad{"alice,bob\nbob," + longest + "x\n", "2:5", "more than 64 KiB"},
           Bad{"alice,bob\nbob,\"carol\n", "2:5", "a quoted field"},
           Bad{"alice,bob\nbob\n", "2:4", "too few columns"},
           Bad{std::string("alice,bob\nbob,a\0b\n", 18), "2:6", "a NUL byte"},
       }) {
    SCOPED_TRACE(bad.text.substr(0, 40));
    const std::string path = directory.Write("a.csv", bad.text);
    ReadOptions options;
    options.format = EdgeFormat::kCsv;
    const Status status = ReadNames({path}, options).status;
    EXPECT_EQ(status.code(), Code::kBadData);
    EXPECT_EQ(status.message().find(StrCat(path, ":", bad.place, ": ")), 0u) << status.message();
    EXPECT_NE(status.message().find(bad.reason), std::string_view::npos) << status.message();
    EXPECT_LT(status.message().size(), 600u);
  }
  const NamedRead whole = ReadNames({directory.Write("b.csv", "a," + longest + "\n")});
  EXPECT_TRUE(whole.edges == (NamePairs{{"a", longest}})) << whole.status.message();
}

TEST(Names, HeadersOfCsvAreToldFromEdges) {
  const TemporaryDirectory directory;
  struct File {
    const char* text;
    NamePairs edges;
    size_t weights;
    const char* note;
  };
  for (const File& file : {
           File{"localhost,proxy\n10.0.0.1,proxy\n",
                {{"localhost", "proxy"}, {"10.0.0.1", "proxy"}},
                0,
                "line 1 is taken as an edge"},
           File{"alice,bob\nbob,x1\nx1,alice\n",
                {{"alice", "bob"}, {"bob", "x1"}, {"x1", "alice"}},
                0,
                "line 1 is taken as an edge"},
           File{"who,whom,how\nann,bob,3\n", {{"ann", "bob"}}, 1, "line 1 is taken as the header"},
           File{"source,target,created_at\nann,bob,2024-01-01T00:00\n",
                {{"ann", "bob"}},
                0,
                "column 3 (\"created_at\") is ignored"},
           File{"source,target,ts\nann,bob,1700000000\n",
                {{"ann", "bob"}},
                1,
                "column 3 (\"ts\") is taken as the weight (is it a time?"},
           File{",source,target\n0,ann,bob\n1,bob,#tag\n",
                {{"ann", "bob"}, {"bob", "#tag"}},
                0,
                "column 1 is ignored"},
           File{"# first\nsource,target\n#a,%b\n//c,#a\n",
                {{"#a", "%b"}, {"//c", "#a"}},
                0,
                "ids are names"},
       }) {
    SCOPED_TRACE(file.text);
    const NamedRead read = ReadNames({directory.Write("a.csv", file.text)});
    EXPECT_TRUE(read.status.ok()) << read.status.message();
    EXPECT_EQ(read.edges, file.edges);
    EXPECT_EQ(read.weights.size(), file.weights);
    std::string notes;
    for (const std::string& note : read.info.notes) notes += note + "\n";
    EXPECT_NE(notes.find(file.note), std::string::npos) << notes;
  }
  const Status index = ReadNames({directory.Write("b.csv", ",a,b\n0,1,2\n1,2,3\n")}).status;
  EXPECT_EQ(index.code(), Code::kUsage);
  EXPECT_NE(index.message().find("an index of rows?"), std::string_view::npos) << index.message();
  const NamedRead numbers = ReadNames({directory.Write("c.csv", "x1,x2\n1,2\n2,3\n")});
  EXPECT_FALSE(numbers.info.named);
  const NamedRead zeros = ReadNames({directory.Write("d.csv", "src,dst\n007,010\n")});
  ASSERT_EQ(zeros.info.notes.size(), 1u);
  EXPECT_NE(zeros.info.notes[0].find("without their leading zeros"), std::string::npos);
}

TEST(Names, FilesThatAreNoEdgeListsAreCalledByTheirFormat) {
  const TemporaryDirectory directory;
  for (const auto& [name, text, what] :
       {std::tuple("a.el", "ARROW1\0\0", "an Arrow file"),
        std::tuple("b.txt", "PK\x03\x04", "a ZIP archive"),
        std::tuple("c", "<?xml version='1.0'?>\n<a/>", "XML that is not GraphML"),
        std::tuple("d", "digraph a { b -> c }\n", "Graphviz"),
        std::tuple("e", "{\"nodes\": []}\n", "JSON")}) {
    const Status status = ReadNames({directory.Write(name, text)}).status;
    EXPECT_EQ(status.code(), Code::kUsage);
    EXPECT_NE(status.message().find(StrCat(": ", what, " is not read: ")), std::string_view::npos)
        << status.message();
  }
}

TEST(Names, FilesWithoutLinesHaveNone) {
  const TemporaryDirectory directory;
  ReadOptions options;
  options.ids = IdReading::kNames;
  for (const char* name : {"a.el", "b.csv", "c.wel"}) {
    const NamedRead read = ReadNames({directory.Write(name, "# nothing\n")}, options);
    EXPECT_TRUE(read.status.ok()) << read.status.message();
    EXPECT_TRUE(read.edges.empty());
  }
}

TEST(Names, RelationsNeedTheirColumnsNamed) {
  const TemporaryDirectory directory;
  const std::string path = directory.Write("a.csv", "alice,knows,bob\nbob,likes,carol\n");
  EXPECT_EQ(ReadNames({path}).status.code(), Code::kUsage);
  ReadOptions options;
  options.csv_columns = {"1", "3"};
  EXPECT_EQ(ReadNames({path}, options).edges, (NamePairs{{"alice", "bob"}, {"bob", "carol"}}));
}

}  // namespace
}  // namespace edgemill
