// GraphML: files of other programs, each rule of the format, damage, and long files.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/random.h"
#include "test/graphs/packed_text.h"
#include "test/ordered_reading.h"

namespace edgemill {
namespace {

constexpr const char* kWeightKey =
    "<key id='w' for='edge' attr.name='weight' attr.type='double'><default>9</default></key>";

std::string Graphml(const std::string& body, const std::string& keys = "",
                    const std::string& direction = "directed") {
  return StrCat("<?xml version='1.0'?>\n<graphml>\n", keys, "<graph edgedefault='", direction,
                "'>\n", body, "</graph></graphml>\n");
}

class GraphmlTest : public testing::Test {
 protected:
  NamedEdges Names(const std::string& text, const ReadOptions& options = {}) {
    const ReadAll all = Read({directory_.Write("a.graphml", text)}, options);
    EXPECT_TRUE(all.status.ok()) << all.status.message();
    return NamedEdgesOf(all);
  }
  void ExpectBad(const std::string& text, std::string_view said, const ReadOptions& options = {}) {
    const std::string path = directory_.Write("a.graphml", text);
    const ReadAll all = Read({path}, options);
    EXPECT_EQ(all.status.code(), Code::kBadData) << said;
    EXPECT_EQ(all.status.message().find(path), 0u) << all.status.message();
    EXPECT_NE(all.status.message().find(said), std::string_view::npos) << all.status.message();
  }

  TemporaryDirectory directory_;
};

TEST_F(GraphmlTest, ReadsWhatNetworkxWrites) {
  const ReadAll numbers = Read({TestFile("networkx/numbers.graphml")});
  EXPECT_EQ(numbers.edges, kSampleEdges) << numbers.status.message();
  EXPECT_EQ(numbers.vertices, (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(numbers.info.weighted && !numbers.info.named && !numbers.info.undirected);
  const ReadAll names = Read({TestFile("networkx/names.graphml")});
  EXPECT_EQ(NamedEdgesOf(names), (NamedEdges{{"Ada & Bob", "<x>", 2},
                                             {"Ada & Bob", "Zoë", 1.5},
                                             {"<x>", "\"q\"", -4},
                                             {"Zoë", "\"q\"", .25},
                                             {"\"q\"", "\"q\"", 7},
                                             {"n4", "Ada & Bob", 3}}));
  EXPECT_EQ(names.names.size(), 6u);
  EXPECT_TRUE(HasNote(names.info, "other data of edges is ignored: \"label\", \"since\""));
  EXPECT_TRUE(HasNote(names.info, "ids are names (\"Ada & Bob\" in line 7 is not a number)"));
  const ReadAll undirected = Read({TestFile("networkx/undirected.graphml")});
  EXPECT_EQ(undirected.edges.size(), 6u);
  EXPECT_TRUE(undirected.info.undirected && !undirected.info.weighted);
}

TEST_F(GraphmlTest, ReadsWhatOtherProgramsWrite) {
  // A prefix, a comment, CDATA, a processing instruction, character references, attributes in
  // another order, elements of another namespace, and ports.
  const std::string text = StrCat(
      "\xef\xbb\xbf<?xml version=\"1.0\" standalone=\"no\"?><!-- <graphml> -->\r\n",
      "<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns' xmlns:y='http://y'>\r\n",
      "<g:key attr.type='float' attr.name='Weight' id='w' for='all'/>",
      "<?note <edge source='a' target='b'/> ?><g:desc>text</g:desc>",
      "<g:graph edgedefault='directed' id='G' parse.nodes='2'>\r\n<g:data key='x'>1</g:data>",
      "<g:node id='&#x41;&#66;'><g:data key='z'><y:Node><y:Label>l</y:Label></y:Node></g:data>",
      "<g:port name='p'/></g:node><g:edge target='c' id='e' source='A&#66;' sourceport='p'>",
      "<g:data key='y'>5</g:data><g:data key='w'><![CDATA[ 2.5 ]]></g:data></g:edge>",
      "<!-- <edge/> --></g:graph></g:graphml>\r\n");
  EXPECT_EQ(Names(text), (NamedEdges{{"AB", "c", 2.5}}));
  const ReadAll all = Read({directory_.Write("a.xml", text)});  // by its content
  EXPECT_EQ(all.edges.size(), 1u) << all.status.message();
  EXPECT_TRUE(HasNote(all.info, "1 port of a node is ignored"));
  const std::string latin =
      "<?xml version='1.0' encoding='ISO-8859-1'?><graphml><graph>"
      "<edge source='Z\xef' target='b'/></graph></graphml>";
  EXPECT_EQ(Names(latin), (NamedEdges{{"Zï", "b", 0}}));
}

TEST_F(GraphmlTest, IdsThatAreNoPlainNumbersAreNames) {
  for (const char* id : {"7.0", "007", "-7", "nan", "18446744073709551615", "7 "}) {
    const std::string edges = StrCat("<edge source='7' target='", id, "'/>");
    EXPECT_EQ(Names(Graphml(edges)), (NamedEdges{{"7", id, 0}}));
  }
  ExpectBad(Graphml("<edge source='7' target='7.0'/>"), "an id with a decimal point",
            {.ids = IdReading::kNumbers});
}

TEST_F(GraphmlTest, WeightsHaveDefaultsAndTypes) {
  const std::string edges =
      "<edge source='0' target='1'/><edge source='1' target='0'><data key='w'>2</data></edge>";
  const auto read = [&](const std::string& keys, const ReadOptions& options = {}) {
    const ReadAll all = Read({directory_.Write("a.graphml", Graphml(edges, keys))}, options);
    EXPECT_TRUE(all.status.ok()) << all.status.message();
    return all;
  };
  EXPECT_EQ(read(kWeightKey).edges, (std::vector<ReadEdge>{{0, 1, 9}, {1, 0, 2}}));
  EXPECT_FALSE(read(kWeightKey, {.weights = WeightMode::kNone}).info.weighted);
  const std::string no_default = "<key id='w' for='edge' attr.name='weight' attr.type='int'/>";
  EXPECT_TRUE(read(no_default, {.empty_weight = EmptyWeight::kOne}).info.integer_weights);
  EXPECT_EQ(read(no_default, {.empty_weight = EmptyWeight::kOne}).edges,
            (std::vector<ReadEdge>{{0, 1, 1}, {1, 0, 2}}));
  EXPECT_EQ(read(no_default, {.empty_weight = EmptyWeight::kSkip}).edges,
            (std::vector<ReadEdge>{{1, 0, 2}}));
  ExpectBad(Graphml(edges, no_default), ":4:1: a missing weight (\"<edge source=");
  const ReadAll text = read("<key id='w' for='edge' attr.name='weight' attr.type='string'/>");
  EXPECT_FALSE(text.info.weighted);
  EXPECT_TRUE(HasNote(text.info, "called \"weight\" is no number by its attr.type"));
  EXPECT_FALSE(read("<key id='w' for='node' attr.name='weight' attr.type='int'/>").info.weighted);
  ExpectBad(Graphml("<edge source='0' target='1'><data key='w'>x</data></edge>", kWeightKey),
            "not a number where a weight should be");
}

TEST_F(GraphmlTest, DirectedAndUndirectedEdgesMayBeMixed) {
  const std::string edges =
      "<edge source='0' target='1'/><edge source='1' target='2' directed='false'/>"
      "<edge source='3' target='3' directed='false'/><edge source='2' target='0' directed='true'/>";
  const ReadAll directed = Read({directory_.Write("a.graphml", Graphml(edges))});
  EXPECT_EQ(directed.edges, (std::vector<ReadEdge>{{0, 1}, {1, 2}, {2, 1}, {3, 3}, {2, 0}}));
  EXPECT_FALSE(directed.info.undirected);
  EXPECT_TRUE(HasNote(directed.info, "2 undirected edges beside directed ones are stored in both"));
  const std::string other = Graphml(edges, "", "undirected");
  const ReadAll undirected = Read({directory_.Write("a.graphml", other)});
  EXPECT_EQ(undirected.edges,
            (std::vector<ReadEdge>{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 3}, {2, 0}}));
  EXPECT_FALSE(undirected.info.undirected);
  // The directed edge is behind the head that shows what a file is.
  std::string many;
  for (int i = 0; i < 60'000; ++i) many += "<edge source='0' target='1'/>\n";
  many += "<edge source='5' target='6'\n directed = 'true'/>";
  const std::string path = directory_.Write("b.graphml", Graphml(many, "", "undirected"));
  const ReadAll late = Read({path});
  EXPECT_EQ(late.edges.size(), 120'001u) << late.status.message();
  EXPECT_EQ(late.edges.back(), (ReadEdge{5, 6}));
  const ReadAll packed =
      Read({directory_.Write("b.graphml.xz", Xz(Graphml(many, "", "undirected")))});
  EXPECT_EQ(packed.edges, late.edges);
}

TEST_F(GraphmlTest, DirectionDoesNotDependOnTheSizeOfTheFile) {
  for (const int count : {10, 60'000}) {
    std::string edges;
    for (int i = 0; i < count; ++i) {
      edges += StrCat("<edge source='0' target='", i, "' directed=\"false\"/>\n");
    }
    const ReadAll all = Read({directory_.Write("a.graphml", Graphml(edges, "", "undirected"))});
    EXPECT_TRUE(all.info.undirected) << count << all.status.message();
    EXPECT_EQ(all.edges.size(), size_t(count));
  }
}

TEST_F(GraphmlTest, Utf16IsRead) {
  std::string edges = "<edge source='0' target='1'/>\n";
  const auto wide = [](const std::string& text, bool little) {
    std::string bytes = little ? "\xff\xfe" : "\xfe\xff";
    for (const char c : text) bytes += little ? std::string{c, '\0'} : std::string{'\0', c};
    return bytes;
  };
  for (const bool little : {true, false}) {
    const std::string text = "<graphml><graph edgedefault='undirected'>" + edges;
    const ReadAll all = Read({directory_.Write("a", wide(text + "</graph></graphml>", little))});
    EXPECT_EQ(all.edges, (std::vector<ReadEdge>{{0, 1}})) << all.status.message();
  }
  // The look through a file finds directed edges, too.
  for (int i = 0; i < 40'000; ++i) edges += "<edge source='0' target='1'/>\n";
  edges += "<edge source='2' target='3' directed='true'/>";
  const std::string text = "<graphml><graph edgedefault='undirected'>" + edges;
  const ReadAll late = Read({directory_.Write("a", wide(text + "</graph></graphml>", true))});
  EXPECT_EQ(late.edges.size(), 80'003u) << late.status.message();
}

TEST_F(GraphmlTest, WeightsAreNeverCut) {
  const auto edge = [](const std::string& weight) {
    return Graphml(StrCat("<edge source='0' target='1'><data key='w'>", weight, "</data></edge>"),
                   kWeightKey);
  };
  const std::string blanks(300, ' '), zeros(300, '0');
  for (const std::string& text : {"\n" + blanks + "2.5", "2.5" + blanks + "\n"}) {
    const ReadAll all = Read({directory_.Write("a.graphml", edge(text))});
    EXPECT_EQ(all.edges, (std::vector<ReadEdge>{{0, 1, 2.5}})) << all.status.message();
  }
  ExpectBad(edge("1<b/>2"), "an element inside a weight");
  ExpectBad(edge("1" + zeros), ":4:1: a weight of more than 256 bytes");
  ExpectBad(edge("1" + blanks + "2"), ":4:1: a weight of more than 256 bytes");
  const std::string key = "<key id='w' for='edge' attr.name='weight'><default>";
  ExpectBad(Graphml("<edge source='0' target='1'/>", StrCat(key, "1", zeros, "</default></key>")),
            "a default weight of more than 256 bytes");
}

TEST_F(GraphmlTest, IdsAreNeverMergedByTheirNumbers) {
  std::string many = "<edge source='7' target='1'/>\n";
  for (int i = 0; i < 60'000; ++i) many += "<edge source='0' target='1'/>\n";
  ExpectBad(Graphml(many + "<edge source='007' target='1'/>"), "an id such as 007");
  const std::string few = Graphml("<edge source='7' target='1'/>\n<edge source='007' target='1'/>");
  const ReadAll skipped = Read({directory_.Write("a.graphml", few)}, {.max_bad_lines = 1});
  EXPECT_EQ(skipped.edges, (std::vector<ReadEdge>{{7, 1}})) << skipped.status.message();
  EXPECT_EQ(skipped.bad_lines, 1u);
  const ReadAll numbers = Read({directory_.Write("a.graphml", few)}, {.ids = IdReading::kNumbers});
  EXPECT_EQ(numbers.edges, (std::vector<ReadEdge>{{7, 1}, {7, 1}}));
}

TEST_F(GraphmlTest, WhatIsNoGraphIsRefusedByName) {
  const std::string node = "<node id='a'>";
  ExpectBad(Graphml(node + "<graph/></node>"), ":4:14: a graph inside a node or an edge");
  ExpectBad(Graphml("<graph></graph>"), ":4:1: a graph inside a graph");
  ExpectBad(Graphml("<hyperedge/>"), "a hyperedge, which is not an edge");
  ExpectBad("<graphml><graph/><graph/></graphml>", ":1:18: a second graph");
  ExpectBad("<gexf/>", "XML of \"gexf\", not of \"graphml\"");
  ExpectBad("<graphml></graphml>", "no <graph>");
  ExpectBad("", "not well-formed XML (no element found)");
  ExpectBad("0 1\n", ":1:1: not well-formed XML");
  ExpectBad(Graphml("<edge source='a'/>"), "an edge without a source or a target");
  ExpectBad(Graphml("<node/>"), "a node without an id");
  ExpectBad(Graphml("<edge source='a' target=''/>"), "a missing name");
  ExpectBad(Graphml("<edge source='a' target='b' directed='x'/>"), "neither \"true\" nor");
  ExpectBad(Graphml("", "", "both"), "an edgedefault that is neither");
  ExpectBad(Graphml("<edge></node>"), "mismatched tag");
  ExpectBad("<?xml version='1.0' encoding='klingon'?><graphml/>", "iconv");
  ExpectBad(Graphml("<node id='1'/><node id='x'/>"), "--ids strings reads names",
            {.ids = IdReading::kNumbers});
  EXPECT_EQ(Read({directory_.Write("a.txt", "<?xml version='1.0'?><svg/>")}).status.code(),
            Code::kUsage);
}

TEST_F(GraphmlTest, EntitiesAreNeverExpanded) {
  std::string laughs = "<!DOCTYPE graphml [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 30; ++i) {
    laughs += StrCat("<!ENTITY a", i, " '&a", i - 1, ";&a", i - 1, ";'>");
  }
  ExpectBad(laughs + "]><graphml><graph><node id='&a29;'/></graph></graphml>",
            "the declaration of entity \"a0\"");
  const std::string outside = "<!DOCTYPE graphml [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>";
  ExpectBad(outside + "<graphml><graph><node id='&x;'/></graph></graphml>", "entity \"x\"");
  ExpectBad("<graphml><graph><node id='&x;'/></graph></graphml>", "undefined entity");
  const std::string dtd = "<!DOCTYPE graphml SYSTEM 'http://x/graphml.dtd'>";
  EXPECT_EQ(Names(dtd + "<graphml><graph><edge source='a&lt;' target='b'/></graph></graphml>"),
            (NamedEdges{{"a<", "b", 0}}));
  ExpectBad(dtd + "<graphml><graph><node id='b&x;'/></graph></graphml>", "the entity \"x\"");
  ExpectBad(dtd + "<graphml><graph><node id='b'/>&x;</graph></graphml>", "the entity \"x\"");
}

TEST_F(GraphmlTest, EndlessPartsAreRefused) {
  const std::string endless(3 << 20, 'x');
  ExpectBad(Graphml(StrCat("<node id='1'/><node id='", endless)), "longer than 1 MiB");
  ExpectBad(Graphml(StrCat("<node id='1'/><!-- ", endless)), "longer than 1 MiB");
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<a>";
  ExpectBad(Graphml(deep), "nested too deep");
  const std::string ignored = StrCat("<data>", endless, "</data><edge source='a' target='b'/>");
  EXPECT_EQ(Names(Graphml(ignored), {.ids = IdReading::kNames}), (NamedEdges{{"a", "b", 0}}));
}

TEST_F(GraphmlTest, MemoryIsBounded) {
  std::string names;
  for (int i = 0; i < 1'200'000; ++i) names += StrCat("<a", i, "/>");
  const std::string path = directory_.Write("a.graphml", Graphml("<node id='1'/>" + names));
  const Status status = Read({path}).status;
  EXPECT_EQ(status.code(), Code::kBudget) << status.message();
  EXPECT_NE(status.message().find("takes more than 64 MiB"), std::string_view::npos);
}

TEST_F(GraphmlTest, EdgesAreFoundByLine) {
  const std::string text =
      "<node id='9'/>\n<edge source='0' target='1'/>\n<edge\nsource='2' "
      "target='3' directed='false'/>\n";
  const std::string path = directory_.Write("a.graphml", Graphml(text));
  auto source = OpenEdgeReader({path}, {});
  ASSERT_TRUE(source.ok());
  const auto find = [&](uint64_t id) {
    return *(*source)->Locate([id](const LocatedEdge& edge) { return edge.source == id; });
  };
  EXPECT_EQ(find(0).where, path + ":5:1");
  EXPECT_EQ(find(3).where, path + ":6:1");  // the other direction
  EXPECT_EQ(find(3).place.line, 6u);
}

TEST_F(GraphmlTest, BadEdgesCanBeSkipped) {
  std::string text = "<edge source='0' target='1'/>\n<edge source='0' target='x'/>\n";
  text += "<edge source='0'/>\n<edge source='2' target='3'/>\n";
  const ReadOptions options{.ids = IdReading::kNumbers, .max_bad_lines = 2};
  const ReadAll all = Read({directory_.Write("a.graphml", Graphml(text))}, options);
  EXPECT_EQ(all.edges, (std::vector<ReadEdge>{{0, 1}, {2, 3}})) << all.status.message();
  EXPECT_EQ(all.bad_lines, 2u);
  ExpectBad(Graphml(text), ":5:1: not a number where an id should be",
            {.ids = IdReading::kNumbers});
}

TEST_F(GraphmlTest, DamageIsFoundOrChangesNoStructure) {
  const std::string text = Graphml(
      "<node id='11'/><edge source='11' target='22'><data key='w'>3</data></edge>", kWeightKey);
  ExpectSafeWhenDamaged(text, "a.graphml", directory_);
}

TEST_F(GraphmlTest, LongFilesAreReadInParts) {
  Random random(5);
  std::string nodes, edges;
  std::vector<ReadEdge> want;
  for (int i = 0; i < 5000; ++i) nodes += StrCat("<node id='", i, "'/>\n");
  for (int i = 0; i < 20'000; ++i) {
    const ReadEdge edge{random.Below(5000), random.Below(5000), double(random.Below(100))};
    want.push_back(edge);
    edges += StrCat("<edge source='", edge.source, "' target='", edge.target, "'><data key='w'>",
                    edge.weight, "</data></edge>\n");
  }
  ExpectSameInParts(Graphml(nodes + edges, kWeightKey), "a.graphml", want, directory_);
}

}  // namespace
}  // namespace edgemill
