// The plain programs with which bench gpu compares Edgemill. Every raw engine and algorithm runs
// against textbook versions on the CPU. Cutting and gathering need no GPU. Also tests the whole
// comparison.
#include "bench/rivals/raw_run.h"

#include <algorithm>
#include <vector>

#include "bench/plain/plain_algorithms.h"
#include "bench/rivals/raw_reading.h"
#include "bench/rivals/sub_csr.h"
#include "bench/rivals/wide_neighbors.h"
#include "bench/trials/answer_check.h"
#include "bench/trials/gpu_trials.h"
#include "bench/trials/known_algorithms.h"
#include "test/gpu/raw/raw_testing.h"

namespace edgemill::bench {
namespace {

TEST(RawHost, RangesNameTheVerticesThatReachIntoThem) {
  StoredGraph graph(DenseList({"skewed", 300, RandomTestEdges(3, 300, 5000, 2)}));
  const PlainCsr csr = graph.Load(nullptr);
  const PlainLists& lists = csr.out();
  for (const uint64_t range_edges : {1u, 7u, 1024u, 100'000u}) {
    const std::vector<VertexId> vertices = RangeVertices(lists, range_edges);
    ASSERT_EQ(vertices.size(), 2 * ((csr.num_edges() + range_edges - 1) / range_edges));
    for (size_t range = 0; 2 * range < vertices.size(); ++range) {
      const uint64_t begin = range * range_edges;
      const uint64_t end = std::min(begin + range_edges, csr.num_edges());
      VertexId first = kInvalidVertex, behind = 0;
      for (VertexId v = 0; v < csr.num_vertices(); ++v) {
        if (std::max(lists.offsets[v], begin) >= std::min(lists.offsets[v + 1], end)) continue;
        first = std::min(first, v);
        behind = v + 1;
      }
      EXPECT_EQ(vertices[2 * range], first) << range_edges << ", range " << range;
      EXPECT_EQ(vertices[2 * range + 1], behind) << range_edges << ", range " << range;
    }
  }
}

TEST(RawHost, GatheredEdgesAreTheActiveListsInOrder) {
  StoredGraph graph(DenseList({"skewed", 300, RandomTestEdges(5, 300, 200'000, 2)}));
  const PlainCsr csr = graph.Load(nullptr);
  for (const int threads : {1, 3}) {
    ThreadTeam team(threads);
    for (const uint32_t every : {1u, 3u, 299u}) {
      std::vector<VertexId> active, expected;
      std::vector<uint64_t> offsets{0};
      for (VertexId v = every == 1 ? 0 : 1; v < csr.num_vertices(); v += every) {
        active.push_back(v);
        const auto list = csr.out().of(v);
        expected.insert(expected.end(), list.begin(), list.end());
        offsets.push_back(expected.size());
      }
      const SubLists sub{active, offsets};
      for (const auto& [from, to] : {std::pair<uint64_t, uint64_t>{0, expected.size()},
                                     {expected.size() / 3, expected.size() - expected.size() / 5},
                                     {1, 2}}) {
        if (from >= to || to > expected.size()) continue;
        std::vector<VertexId> gathered(to - from);
        GatherSubCsr(csr.out(), {sub, from, to}, team, {.neighbors = gathered.data()});
        const std::vector<VertexId> wanted(expected.begin() + static_cast<ptrdiff_t>(from),
                                           expected.begin() + static_cast<ptrdiff_t>(to));
        EXPECT_EQ(gathered, wanted) << threads << " threads, every " << every;
      }
    }
  }
}

TEST(RawHost, PartsHaveWholeListsUnlessOneIsTooLong) {
  const std::vector<uint64_t> sizes = {0, 3, 2, 0, 0, 5, 13, 1, 0, 10, 0};
  std::vector<uint64_t> offsets{7};  // they need not start at 0
  for (const uint64_t size : sizes) offsets.push_back(offsets.back() + size);
  for (const uint64_t most : {1u, 4u, 5u, 6u, 10u, 100u}) {
    uint64_t items = 0, edge = offsets[0];
    bool in_list = false;
    ListPart part = NextPart(offsets, {}, most);
    for (; part.first < part.last; part = NextPart(offsets, part, most)) {
      // Parts follow each other, and each list is in one part or alone in several.
      EXPECT_EQ(part.first, in_list ? items - 1 : items) << most;
      EXPECT_EQ(part.begin, edge) << most;
      EXPECT_EQ(part.starts_list, !in_list) << most;
      EXPECT_EQ(part.starts_list, part.begin == offsets[part.first]) << most;
      EXPECT_EQ(part.ends_list, part.end == offsets[part.last]) << most;
      EXPECT_LE(part.end - part.begin, most);
      if (in_list || !part.ends_list) {
        EXPECT_EQ(part.last, part.first + 1) << most;
      }
      // A part of whole lists takes the next list too if that fits.
      if (!in_list && part.ends_list && part.last < sizes.size()) {
        EXPECT_GT(offsets[part.last + 1] - part.begin, most);
      }
      items = part.last;
      edge = part.end;
      in_list = !part.ends_list;
    }
    EXPECT_EQ(items, sizes.size()) << most;
    EXPECT_EQ(edge, offsets.back()) << most;
  }
}

TEST(RawHost, WrongAnswersAreFound) {
  StoredGraph graph(Kronecker());
  const PlainCsr csr = graph.Load(nullptr);
  RightAnswer right;
  right.values = std::move(PlainComponents(csr, 2, graph.budget()).value());
  auto check = std::move(AnswerCheck::Create(graph.store(), 2, graph.budget()).value());
  RunOptions options;
  options.algorithm = "cc";
  auto result =
      std::move(edgemill::Run(graph.store(), options, graph.budget(), graph.progress()).value());
  EXPECT_TRUE(check.Check(*result, right).ok());
  EXPECT_TRUE(AnswerCheck::Check(right.values.values.span(), right).ok());
  std::vector<uint32_t> other(right.values.values.begin(), right.values.values.end());
  other[17] ^= 1;
  EXPECT_EQ(AnswerCheck::Check(std::span<const uint32_t>(other), right).code(), Code::kInternal);
  right.values[right.values.values.size() - 1] ^= 1;
  EXPECT_EQ(check.Check(*result, right).code(), Code::kInternal);
}

TEST(RawHost, WideNeighborsAreTheSame) {
  IngestOptions ingest;
  ingest.direction = EdgeDirection::kDirected;
  StoredGraph graph(DenseList({"skewed", 300, RandomTestEdges(3, 300, 5000, 2)}), ingest);
  const PlainCsr csr = graph.Load(nullptr);
  const auto wide = WideNeighbors::Create(csr, 2, graph.budget(), nullptr);
  ASSERT_TRUE(wide.ok()) << wide.status().message();
  ASSERT_TRUE(csr.directed());
  for (const PlainLists* lists : {&csr.out(), &csr.in()}) {
    EXPECT_TRUE(std::equal(lists->neighbors.begin(), lists->neighbors.end(), wide->of(*lists)));
  }
  MemoryBudget small(16 * csr.num_edges() - 1);
  EXPECT_EQ(WideNeighbors::Create(csr, 2, small, nullptr).status().code(), Code::kBudget);
}

TEST_F(RawRuns, EveryEngineFindsWhatTheTextbookFinds) {
  std::vector<EdgeList> lists;
  for (const TestCase& test : HardGraphs()) lists.push_back(DenseList(test));
  lists.push_back(Kronecker());
  PinningRegistrar registrar(*gpu_, 2);
  for (const EdgeList& list : lists) {
    for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kUndirected}) {
      IngestOptions ingest;
      ingest.direction = direction;
      StoredGraph graph(list, ingest);
      if (graph.store().info().num_vertices == 0) continue;
      const PlainCsr csr = graph.Load(&registrar);
      for (const auto& [engine, option, title] : kRawEngines) {
        for (const RawAlgorithm algorithm : kRawAlgorithms) {
          if (!CanRun({.engine = engine}, algorithm)) continue;
          if (algorithm == RawAlgorithm::kSssp &&
              (csr.out().weights.empty() || csr.has_negative_weight())) {
            continue;
          }
          for (const bool small : {false, true}) {
            RawRunOptions options{.engine = engine, .algorithm = algorithm, .threads = 2};
            options.source = static_cast<VertexId>(csr.num_vertices() / 2);
            options.tolerance = 1e-3;
            if (small) options.max_range_edges = options.max_sub_edges = 1024;
            if (small) options.max_sub_lists = 100;
            SCOPED_TRACE(StrCat(list.name, ", ", csr.directed() ? "directed, " : "symmetric, ",
                                title, ", algorithm ", static_cast<int>(algorithm),
                                small ? ", small ranges" : ""));
            ExpectRight(csr, options, graph.budget());
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST_F(RawRuns, TheLeastGpuMemoryIsEnoughAndLessIsRefused) {
  StoredGraph graph(Kronecker());
  PinningRegistrar registrar(*gpu_, 2);
  const PlainCsr csr = graph.Load(&registrar);
  for (const auto& [engine, option, title] : kRawEngines) {
    RawRunOptions options{.engine = engine, .algorithm = RawAlgorithm::kSssp, .threads = 2};
    const uint64_t least = LeastRawGpuBytes(options, csr);
    auto enough = std::move(Gpu::Open({.memory_bytes = least}).value());
    EXPECT_TRUE(RunRaw(*enough, csr, options, graph.budget()).ok()) << title;
    EXPECT_LE(enough->peak_bytes(), least);
    auto less = std::move(Gpu::Open({.memory_bytes = least - 1}).value());
    EXPECT_EQ(RunRaw(*less, csr, options, graph.budget()).status().code(), Code::kBudget);
  }
}

TEST_F(RawRuns, ZeroCopyMovesSectorsAndPagesWholeRanges) {
  StoredGraph graph(Kronecker());
  PinningRegistrar registrar(*gpu_, 2);
  const PlainCsr csr = graph.Load(&registrar);
  const auto moved = [&](RawEngine engine) {
    RawRunOptions options{
        .engine = engine, .algorithm = RawAlgorithm::kPageRank, .iterations = 3, .threads = 2};
    return static_cast<double>(RunRaw(*gpu_, csr, options, graph.budget())->traffic.bytes) /
           (3.0 * 4 * static_cast<double>(csr.num_edges()));
  };
  EXPECT_DOUBLE_EQ(moved(RawEngine::kWholePages), 1);
  EXPECT_DOUBLE_EQ(moved(RawEngine::kSubCsr), 1);
  EXPECT_DOUBLE_EQ(moved(RawEngine::kKeptPages), 1.0 / 3);
  for (const RawEngine engine :
       {RawEngine::kZeroCopy, RawEngine::kZeroCopyMerged, RawEngine::kZeroCopyStrided}) {
    EXPECT_GT(moved(engine), 1);
    EXPECT_LT(moved(engine), 1.5);
  }
}

/// The requests for all lists of `csr`, counted on the host, of one pass.
template <typename Reading>
RequestCounts RequestsOf(const PlainLists& lists) {
  RequestCounts counts;
  const uint64_t size = lists.offsets.size() - 1;
  for (uint64_t item = 0; item < size; item += WarpLists<Reading>::kLists) {
    WarpLists<Reading> warp;
    for (uint32_t i = 0; i < warp.kLists && item + i < size; ++i) {
      warp.begin[i] = lists.offsets[item + i];
      warp.end[i] = lists.offsets[item + i + 1];
    }
    AddRequests<typename Reading::Edge>(warp, &counts);
  }
  return counts;
}

TEST_F(RawRuns, RequestsAcrossTheLinkAreThoseThatTheHostCounts) {
  StoredGraph graph(Kronecker());
  PinningRegistrar registrar(*gpu_, 2);
  const PlainCsr csr = graph.Load(&registrar);
  const auto wide = WideNeighbors::Create(csr, 2, graph.budget(), &registrar);
  ASSERT_TRUE(wide.ok()) << wide.status().message();
  const WideNeighbors* neighbors = nullptr;
  const auto expect = [&](RawEngine engine, const RequestCounts& pass) {
    const RawRunOptions options{.engine = engine,
                                .algorithm = RawAlgorithm::kPageRank,
                                .iterations = 3,
                                .threads = 2,
                                .wide = neighbors};
    const auto result = RunRaw(*gpu_, csr, options, graph.budget());
    ASSERT_TRUE(result.ok()) << result.status().message();
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(result->traffic.requests[i], 3 * pass.of_sectors[i])
          << RawEngineName(engine) << ", " << 32 * (i + 1) << " bytes";
    }
  };
  expect(RawEngine::kZeroCopy, RequestsOf<AlignedReading<VertexId>>(csr.in()));
  expect(RawEngine::kZeroCopyMerged, RequestsOf<MergedReading<VertexId>>(csr.in()));
  expect(RawEngine::kZeroCopyStrided, RequestsOf<StridedReading<VertexId>>(csr.in()));
  expect(RawEngine::kWholePages, {});
  neighbors = &*wide;
  expect(RawEngine::kZeroCopy, RequestsOf<AlignedReading<uint64_t>>(csr.in()));
  expect(RawEngine::kZeroCopyMerged, RequestsOf<MergedReading<uint64_t>>(csr.in()));
  expect(RawEngine::kZeroCopyStrided, RequestsOf<StridedReading<uint64_t>>(csr.in()));
}

TEST_F(RawRuns, EdgesOf8BytesGiveTheSameAnswers) {
  PinningRegistrar registrar(*gpu_, 2);
  for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kUndirected}) {
    IngestOptions ingest;
    ingest.direction = direction;
    StoredGraph graph(Kronecker(), ingest);
    const PlainCsr csr = graph.Load(&registrar);
    const auto wide = WideNeighbors::Create(csr, 2, graph.budget(), &registrar);
    ASSERT_TRUE(wide.ok()) << wide.status().message();
    for (const auto& [engine, option, title] : kRawEngines) {
      if (!IsZeroCopy(engine)) continue;
      for (const RawAlgorithm algorithm : kRawAlgorithms) {
        SCOPED_TRACE(StrCat(title, ", algorithm ", static_cast<int>(algorithm)));
        RawRunOptions options{.engine = engine, .algorithm = algorithm, .wide = &*wide};
        options.source = static_cast<VertexId>(csr.num_vertices() / 2);
        options.tolerance = 1e-3;
        ExpectRight(csr, options, graph.budget());
      }
    }
  }
}

/// Vertex 0 leads to 100 vertices, and these lead to 90 others. `idle` more vertices, which a
/// search from 0 does not reach, have 90 edges each.
EdgeList TwoLevels(uint64_t idle) {
  constexpr uint64_t kNear = 100, kFar = 90;
  TestCase test{"two levels", 1 + kNear + kFar + idle, {}};
  for (uint64_t v = 1; v <= kNear; ++v) test.edges.push_back({0, v});
  for (uint64_t v = 1; v < test.num_vertices; ++v) {
    if (v > kNear && v <= kNear + kFar) continue;
    for (uint64_t far = 0; far < kFar; ++far) test.edges.push_back({v, 1 + kNear + far});
  }
  return DenseList(test);
}

TEST_F(RawRuns, SubwayGathersUnlessMostEdgesAreActive) {
  PinningRegistrar registrar(*gpu_, 2);
  const auto moved = [&](uint64_t idle) {
    StoredGraph graph(TwoLevels(idle), {.direction = EdgeDirection::kDirected});
    const PlainCsr csr = graph.Load(&registrar);
    EXPECT_EQ(csr.num_edges(), 9100 + 90 * idle);
    const RawRunOptions options{
        .engine = RawEngine::kSubCsr, .algorithm = RawAlgorithm::kBfs, .threads = 2};
    return RunRaw(*gpu_, csr, options, graph.budget())->traffic.bytes;
  };
  // The second of three passes has 9,000 active edges: 76 % of 11,800, or 83 % of 10,900.
  EXPECT_EQ(moved(30), 4u * 9100);
  EXPECT_EQ(moved(20), 4u * (100 + 10'900));
}

TEST_F(RawRuns, PagesAreKeptWhereTheyFindRoom) {
  StoredGraph graph(Kronecker(15));
  PinningRegistrar registrar(*gpu_, 2);
  const PlainCsr csr = graph.Load(&registrar);
  const RawRunOptions options{.engine = RawEngine::kKeptPages,
                              .algorithm = RawAlgorithm::kPageRank,
                              .iterations = 5,
                              .threads = 2,
                              .max_range_edges = 1024};
  const auto moved = [&](Gpu& gpu) {
    return static_cast<double>(RunRaw(gpu, csr, options, graph.budget())->traffic.bytes) /
           (4 * static_cast<double>(csr.num_edges()));
  };
  EXPECT_DOUBLE_EQ(moved(*gpu_), 1);
  // Two to four MiB stay of more than five. The later passes move only the rest.
  ASSERT_GT(csr.num_edges() * 4, uint64_t{5} << 20);
  const uint64_t memory = LeastRawGpuBytes(options, csr) + DeviceBuffer::kGranularity;
  auto less = std::move(Gpu::Open({.memory_bytes = memory}).value());
  EXPECT_GT(moved(*less), 1);
  EXPECT_LT(moved(*less), 5);
}

TEST_F(RawRuns, AsynchronousSubwayStaysWithAPartUntilItIsQuiet) {
  constexpr uint64_t kLength = 1000;
  TestCase path{"path", kLength + 1, {}};
  for (uint64_t v = 0; v < kLength; ++v) path.edges.push_back({v, v + 1});
  StoredGraph graph(DenseList(path), {.direction = EdgeDirection::kDirected});
  PinningRegistrar registrar(*gpu_, 2);
  const PlainCsr csr = graph.Load(&registrar);
  for (const uint64_t lists : {uint64_t{100}, uint64_t{1} << 20}) {
    for (const RawEngine engine : {RawEngine::kSubCsr, RawEngine::kSubCsrAsync}) {
      const RawRunOptions options{
          .engine = engine, .algorithm = RawAlgorithm::kBfs, .threads = 2, .max_sub_lists = lists};
      const auto result = RunRaw(*gpu_, csr, options, graph.budget());
      ASSERT_TRUE(result.ok()) << result.status().message();
      // The first outer iteration loads the whole path, part by part in the search's direction.
      const bool async = engine == RawEngine::kSubCsrAsync;
      EXPECT_EQ(result->iterations, async ? 1 : kLength + 1) << lists;
      EXPECT_EQ(result->traffic.bytes, 4 * kLength) << lists;
    }
  }
  RawRunOptions options{.engine = RawEngine::kSubCsrAsync, .algorithm = RawAlgorithm::kPageRank};
  EXPECT_EQ(RunRaw(*gpu_, csr, options, graph.budget()).status().code(), Code::kUsage);
}

TEST_F(RawRuns, AComparisonRunsEveryEngineAndChecksIt) {
  IngestOptions ingest;
  ingest.direction = EdgeDirection::kUndirected;
  ingest.renumbering = Renumbering::kDegree;
  StoredGraph graph(Kronecker(), ingest);
  GpuTrialOptions options{.algorithms = KnownNames(),
                          .engines = {{.transfer = Transfer::kResident},
                                      {.transfer = Transfer::kAuto},
                                      {.cost_model = CostModelKind::kHytgraph},
                                      {.transfer = Transfer::kFilter}},
                          .calibration = BuiltInCalibration(),
                          .trials = 2,
                          .gpu_memory_bytes = uint64_t{64} << 20,
                          .csr_memory_bytes = uint64_t{128} << 20,
                          .iterations = 5,
                          .seed = 1,
                          .threads = 2};
  for (const RawEngineNames& names : kRawEngines) options.raw_engines.push_back({names.engine});
  const auto trials = RunGpuTrials(graph.store(), options, graph.budget(), graph.progress());
  ASSERT_TRUE(trials.ok()) << trials.status().message();
  const size_t engines = options.engines.size() + options.raw_engines.size();
  // Subway async does not run pagerank, and shards do not run delta and delta-zero.
  ASSERT_EQ(trials->series.size(), options.algorithms.size() * engines - 3);
  EXPECT_EQ(trials->remarks.size(), 3u);
  for (const GpuTrialSeries& series : trials->series) {
    EXPECT_EQ(series.seconds.size(), 2u) << series.Name();
    EXPECT_GT(series.iterations[0], 0) << series.Name();
    if (!series.has_source) continue;
    // Edges/s counts the same edges for every program.
    const auto first = std::find_if(trials->series.begin(), trials->series.end(),
                                    [&](const auto& s) { return s.algorithm == series.algorithm; });
    EXPECT_EQ(series.edges, first->edges) << series.Name();
    for (const double edges : series.edges) {
      EXPECT_LE(2 * edges, static_cast<double>(graph.store().info().num_edges)) << series.Name();
    }
  }
  BenchmarkResult result;
  AddGpuTrials(options, *trials, graph.store().info(), &result);
  EXPECT_EQ(result.metrics.size(), trials->series.size() * 7);
  EXPECT_TRUE(result.verified);
  options.gpu_memory_bytes = uint64_t{1} << 20;
  EXPECT_EQ(RunGpuTrials(graph.store(), options, graph.budget(), graph.progress()).status().code(),
            Code::kBudget);
}

}  // namespace
}  // namespace edgemill::bench
