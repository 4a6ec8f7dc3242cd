// Names by rank and ranks by name, with groups that do not fit in a block, and damaged blocks.
#include "engine/graph/names/name_dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/edit_distance.h"
#include "engine/graph/names/name_text.h"
#include "engine/graph/names/nearest_names.h"
#include "test/graphs/in_memory_graph.h"
#include "test/graphs/random_names.h"

namespace edgemill {
namespace {

/// A graph without edges whose vertices have `names`, which ascend.
InMemoryGraph Named(const std::vector<std::string>& names, uint32_t block_edges = 128) {
  std::vector<ExternalId> ids(names.size());
  std::iota(ids.begin(), ids.end(), ExternalId{0});
  return {ids, {}, {.block_edges = block_edges, .names = names}};
}

/// The error that the cursor finds.
Status FaultOf(const InMemoryGraph& graph) {
  InMemoryReader reader(graph, 0);
  NameCursor cursor(graph, reader);
  while (cursor.rank() < graph.info().num_vertices) RETURN_IF_ERROR(cursor.Next().status());
  return OkStatus();
}

TEST(NameDictionary, FindsEveryNameAndNoOther) {
  for (const size_t count : {1, 15, 16, 17, 33, 2000, 2600}) {
    const std::vector<std::string> names = RandomNames(count, count);
    const InMemoryGraph graph = Named(names);
    InMemoryReader reader(graph, 0);
    const NameDictionary dictionary(graph, reader);
    MemoryBudget budget(uint64_t{64} << 20);
    const auto loaded = LoadedNames::Load(graph, reader, 2, budget);
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    EXPECT_EQ(budget.total_bytes() - MemoryBudget::kProcessBytes - budget.available_bytes(),
              LoadedNames::SizeBytes(graph));
    NameCursor cursor(graph, reader);
    for (uint64_t rank = 0; rank < count; ++rank) {
      EXPECT_EQ(*cursor.Next(), names[rank]);
      EXPECT_EQ(loaded->Of(rank), names[rank]);
      const auto found = dictionary.Find(names[rank]);
      ASSERT_TRUE(found.ok()) << found.status().message();
      EXPECT_EQ(*found, rank);
      EXPECT_EQ(*dictionary.At(rank), names[rank]);
      const std::string beside = names[rank] + '\1';
      if (!std::binary_search(names.begin(), names.end(), beside)) {
        EXPECT_EQ(*dictionary.Find(beside), std::nullopt);
      }
    }
    EXPECT_EQ(*dictionary.Find(""), std::nullopt);
    EXPECT_EQ(*dictionary.Find("\xff"), std::nullopt);
    cursor.Seek(count / 2);
    EXPECT_EQ(*cursor.Next(), names[count / 2]);
    EXPECT_EQ(cursor.rank(), count / 2 + 1);
  }
}

TEST(NameDictionary, FindsManyNamesAtOnce) {
  const std::vector<std::string> names = RandomNames(2600, 5);
  const InMemoryGraph graph = Named(names);
  InMemoryReader reader(graph, 0);
  const NameDictionary dictionary(graph, reader);
  Random random(3);
  for (const size_t share : {1, 2, 20, 300, 2000}) {
    std::vector<std::string> wanted = {"", "\xff"};
    for (const std::string& name : names) {
      if (random.Below(share) != 0) continue;
      wanted.insert(wanted.end(), {name, name, name + '\1'});
    }
    std::sort(wanted.begin(), wanted.end());
    const std::vector<std::string_view> views(wanted.begin(), wanted.end());
    std::vector<std::optional<uint64_t>> ranks(wanted.size(), 7);
    ASSERT_TRUE(dictionary.FindAll(views, ranks).ok());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const auto known = std::lower_bound(names.begin(), names.end(), wanted[i]);
      const bool is_name = known != names.end() && *known == wanted[i];
      EXPECT_EQ(ranks[i].has_value(), is_name) << wanted[i];
      if (!is_name) continue;
      EXPECT_EQ(*ranks[i], static_cast<uint64_t>(known - names.begin()));
    }
  }
}

TEST(NameDictionary, ReadsEachBlockOnceToFindAllNames) {
  const std::vector<std::string> names = RandomNames(40000, 4);
  const InMemoryGraph graph = Named(names);
  InMemoryReader reader(graph, 0);
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::vector<std::optional<uint64_t>> ranks(names.size());
  reader.deliveries_left = graph.column(ColumnKind::kNames).num_blocks +
                           graph.column(ColumnKind::kNameGroups).num_blocks;
  ASSERT_TRUE(NameDictionary(graph, reader).FindAll(views, ranks).ok());
  for (size_t i = 0; i < names.size(); ++i) ASSERT_EQ(ranks[i], i);
}

TEST(NameDictionary, AGroupMayLieInManyBlocks) {
  std::vector<std::string> names;
  for (char c = 'a'; c < 'k'; ++c) names.push_back(std::string(5000, c));
  const InMemoryGraph graph = Named(names);
  EXPECT_GT(graph.column(ColumnKind::kNames).num_blocks, 390u);
  InMemoryReader reader(graph, 0);
  for (uint64_t rank = 0; rank < names.size(); ++rank) {
    EXPECT_EQ(*NameDictionary(graph, reader).At(rank), names[rank]);
  }
}

TEST(NameDictionary, ReadsFewBlocksToFindAName) {
  const std::vector<std::string> names = RandomNames(40000, 4);
  const InMemoryGraph graph = Named(names);
  InMemoryReader reader(graph, 0);
  reader.deliveries_left = 60;
  EXPECT_EQ(*NameDictionary(graph, reader).Find(names[12345]), 12345u);
}

TEST(NameDictionary, SuggestsTheNearestNames) {
  const InMemoryGraph graph =
      Named({"Bob", "ali", "alice", "alina", "bob", "carol", "daniel", "zacharias"});
  InMemoryReader reader(graph, 0);
  const NameDictionary dictionary(graph, reader);
  const auto said = [&](std::string_view name) {
    const Status status = dictionary.FindOrSuggest(name, 2).status();
    EXPECT_EQ(status.code(), Code::kUsage);
    return std::string(status.message());
  };
  EXPECT_EQ(*dictionary.FindOrSuggest("bob", 1), 4u);
  EXPECT_EQ(said("alcie"),
            "vertex \"alcie\" is not in memory.mill: did you mean \"alice\", \"ali\" or "
            "\"alina\"?");
  EXPECT_EQ(said("DANIEL"), "vertex \"DANIEL\" is not in memory.mill: did you mean \"daniel\"?");
  EXPECT_EQ(said("BOB"), "vertex \"BOB\" is not in memory.mill: did you mean \"Bob\" or \"bob\"?");
  EXPECT_EQ(
      said("x\n1234"),
      "vertex \"x\\n1234\" is not in memory.mill: its 8 names run from \"Bob\" to \"zacharias\"");
}

TEST(NameDictionary, TheNearestAreThoseOfAnExhaustiveSearch) {
  const std::vector<std::string> names = RandomNames(5000, 11);
  const InMemoryGraph graph = Named(names);
  InMemoryReader reader(graph, 0);
  Random random(7);
  for (int i = 0; i < 60; ++i) {
    std::string name = names[random.Below(names.size())].substr(0, 100);
    for (uint64_t j = random.Below(3) + 1; j > 0 && !name.empty(); --j) {
      name.erase(random.Below(name.size()), 1);
    }
    std::vector<std::pair<size_t, std::string>> all;
    const size_t most = std::min<size_t>((name.size() + 1) / 2, 8);
    for (const std::string& other : names) {
      const size_t distance = EditDistance(name).To(other, most);
      if (distance <= most) all.emplace_back(distance, other);
    }
    std::sort(all.begin(), all.end());
    all.resize(std::min(all.size(), kNearestNames));
    std::vector<std::string> expected;
    for (const auto& near : all) expected.push_back(near.second);
    EXPECT_EQ(*NearestNames(graph, reader, name, 3), expected) << name;
  }
}

TEST(NameDictionary, MemoryThatIsNotThereIsNamed) {
  const InMemoryGraph graph = Named(RandomNames(500, 1));
  InMemoryReader reader(graph, 0);
  MemoryBudget budget(MemoryBudget::kProcessBytes + 100);
  const Status status = LoadedNames::Load(graph, reader, 1, budget).status();
  EXPECT_EQ(status.code(), Code::kBudget);
  EXPECT_NE(status.message().find("the names of vertices"), std::string_view::npos)
      << status.message();
}

TEST(NameDictionary, DamageIsFoundAndNamedWithItsPlace) {
  const std::vector<std::string> names = RandomNames(2600, 3);
  const auto expect = [&](InMemoryGraph& graph, std::string_view place) {
    const Status walked = FaultOf(graph);
    EXPECT_EQ(walked.code(), Code::kBadData);
    EXPECT_NE(walked.message().find(place), std::string_view::npos) << walked.message();
    InMemoryReader reader(graph, 0);
    MemoryBudget budget(uint64_t{64} << 20);
    const Status loaded = LoadedNames::Load(graph, reader, 2, budget).status();
    EXPECT_EQ(loaded.code(), Code::kBadData);
    EXPECT_NE(loaded.message().find(place), std::string_view::npos) << loaded.message();
  };
  InMemoryGraph garbage = Named(names);
  for (std::byte& byte : garbage.mutable_payload(ColumnKind::kNames, 0)) byte = std::byte{0xff};
  expect(garbage, "block 0 of names");
  InMemoryGraph falling = Named(names);
  for (std::byte& byte : falling.mutable_payload(ColumnKind::kNameGroups, 1)) byte = std::byte{0};
  expect(falling, "block 1 of name-groups");
  InMemoryGraph beyond = Named(names);
  beyond.mutable_payload(ColumnKind::kNameGroups, 0)[5] = std::byte{1};
  expect(beyond, "block 0 of name-groups");
  InMemoryGraph shorter = Named(names);
  const auto last = shorter.mutable_payload(ColumnKind::kNameGroups,
                                            shorter.column(ColumnKind::kNameGroups).num_blocks - 1);
  last[last.size() - 8] ^= std::byte{1};
  expect(shorter, "of name-groups");
}

TEST(NameDictionary, EveryChangedByteIsAnErrorOrOtherNames) {
  const std::vector<std::string> names = RandomNames(100, 5);
  InMemoryGraph graph = Named(names);
  for (const ColumnKind column : {ColumnKind::kNames, ColumnKind::kNameGroups}) {
    for (uint64_t block = 0; block < graph.column(column).num_blocks; ++block) {
      for (std::byte& byte : graph.mutable_payload(column, block)) {
        const std::byte was = byte;
        byte ^= std::byte{0x41};
        const Status status = FaultOf(graph);
        EXPECT_TRUE(status.ok() || status.code() == Code::kBadData);
        byte = was;
      }
    }
  }
  EXPECT_TRUE(FaultOf(graph).ok());
}

TEST(NameText, QuotesWhatWouldNotReadBack) {
  const auto field = [](std::string_view name) {
    std::string text;
    AppendNameField(name, &text);
    return text;
  };
  for (const char* plain : {"alice", "42", "a-b_c/d", "a#b", "na\xc3\xafve", "'x'", "info"}) {
    EXPECT_EQ(field(plain), plain);
  }
  EXPECT_EQ(field("New York"), "\"New York\"");
  EXPECT_EQ(field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(field("a\tb"), "\"a\tb\"");
  EXPECT_EQ(field("a,b"), "\"a,b\"");
  EXPECT_EQ(field("a;b"), "\"a;b\"");
  EXPECT_EQ(field("#tag"), "\"#tag\"");
  EXPECT_EQ(field("//x"), "\"//x\"");
  EXPECT_EQ(field("%x"), "\"%x\"");
  EXPECT_EQ(field("inf"), "\"inf\"");
  EXPECT_EQ(field("\xef\xbb\xbfx"), "\"\xef\xbb\xbfx\"");
}

}  // namespace
}  // namespace edgemill
