// Composed sequences of operators (test/model) on a GPU: their settings, and what they covered.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/program/pass_coverage.h"
#include "test/gpu/gpu_fixture.h"
#include "test/model/trials.h"
#include "test/named_budget.h"

namespace edgemill::model {

/// The state of the sequences, with an array that leaves less GPU memory for edges.
struct GpuState : ComposedPrograms {
  GpuState(uint64_t num_vertices, int threads, Directions directions, uint64_t padding_bytes)
      : ComposedPrograms(num_vertices, threads, directions),
        padding(*this, "padding", padding_bytes) {}
  Counters<Or<uint8_t>> padding;
};

/// A composition, and how a GPU is used for it.
struct GpuComposition {
  Composition plain;
  GpuTestSetting setting;
  uint64_t padding_bytes = 1;
};

inline Directions DirectionsOf(const Composition& composition) {
  const bool both = composition.options.in_columns || !composition.graph.directed();
  return both ? kBoth : kOut;
}

/// Returns ok if a run with `padding_bytes` fits on a GPU of `mebibytes`, else the reason.
inline Status CheckFitsGpu(const GraphStore& store, const GpuComposition& composition,
                           uint64_t mebibytes, uint64_t padding_bytes) {
  const OperatorSetting& setting = composition.plain.setting;
  GpuState state(store.info().num_vertices, 1, DirectionsOf(composition.plain), padding_bytes);
  DeviceNeeds needs = DeviceNeedsOf(state, store, setting.mode, setting.async_passes,
                                    composition.setting.sharing());
  needs.gathers = composition.setting.out_of_reach;
  return FitGpu(store, composition.setting.gpu, {.bytes = mebibytes << 20, .multiprocessors = 100},
                &needs);
}

/// Pads the state so that the GPU has `spare_bytes` more than the least that works. For most graphs
/// that is less than all edges take.
inline void FillGpu(const GraphStore& store, uint64_t spare_bytes, GpuComposition* composition) {
  const Status refused = CheckFitsGpu(store, *composition, 0, 1);
  const uint64_t least = NamedMebibytes(refused.message(), "--gpu-memory");
  CHECK_GT(least, 0u);
  uint64_t fits = 1, too_much = uint64_t{4} << 20;
  while (too_much - fits > 1) {
    const uint64_t middle = fits + (too_much - fits) / 2;
    (CheckFitsGpu(store, *composition, least, middle).ok() ? fits : too_much) = middle;
  }
  composition->setting.gpu.gpu.memory_bytes = least << 20;
  composition->padding_bytes = fits - std::min(fits - 1, spare_bytes);
}

inline GpuComposition ComposeForGpu(uint64_t seed) {
  GpuComposition composition{.plain = Compose(seed)};
  std::mt19937_64 random(seed + 7);
  constexpr std::array kTransfers = {Transfer::kAuto,       Transfer::kResident, Transfer::kFilter,
                                     Transfer::kCompaction, Transfer::kZeroCopy, Transfer::kManaged,
                                     Transfer::kAuto,       Transfer::kResident, Transfer::kSubCsr};
  GpuRunOptions& gpu = composition.setting.gpu;
  gpu.transfer = kTransfers[random() % kTransfers.size()];
  gpu.num_batches = std::array{1u, 3u}[random() % 2];
  gpu.batch_bytes =
      std::array{uint64_t{1} << 12, uint64_t{1} << 16, uint64_t{1} << 20}[random() % 3];
  gpu.loops = random() % 4 != 0;
  composition.setting.min_staging = random() % 3 == 0;
  if (random() % 3 == 0) {
    constexpr std::array kShares = {.1, .3, .5, .9, 1.};
    HybridOptions& shares = composition.setting.shares.emplace();
    shares.cpu_share = kShares[random() % kShares.size()];
    // With a seed, some passes run on one processor only.
    if (random() % 3 == 0) shares = {.random_seed = random()};
  } else if (random() % 2 == 0) {
    // With a seed, shares are uneven, and some passes run on one GPU only.
    composition.setting.num_gpus = 2 + random() % 2;
    composition.setting.out_of_reach = random() % 4 == 0;
    composition.setting.shares = {.cpu_share = .5};
    if (random() % 3 > 0) composition.setting.shares = {.random_seed = random()};
  }
  const bool fills = random() % 2 == 0;
  // Not where memory is short: a composition must not end early.
  if (!fills) gpu.kernel = PullKernel::kDense;
  const uint64_t spare_bytes = random() % 3 == 0 ? 0 : random() % 20'000;
  if (fills) {
    FillGpu(*Stored(composition.plain.graph, composition.plain.options), spare_bytes, &composition);
  }
  return composition;
}

inline std::string DescribeOnGpu(const GpuComposition& composition) {
  const GpuRunOptions& gpu = composition.setting.gpu;
  return StrCat(Describe(composition.plain), "; by ", TransferName(gpu.transfer), ", ",
                gpu.num_batches, " streams, batches of ", gpu.batch_bytes, " bytes",
                gpu.loops ? "" : ", no loops", ", kernel ", PullKernelName(gpu.kernel),
                composition.setting.min_staging ? ", least staging" : "",
                composition.setting.num_gpus > 1
                    ? StrCat(", ", composition.setting.num_gpus, " GPUs")
                : composition.setting.shares.has_value() ? ", shared"
                                                         : "",
                composition.setting.out_of_reach ? " out of reach" : "", ", --gpu-memory ",
                gpu.gpu.memory_bytes >> 20, " MiB, padded by ", composition.padding_bytes);
}

/// Counts of what passes on a GPU did.
struct GpuCoverage {
  std::array<uint64_t, 4> passes = {};  // by mode
  std::array<uint64_t, kNumTransfers> blocks = {};
  uint64_t launches_of_passes = 0;  // launches of several passes
  uint64_t taken_in_pass = 0;       // vertices that emitted as soon as they were active
  uint64_t blocks_repeated = 0;
  uint64_t lists_of_blocks = 0;  // lists of several blocks, in passes over edges
  uint64_t partly_resident = 0;  // passes with some blocks on the GPU, others on their way
  uint64_t shared = 0;           // passes with blocks on both processors
  uint64_t all_on_cpu = 0;       // shared passes in which the CPU had all blocks
  uint64_t made_cells = 0;

  void Add(Recorder& recorder, const Composition& composition) {
    recorder.Flush();
    uint64_t num_passes = 0;
    for (const IterationReport& report : recorder.iterations()) {
      passes[static_cast<size_t>(report.mode)] += report.iterations;
      for (size_t i = 0; i < blocks.size(); ++i) {
        blocks[i] += report.transfers.engines[i].blocks;
      }
      const uint64_t resident = report.transfers[Transfer::kResident].blocks;
      partly_resident += resident > 0 && resident < report.transfers.total().blocks;
      launches_of_passes += report.iterations > 1;
      taken_in_pass += report.repeated_vertices;
      blocks_repeated += report.blocks_repeated;
      shared += report.cpu_blocks > 0 && report.cpu_blocks < report.blocks;
      all_on_cpu += report.cpu_blocks > 0 && report.cpu_blocks == report.blocks;
      ++num_passes;
    }
    made_cells += recorder.prepared().cells.times;
    for (const Lists* lists : composition.graph.lists(kBoth)) {
      for (VertexId v = 0; v < composition.graph.num_vertices(); ++v) {
        if (lists->of(v).size() > composition.options.block_edges) lists_of_blocks += num_passes;
      }
    }
  }
  /// Expects that each of these happened, and prints how often.
  void Expect() const {
    const auto expect = [](std::string_view what, uint64_t count, uint64_t least = 20) {
      std::printf("%s: %llu\n", std::string(what).c_str(), static_cast<unsigned long long>(count));
      EXPECT_GT(count, least) << what;
    };
    for (const edgemill::Mode mode :
         {edgemill::Mode::kPush, edgemill::Mode::kPull, edgemill::Mode::kNotifyPull}) {
      expect(StrCat("passes by ", ModeName(mode)), passes[static_cast<size_t>(mode)]);
    }
    for (const Transfer transfer : {Transfer::kResident, Transfer::kFilter, Transfer::kCompaction,
                                    Transfer::kZeroCopy, Transfer::kManaged, Transfer::kSubCsr}) {
      expect(StrCat("blocks by ", TransferName(transfer)), blocks[static_cast<size_t>(transfer)]);
    }
    expect("launches of several passes", launches_of_passes);
    expect("taken in the pass", taken_in_pass, 1000);
    expect("blocks passed over again", blocks_repeated);
    expect("lists of several blocks", lists_of_blocks, 1000);
    expect("passes with some blocks on the GPU", partly_resident);
    const PassCoverage& seen = PassCoverage::OfAll();
    expect("sent to owners", seen.sent_to_owner, 1000);
    expect("stale copies relaxed", seen.relaxed_stale, 1000);
    expect("messages dropped", seen.dropped, 1000);
    expect("made cells", made_cells, 0);
    expect("passes that both processors share", shared);
    expect("shared passes with all blocks on the CPU", all_on_cpu);
  }
};

/// Runs a composition with `steps`. Returns what went wrong, or an empty string.
inline std::string RunOnGpu(const GpuComposition& composition, GpuCoverage* coverage,
                            std::vector<Step> steps = AllSteps()) {
  const Composition& plain = composition.plain;
  const auto stored = Stored(plain.graph, plain.options);
  GpuFixture fixture(*stored, plain.setting, composition.setting);
  GpuState state(fixture.num_vertices(), plain.setting.threads, DirectionsOf(plain),
                 composition.padding_bytes);
  auto engine = fixture.Start(state, kStepsGpuFile);
  if (!engine.ok()) return std::string(engine.status().message());
  std::string wrong = Composer(plain, **engine, state, std::move(steps)).Run();
  coverage->Add(fixture.recorder(), plain);
  return wrong;
}

}  // namespace edgemill::model
