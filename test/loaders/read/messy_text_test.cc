// Texts of real files: comments, names that begin like comments, quotes, missing values, times,
// delimiters, dictionaries, headers, triples.
#include <gtest/gtest.h>

#include "loaders/read/edge_reader.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

/// The edges as text, "a>b" or "a>b:weight", separated by blanks; or the error.
std::string EdgesOf(const ReadAll& all) {
  if (!all.status.ok()) return std::string(all.status.message());
  const auto called = [&](uint64_t id) { return all.info.named ? all.names.at(id) : StrCat(id); };
  std::string text;
  for (const ReadEdge& edge : all.edges) {
    text += StrCat(text.empty() ? "" : " ", called(edge.source), ">", called(edge.target));
    if (all.info.weighted) text += StrCat(":", edge.weight);
  }
  return text;
}

struct TextCase {
  const char* name;
  std::string text;
  std::string expected;  // the text of EdgesOf, or a part of the error
  ReadOptions options = {};
  std::string note = "";  // part of a note
};

void CheckCases(const std::vector<TextCase>& cases) {
  TemporaryDirectory directory;
  for (const TextCase& one : cases) {
    for (const size_t chunk : {size_t{4} << 20, size_t{5}}) {
      SCOPED_TRACE(StrCat(one.name, ": ", one.text));
      ReadOptions options = one.options;
      options.chunk_bytes = chunk;
      const ReadAll all = Read({directory.Write(one.name, one.text)}, options);
      const std::string edges = EdgesOf(all);
      if (all.status.ok()) {
        EXPECT_EQ(edges, one.expected);
      } else {
        EXPECT_NE(edges.find(one.expected), std::string::npos) << edges;
        EXPECT_FALSE(one.expected.empty()) << edges;
        EXPECT_EQ(edges.find('\n'), std::string::npos) << edges;
      }
      std::string notes;
      for (const std::string& note : all.info.notes) notes += note + "\n";
      EXPECT_NE(notes.find(one.note), std::string::npos) << one.note << " in: " << notes;
    }
  }
}

ReadOptions Columns(std::vector<std::string> columns) {
  return {.csv_columns = std::move(columns)};
}

TEST(MessyText, NamesThatBeginAsComments) {
  const char* const taken = "lines that begin with '#' are taken as edges";
  CheckCases({
      {"a.csv",
       "#covid,#mask\n#mask,#health\nx,#covid\n",
       "#covid>#mask #mask>#health x>#covid",
       {},
       taken},
      {"a.txt", "#covid,#mask\n#mask,#health\n", "#covid>#mask #mask>#health", {}, taken},
      {"a.el", "#a #b\nx #a\n#a x\n", "#a>#b x>#a #a>x", {}, taken},
      {"b.el", "# Title\n\n#a #b\nx #a\n", "#a>#b x>#a", {}, "1 line before the edges begins"},
      {"c.el", "//h/a //h/b\n//h/b x\n", "//h/a>//h/b //h/b>x", {}, "'//' are taken"},
      {"d.el", "x y\n#a x\n", "x>y #a>x"},
      {"e.el", "x y\n# a\n", "x>y #>a"},
      // The line may be an edge or a comment, so the error asks.
      {"f.el", "#alice bob\ncarol dave\n", "f.el:1:1: is \"#alice bob\" data or a comment? "},
      {"g.csv", "#alice,bob\n#carol,dave\n", "g.csv:1:1: is \"#alice,bob\" data or a comment?"},
      {"h.el", "#a #b\n# note\nx #a\n", "h.el:1:1: is "},
      {"f.el", "#alice bob\ncarol dave\n", "#alice>bob carol>dave", {.comment = kNoComments}},
      {"f.el", "#alice bob\ncarol dave\n", "carol>dave", {.comment = "#"}, "1 line before"},
      {"f.el",
       "x y\n#alice bob\ncarol dave\n",
       "x>y carol>dave",
       {.comment = "#"},
       "1 line among the edges begins as a comment does, and is left out"},
      // Comments are prose, stand before numbers, or have another number of columns. A note says
      // what is left out.
      {"i.el", "# FromNodeId\tToNodeId\na\tb\n", "a>b", {}, "1 line before the edges"},
      {"j.el", "#1 2\n#3 4\n5 6\n", "5>6", {}, "2 lines before the edges begin as comments do"},
      {"k.el", "#title\na b\n", "a>b"},
      {"l.el", "1 2\n# c\n3 4\n", "1>2 3>4", {}, "1 line among the edges"},
      {"m.el",
       "# c\n1 2\n",
       "m.el:1:1: not a number",
       {.ids = IdReading::kNumbers, .comment = kNoComments}},
      // The last comment may hold the names of columns.
      {"n.tsv",
       "#node1\tcombined\tnode2\nA\t.5\tB\n",
       "A>B",
       {},
       "the comment before line 2 is taken as the header"},
      {"o.csv", "# payer,payee\na,b\n", "a>b", Columns({"payer", "payee"})},
  });
}

TEST(MessyText, Quotes) {
  const ReadOptions none = {.quote = QuoteMode::kNone};
  const ReadOptions quotes = {.quote = QuoteMode::kDouble};
  CheckCases({
      {"a.tsv", "\"Heroes\"\tx\nHeroes\tx\n", "\"Heroes\">x Heroes>x"},
      {"a.tsv", "\"Heroes\"\tx\nHeroes\tx\n", "Heroes>x Heroes>x", quotes},
      {"b.tsv", "\"Weird Al\" Yankovic\tx\n\"a\ty\n", "\"Weird Al\" Yankovic>x \"a>y"},
      {"c.csv", "a,b\n\"Weird Al\" Yankovic,x\n", "c.csv:2:12: text after a closing quote"},
      {"c.csv", "a,b\n\"Weird Al\" Yankovic,x\n", "a>b \"Weird Al\" Yankovic>x", none},
      {"d.csv", "a,b\n\"c,x\n", "d.csv:2:1: a quoted field that does not end on its line"},
      {"e.csv", "\"a,b\",\"c\"\"d\"\n", "a,b>c\"d"},
      {"f.el", "\"a b\" c\n", "a b>c"},
      {"f.el", "\"ab\" c\n", "\"ab\">c", none},
      {"g.el", "\"1\" \"2\"\n", "1>2", quotes},
  });
}

TEST(MessyText, MissingValuesAmongNumbersAreBadLines) {
  TemporaryDirectory directory;
  for (const char* word : {"NULL", "nan", "NA", "\\N", "None", "null", "NaN", "N/A"}) {
    const std::string text = StrCat("1,2\n", word, ",3\n4,", word, "\n5,\n6,7\n");
    const std::string path = directory.Write("a.csv", text);
    const std::string error = EdgesOf(Read({path}));
    EXPECT_EQ(error.find(path + ":2:1: a missing value where an id should be"), 0u) << error;
    EXPECT_NE(error.find("--bad-lines, or give --ids strings"), std::string::npos) << error;
    const ReadAll skipped = Read({path}, {.max_bad_lines = 3});
    EXPECT_EQ(EdgesOf(skipped), "1>2 6>7");
    ASSERT_EQ(skipped.info.notes.size(), 3u);  // two more count the bad lines by reason
    EXPECT_TRUE(
        skipped.info.notes[0].ends_with("3 of 3 bad lines have no id, or a mark of a missing value "
                                        "such as NULL"));
    EXPECT_EQ(EdgesOf(Read({directory.Write("a.txt", StrCat(word, " 3\n1 2\n"))}))
                  .find((directory / "a.txt") + ":1:1: a missing value"),
              0u);
  }
  CheckCases({
      {"b.csv", "1,2\nNULL,3\n", "1>2 NULL>3", {.ids = IdReading::kNames}},
      {"c.csv", "a,b\nNULL,c\n", "a>b NULL>c", {}, "\"NULL\" in line 2 is taken as a name"},
      {"d.csv", "payer,payee,amount\n1,2,\n3,4,5\n", "d.csv:2:5: a missing weight"},
  });
}

TEST(MessyText, TimesAreNoIds) {
  const ReadOptions el = {.format = EdgeFormat::kEdgeList};
  CheckCases({
      {"a.csv", "2024-01-05,1,2\n2024-01-06,2,3\n", "column 1 looks like a time (\"2024-01-05\")"},
      {"a.csv", "2024-01-05,1,2\n2024-01-06,2,3\n", "1>2 2>3", Columns({"2", "3"})},
      {"b.csv", "2024-01-05T10:00:00Z,a,5\n", "looks like a time"},
      {"c.csv", "1217567877,1,2\n1217567878,2,3\n", "column 1 looks like a time"},
      {"d.csv", "1,1217567877,2\n2,1217567878,3\n", "column 2 looks like a time"},
      {"e.csv", "when,who,whom\n1217567877,1,2\n", "column 1 looks like a time"},
      {"f.txt", "1217567877 1 2\n", "f.txt: column 1 looks like a time"},
      {"g.txt", "1217567877 1 2\n", "1217567877>1:2", el},
      {"h.csv", "10:30,a\n10:31,b\n", "looks like a time"},
      // Ids of social networks are as large as times.
      {"i.csv", "1217567877,1217567878,2\n", "1217567877>1217567878:2"},
      {"j.csv", "1217567877,5\n", "1217567877>5"},
      {"k.csv", "1,2,1217567877\n", "1>2:1217567877", {}, "is it a time?"},
      {"l.csv", "10.0.0.1,10.0.0.2\n", "10.0.0.1>10.0.0.2"},
  });
}

TEST(MessyText, Delimiters) {
  const auto by = [](const char* delimiter) { return ReadOptions{.delimiter = delimiter}; };
  CheckCases({
      {"a.csv", "1|2|3\n4|5|6\n", "1>2:3 4>5:6", by("|")},
      {"b.csv", "1::2::3::978300760\n", "1>2:3", by("::"), "column 4 is ignored"},
      {"c.txt", "a b::c:d\n", "a b>c:d", by("::")},
      {"d.txt", "a b\tc\n", "a b>c", by("\t")},
      {"e.csv", "a,b c,d\n", "a,b>c,d", by(" ")},
      {"f.csv", "alice|New York|3\n", "give --delimiter '|'"},
      {"f.txt", "alice|New York|3\n", "give --delimiter '|'"},
      {"g.txt", "1::2::3\n", "give --delimiter '::'"},
      {"h.csv", "alice\nbob\n", "line 1 has one column (\"alice\")"},
      {"i.csv", "a::b::c\n", "i.csv: has 3 columns", by("::")},
      {"j.csv",
       "1::x::2\n\"3::4\"::x::5\n",
       "1>2 3::4>5",
       {.csv_columns = {"1", "3"}, .ids = IdReading::kNames, .delimiter = "::"}},
  });
  EXPECT_EQ(*ParseDelimiter("tab"), "\t");
  EXPECT_EQ(*ParseDelimiter("\\t"), "\t");
  EXPECT_EQ(*ParseDelimiter("blanks"), " ");
  EXPECT_EQ(*ParseDelimiter(" | "), "|");
  for (const char* bad : {"1", "\"", "   ", "a\nb"}) EXPECT_FALSE(ParseDelimiter(bad).ok()) << bad;
}

TEST(MessyText, EmptyColumnsAtTheEndOfALineWithTabs) {
  CheckCases({
      {"a.tsv", "1\t2\t\t\n3\t4\tx\ty\n5\t6\tx\t\n", "1>2 3>4 5>6", Columns({"1", "2"})},
      {"b.tsv", "from\tto\tweight\n1\t2\t5\n3\t4\t\n", "b.tsv:3:4: a missing weight"},
      {"c.tsv", "a\tb\tc\n1\t2\t\n", "1>2", {.csv_columns = {"a", "b"}}},
  });
}

TEST(MessyText, LinesThatAreSkipped) {
  CheckCases({
      {"a.csv", "Report of May\n\nfrom,to\n1,2\n", "1>2", {.skip_lines = 2}},
      {"b.el",
       "x\ny\n1 2\nz 3\n",
       "b.el:4:1: not a number",
       {.ids = IdReading::kNumbers, .skip_lines = 2}},
      {"c.el", "\xef\xbb\xbfone\n1 2", "1>2", {.skip_lines = 1}},
      {"d.el", "1 2\n", "--skip-lines: 5 is not valid: the file has 1 lines", {.skip_lines = 5}},
  });
}

TEST(MessyText, WhatNetworkXWrites) {
  const ReadOptions none = {.weights = WeightMode::kNone};
  CheckCases({
      {"a.txt", "0 1 {}\n1 2 {}\n", "0>1 1>2", {}, "no key is read"},
      {"b.txt",
       "0 1 {'weight': 4}\n1 2 {'since': 2009, 'weight': 2.5}\n",
       "0>1:4 1>2:2.5",
       {},
       "'weight' is read, other keys are ignored"},
      {"b.el", "0 1 {'weight': 4}\n", "0>1", none},
      {"c.el", "a b {'n': {'weight': 1}, 't': \"it's, }\", 'weight': -1e+20}\n", "a>b:-1e+20"},
      {"d.el", "0 1 {}\n1 2 {'weight': 4}\n", "d.el:1:5: no weight in the dictionary"},
      {"e.el", "0 1 {'weight': inf}\n", "e.el:1:16: an infinite weight"},
      {"f.el", "0 1 {'weight': 4}\n0 1 {'weight': 4\n", "f.el:2:5: a dictionary that does not"},
      {"g.txt", "0 1 friend\n1 2 foe\n", "0>1 1>2", {}, "column 3 is ignored"},
      {"h.txt", "0 1 friend\n1 2 7\n", "h.txt:1:5: not a number where a weight"},
      {"i.txt", "alice knows bob\n", "line 1 has words in 3 columns: say with --csv-columns"},
      {"j.el", "0 1 {'weight': 4}\n0 1 {'weight': }\n", "j.el:2:16: a missing weight"},
      {"k.el", "0 1 {'weight': 4}\n0 1 {'weight':,}\n", "k.el:2:15: a missing weight"},
  });
}

TEST(MessyText, Triples) {
  const std::string text =
      "# people\n"
      "<http://x/a> <http://p> <http://x/b> .\n"
      "_:n1 <http://p> <http://x/a> . # note\n"
      "<http://x/a> <http://name> \"A \\\" <b> .\"@en .\n"
      "<http://x/a> <http://age> \"5\"^^<http://int> .\n\n"
      "<http://x/\\u00e9> <http://p> _:n1 <http://graph> .\n";
  const std::string edges = "http://x/a>http://x/b _:n1>http://x/a http://x/é>_:n1";
  CheckCases({
      {"a.nt", text, edges, {}, "2 lines with a literal for an object left out"},
      {"a.txt", text, edges, {}, "predicates are ignored"},
      {"b.nt", "<a> <p> <b>\n", "b.nt:1:12: no full stop after a triple"},
      {"c.nt", "<a> <p> <b .\n", "c.nt:1:9: an IRI that does not end on its line"},
      {"d.nt", "<a> p <b> .\n", "d.nt:1:5: no IRI in <>"},
      {"e.nt", "<a> <p> \"b .\n", "e.nt:1:9: a literal that does not end"},
      {"f.nt", "<a\\u12> <p> <b> .\n", "f.nt:1:3: an escape"},
      {"g.nt", "<> <p> <b> .\n", "g.nt:1:2: a missing name"},
      {"h.nt", "a b\n<a> <p> <b> . <c>\n<c> <p> <d> .\n", "c>d", {.max_bad_lines = 2}},
      {"i.nt", "<a> <p> <b> .\n", "leave out --ids", {.ids = IdReading::kNumbers}},
  });
}

TEST(MessyText, WeightsThatAreNotAskedForAreNotRead) {
  const ReadOptions none = {.weights = WeightMode::kNone};
  const ReadOptions real = {.weights = WeightMode::kFloat};
  CheckCases({
      {"a.txt", "1 2 inf\n2 3 1e999\n", "1>2 2>3", none},
      {"b.csv", "1,2,5\n2,3,inf\n", "1>2 2>3", none},
      {"c.gr", "p sp 2 1\na 1 2 1.5\n", "1>2", none},
      {"d.txt", "1 2 1000000000000000001\n", "1>2:1e+18", real},
      {"e.txt", "1 2 99999999999999999999999\n2 1 1.5e18\n", "1>2:1e+23 2>1:1.5e+18", real},
      {"f.txt", "1 2 9007199254740993\n",
       "f.txt:1:5: an integer weight beyond 2^53 (\"1 2 9007199254740993\"): give --weights float"},
      {"g.txt", "1 2 -9007199254740993\n", "1>2:-9007199254740992", real},
  });
}

TEST(MessyText, Headers) {
  CheckCases({
      {"a.csv", "payer,payee\na,b\n", "a>b", Columns({"payer", "payee"})},
      {"b.csv", "payer,payee,amount\na,b,\nc,d,5\n", "a>b c>d", Columns({"payer", "payee"})},
      {"c.csv", "payer,payee,amount\na,b,\nc,d,5\n", "c.csv:2:5: a missing weight"},
      {"d.csv", "id,payee,payer,2019\n1,b,a,3\n", "a>b:3", Columns({"payer", "payee", "2019"})},
      {"e.csv", "a,b\nc,d\n", "there is no column 'payer'", Columns({"payer", "payee"})},
      {"f.csv",
       ":START_ID,:END_ID,:TYPE\n1,2,KNOWS\n",
       "1>2",
       {},
       "column 3 (\":TYPE\") is ignored"},
      {"g.csv", ":START_ID(Person);weight:double;:END_ID(Person)\n1;.5;2\n", "1>2:0.5"},
      {"h.csv", ":START_ID(Person),:END_ID(Firm)\n1,2\n", "ids of two groups, Person and Firm"},
      {"h.csv", ":START_ID(Person),:END_ID(Firm)\n1,2\n", "1>2", Columns({"1", "2"})},
  });
}

}  // namespace
}  // namespace edgemill
