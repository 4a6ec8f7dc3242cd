// Translation of input ids to vertices and back, for dense and sparse ids, renumbered or not.
#include "engine/graph/id_map.h"

#include <gtest/gtest.h>

#include <set>

#include "common/thread_annotations.h"
#include "test/graphs/in_memory_graph.h"

namespace edgemill {
namespace {

/// Sets of ids of different kinds, each with about `count` ids.
std::vector<std::vector<ExternalId>> IdSets(uint64_t count) {
  std::vector<std::vector<ExternalId>> sets(4);
  Random random(count);
  std::set<ExternalId> sparse = {0, ~ExternalId{0} - 1, uint64_t{1} << 32, (uint64_t{1} << 32) - 1};
  while (sparse.size() < count) sparse.insert(random() >> random.Below(60));
  sparse.erase(~ExternalId{0});
  for (ExternalId id = 0; id < count; ++id) {
    sets[0].push_back(id);
    sets[1].push_back(id + 1);                        // id_base 1
    sets[2].push_back(id * 3 + (uint64_t{7} << 40));  // sparse, evenly
  }
  sets[3].assign(sparse.begin(), sparse.end());
  return sets;
}

TEST(IdMap, FindsEveryVertexAndNoOther) {
  for (const uint64_t count : {uint64_t{1}, uint64_t{127}, uint64_t{128}, uint64_t{700}}) {
    for (const std::vector<ExternalId>& ids : IdSets(count)) {
      for (const uint64_t seed : {0, 5}) {
        const InMemoryGraph graph(ids, {}, {.block_edges = 128, .renumber_seed = seed});
        InMemoryReader reader(graph, 0);
        IdMap map(graph, reader);
        std::set<VertexId> found;
        for (const ExternalId id : ids) {
          const StatusOr<VertexId> vertex = map.Find(id);
          ASSERT_TRUE(vertex.ok()) << vertex.status().message();
          ASSERT_LT(*vertex, ids.size());
          found.insert(*vertex);
        }
        EXPECT_EQ(found.size(), ids.size());
        for (size_t i = 0; i <= ids.size(); ++i) {
          const ExternalId beside = i < ids.size() ? ids[i] + 1 : ids.front() - 1;
          if (std::binary_search(ids.begin(), ids.end(), beside)) continue;
          const Status status = map.Find(beside).status();
          ASSERT_EQ(status.code(), Code::kUsage) << beside;
          EXPECT_NE(status.message().find(StrCat("from ", ids.front(), " to ", ids.back())),
                    std::string_view::npos)
              << status.message();
        }
      }
    }
  }
}

TEST(IdMap, VisitsIdsInOrderWithTheVerticesThatFindGives) {
  for (const std::vector<ExternalId>& ids : IdSets(300)) {
    for (const uint64_t seed : {0, 9}) {
      const InMemoryGraph graph(ids, {}, {.block_edges = 128, .renumber_seed = seed});
      InMemoryReader reader(graph, 0);
      IdMap map(graph, reader);
      std::vector<ExternalId> visited;
      ASSERT_TRUE(map.Visit([&](uint64_t first_rank, std::span<const ExternalId> run,
                                std::span<const VertexId> vertices) {
                       EXPECT_EQ(first_rank, visited.size());
                       EXPECT_EQ(run.size(), vertices.size());
                       for (size_t i = 0; i < run.size(); ++i) {
                         EXPECT_EQ(*map.Find(run[i]), vertices[i]);
                         EXPECT_EQ(*map.IdOf(vertices[i]), run[i]);
                         visited.push_back(run[i]);
                       }
                       return OkStatus();
                     })
                      .ok());
      EXPECT_EQ(visited, ids);
      Mutex mutex;
      std::vector<ExternalId> by_rank(ids.size());
      ASSERT_TRUE(map.VisitInParallel(3,
                                      [&](uint64_t first_rank, std::span<const ExternalId> run,
                                          std::span<const VertexId> vertices) {
                                        MutexLock lock(mutex);
                                        for (size_t i = 0; i < run.size(); ++i) {
                                          EXPECT_EQ(*map.Find(run[i]), vertices[i]);
                                          by_rank[first_rank + i] = run[i];
                                        }
                                        return OkStatus();
                                      })
                      .ok());
      EXPECT_EQ(by_rank, ids);
      const Status stopped = map.Visit([](auto, auto, auto) { return IoError("no more"); });
      EXPECT_EQ(stopped.message(), "no more");
    }
  }
}

TEST(IdMap, AGraphWithoutVerticesHasNone) {
  const InMemoryGraph graph({}, {}, {});
  InMemoryReader reader(graph, 0);
  IdMap map(graph, reader);
  EXPECT_EQ(map.Find(0).status().code(), Code::kUsage);
  EXPECT_TRUE(map.Visit([](auto, auto, auto) { return InternalError("called"); }).ok());
}

TEST(IdMap, DamagedColumnsAreNamedNotUsed) {
  const std::vector<ExternalId> ids = IdSets(300)[3];
  InMemoryGraph falling(ids, {}, {.block_edges = 128});
  for (std::byte& byte : falling.mutable_payload(ColumnKind::kExternalIds, 1)) byte = std::byte{0};
  InMemoryReader reader(falling, 0);
  const Status status = IdMap(falling, reader).Visit([](auto, auto, auto) { return OkStatus(); });
  EXPECT_EQ(status.code(), Code::kBadData);
  EXPECT_NE(status.message().find("block 1 of external-ids"), std::string_view::npos);

  InMemoryGraph wide(ids, {}, {.block_edges = 128, .renumber_seed = 3});
  const auto payload = wide.mutable_payload(ColumnKind::kInternalOfRank, 0);
  for (std::byte& byte : payload.subspan(8)) byte = std::byte{0xff};  // ids above any vertex
  InMemoryReader wide_reader(wide, 0);
  EXPECT_EQ(IdMap(wide, wide_reader).Find(ids[0]).status().code(), Code::kBadData);
}

}  // namespace
}  // namespace edgemill
