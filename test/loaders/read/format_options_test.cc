// Every option for inputs, with every format, acts or is refused.
#include "loaders/options/format_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "test/npz_writing.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

template <typename T>
std::string Bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The bytes of a .sg or .wsg file with the edges 1 to 2 and 3 to 1. With vertex 0 there are 4
/// vertices.
std::string Serialized(bool weighted) {
  const std::string counts = Bytes<int64_t>({2, 4});
  const std::string offsets = Bytes<int64_t>({0, 0, 1, 1, 2});
  return std::string(1, '\1') + counts + offsets +
         (weighted ? Bytes<int32_t>({2, 7, 1, 8}) : Bytes<int32_t>({2, 1})) + offsets +
         (weighted ? Bytes<int32_t>({3, 8, 1, 7}) : Bytes<int32_t>({3, 1}));
}

/// The text of a target in the third line of a file.
constexpr std::string_view kGood = "1";
constexpr std::string_view kBad = "?";
constexpr std::string_view kQuoted = "\"1\"";
/// The mark of a CSV file of names with two kinds of delimiters.
constexpr std::string_view kDelimited = ";";
/// The mark of a list whose last edge has no weight.
constexpr std::string_view kNoWeight = "";

/// The mark of a CSV file with a third column.
constexpr std::string_view kThird = "third";

/// The contents of a file of `format` with these edges. If the format has lines, one of them has
/// `mark`.
std::string FileOf(EdgeFormat format, std::string_view mark) {
  const bool own = mark == kDelimited || mark == kNoWeight || mark == kThird;
  const std::string_view x = own ? kGood : mark;
  switch (format) {
    case EdgeFormat::kAuto:
    case EdgeFormat::kEdgeList:
      return StrCat("1 2\n3 1\n3 ", x, "\n");
    case EdgeFormat::kCsv:
      if (mark == kThird) return "1,2,7\n3,1,8\n3,1,9\n";
      return mark == kDelimited ? "a;b,c\nd;a,e\n" : StrCat("1,2\n3,1\n3,", x, "\n");
    case EdgeFormat::kWeightedList:
    case EdgeFormat::kGraphalytics:
      return StrCat("1 2 7\n3 1 8\n3 ", x, mark == kNoWeight ? "" : " 9", "\n");
    case EdgeFormat::kKonect:
      return StrCat("% asym positive\n1 2 7\n3 1 8\n3 ", x, " 9\n");
    case EdgeFormat::kMatrixMarket:
      return StrCat("%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 7\n3 1 8\n3 ", x,
                    " 9\n");
    case EdgeFormat::kDimacs:
      return StrCat("p sp 3 3\na 1 2 7\na 3 1 8\na 3 ", x, " 9\n");
    case EdgeFormat::kMetis:
      return StrCat("3 3\n2\n3\n", x, "\n");
    case EdgeFormat::kTriples:
      return StrCat("<1> <p> <2> .\n<3> <p> <1> .\n<3> <p> ", x == kGood ? "<1>" : x, " .\n");
    case EdgeFormat::kAdjacency:
      return StrCat("1 2\n3 1\n3 ", x, "\n");
    case EdgeFormat::kSerialized:
      return Serialized(false);
    case EdgeFormat::kSerializedWeighted:
      return Serialized(true);
    case EdgeFormat::kPairs32:
      return Bytes<uint32_t>({1, 2, 3, 1});
    case EdgeFormat::kPairs64:
      return Bytes<uint64_t>({1, 2, 3, 1});
    case EdgeFormat::kGalois:
      return Bytes<uint64_t>({1, 4, 4, 2, 0, 1, 1, 2}) + Bytes<uint32_t>({2, 1, 7, 8});
    case EdgeFormat::kLigra:
      return "WeightedAdjacencyGraph\n4\n2\n0\n0\n1\n1\n2\n1\n7\n8\n";
    case EdgeFormat::kNpz:
      return Zip({{"indptr.npy", Npy<int32_t>("<i4", {0, 0, 1, 1, 2})},
                  {"indices.npy", Npy<int32_t>("<i4", {2, 1})},
                  {"format.npy", NpyText("csr")},
                  {"shape.npy", Npy<int64_t>("<i8", {4, 4})},
                  {"data.npy", Npy<int32_t>("<i4", {7, 8})}});
    case EdgeFormat::kGraphml: {
      const std::string weight = "<data key='w'>9</data>";
      return StrCat("<graphml><key id='w' for='edge' attr.name='weight' attr.type='int'/>",
                    "<graph edgedefault='directed'>\n",
                    "<edge source='1' target='2'><data key='w'>7</data></edge>\n",
                    "<edge source='3' target='1'><data key='w'>8</data></edge>\n",
                    "<edge source='3' target='", x == kQuoted ? kGood : x, "'>",
                    mark == kNoWeight ? "" : weight, "</edge></graph></graphml>\n");
    }
    case EdgeFormat::kPajek:
      return StrCat("*Vertices 3\n*Arcs\n1 2 7\n3 1 8\n3 ", x, mark == kNoWeight ? "" : " 9", "\n");
    case EdgeFormat::kBv:       // bv_test.cc has these
    case EdgeFormat::kParquet:  // cli/tables_test.sh has these
    case EdgeFormat::kQuery:
      break;
  }
  return {};
}

/// The options in ReadOptions, except those for how the program reads (chunks, windows).
struct OptionCase {
  std::string_view name;
  std::function<void(ReadOptions&)> give;
  std::string_view mark = kGood;  // mark of the files on which it acts
  bool of_weights = false;        // whether it acts on files with weights only
  std::string_view line = "";     // a line that is added
};
const std::vector<OptionCase>& OptionCases() {
  static const std::vector<OptionCase> cases = {
      {"--csv-columns",
       [](ReadOptions& options) {
         options.csv_columns = {"2", "1"};
       }},
      // The pass that follows reads the column: edge_columns_test.cc.
      {"--column", [](ReadOptions& options) { options.edge_columns = {{.name = "3"}}; }, kThird,
       true},
      {"--header", [](ReadOptions& options) { options.header = HeaderMode::kYes; }},
      {"--comment", [](ReadOptions& options) { options.comment = "@"; }, kGood, false, "@\n"},
      {"--bad-lines", [](ReadOptions& options) { options.max_bad_lines = 1; }, kBad},
      {"--delimiter", [](ReadOptions& options) { options.delimiter = ";"; }, kDelimited},
      {"--quote", [](ReadOptions& options) { options.quote = QuoteMode::kNone; }, kQuoted},
      {"--decimal", [](ReadOptions& options) { options.decimal_comma = true; }, kGood, true},
      {"--empty-weight", [](ReadOptions& options) { options.empty_weight = EmptyWeight::kSkip; },
       kNoWeight, true},
      {"--skip-lines", [](ReadOptions& options) { options.skip_lines = 1; }},
      {"--base", [](ReadOptions& options) { options.base = 1; }},
      {"--weights", [](ReadOptions& options) { options.weights = WeightMode::kNone; }, kGood, true},
      {"--ids",
       [](ReadOptions& options) {
         const bool has_names = options.format == EdgeFormat::kTriples;
         options.ids = has_names ? IdReading::kNumbers : IdReading::kNames;
       }},
  };
  return cases;
}

const std::set<EdgeFormat> kUnweighted = {
    EdgeFormat::kAuto,    EdgeFormat::kEdgeList,  EdgeFormat::kCsv,
    EdgeFormat::kMetis,   EdgeFormat::kAdjacency, EdgeFormat::kSerialized,
    EdgeFormat::kPairs32, EdgeFormat::kPairs64,   EdgeFormat::kTriples};

TEST(FormatOptionsTest, EveryOptionActsOnEveryFormatOrIsRefused) {
  const TemporaryDirectory directory;
  for (int i = 1; i <= static_cast<int>(EdgeFormat::kTriples); ++i) {
    const auto format = static_cast<EdgeFormat>(i);
    for (const OptionCase& option : OptionCases()) {
      if (option.of_weights && kUnweighted.contains(format)) continue;
      SCOPED_TRACE(StrCat(option.name, " on ", EdgeFormatName(format)));
      const std::string path =
          directory.Write("input", FileOf(format, option.mark) + std::string(option.line));
      ReadOptions options{.format = format};
      const ReadAll without = Read({path}, options);
      if (option.mark == kGood && option.line.empty()) {
        EXPECT_TRUE(without.status.ok()) << without.status.message();
      }
      option.give(options);
      const ReadAll with = Read({path}, options);
      if (with.status.code() == Code::kUsage) {
        EXPECT_NE(with.status.message().find(path), std::string::npos) << with.status.message();
        continue;
      }
      const bool acts = with.status.code() != without.status.code() ||
                        with.edges != without.edges || with.names != without.names;
      EXPECT_TRUE(acts) << "it is taken and does nothing";
    }
  }
}

TEST(FormatOptionsTest, EveryDeclarationIsTrue) {
  const TemporaryDirectory directory;
  for (const FormatOption& declared : FormatOptions()) {
    const auto known =
        std::find_if(OptionCases().begin(), OptionCases().end(),
                     [&](const OptionCase& option) { return option.name == declared.name; });
    ASSERT_NE(known, OptionCases().end()) << declared.name << " has no case above";
    for (int i = 1; i <= static_cast<int>(EdgeFormat::kTriples); ++i) {
      const auto format = static_cast<EdgeFormat>(i);
      ReadOptions options{.format = format};
      EXPECT_FALSE(declared.given(options));
      known->give(options);
      EXPECT_TRUE(declared.given(options));
      const ReadAll read = Read({directory.Write("input", FileOf(format, known->mark))}, options);
      EXPECT_EQ(read.status.code() != Code::kUsage, declared.ActsOn(format))
          << declared.name << " on " << EdgeFormatName(format);
      if (declared.ActsOn(format)) continue;
      EXPECT_NE(read.status.message().find(StrCat(declared.name, " cannot act on format ",
                                                  EdgeFormatName(format), ": leave it out")),
                std::string::npos)
          << read.status.message();
    }
  }
}

/// `--csv-columns 2,1,4` on a list whose columns are separated by blanks.
TEST(FormatOptionsTest, OptionsOfCsvMakeCsvOfBlankSeparatedLists) {
  const TemporaryDirectory directory;
  for (const char* const name : {"four.txt", "four.el", "four.wel", "four"}) {
    const std::string path = directory.Write(name, "10 20 30 40\n11 21 31 41\n");
    const ReadAll columns = Read({path}, {.csv_columns = {"2", "1", "4"}});
    EXPECT_EQ(columns.edges, (std::vector<ReadEdge>{{20, 10, 40}, {21, 11, 41}})) << name;
    const std::string three = directory.Write(StrCat("3", name), "10 20 30\n11 21 31\n");
    const ReadAll header = Read({three}, {.header = HeaderMode::kYes});
    EXPECT_EQ(header.edges, (std::vector<ReadEdge>{{11, 21, 31}}))
        << name << header.status.message();
  }
  const std::string words = directory.Write("words.txt", "a b c 40\nd e f 41\n");
  const ReadAll named = Read({words}, {.csv_columns = {"1", "3", "4"}});
  EXPECT_EQ(named.names.size(), 4u) << named.status.message();
  const std::string empty = directory.Write("empty.txt", "");
  EXPECT_TRUE(Read({empty}, {.header = HeaderMode::kYes}).status.ok());
  const std::string matrix = directory.Write("m.txt", FileOf(EdgeFormat::kMatrixMarket, kGood));
  EXPECT_EQ(Read({matrix}, {.header = HeaderMode::kYes}).status.code(), Code::kUsage);
}

/// Options for files of edges do not act on the list of vertices beside them.
TEST(FormatOptionsTest, TheListOfVerticesIsNoEdges) {
  const TemporaryDirectory directory;
  const std::string edges = directory.Write("edges.csv", "a,b\n1,2\n");
  ReadOptions options{.csv_columns = {"a", "b"}};
  options.vertices_file = directory.Write("more.v", "7\n");
  const ReadAll read = Read({edges}, options);
  EXPECT_TRUE(read.status.ok()) << read.status.message();
  EXPECT_EQ(read.vertices, (std::vector<uint64_t>{7}));
}

}  // namespace
}  // namespace edgemill
