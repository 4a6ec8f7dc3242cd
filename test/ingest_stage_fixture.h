// What the stages of an ingest work with, in memory. Tests use it to run one stage at a time.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/units.h"
#include "loaders/stages/id_stage.h"
#include "loaders/stages/read_stage.h"
#include "test/graphs/list_source.h"
#include "test/graphs/memory_graph_writer.h"

namespace edgemill {

/// An input, and all that the driver prepares before it calls the first stage. The input lists its
/// vertices when `list.ids` is not empty.
struct StageFixture {
  explicit StageFixture(EdgeList input, const IngestOptions& with = {},
                        std::optional<uint64_t> num_vertices = std::nullopt)
      : list(std::move(input)), options(with) {
    source.mutable_info().has_vertex_list = !list.ids.empty();
    source.mutable_info().num_vertices = num_vertices;
    const StatusOr<GraphSchema> decided = DecideSchema(source.info(), options);
    EXPECT_TRUE(decided.ok()) << decided.status().message();
    schema = *decided;
    choice = {options.ids, options.max_vertex_id, options.num_vertices, options.narrow_id_limit};
    const StatusOr<IngestPlan> planned = PlanIngest(
        options,
        {.weighted = schema.weighted, .num_id_sets = IdSets::NumNeeded(source.info(), choice)},
        budget);
    EXPECT_TRUE(planned.ok()) << planned.status().message();
    plan = *planned;
    rules.weighted = schema.weighted;
    rules.weights = schema.weights;
    rules.check_symmetry = schema.check_symmetry;
    EXPECT_TRUE(ids.Make(source.info(), choice, plan.id_set_bytes, budget, &rules).ok());
  }

  /// Runs the read stage.
  Status Read(const ReadCheckpoints& checkpoints = {~uint64_t{0}, {}}) {
    return ReadInput(context, &schema, {rules, checkpoints}, edges, stats);
  }
  /// Runs the read stage and decides the ids.
  IdRanks ReadAndDecide() {
    EXPECT_TRUE(Read().ok());
    StatusOr<DecidedIds> decided = DecideIds(context, schema, choice, {stats, ids, edges});
    EXPECT_TRUE(decided.ok()) << decided.status().message();
    return std::move(decided->ids);
  }

  EdgeList list;
  IngestOptions options;
  MemoryBudget budget{128 * kMebibyte};
  Progress progress;
  MemoryGraphWriter writer{256, 4};
  ListSource source{list, 100};
  EdgeErrorLocator places{source};
  IngestPlan plan;
  std::vector<StageTime> times;
  IngestContext context{source, writer, budget, progress, places, plan, times};
  GraphSchema schema;
  IdChoice choice;
  SpilledEdges edges;
  IdSets ids;
  EdgeRules rules;
  IntakeStats stats;
};

inline EdgeList EdgeListOf(std::vector<TestEdge> edges, bool weighted) {
  return {.name = "lines", .edges = std::move(edges), .weighted = weighted};
}

/// The keys of one side of a bucket, in the order of its spill stream.
inline std::vector<uint64_t> KeysOf(const Bucket& bucket, int side) {
  std::vector<uint64_t> keys(bucket.count(side));
  if (keys.empty()) return keys;
  const SpillStream& records = *bucket.records[size_t(side)];
  std::vector<std::byte> bytes(records.size());
  EXPECT_TRUE(records.Read(0, bytes).ok());
  const size_t stride = bytes.size() / keys.size();
  for (size_t i = 0; i < keys.size(); ++i) {
    std::memcpy(&keys[i], bytes.data() + i * stride, sizeof(uint64_t));
  }
  return keys;
}

/// The edges of one side of all buckets, made from keys. Each key must lie in its bucket's range.
inline std::vector<std::pair<uint32_t, uint32_t>> EdgesOf(const BucketSet& set, int side = 0) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const Bucket& bucket : set.buckets()) {
    for (const uint64_t key : KeysOf(bucket, side)) {
      EXPECT_GE(key, bucket.first_key);
      EXPECT_LE(key, bucket.last_key);
      edges.emplace_back(static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key));
    }
  }
  return edges;
}

/// The same edges as EdgesOf gives, in ascending order.
inline std::vector<std::pair<uint32_t, uint32_t>> SortedEdgesOf(const BucketSet& set,
                                                                int side = 0) {
  auto edges = EdgesOf(set, side);
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace edgemill
