// Decides which blocks an edge pass moves to the GPU and how. The decision depends on the request,
// the resident blocks and the prices.
//
// The planner uses no CUDA, no I/O and no clock: the same inputs give the same plan. It follows
// HyTGraph (ICDE 2023), section V, with calibrated prices in place of its constants.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cost/calibration.h"
#include "engine/cost/cost_model.h"
#include "engine/device/transfer.h"
#include "engine/transfer/transfer_plan.h"

namespace edgemill {

/// The properties of a run that decide how blocks are moved.
struct TransferRules {
  Transfer transfer = Transfer::kAuto;  // kAuto: the cheapest for each block
  bool exceeds_gpu = false;             // some edges do not fit: passes bring blocks repeatedly
  bool shared = false;                  // the CPU works beside the GPU
  uint64_t buffer_bytes = 0;            // of a staging buffer
};

/// Belongs to one run. Its functions change only the given plan.
class TransferPlanner {
 public:
  /// The number of blocks whose transfers are chosen together. Their data fits in the nearest
  /// cache.
  static constexpr size_t kChosenTogether = 512;

  /// `model` must outlive it.
  TransferPlanner(const CostModel& model, const TransferRules& rules)
      : model_(model), rules_(rules) {}

  /// The first step of a plan: counts the wanted blocks on the GPU (`plan->wanted_resident`), and
  /// lists the missing ones. This is quick, so that the GPU can begin.
  void List(const PassInputs& inputs, TransferPlan* plan) const;
  /// The second step: chooses how the missing blocks come, and in which order.
  void Choose(const PassInputs& inputs, TransferPlan* plan) const;
  /// Does both steps for a pass that makes all blocks of the request resident.
  void BringAll(const PassInputs& inputs, TransferPlan* plan) const;

  /// Whether all blocks of a direction may be resident, and bringing the missing ones takes at most
  /// `seconds`. Blocks outside pinned memory come from a disk with the rates `disk_rate`.
  bool MayBringAll(const PassInputs& inputs, const Curve& disk_rate, double seconds) const;
  /// Whether resident blocks may be evicted before a pass with these inputs.
  bool MayEvict(const PassInputs& inputs) const;

 private:
  /// Lists the missing blocks, and counts the wanted blocks on the GPU.
  static void FindMissing(const PassInputs& inputs, TransferPlan* plan);
  /// Divides the missing blocks into pinned blocks and blocks to read, and orders both.
  static void PutInOrder(const PassInputs& inputs, TransferPlan* plan);

  const CostModel& model_;
  const TransferRules rules_;
};

}  // namespace edgemill
