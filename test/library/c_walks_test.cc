// The C interface's walks: along edges, in the order of starts, the same for any memory; errors.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/random.h"
#include "edgemill/c_api.h"
#include "test/library/c_api_fixture.h"

namespace edgemill {
namespace {

/// Walks that a call gave.
struct Taken {
  std::vector<std::vector<uint64_t>> walks;
  uint64_t pieces = 0;
  uint64_t most_pieces = ~uint64_t{0};

  edgemill_walk_request Request(const std::vector<uint64_t>* starts) {
    return {.starts = starts == nullptr ? nullptr : starts->data(),
            .num_starts = starts == nullptr ? 0 : starts->size(),
            .user = this,
            .take = [](void* user, const edgemill_walks* given) {
              Taken& taken = *static_cast<Taken*>(user);
              EXPECT_EQ(given->first, taken.walks.size());
              EXPECT_EQ(given->offsets[0], 0u);
              for (uint64_t i = 0; i < given->count; ++i) {
                taken.walks.emplace_back(given->vertices + given->offsets[i],
                                         given->vertices + given->offsets[i + 1]);
              }
              return ++taken.pieces < taken.most_pieces ? 0 : 1;
            }};
  }
};

class CWalksTest : public CApiTest {
 protected:
  /// A graph of random edges between multiples of 10, and its edges.
  void IngestRandom(uint64_t vertices, uint64_t edges, bool weighted) {
    Random random(5);
    std::vector<uint64_t> sources, targets;
    std::vector<double> weights;
    for (uint64_t i = 0; i < edges; ++i) {
      sources.push_back(10 * random.Below(vertices));
      targets.push_back(10 * random.Below(vertices));
      if (weighted) weights.push_back(static_cast<double>(random.Below(3)));
      edges_[sources.back()].insert(targets.back());
      vertices_.insert({sources.back(), targets.back()});
    }
    ExpectOk(Ingest(sources, targets, weights, Given({"--block-edges=1024"})));
  }

  std::vector<std::vector<uint64_t>> Walk(const std::vector<uint64_t>* starts,
                                          std::vector<const char*> arguments) {
    Taken taken;
    const edgemill_walk_request request = taken.Request(starts);
    ExpectOk(edgemill_walk(Open().get(), &request, Given(std::move(arguments))));
    return taken.walks;
  }

  void ExpectAlongEdges(const std::vector<std::vector<uint64_t>>& walks, uint64_t length) {
    for (const std::vector<uint64_t>& walk : walks) {
      for (size_t i = 1; i < walk.size(); ++i) {
        EXPECT_TRUE(edges_[walk[i - 1]].contains(walk[i])) << walk[i - 1] << " " << walk[i];
      }
      EXPECT_LE(walk.size(), length + 1);
      EXPECT_TRUE(walk.size() == length + 1 || edges_[walk.back()].empty());
    }
  }

  std::map<uint64_t, std::set<uint64_t>> edges_;
  std::set<uint64_t> vertices_;
};

TEST_F(CWalksTest, WalksFromAllVerticesGoAlongEdges) {
  IngestRandom(500, 800, /*weighted=*/false);
  const auto walks = Walk(nullptr, {"--length=7", "--walks-per-vertex=3", "--seed=9"});
  ASSERT_EQ(walks.size(), 3 * vertices_.size());
  size_t i = 0;
  for (const uint64_t vertex : vertices_) {
    for (int again = 0; again < 3; ++again) EXPECT_EQ(walks[i++].front(), vertex);
  }
  ExpectAlongEdges(walks, 7);
  const auto biased =
      Walk(nullptr, {"--length=7", "--walks-per-vertex=3", "--return=0.25", "--in-out=4"});
  EXPECT_NE(biased, walks);
  ExpectAlongEdges(biased, 7);
  const std::vector<const char*> on_one = {"--length=7", "--walks-per-vertex=3", "--seed=9",
                                           "--threads=1", "--memory=64MiB"};
  const edgemill_call call = {.arguments = on_one.data(), .num_arguments = on_one.size()};
  Taken again;
  const edgemill_walk_request request = again.Request(nullptr);
  ExpectOk(edgemill_walk(Open().get(), &request, &call));
  EXPECT_EQ(again.walks, walks);
}

TEST_F(CWalksTest, StartsComeInTheirOrderAndTheCallerMayEnd) {
  IngestRandom(60, 3000, /*weighted=*/true);
  const std::vector<uint64_t> starts = {590, 0, 590, 300};
  const std::vector<const char*> options = {"--length=40", "--walks-per-vertex=2000", "--weighted"};
  const auto walks = Walk(&starts, options);
  ASSERT_EQ(walks.size(), 8000u);
  for (size_t i = 0; i < walks.size(); ++i) EXPECT_EQ(walks[i].front(), starts[i / 2000]);

  Taken taken;
  taken.most_pieces = 1;
  const edgemill_walk_request request = taken.Request(&starts);
  ExpectOk(edgemill_walk(Open().get(), &request, Given(options)));
  EXPECT_EQ(taken.pieces, 1u);
  ASSERT_GT(taken.walks.size(), 1000u);
  ASSERT_LT(taken.walks.size(), walks.size());
  EXPECT_TRUE(std::equal(taken.walks.begin(), taken.walks.end(), walks.begin()));
  std::vector<uint64_t> none;
  none.reserve(1);  // a pointer that is not null
  EXPECT_TRUE(Walk(&none, {}).empty());
}

TEST_F(CWalksTest, MistakesAreErrors) {
  IngestRandom(50, 200, /*weighted=*/false);
  const auto graph = Open();
  Taken taken;
  const auto walk = [&](const std::vector<uint64_t>* starts, std::vector<const char*> arguments) {
    const edgemill_walk_request request = taken.Request(starts);
    return edgemill_walk(graph.get(), &request, Given(std::move(arguments)));
  };
  const std::vector<uint64_t> starts = {10, 7, 10};
  ExpectError(walk(&starts, {}), EDGEMILL_USAGE, "7");
  ExpectError(walk(nullptr, {"--weighted"}), EDGEMILL_USAGE,
              "--weighted: the graph has no weights");
  ExpectError(walk(nullptr, {"--length=0"}), EDGEMILL_USAGE, "--length");
  ExpectError(walk(nullptr, {"--lenght=3"}), EDGEMILL_USAGE, "--length");
  ExpectError(walk(nullptr, {"--return=0"}), EDGEMILL_USAGE, "--return");
  EXPECT_TRUE(taken.walks.empty());
}

TEST_F(CWalksTest, TooLittleMemorySaysHowMuchIsEnough) {
  IngestRandom(50, 200, /*weighted=*/false);
  const auto graph = Open();
  Taken taken;
  const edgemill_walk_request request = taken.Request(nullptr);
  const std::vector<const char*> arguments = {"--memory=33MiB", "--threads=2", "--length=20000"};
  edgemill_call call = {.arguments = arguments.data(), .num_arguments = arguments.size()};
  edgemill_error* const error = edgemill_walk(graph.get(), &request, &call);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(edgemill_error_code(error), EDGEMILL_BUDGET);
  const std::string message = edgemill_error_message(error);
  edgemill_error_free(error);
  const size_t begin = message.find("--memory ") + 9;
  const std::string enough = "--memory=" + message.substr(begin, message.find(',') - begin);
  const std::vector<const char*> more = {enough.c_str(), "--threads=2", "--length=20000",
                                         "--walks-per-vertex=1"};
  call = {.arguments = more.data(), .num_arguments = more.size()};
  ExpectOk(edgemill_walk(graph.get(), &request, &call));
  EXPECT_EQ(taken.walks.size(), vertices_.size());
}

}  // namespace
}  // namespace edgemill
