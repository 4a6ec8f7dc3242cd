// Text as other programs write it: blanks, line ends, byte-order marks and columns that are not
// read. Also KONECT's and SNAP's headers, and the notes on all these.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "common/random.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<ReadEdge>;

/// One graph, 1 -> 2 (5), 2 -> 3 (7), 3 -> 1 (9), in every text format.
struct Written {
  const char* name;
  std::string text;
  char separator = ' ';
  bool empty_lines = true;  // empty lines have no meaning
  bool weighted = true;
};

std::vector<Written> EveryTextFormat() {
  return {{"g.el", "# c\n1 2 5\n2 3 7\n3 1 9\n"},
          {"g.wel", "1 2 5\n2 3 7\n3 1 9\n"},
          {"g.txt", "# c\n1 2 5\n2 3 7\n3 1 9\n"},
          {"out.g", "% asym weighted\n% 3 3 3\n1 2 5\n2 3 7\n3 1 9\n"},
          {"g.csv", "from,to,weight\n1,2,5\n2,3,7\n3,1,9\n", ','},
          {"g.tsv", "1\t2\t5\n2\t3\t7\n3\t1\t9\n", '\t'},
          {"g.mtx",
           "%%MatrixMarket matrix coordinate integer general\n% c\n3 3 3\n1 2 5\n2 3 7\n3 1 9\n"},
          {"g.gr", "c x\np sp 3 3\na 1 2 5\na 2 3 7\na 3 1 9\n"},
          {"g.graph", "% c\n3 3 1\n2 5\n3 7\n1 9\n", ' ', false},
          {"g.adj", "# c\n1 2\n2 3\n3 1\n", ' ', true, false},
          {"g.e", "1 2 5\n2 3 7\n3 1 9\n"}};
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// A change that programs and editors make to a text without a change of its meaning.
struct Variant {
  const char* name;
  std::function<std::string(const Written&)> of;
};

std::vector<Variant> Variants() {
  const auto separated = [](const Written& written, const std::string& by) {
    return written.separator == ' ' ? Replaced(written.text, " ", by) : written.text;
  };
  return {
      {"as it is", [](const Written& w) { return w.text; }},
      {"tabs", [=](const Written& w) { return separated(w, "\t"); }},
      {"several blanks", [=](const Written& w) { return separated(w, " \t  "); }},
      {"blanks at the ends", [](const Written& w) { return Replaced(w.text, "\n", " \t \n"); }},
      {"Windows line ends", [](const Written& w) { return Replaced(w.text, "\n", "\r\n"); }},
      {"old line ends", [](const Written& w) { return Replaced(w.text, "\n", "\r"); }},
      {"a byte order mark", [](const Written& w) { return StrCat("\xef\xbb\xbf", w.text); }},
      {"no last line end", [](const Written& w) { return w.text.substr(0, w.text.size() - 1); }},
      {"all but a line end",
       [](const Written& w) {
         const std::string marked = StrCat("\xef\xbb\xbf", Replaced(w.text, "\n", "  \r\n"));
         return marked.substr(0, marked.size() - 2);
       }},
      {"empty lines",
       [](const Written& w) {
         // If empty lines have a meaning in this format, they are added only at the end.
         if (!w.empty_lines) return w.text + "\n \n";
         return Replaced(w.text, "\n", "\n\n \t\n") + "\n\n";
       }},
      {"blanks before numbers",
       [](const Written& w) {
         std::string text;
         bool front = false;
         for (const char c : w.text) {
           if (front && c >= '0' && c <= '9') text += " \t";
           front = c == '\n';
           text += c;
         }
         return text;
       }},
  };
}

TEST(FilesAsTheyAre, EveryFormatInEveryVariant) {
  TemporaryDirectory directory;
  for (const Written& written : EveryTextFormat()) {
    const Edges edges =
        written.weighted ? Edges{{1, 2, 5}, {2, 3, 7}, {3, 1, 9}} : Edges{{1, 2}, {2, 3}, {3, 1}};
    for (const Variant& variant : Variants()) {
      SCOPED_TRACE(StrCat(written.name, ", ", variant.name));
      // A tab is the delimiter in this file, so no tab may stand before a number.
      if (written.separator == '\t' && std::string_view(variant.name).starts_with("blanks"))
        continue;
      if (written.separator == '\t' && std::string_view(variant.name) == "empty lines") continue;
      const std::string path = directory.Write(written.name, variant.of(written));
      for (const size_t chunk : {size_t{4} << 20, size_t{1}, size_t{7}}) {
        const ReadAll all = Read({path}, {.chunk_bytes = chunk});
        EXPECT_TRUE(all.status.ok()) << all.status.message();
        EXPECT_EQ(all.edges, edges) << "in chunks of " << chunk;
      }
    }
  }
}

TEST(FilesAsTheyAre, Utf16IsRefusedInEveryFormat) {
  TemporaryDirectory directory;
  for (const Written& written : EveryTextFormat()) {
    for (const bool big_endian : {false, true}) {
      std::string text = big_endian ? "\xfe\xff" : "\xff\xfe";
      for (const char c : written.text) {
        text += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
      }
      const std::string path = directory.Write(written.name, text);
      const Status status = Read({path}).status;
      EXPECT_EQ(status.code(), Code::kBadData);
      EXPECT_EQ(status.message().find(path + ":1:1: UTF-16 text: convert it first"), 0u)
          << status.message();
    }
  }
}

TEST(FilesAsTheyAre, AByteOrderMarkIsNoColumn) {
  TemporaryDirectory directory;
  const std::string path = directory.Write("a.el",
                                           "\xef\xbb\xbf"
                                           "1 x\n");
  ReadOptions options;
  options.ids = IdReading::kNumbers;
  EXPECT_EQ(Read({path}, options).status.message().find(path + ":1:3: not a number"), 0u);
}

TEST(FilesAsTheyAre, MarkAndLineEndsOfProperties) {
  TemporaryDirectory directory;
  directory.Write("g.v", "1\r\n2\r\n");
  directory.Write("g.e", "1 2\r\n");
  const std::string path = directory.Write(
      "g.properties", "\xef\xbb\xbfgraph.g.directed = false\r\ngraph.g.meta.edges = 1\r\n");
  const ReadAll all = Read({path});
  ASSERT_TRUE(all.status.ok()) << all.status.message();
  EXPECT_TRUE(all.info.undirected);
  EXPECT_EQ(all.edges, (Edges{{1, 2}}));
  const std::string bad =
      directory.Write("g.properties", "graph.g.directed = true\n graph.g.meta.edges =  many\n");
  EXPECT_EQ(Read({bad}).status.message().find(bad + ":2:24: not a number"), 0u)
      << Read({bad}).status.message();
}

TEST(FilesAsTheyAre, KonectSaysDirectionAndWeights) {
  TemporaryDirectory directory;
  const auto read = [&](const std::string& text, const char* name = "out.x") {
    return Read({directory.Write(name, text)});
  };
  const ReadAll sym = read("% sym unweighted\n% 2 3 3\n1\t2\n2 3\n");
  ASSERT_TRUE(sym.status.ok()) << sym.status.message();
  EXPECT_TRUE(sym.info.undirected && !sym.info.weighted && sym.info.notes.empty());
  EXPECT_EQ(sym.info.expected_edges, 2u);
  EXPECT_EQ(sym.edges, (Edges{{1, 2}, {2, 3}}));
  const ReadAll asym = read("%asym posweighted\n1 2 .5 1082008561\n2 3 4 1082008562\n");
  EXPECT_TRUE(!asym.info.undirected && asym.info.weighted);
  EXPECT_EQ(asym.edges, (Edges{{1, 2, .5}, {2, 3, 4}}));
  ASSERT_EQ(asym.info.notes.size(), 1u);
  EXPECT_TRUE(asym.info.notes[0].ends_with("out.x: column 4 is ignored"));
  // If edges without weights have times, the weight column has only ones.
  const ReadAll times = read("% asym unweighted\n1 2 1 1082008561\n2 3 1 1082008562\n");
  EXPECT_FALSE(times.info.weighted);
  EXPECT_EQ(times.edges, (Edges{{1, 2}, {2, 3}}));
  EXPECT_TRUE(times.info.notes[0].ends_with("columns 3 and 4 are ignored"));
  EXPECT_EQ(read("% sym signed\n1 2 -1\n").edges, (Edges{{1, 2, -1}}));
  EXPECT_TRUE(read("% sym positive\n1 2\n1 2\n").info.notes.empty());
  EXPECT_TRUE(read("% asym dynamic\n1 2 -1 5\n").info.notes[0].find("taken as the weight") !=
              std::string::npos);
  // The file's name does not matter. A comment with another beginning is not KONECT's header.
  EXPECT_TRUE(read("% sym unweighted\n1 2\n", "x.txt").info.undirected);
  EXPECT_TRUE(read("% sym unweighted\n1 2\n", "out.x.el").info.undirected);
  EXPECT_FALSE(read("% sym of all, unweighted\n1 2\n").info.undirected);
  EXPECT_FALSE(read("1 2\n", "out.plain").info.undirected);
  EXPECT_TRUE(read("% sym unweighted\n").edges.empty());
}

TEST(FilesAsTheyAre, KonectRefusesWhatWouldBeMixedUp) {
  TemporaryDirectory directory;
  const auto message = [&](const std::string& text, const ReadOptions& options = {}) {
    const ReadAll all = Read({directory.Write("out.x", text)}, options);
    EXPECT_EQ(all.status.code(), Code::kBadData);
    return std::string(all.status.message());
  };
  const std::string path = directory / "out.x";
  EXPECT_EQ(message("% sym unweighted\n1 2\n 0 2\n").find(path + ":3:2: id 0 where"), 0u);
  const std::string bip = message("% bip unweighted\n% 4 829 551\n1 1\n");
  EXPECT_EQ(bip.find(path + ":1:3: a bipartite network"), 0u) << bip;
  EXPECT_NE(bip.find("$2 += 829;"), std::string::npos) << bip;
  EXPECT_NE(message("% bip unweighted\n1 1\n").find("LEFT being the largest left id"),
            std::string::npos);
  ReadOptions options;
  options.format = EdgeFormat::kKonect;
  EXPECT_EQ(message("1 2\n", options).find(path + ":1:1: not the first line"), 0u);
  options.format = EdgeFormat::kEdgeList;
  const std::string both = directory.Write("out.both", "% bip unweighted\n1 1\n");
  EXPECT_EQ(Read({both}, options).edges, (Edges{{1, 1}}));
  options.format = EdgeFormat::kAuto;
  options.base = 1;
  const std::string konect = directory.Write("out.y", "% sym unweighted\n1 2\n");
  EXPECT_EQ(Read({konect}, options).edges, (Edges{{0, 1}}));
  options.comment = ";";  // comments of KONECT begin with '%'
  EXPECT_EQ(Read({konect}, options).status.code(), Code::kUsage);
}

TEST(FilesAsTheyAre, FurtherColumnsAreIgnoredAndNoted) {
  TemporaryDirectory directory;
  const auto note = [&](const char* name, const std::string& text, const Edges& edges,
                        const ReadOptions& options = {}) {
    const ReadAll all = Read({directory.Write(name, text)}, options);
    EXPECT_TRUE(all.status.ok()) << all.status.message();
    EXPECT_EQ(all.edges, edges) << name;
    const std::vector<std::string>& notes = all.info.notes;
    EXPECT_LE(notes.size(), 1u);
    const std::string path = directory / name;
    return notes.empty() ? "" : notes[0].substr(path.size() + 2);
  };
  const Edges edges = {{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(note("a.el", "1 2\n4 5\n", {{1, 2}, {4, 5}}), "");
  EXPECT_EQ(note("a.el", "1 2 3\n4 5 6\n", edges), "column 3 is taken as the weight");
  EXPECT_EQ(note("a.wel", "1 2 3\n4 5 6\n", edges), "");
  EXPECT_EQ(note("a.wel", "1 2 3 x\n4 5 6 y z\n", edges), "column 4 is ignored");
  EXPECT_EQ(note("a.txt", "1 2 3 4 5\n4 5 6 7 8\n", edges),
            "column 3 is taken as the weight, columns 4 and 5 are ignored");
  EXPECT_EQ(note("a.csv", "1,2,3,2011-1-1\n4,5,6,\n", edges),
            "column 3 is taken as the weight, column 4 is ignored");
  EXPECT_EQ(note("b.csv", "id,from,to,w\n9,1,2,3\n9,4,5,6\n", edges),
            "column 1 (\"id\") is ignored");
  EXPECT_EQ(note("c.csv", "from,to,year\n1,2,3\n4,5,6\n", edges),
            "column 3 (\"year\") is taken as the weight");
  EXPECT_EQ(note("d.csv", "from,to,weight\n1,2,3\n4,5,6\n", edges), "");
  ReadOptions columns;
  columns.csv_columns = {"1", "2", "3"};
  EXPECT_EQ(note("e.csv", "1,2,3,9\n4,5,6,9\n", edges, columns), "");
  ReadOptions none;
  none.weights = WeightMode::kNone;
  EXPECT_EQ(note("a.el", "1 2 since 2011\n4 5 since 2012\n", {{1, 2}, {4, 5}}, none),
            "columns 3 and 4 are ignored");
  EXPECT_EQ(note("b.el", "1 2 1217567877\n", {{1, 2, 1217567877}}),
            "column 3 is taken as the weight (is it a time? --weights none leaves it out)");
}

TEST(FilesAsTheyAre, LinesThatMayBeSomethingElseAreNotGuessedAt) {
  TemporaryDirectory directory;
  // Lists of neighbours have different lengths, or are long.
  std::string lists;
  for (int line = 0; line < 3; ++line) {
    for (int i = 0; i < 30; ++i) lists += StrCat(line + i, i == 29 ? "\n" : " ");
  }
  for (const std::string& text : {std::string("1 2 3 4\n2 1 3 4 5\n"), lists, std::string("7\n")}) {
    const Status status = Read({directory.Write("a.txt", text)}).status;
    EXPECT_EQ(status.code(), Code::kUsage) << status.message();
    EXPECT_NE(status.message().find("--format"), std::string_view::npos);
  }
  // Only some lines have a third or fourth column.
  for (const auto& [text, place] : {std::pair("1 2\n1 2 3\n", ":2:5: an extra"),
                                    std::pair("1 2 3\n1 2 3 4\n", ":2:7: an extra"),
                                    std::pair("1 2 3 4\n1 2\n", ":2:4: a missing weight"),
                                    std::pair("1 2 3 4\n1 2 3x 4\n", ":2:6: not a number")}) {
    const std::string path = directory.Write("a.el", text);
    EXPECT_EQ(Read({path}).status.message().find(path + place), 0u)
        << Read({path}).status.message();
  }
}

TEST(FilesAsTheyAre, LongLinesOfManyColumnsOnAnyThreads) {
  TemporaryDirectory directory;
  Random random(28);
  std::string text;
  Edges edges;
  for (int i = 0; i < 3000; ++i) {
    const ReadEdge edge{random.Below(1000), random.Below(uint64_t{1} << 40),
                        static_cast<double>(random.Below(100)) / (i % 2 == 0 ? 4 : 1)};
    edges.push_back(edge);
    if (i % 50 == 0) text += "# 1 2 3 4\n\n";
    text += StrCat(i % 7 == 0 ? " " : "", edge.source, i % 3 == 0 ? "\t" : "  ", edge.target, " ",
                   edge.weight, i % 5 == 0 ? " \t" : " ", std::string(random.Below(40) + 1, 'x'),
                   i % 11 == 0 ? " \r\n" : "\n");
  }
  const std::string path = directory.Write("a.el", text);
  for (const size_t chunk : {100, 5000, 1000000}) {
    const ReadAll all = Read({path}, {.chunk_bytes = chunk}, 4);
    ASSERT_TRUE(all.status.ok()) << all.status.message();
    EXPECT_EQ(all.edges, edges);
  }
  ReadOptions none;
  none.weights = WeightMode::kNone;
  for (ReadEdge& edge : edges) edge.weight = 0;
  EXPECT_EQ(Read({path}, none).edges, edges);
}

TEST(FilesAsTheyAre, ALookShowsTheFirstRows) {
  TemporaryDirectory directory;
  for (const Written& written : EveryTextFormat()) {
    for (const Variant& variant : Variants()) {
      if (written.separator == '\t') continue;
      SCOPED_TRACE(StrCat(written.name, ", ", variant.name));
      const std::string text = variant.of(written);
      const std::string path = directory.Write(written.name, text);
      const ReadAll all = Read({path});
      ASSERT_EQ(all.info.previews.size(), 1u);
      const InputPreview& preview = all.info.previews[0];
      EXPECT_EQ(preview.name, path);
      ASSERT_EQ(preview.rows.size(), all.edges.size());
      for (size_t i = 0; i < preview.rows.size(); ++i) {
        EXPECT_EQ(preview.rows[i].source, StrCat(all.edges[i].source));
        EXPECT_EQ(preview.rows[i].target, StrCat(all.edges[i].target));
        EXPECT_EQ(preview.rows[i].weight.value_or(0), all.edges[i].weight);
        EXPECT_EQ(preview.rows[i].weight.has_value(), written.weighted);
      }
      // Rows are on different lines, in ascending order.
      EXPECT_LT(preview.rows[0].line, preview.rows[1].line);
      EXPECT_LT(preview.rows[1].line, preview.rows[2].line);
    }
  }
}

TEST(FilesAsTheyAre, ALookIsShortAndTellsLinesAndColumns) {
  TemporaryDirectory directory;
  std::string text = "# a\n# b\n\nbad line\n";
  for (int i = 0; i < 100000; ++i) text += StrCat(i, "\t", i + 1, "\t2.5 x\n");
  ReadOptions options;
  options.max_bad_lines = 1;
  const InputPreview preview =
      Read({directory.Write("a.el", "9 9 1 y\n" + text)}, options).info.previews[0];
  EXPECT_EQ(preview.format, "el");
  EXPECT_EQ(preview.separator, "blanks");
  EXPECT_EQ(preview.columns, (std::vector<std::string>{"source", "target", "weight", "ignored"}));
  EXPECT_EQ(preview.skipped_lines, 0u);
  ASSERT_EQ(preview.rows.size(), InputPreview::kMaxRows);
  EXPECT_EQ(preview.rows[0].line, 1u);
  EXPECT_EQ(preview.rows[1].line, 6u);
  EXPECT_EQ(preview.rows[1].weight, 2.5);
  const InputPreview konect =
      Read({directory.Write("out.a", "% asym unweighted\n% 1 2 2\n1 2\n")}).info.previews[0];
  EXPECT_EQ(konect.format, "konect");
  EXPECT_EQ(konect.min_id, 1u);
  EXPECT_EQ(konect.skipped_lines, 2u);
  EXPECT_EQ(konect.rows[0].line, 3u);
  // Comments that are longer than what a preview reads.
  std::string comments;
  while (comments.size() < 200000) comments += "# a comment\n";
  EXPECT_EQ(Read({directory.Write("b.el", comments + "1 2\n")}).info.previews[0].rows.size(), 1u);
  // Comments that are longer than the text by which the format is recognized.
  while (comments.size() < 2000000) comments += "# a comment\n";
  const ReadAll long_front = Read({directory.Write("c.el", comments + "1 2\n")});
  EXPECT_TRUE(long_front.info.previews[0].rows.empty());
  EXPECT_EQ(long_front.edges.size(), 1u);
  // A list of vertices has no edges to show.
  directory.Write("g.v", "1\n2\n");
  EXPECT_EQ(Read({directory.Write("g.e", "1 2\n")}).info.previews.size(), 1u);
}

}  // namespace
}  // namespace edgemill
