// Vertices are ordered by degree as defined, on any number of threads.
#include "loaders/sort/renumberer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/random.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill {
namespace {

struct Ends {
  uint32_t source;
  uint32_t target;
};

/// The new id of each vertex, by definition.
std::vector<uint32_t> Expected(Renumbering kind, uint32_t num_vertices, bool both_ways,
                               const std::vector<Ends>& edges) {
  std::vector<uint64_t> out(num_vertices), in(num_vertices);
  for (const Ends& edge : edges) {
    ++out[edge.source];
    ++in[edge.target];
    if (!both_ways || edge.source == edge.target) continue;
    ++out[edge.target];
    ++in[edge.source];
  }
  const auto heat = [&](uint32_t v) {
    return kind == Renumbering::kHub ? out[v] * in[v] : out[v] + in[v];
  };
  std::vector<uint32_t> order(num_vertices);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return heat(a) > heat(b); });
  if (kind == Renumbering::kHub) {
    std::sort(order.begin() + static_cast<ptrdiff_t>(.08 * num_vertices), order.end());
  }
  std::vector<uint32_t> expected(num_vertices);
  for (uint32_t i = 0; i < num_vertices; ++i) expected[order[i]] = i;
  return expected;
}

TEST(RenumbererTest, OrdersByTheDegreesThatItCounted) {
  Random random(1);
  for (const uint32_t num_vertices : {0u, 1u, 30u, 1000u, 300'000u}) {
    for (const double skew : {1.0, 6.0}) {
      std::vector<Ends> edges(num_vertices == 0 ? 0 : 5 * num_vertices + 100);
      const auto draw = [&] {
        return static_cast<uint32_t>(std::pow(random.Unit(), skew) * num_vertices);
      };
      for (Ends& edge : edges) edge = {draw(), draw()};
      for (const bool both_ways : {false, true}) {
        for (const Renumbering kind : {Renumbering::kDegree, Renumbering::kHub}) {
          SCOPED_TRACE(testing::Message() << num_vertices << " vertices, skew " << skew
                                          << (both_ways ? ", both ways" : "")
                                          << (kind == Renumbering::kHub ? ", hubs" : ""));
          const std::vector<uint32_t> expected = Expected(kind, num_vertices, both_ways, edges);
          for (const int threads : {1, 4}) {
            MemoryBudget budget{64 * kMebibyte};
            auto renumberer = Renumberer::Create(kind, num_vertices, both_ways, budget);
            ASSERT_TRUE(renumberer.ok()) << renumberer.status().message();
            ASSERT_TRUE(RunThreads(threads, [&](int thread) {
                          Renumberer::Counter counter(*renumberer);
                          const auto step = static_cast<size_t>(threads);
                          for (auto i = static_cast<size_t>(thread); i < edges.size(); i += step) {
                            EXPECT_TRUE(counter.Count(edges[i].source, edges[i].target));
                          }
                          return OkStatus();
                        }).ok());
            const auto internal = renumberer->Finish(threads, budget);
            ASSERT_TRUE(internal.ok());
            EXPECT_TRUE(std::ranges::equal(*internal, expected)) << threads << " threads";
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace edgemill
