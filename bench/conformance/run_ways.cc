#include "bench/conformance/run_ways.h"

#include <utility>

#include "common/strings.h"
#include "engine/program/mode.h"

namespace edgemill::bench {
namespace {

constexpr Mode kModes[] = {Mode::kAuto, Mode::kPush, Mode::kPull, Mode::kNotifyPull};
/// Odd, so that threads do not share out blocks evenly.
constexpr int kThreads = 3;

RunWay OnCpu(Mode mode, bool asynchronous, bool least_memory) {
  return {.text = StrCat("--device cpu --mode ", ModeName(mode), " --threads ", kThreads,
                         asynchronous ? " --async" : " --sync"),
          .set =
              [=](RunOptions* options) {
                options->device = Device::kCpu;
                options->mode = mode;
                options->threads = kThreads;
                options->async_passes = asynchronous ? kAsyncPasses : 0;
              },
          .least_memory = least_memory};
}

RunWay OnGpu(Device device, Mode mode, Transfer transfer, bool asynchronous) {
  const bool hybrid = device == Device::kHybrid;
  std::string text =
      StrCat("--device ", hybrid ? "hybrid --cpu-share .5" : "gpu", " --mode ", ModeName(mode),
             " --transfer ", TransferName(transfer), asynchronous ? " --async" : " --sync");
  return {.text = std::move(text), .set = [=](RunOptions* options) {
            options->device = device;
            options->mode = mode;
            options->threads = kThreads;
            options->gpu.transfer = transfer;
            options->async_passes = asynchronous ? kAsyncPasses : 0;
            if (hybrid) options->hybrid.cpu_share = .5;
          }};
}

}  // namespace

std::vector<RunWay> RunWays(bool gpu) {
  std::vector<RunWay> ways;
  ways.push_back({.text = "--device cpu --threads 1 --sync", .set = [](RunOptions* options) {
                    options->device = Device::kCpu;
                    options->threads = 1;
                    options->async_passes = 0;
                  }});
  for (const Mode mode : kModes) {
    for (const bool least : {false, true}) ways.push_back(OnCpu(mode, false, least));
  }
  for (const bool least : {false, true}) ways.push_back(OnCpu(Mode::kPush, true, least));
  for (const uint64_t passes : {1, 2, 5, 20}) {
    RunWay& way = ways.emplace_back(OnCpu(Mode::kAuto, false, false));
    way.halts_after = passes;
    way.text += StrCat(" --resume after ", passes, " passes");
  }
  if (!gpu) return ways;
  for (const Mode mode : kModes) {
    ways.push_back(OnGpu(Device::kGpu, mode, Transfer::kResident, false));
    ways.push_back(OnGpu(Device::kHybrid, mode, Transfer::kAuto, false));
  }
  for (const Transfer transfer :
       {Transfer::kFilter, Transfer::kCompaction, Transfer::kZeroCopy, Transfer::kSubCsr}) {
    const Mode mode = transfer == Transfer::kSubCsr ? Mode::kPush : Mode::kAuto;
    ways.push_back(OnGpu(Device::kGpu, mode, transfer, false));
  }
  ways.push_back(OnGpu(Device::kGpu, Mode::kPush, Transfer::kFilter, true));
  return ways;
}

}  // namespace edgemill::bench
