// Weights as people write amounts, and weights that are not there.
#include <gtest/gtest.h>

#include <optional>

#include "loaders/formats/lines/amount_parser.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

std::optional<double> Amount(std::string_view field, bool decimal_comma = false) {
  double weight = 0;
  bool cleaned = false;
  FieldError error;
  if (ParseAmount(field, {.decimal_comma = decimal_comma}, &weight, &cleaned, &error)) {
    return weight;
  }
  EXPECT_NE(error.reason, nullptr) << field;
  EXPECT_NE(error.advice, nullptr) << field;
  return std::nullopt;
}

TEST(AmountsTest, MarksOfThousandsAndCurrenciesAreLeftOut) {
  const std::vector<std::pair<std::string_view, double>> amounts = {{"5", 5},
                                                                    {"-2.5e3", -2500},
                                                                    {"1,091.60", 1091.6},
                                                                    {"1,234,567", 1234567},
                                                                    {"$3.50", 3.5},
                                                                    {"-$3.50", -3.5},
                                                                    {"$ -3.50", -3.5},
                                                                    {"+7", 7},
                                                                    {"(1,234.50)", -1234.5},
                                                                    {"\u20ac 1,000", 1000},
                                                                    {"12.5 EUR", 12.5},
                                                                    {"USD 12", 12},
                                                                    {"1\u202f234.5", 1234.5},
                                                                    {"1\u00a0234", 1234},
                                                                    {"1 234", 1234},
                                                                    {"1'234.5", 1234.5},
                                                                    {"\u00a3.5", .5}};
  for (const auto& [field, value] : amounts) EXPECT_EQ(Amount(field), value) << field;
}

TEST(AmountsTest, DecimalsFollowACommaIfToldSo) {
  const std::vector<std::pair<std::string_view, double>> amounts = {
      {"1,5", 1.5},       {"1.091,60", 1091.6},     {"1.234.567", 1234567},
      {"-3,25", -3.25},   {"1.000,50 EUR", 1000.5}, {"7", 7},
      {"1 234,5", 1234.5}};
  for (const auto& [field, value] : amounts) EXPECT_EQ(Amount(field, true), value) << field;
}

TEST(AmountsTest, WhatIsNoAmountIsRefused) {
  for (const std::string_view field :
       {"",       "$",      "1,5",    "12,34", "1,2345",   "1234,567", ",100",
        "1,,000", "1,000,", "1.2.3",  "abc",   "1,000abc", "--1",      "$$1",
        "(1",     "1e999",  "$1e999", "nan",   "inf",      "EUR"}) {
    EXPECT_EQ(Amount(field), std::nullopt) << field;
  }
  for (const std::string_view field : {"1.5", "1,2,3", "1.23,5"}) {
    EXPECT_EQ(Amount(field, true), std::nullopt) << field;
  }
}

TEST(AmountsTest, AnAmountKeepsTheRulesOfWeights) {
  double weight = 0;
  bool cleaned = false;
  FieldError error;
  EXPECT_FALSE(ParseAmount("9,007,199,254,740,993", {}, &weight, &cleaned, &error));
  EXPECT_STREQ(error.reason, "an integer weight beyond 2^53");
  EXPECT_TRUE(ParseAmount("9,007,199,254,740,993", {.rounded = true}, &weight, &cleaned, &error));
  EXPECT_TRUE(cleaned);
  EXPECT_FALSE(ParseAmount("$1.5", {.integer_only = true}, &weight, &cleaned, &error));
  EXPECT_TRUE(ParseAmount("2.5", {}, &weight, &cleaned, &error));
  EXPECT_FALSE(cleaned);
}

/// The notes of an input that contain `text`.
size_t NotesWith(const ReadAll& read, std::string_view text) {
  size_t count = 0;
  for (const std::string& note : read.info.notes) count += note.find(text) != std::string::npos;
  return count;
}

TEST(AmountsTest, TablesSayWhatTheyUnderstood) {
  const TemporaryDirectory directory;
  const std::string text = "payer,payee,amount\n1,2,\"1,091.60\"\n2,3,$4\n3,4,5\n";
  const ReadAll read = Read({directory.Write("pay.csv", text)}, {});
  EXPECT_EQ(read.edges, (std::vector<ReadEdge>{{1, 2, 1091.6}, {2, 3, 4}, {3, 4, 5}}))
      << read.status.message();
  EXPECT_EQ(NotesWith(read, "2 weights have separators of thousands"), 1u);
  const ReadAll comma = Read({directory.Write("pay2.csv", "a;b;c\n1;2;1.091,60\n2;3;0,5\n")},
                             {.csv_columns = {"a", "b", "c"}, .decimal_comma = true});
  EXPECT_EQ(comma.edges, (std::vector<ReadEdge>{{1, 2, 1091.6}, {2, 3, .5}}))
      << comma.status.message();
}

TEST(AmountsTest, EdgesWithoutAWeightAreTreatedByRule) {
  const TemporaryDirectory directory;
  const std::string text = "source,target,weight\n1,2,5\n2,3,\n3,4,n/a\n4,5,NULL\n5,6,7\n";
  const std::string path = directory.Write("gaps.csv", text);
  const ReadAll refused = Read({path}, {});
  EXPECT_EQ(refused.status.code(), Code::kBadData);
  EXPECT_NE(refused.status.message().find("gaps.csv:3:"), std::string::npos);
  EXPECT_NE(refused.status.message().find("--empty-weight"), std::string::npos);
  const ReadAll skipped = Read({path}, {.empty_weight = EmptyWeight::kSkip});
  EXPECT_EQ(skipped.edges, (std::vector<ReadEdge>{{1, 2, 5}, {5, 6, 7}}));
  EXPECT_EQ(NotesWith(skipped, "3 edges without a weight are left out"), 1u);
  const ReadAll filled = Read({path}, {.empty_weight = EmptyWeight::kOne});
  EXPECT_EQ(filled.edges,
            (std::vector<ReadEdge>{{1, 2, 5}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 6, 7}}));
  const std::string networkx = directory.Write("nx.el", "0 1 {'weight': 3}\n0 2 {}\n");
  EXPECT_EQ(Read({networkx}, {}).status.code(), Code::kBadData);
  EXPECT_EQ(Read({networkx}, {.empty_weight = EmptyWeight::kOne}).edges,
            (std::vector<ReadEdge>{{0, 1, 3}, {0, 2, 1}}));
  const std::string plain = directory.Write("plain.el", "0 1 {}\n0 2 {}\n");
  EXPECT_EQ(Read({plain}, {}).edges.size(), 2u);
  const std::string list = directory.Write("short.wel", "0 1 3\n0 2\n");
  EXPECT_EQ(Read({list}, {.empty_weight = EmptyWeight::kOne}).edges,
            (std::vector<ReadEdge>{{0, 1, 3}, {0, 2, 1}}));
}

/// Lines in quotes, cut at any place into raw chunks.
TEST(AmountsTest, QuotedFieldsMayHaveLineEnds) {
  const TemporaryDirectory directory;
  std::string text = "from,to,note\n";
  std::vector<ReadEdge> edges;
  for (uint64_t i = 0; i < 200; ++i) {
    text += StrCat(i, ",", i + 1, ",", i % 3 == 0 ? "\"two\n9,9,\"\"lines\"\"\"" : "plain", "\n");
    edges.push_back({i, i + 1, 0});
  }
  const std::string path = directory.Write("notes.csv", text);
  for (const size_t chunk_bytes : {size_t{1}, size_t{7}, size_t{100}, size_t{1} << 20}) {
    const ReadAll read = Read({path}, {.chunk_bytes = chunk_bytes});
    EXPECT_TRUE(read.status.ok()) << read.status.message();
    EXPECT_EQ(read.edges, edges) << chunk_bytes;
    EXPECT_EQ(NotesWith(read, "quoted fields have line ends"), 1u);
  }
  // Line numbers count the line ends in quotes.
  const std::string bad = directory.Write("bad.csv", "from,to,note\n1,2,\"a\nb\"\n2,x,\"c\"\n");
  const ReadAll refused = Read({bad}, {.csv_columns = {"from", "to"}, .ids = IdReading::kNumbers});
  EXPECT_NE(refused.status.message().find("bad.csv:4:3: "), std::string::npos)
      << refused.status.message();
  const std::string name = directory.Write("name.csv", "from,to\n\"a\nb\",c\nd,e\n");
  EXPECT_NE(Read({name}, {}).status.message().find("a name with a line end in it"),
            std::string::npos);
}

TEST(AmountsTest, BadLinesAreCountedByReason) {
  const TemporaryDirectory directory;
  const std::string path = directory.Write("bad.el", "0 1\n0 -1\n2 x\n3 -4\n5 6\n");
  const ReadAll read = Read({path}, {.ids = IdReading::kNumbers, .max_bad_lines = UINT64_MAX});
  EXPECT_TRUE(read.status.ok()) << read.status.message();
  EXPECT_EQ(read.edges.size(), 2u);
  EXPECT_EQ(NotesWith(read, "2 of 3 bad lines skipped: a negative id"), 1u);
  EXPECT_EQ(NotesWith(read, "1 of 3 bad lines skipped: not a number where an id should be"), 1u);
}

}  // namespace
}  // namespace edgemill
