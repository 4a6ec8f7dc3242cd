// Two processors on one run, without a GPU: an executor of the CPU with a copy of the state of its
// own leads, another helps. Answers must be those of one executor, however iterations are shared.
#include "engine/old/hybrid/hybrid_executor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <numeric>

#include "engine/old/algorithms/bfs_program.h"
#include "engine/old/algorithms/label_program.h"
#include "engine/old/algorithms/pagerank_program.h"
#include "engine/old/algorithms/sssp_program.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// Leads with a copy of the state in memory of its own, as a GPU does. Programs that are shared by
/// messages push; of those shared by sums each list is added up edge by edge.
template <VertexProgram P>
class CpuLeader final : public LeadingExecutor<P> {
 public:
  using Message = typename P::Message;
  using Aggregate = typename P::Aggregate;
  using Totals = typename ProgramExecutor<P>::Totals;

  CpuLeader(LoadedGraph& graph, Mode mode, Recorder& recorder, uint32_t passes)
      : graph_(graph), executor_(*Executor<P>::Create(graph, mode, recorder, passes)) {
    EXPECT_TRUE(executor_->KeepSent().ok());
    ids_.resize(std::min<uint64_t>(graph.num_vertices(), 192));  // changes cross in many pieces
    messages_.resize(SharedBySums<P> ? graph.num_vertices() : ids_.size());
  }

  Status Initialise(const P& program) override {
    P visited = program;
    visited.VisitState(graph_.num_vertices(), Collect{arrays_});
    P mine = Mine(program);
    return executor_->Initialise(mine);
  }
  uint64_t num_active() const override { return executor_->num_active(); }
  StatusOr<Aggregate> Iterate(P* program) override {
    P mine = Mine(*program);
    ASSIGN_OR_RETURN(const Aggregate aggregate, executor_->Iterate(&mine));
    *program = Theirs(mine, *program);
    return aggregate;
  }
  Status Finish(const P&) override { return StateToHost(); }
  IterationProgress progress() const override { return executor_->progress(); }
  Mode ChooseMode() const override { return SharedBySums<P> ? Mode::kPull : Mode::kPush; }
  StatusOr<bool> Loop(P*, Totals*) override { return false; }

  uint64_t unprepared_bytes() const override { return 0; }
  Status PrepareSharing() override { return OkStatus(); }
  Status BeginShared(P* program, Mode mode) override {
    mine_ = Mine(*program);
    my_sums_.assign(graph_.num_vertices(), P::Identity());
    return executor_->BeginSweep(&mine_, mode);
  }
  Status SweepBlocks(BlockRange blocks) override {
    if constexpr (SharedBySums<P>) return AddUp(blocks);
    return executor_->SweepBlocks(mine_, blocks);
  }
  StatusOr<Aggregate> EndShared(P* program, const HelperPart& part) override {
    if constexpr (SharedBySums<P>) return ApplySums(part);
    ASSIGN_OR_RETURN(const Aggregate aggregate, executor_->EndSweep(mine_));
    RETURN_IF_ERROR(executor_->EndIteration(&mine_));
    *program = Theirs(mine_, *program);
    return aggregate;
  }
  Exchange<Message> exchange() override { return {ids_, messages_}; }
  std::span<Message> sums() override { return messages_; }
  Status Receive(Told told, uint32_t count) override {
    if constexpr (SharedByMessages<P>) {
      RETURN_IF_ERROR(executor_->Hear(mine_, exchange(), count));
      if (told == Told::kSent) return OkStatus();
      for (uint32_t i = 0; i < count; ++i) executor_->next().Add(ids_[i]);
      return OkStatus();
    }
    return InternalError("no messages cross");
  }
  StatusOr<uint32_t> Tell(Told which, VertexId begin, VertexId end) override {
    if constexpr (SharedByMessages<P>) {
      executor_->BeginTelling();
      return executor_->Tell(mine_, which, begin, end, exchange());
    }
    return InternalError("no messages cross");
  }

  uint64_t state_bytes() const override { return 1000; }
  Status StateToHost() override {
    for (const Copy& array : arrays_) {
      std::memcpy(array.host, array.bytes.data(), array.bytes.size());
    }
    return OkStatus();
  }
  StatusOr<uint64_t> SentToHost(const P& program) override {
    P visited = program;
    std::vector<const void*> sent;
    visited.VisitState(graph_.num_vertices(), CollectSent{sent});
    for (const Copy& array : arrays_) {
      if (std::find(sent.begin(), sent.end(), array.host) == sent.end()) continue;
      std::memcpy(array.host, array.bytes.data(), array.bytes.size());
    }
    return sent.size();
  }
  Status FrontierToHost(std::span<uint64_t> current, std::span<uint64_t> waiting) override {
    CopyWords(executor_->current().words(), current);
    if (!waiting.empty()) CopyWords(executor_->waiting().words(), waiting);
    return OkStatus();
  }
  Status FromHost(const IterationProgress& progress, std::span<const uint64_t> current,
                  std::span<const uint64_t> waiting) override {
    for (Copy& array : arrays_) std::memcpy(array.bytes.data(), array.host, array.bytes.size());
    Assign(current, executor_->current());
    if (!waiting.empty()) Assign(waiting, executor_->waiting());
    executor_->SetProgress(progress);
    return OkStatus();
  }

 private:
  struct Copy {
    void* host;
    std::vector<std::byte> bytes;
  };
  struct Collect {
    std::deque<Copy>& arrays;
    template <typename T>
    void operator()(T*& array, uint64_t count, StateUse) const {
      if (count > 0) arrays.push_back({array, std::vector<std::byte>(count * sizeof(T))});
    }
    void operator()(VertexIndexView&) const {}
  };
  struct CollectSent {
    std::vector<const void*>& sent;
    template <typename T>
    void operator()(T*& array, uint64_t, StateUse use) const {
      if (use == StateUse::kSent) sent.push_back(array);
    }
    void operator()(VertexIndexView&) const {}
  };
  struct Redirect {
    std::deque<Copy>& arrays;
    template <typename T>
    void operator()(T*& array, uint64_t count, StateUse) const {
      for (Copy& copy : arrays) {
        if (count > 0 && copy.host == array) {
          array = reinterpret_cast<T*>(copy.bytes.data());
          return;
        }
      }
    }
    void operator()(VertexIndexView&) const {}
  };
  /// Adds to my_sums_ what the lists in `blocks` receive.
  Status AddUp(BlockRange blocks) {
    std::vector<uint64_t> numbers(blocks.size());
    std::iota(numbers.begin(), numbers.end(), blocks.begin);
    const VertexIndexView index = graph_.index(Direction::kIn);
    Mutex mutex;
    return graph_.Sweep(
        Direction::kIn, false, std::move(numbers),
        [&](int, const BlockEdges& edges) -> StatusOr<bool> {
          MutexLock lock(mutex);
          ListCursor<NoWeight> cursor(edges, graph_.num_vertices());
          return VisitVertices(edges, index, [&](VertexId owner, EdgeIndex first, EdgeIndex last) {
            return cursor.VisitList(owner, first, last, [&](const ListPiece<NoWeight>& piece) {
              for (uint32_t i = 0; i < piece.size; ++i) {
                Message sent = P::Identity();
                mine_.Send(piece.target(i), context_, &sent);
                my_sums_[owner] = P::Combine(my_sums_[owner], sent);
              }
              return true;
            });
          });
        });
  }
  StatusOr<Aggregate> ApplySums(const HelperPart& part) {
    Aggregate aggregate{};
    const bool crosses = part.first_block < graph_.num_blocks() &&
                         graph_.Extent(Direction::kIn, part.first_block).continues;
    for (uint64_t vertex = 0; vertex < graph_.num_vertices(); ++vertex) {
      Message sum = my_sums_[vertex];
      if (vertex >= part.first_vertex || (crosses && vertex + 1 == part.first_vertex)) {
        sum = P::Combine(sum, messages_[vertex]);
      }
      mine_.Apply(static_cast<VertexId>(vertex), sum, context_, &aggregate);
    }
    return aggregate;
  }
  P Mine(P program) {
    program.VisitState(graph_.num_vertices(), Redirect{arrays_});
    return program;
  }
  /// `mine` with the pointers of `theirs`: its parameters may have been advanced.
  static P Theirs(P mine, P theirs) {
    if constexpr (requires { mine.distance; }) {
      mine.distance = theirs.distance;
      return mine;
    } else {
      return theirs;
    }
  }
  static void CopyWords(std::span<const uint64_t> from, std::span<uint64_t> to) {
    ASSERT_EQ(from.size(), to.size());
    std::copy(from.begin(), from.end(), to.begin());
  }
  static void Assign(std::span<const uint64_t> words, Frontier& frontier) {
    CopyWords(words, frontier.BeginAssign());
    frontier.EndAssign();
  }

  LoadedGraph& graph_;
  std::unique_ptr<Executor<P>> executor_;
  std::deque<Copy> arrays_;
  P mine_ = {};
  const Context context_ = {};
  std::vector<Message> my_sums_;
  std::vector<VertexId> ids_;
  std::vector<Message> messages_;
};

/// Runs `program` on `graph`, shared as `options` say, or by one executor.
template <VertexProgram P>
void RunProgram(const InMemoryGraph& store, P program, const HybridOptions* options,
                std::vector<IterationReport>* report, uint32_t passes = 0) {
  MemoryBudget budget(uint64_t{256} << 20);
  Progress progress;
  InMemoryReader reader(store, 3);
  auto graph = LoadedGraph::Load(store, reader, {.out_index = true}, 3, budget, progress);
  ASSERT_TRUE(graph.ok());
  Recorder recorder(**graph);
  Recorder of_leader(**graph);
  const Mode mode = SharedBySums<P> ? Mode::kPull : Mode::kPush;
  std::unique_ptr<ProgramExecutor<P>> executor;
  if (options == nullptr) {
    executor = *Executor<P>::Create(**graph, mode, recorder);
  } else {
    const Dispatcher dispatcher({.num_vertices = store.info().num_vertices,
                                 .num_edges = store.info().num_edges,
                                 .threads = 3},
                                BuiltInCalibration(), *options);
    executor =
        *HybridExecutor<P>::Create(std::make_unique<CpuLeader<P>>(**graph, mode, of_leader, passes),
                                   **graph, mode, recorder, dispatcher, passes);
  }
  if constexpr (SharedBySums<P>) {
    program.out_index = (*graph)->index(Direction::kOut);
    ASSERT_TRUE(executor->Initialise(program).ok());
    for (int i = 0; i < 6; ++i) {
      const auto iterated = executor->Iterate(&program);
      ASSERT_TRUE(iterated.ok()) << iterated.status().message();
      std::swap(program.offered, program.next);
    }
  } else {
    ASSERT_TRUE(executor->Initialise(program).ok());
    const auto totals = executor->RunToEnd(&program);
    ASSERT_TRUE(totals.ok()) << totals.status().message();
  }
  ASSERT_TRUE(executor->Finish(program).ok());
  *report = recorder.iterations();
}

std::vector<HybridOptions> AllOptions() {
  std::vector<HybridOptions> all = {{}};
  for (const double share : {0.0, 0.3, 0.7, 1.0}) all.push_back({.cpu_share = share});
  for (uint64_t seed = 1; seed < 6; ++seed) all.push_back({.random_seed = seed});
  return all;
}

/// `make(values, more)` makes the program on an answer array and a bitmap.
template <typename Value, typename Make>
void ExpectSame(Make make) {
  for (const TestCase& hard : HardGraphs()) {
    TestGraphOptions shape;
    shape.directed = false;
    shape.weights = WeightType::kInt32;
    const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
    const auto answer = [&](const HybridOptions* options, uint32_t passes) {
      std::vector<Value> values(hard.num_vertices);
      std::vector<uint64_t> bits(hard.num_vertices / 64 + 1);
      std::vector<IterationReport> report;
      RunProgram(*graph, make(values.data(), bits.data()), options, &report, passes);
      return values;
    };
    const auto alone = answer(nullptr, 0);
    for (const HybridOptions& options : AllOptions()) {
      for (const uint32_t passes : {0u, 3u}) {
        EXPECT_EQ(alone, answer(&options, passes))
            << hard.name << ", share " << options.cpu_share.value_or(-1) << ", seed "
            << options.random_seed.value_or(0) << ", passes " << passes;
      }
    }
  }
}

TEST(HybridExecutor, Levels) {
  ExpectSame<uint32_t>([](uint32_t* level, uint64_t* reached) {
    return BfsProgram<false>{level, nullptr, reached, 0};
  });
}

TEST(HybridExecutor, Labels) {
  ExpectSame<uint32_t>([](uint32_t* label, uint64_t*) { return LabelProgram{label}; });
}

TEST(HybridExecutor, DistancesInBuckets) {
  ExpectSame<uint64_t>([](uint64_t* distance, uint64_t*) {
    return SsspProgram<int32_t, uint64_t>{.distance = distance,
                                          .source = 0,
                                          .bound = 9,
                                          .delta = 9,
                                          .least_delta = 9,
                                          .adaptive = true};
  });
}

/// Sums are the same but for their order, whoever has which lists, and the one that both have.
TEST(HybridExecutor, Ranks) {
  for (const TestCase& hard : HardGraphs()) {
    const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, {.directed = false});
    const auto answer = [&](const HybridOptions* options) {
      std::vector<float> offered(hard.num_vertices), next(hard.num_vertices);
      std::vector<IterationReport> report;
      const double num_vertices = static_cast<double>(hard.num_vertices);
      RunProgram(*graph,
                 JacobiProgram{.offered = offered.data(),
                               .next = next.data(),
                               .base = 0.15 / num_vertices,
                               .damping = 0.85},
                 options, &report);
      return offered;  // after an even number of iterations they are in their first place
    };
    const auto alone = answer(nullptr);
    for (const HybridOptions& options : AllOptions()) {
      const auto shared = answer(&options);
      for (size_t i = 0; i < alone.size(); ++i) {
        ASSERT_NEAR(alone[i], shared[i], 1e-7)
            << hard.name << ", share " << options.cpu_share.value_or(-1) << ", seed "
            << options.random_seed.value_or(0) << ", vertex " << i;
      }
    }
  }
}

/// Shares are what was asked for, block by block.
TEST(HybridExecutor, SharesAreKept) {
  const auto graph = InMemoryGraph::Dense(2000, RandomTestEdges(51, 2000, 40'000),
                                          {.directed = false, .block_edges = 128});
  for (const double share : {0.0, 0.25, 1.0}) {
    std::vector<uint32_t> label(2000);
    std::vector<IterationReport> report;
    const HybridOptions options{.cpu_share = share};
    RunProgram(*graph, LabelProgram{label.data()}, &options, &report);
    ASSERT_GT(report.size(), 1u);
    // In the first iteration all blocks are wanted; the leader's are counted elsewhere.
    const double all = static_cast<double>((graph->info().num_edges + 127) / 128);
    EXPECT_NEAR(static_cast<double>(report[0].cpu_blocks), share * all, 0.5);
  }
}

}  // namespace
}  // namespace edgemill
