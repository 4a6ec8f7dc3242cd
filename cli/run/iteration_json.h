// The account of an iteration as JSON.
#pragma once

#include <string>
#include <utility>

#include "cli/display/phase_times.h"
#include "engine/device/transfer.h"
#include "engine/plan/dispatcher.h"
#include "engine/report/iteration_report.h"

namespace edgemill::cli {

/// The processors that an iteration ran on.
inline Processors ProcessorsUsed(const IterationReport& iteration) {
  if (!iteration.on_gpu) return Processors::kCpu;
  return iteration.cpu_blocks == 0 ? Processors::kGpu : Processors::kBoth;
}

/// The transfers by engine, without engines that moved nothing.
template <typename Json>
Json TransfersJson(const TransferAccounts& transfers) {
  Json engines = Json::object();
  for (int i = 0; i < kNumTransfers; ++i) {
    const Transfer transfer = static_cast<Transfer>(i);
    const TransferAccount& engine = transfers[transfer];
    if (engine.empty()) continue;
    engines[std::string(TransferName(transfer))] = {{"blocks", engine.blocks},
                                                    {"bytes", engine.bytes},
                                                    {"measured_seconds", engine.measured_seconds}};
  }
  return engines;
}

/// An object with all figures of the iteration. The names end in their units.
template <typename Json>
Json IterationJson(const IterationReport& iteration) {
  return {{"processor", ProcessorsName(ProcessorsUsed(iteration))},
          {"cpu_blocks", iteration.cpu_blocks},
          {"transfers", TransfersJson<Json>(iteration.transfers)},
          {"link_bytes", iteration.transfers.total().bytes},
          {"exchanged_bytes", iteration.exchanged_bytes},
          {"mode", ModeName(iteration.mode)},
          {"iterations", iteration.iterations},
          {"active_vertices", iteration.active_vertices},
          {"active_edges", iteration.active_edges},
          {"seconds", iteration.seconds},
          {"live_vertices", iteration.repeated_vertices},
          {"edges", iteration.edges},
          {"blocks", iteration.blocks},
          {"blocks_again", iteration.blocks_repeated},
          {"blocks_read", iteration.blocks_read},
          {"cache_hits", iteration.cache_hits},
          {"bytes_read", iteration.bytes_read},
          {"wait_seconds", iteration.wait_seconds},
          {"disk_idle_seconds", iteration.idle_seconds},
          {"check_seconds", iteration.check_seconds},
          {"decompress_seconds", iteration.decompress_seconds},
          {"compute_seconds", iteration.compute_seconds},
          {"times", PhaseTimesJson<Json>(iteration.times)}};
}

}  // namespace edgemill::cli
