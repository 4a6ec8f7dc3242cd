// Programs with lanes against each lane alone, in all modes and with rows of all sizes.
#include "engine/program/lanes.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/random.h"
#include "engine/state/lane_array.h"
#include "test/operator_testing.h"

namespace edgemill {
namespace {

/// Takes the greatest of each word, only from words that are not 0.
struct GreatestWord {
  using Monoid = Max<uint32_t>;
  LaneView<const uint32_t> sent;
  LaneView<uint32_t> greatest;
  uint32_t Emit(VertexId u) const { return sent[u]; }
  bool Relax(VertexId v, uint32_t word) { return AtomicMax(greatest[v], word); }
};
/// The same, with all that a program with lanes may have.
struct GreatestWordBelow {
  using Monoid = Max<uint32_t>;
  LaneView<const uint32_t> sent;
  LaneView<uint32_t> greatest;
  uint32_t most;  // no word is above this
  uint32_t Emit(VertexId u) const { return sent[u]; }
  bool Cond(VertexId v) const { return greatest[v] < most; }
  bool Enough(VertexId v, uint32_t word) const { return word == most || greatest[v] == most; }
  bool Relax(VertexId v, uint32_t word) { return AtomicMax(greatest[v], word); }
  struct Tuning {
    static bool WouldRelax(const GreatestWordBelow& program, VertexId v, uint32_t word) {
      return word > program.greatest[v];
    }
  };
};

constexpr uint32_t kMost = 20;

struct WordsState : State {
  WordsState(const InMemoryGraph& graph, int threads, uint32_t words)
      : State(graph.info().num_vertices, threads),
        sent(*this, "sent", words),
        greatest(*this, "greatest", words, ArrayUse::kResult) {
    HoldSets(2);
  }
  LaneArray<uint32_t> sent, greatest;
  Programs<Lanes<GreatestWord>, Lanes<GreatestWordBelow>> programs{*this, kOut};
};

class LanesTest : public testing::TestWithParam<uint32_t> {};

TEST_P(LanesTest, EachWordIsAProblemOfItsOwn) {
  const uint32_t words = GetParam();
  std::vector<TestCase> graphs = HardGraphs();
  graphs.push_back({"random", 500, RandomTestEdges(1, 500, 4000, 3)});
  for (const TestCase& c : graphs) {
    if (c.num_vertices == 0) continue;
    const auto graph = InMemoryGraph::Dense(c.num_vertices, c.edges, {.directed = true});
    for (const Mode mode : {Mode::kPush, Mode::kPull, Mode::kAuto}) {
      for (const bool with_all : {false, true}) {
        for (const bool few : {false, true}) {
          SCOPED_TRACE(StrCat(c.name, " ", ModeName(mode), with_all, few));
          OperatorFixture fixture(*graph, {.mode = mode, .threads = 3});
          WordsState state(*graph, 3, words);
          auto engine = fixture.Start(state);
          ASSERT_TRUE(engine.ok()) << engine.status().message();
          Random random(words);
          std::vector<VertexId> members;
          std::vector<uint32_t> sent(c.num_vertices * words), want(c.num_vertices * words);
          for (uint64_t v = 0; v < c.num_vertices; ++v) {
            if (!few || random.Below(3) == 0) members.push_back(static_cast<VertexId>(v));
            for (uint32_t w = 0; w < words; ++w) {
              const bool empty = random.Below(3) == 0;
              sent[v * words + w] = empty ? 0 : static_cast<uint32_t>(random.Below(kMost + 1));
            }
          }
          std::copy(sent.begin(), sent.end(), state.sent.mutable_span().begin());
          std::vector<bool> emits(c.num_vertices);
          for (const VertexId v : members) emits[v] = true;
          for (const TestEdge& edge : c.edges) {
            if (!emits[edge.source]) continue;
            for (uint32_t w = 0; w < words; ++w) {
              uint32_t& most = want[edge.target * words + w];
              most = std::max(most, sent[edge.source * words + w]);
            }
          }
          auto set = (*engine)->sets().Of(members);
          ASSERT_TRUE(set.ok());
          const LaneView<const uint32_t> from = state.sent.read_lanes();
          const LaneView<uint32_t> to = state.greatest.lanes();
          const auto changed =
              with_all ? (*engine)->EdgeMap(kOut, *set, Lanes<GreatestWordBelow>{{from, to, kMost}})
                       : (*engine)->EdgeMap(kOut, *set, Lanes<GreatestWord>{{from, to}});
          ASSERT_TRUE(changed.ok()) << changed.status().message();
          const std::vector<uint32_t> got(state.greatest.span().begin(),
                                          state.greatest.span().end());
          ASSERT_EQ(got, want);
          std::vector<VertexId> receivers;
          for (uint64_t v = 0; v < c.num_vertices; ++v) {
            const auto row = std::span(want).subspan(v * words, words);
            if (std::any_of(row.begin(), row.end(), [](uint32_t w) { return w > 0; })) {
              receivers.push_back(static_cast<VertexId>(v));
            }
          }
          ASSERT_EQ(changed->Members(), receivers);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Words, LanesTest, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace edgemill
