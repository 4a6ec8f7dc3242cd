// A program that cannot push without help: auto chooses notify-pull and pull for it, none of which
// the four algorithms get, and every mode gives what a plain loop does.
#include <gtest/gtest.h>

#include <set>

#include "engine/old/cpu/executor.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// Mixes what active in-neighbours hold into each receiver: a step that depends on whether the
/// receiver had taken messages before, so that messages must be added up first.
struct MixProgram {
  using Message = uint64_t;
  using Weight = NoWeight;
  using Aggregate = NoAggregate;
  static constexpr ProgramTraits kTraits{.consumes = true};

  uint64_t* value;
  uint64_t* sent;
  VertexId source;
  uint32_t rounds;

  bool Initial(VertexId vertex, const Context&) const {
    value[vertex] = vertex == source ? 1 : 0;
    return vertex == source;
  }
  void Begin(VertexId vertex, const Context&) const { sent[vertex] = Mix64(value[vertex]); }
  bool Send(VertexId vertex, const Context&, Message* message) const {
    *message = sent[vertex];
    return true;
  }
  Message Along(Message message, NoWeight) const { return message; }
  static Message Identity() { return 0; }
  static Message Combine(Message a, Message b) { return a + b; }
  bool Wants(VertexId) const { return true; }
  bool Apply(VertexId vertex, Message message, const Context& context, Aggregate*) const {
    value[vertex] = value[vertex] * 31 + message;
    return context.iteration + 1 < rounds;
  }
};

std::vector<uint64_t> Oracle(const TestCase& graph, VertexId source, uint32_t rounds) {
  std::vector<uint64_t> value(graph.num_vertices, 0);
  value[source] = 1;
  std::set<uint64_t> active = {source};
  for (uint32_t round = 0; round < rounds && !active.empty(); ++round) {
    std::map<uint64_t, uint64_t> received;
    for (const TestEdge& edge : graph.edges) {
      if (active.count(edge.source) > 0) received[edge.target] += Mix64(value[edge.source]);
    }
    active.clear();
    for (const auto& [vertex, message] : received) {
      value[vertex] = value[vertex] * 31 + message;
      if (round + 1 < rounds) active.insert(vertex);
    }
  }
  return value;
}

/// Runs the program; adds the modes of its iterations to `modes`.
StatusOr<std::vector<uint64_t>> RunMix(const InMemoryGraph& graph, VertexId source, uint32_t rounds,
                                       Mode mode, int threads, std::set<Mode>* modes) {
  MemoryBudget budget(uint64_t{256} << 20);
  Progress progress;
  InMemoryReader reader(graph, 1);
  const bool has_in = graph.has(ColumnKind::kInOffsets);
  ASSIGN_OR_RETURN(const auto loaded,
                   LoadedGraph::Load(graph, reader, {.out_index = true, .in_index = has_in},
                                     threads, budget, progress));
  Recorder recorder(*loaded);
  std::vector<uint64_t> value(graph.info().num_vertices);
  std::vector<uint64_t> sent(graph.info().num_vertices);
  MixProgram program{value.data(), sent.data(), source, rounds};
  ASSIGN_OR_RETURN(const auto executor, Executor<MixProgram>::Create(*loaded, mode, recorder));
  RETURN_IF_ERROR(executor->Initialise(program));
  while (executor->num_active() > 0) RETURN_IF_ERROR(executor->Iterate(&program).status());
  for (const IterationReport& iteration : recorder.iterations()) modes->insert(iteration.mode);
  return value;
}

TEST(NotifyPull, IsChosenForProgramsThatCannotPushAndGivesWhatALoopGives) {
  std::set<Mode> chosen;
  for (const TestCase& test : HardGraphs()) {
    const auto graph = InMemoryGraph::Dense(test.num_vertices, test.edges, {.block_edges = 128});
    for (const VertexId source : {VertexId{0}, static_cast<VertexId>(test.num_vertices / 2)}) {
      const std::vector<uint64_t> want = Oracle(test, source, 12);
      for (const int threads : ThreadCounts({1, 4})) {
        for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kNotifyPull, Mode::kPush}) {
          SCOPED_TRACE(
              StrCat(test.name, " from ", source, ", ", threads, " threads, ", ModeName(mode)));
          std::set<Mode> modes;
          const auto value = RunMix(*graph, source, 12, mode, threads, &modes);
          ASSERT_TRUE(value.ok()) << value.status().message();
          EXPECT_EQ(*value, want);
          if (mode == Mode::kAuto) {
            chosen.insert(modes.begin(), modes.end());
          } else {
            EXPECT_EQ(modes, std::set<Mode>{mode});
          }
        }
      }
    }
  }
  // Few active vertices notify, many pull; auto never pushes what cannot be pushed.
  EXPECT_EQ(chosen, (std::set<Mode>{Mode::kPull, Mode::kNotifyPull}));
}

TEST(NotifyPull, WithoutInColumnsIsRefusedAndPushWorksWhenAsked) {
  const TestCase test = HardGraphs()[10];
  const auto graph = InMemoryGraph::Dense(test.num_vertices, test.edges,
                                          {.block_edges = 128, .in_columns = false});
  std::set<Mode> modes;
  for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kNotifyPull}) {
    EXPECT_EQ(RunMix(*graph, 0, 5, mode, 2, &modes).status().code(), Code::kUsage);
  }
  const auto pushed = RunMix(*graph, 0, 5, Mode::kPush, 2, &modes);
  ASSERT_TRUE(pushed.ok()) << pushed.status().message();
  EXPECT_EQ(*pushed, Oracle(test, 0, 5));
}

}  // namespace
}  // namespace edgemill
