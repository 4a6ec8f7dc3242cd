// What an edge pass moves to the GPU and how, by the request, the resident blocks and the prices.
//
// Pure: no CUDA, no I/O, no clock. The same inputs give the same plan. The paper is HyTGraph (ICDE
// 2023), section V, with calibrated prices in place of its constants.
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
  Transfer transfer = Transfer::kAuto;  // kAuto: the cheapest for each block; else this for all
  bool exceeds_gpu = false;   // not all edges fit the GPU: passes bring them again and again
  bool shared = false;        // with the CPU
  uint64_t buffer_bytes = 0;  // of a staging buffer
};

/// Belongs to one run. Its functions change only the given plan.
class TransferPlanner {
 public:
  /// Blocks whose transfers are chosen together: their data fits the nearest cache.
  static constexpr size_t kChosenTogether = 512;

  /// `model` must outlive it.
  TransferPlanner(const CostModel& model, const TransferRules& rules)
      : model_(model), rules_(rules) {}

  /// The first step of a plan, quick, so that the GPU can begin: which wanted blocks are on the GPU
  /// (`plan->wanted_resident`), and which are missing.
  void List(const PassInputs& inputs, TransferPlan* plan) const;
  /// The second step: how what is missing comes, and in which order.
  void Choose(const PassInputs& inputs, TransferPlan* plan) const;
  /// Both at once, for all blocks of a direction that are not on the GPU to stay there.
  void BringAll(const PassInputs& inputs, TransferPlan* plan) const;

  /// Whether all blocks of a direction may be resident, and bringing those that are not takes at
  /// most `seconds`; blocks outside pinned memory come from a disk of rate `disk_rate`.
  bool MayBringAll(const PassInputs& inputs, const Curve& disk_rate, double seconds) const;
  /// Whether resident blocks may be evicted for others before such a pass.
  bool MayEvict(const PassInputs& inputs) const;

 private:
  /// Lists what is missing, and counts what is on the GPU.
  static void FindMissing(const PassInputs& inputs, TransferPlan* plan);
  /// Divides the missing blocks into pinned ones and those to be read, and orders both.
  static void PutInOrder(const PassInputs& inputs, TransferPlan* plan);

  const CostModel& model_;
  const TransferRules rules_;
};

}  // namespace edgemill
