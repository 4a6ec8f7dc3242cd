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

/// What of a run decides how blocks are moved.
struct TransferRules {
  Transfer transfer = Transfer::kAuto;  // kAuto: the cheapest for each block; else this for all
  bool exceeds_gpu = false;   // not all edges fit the GPU: passes bring them again and again
  bool shared = false;        // with the CPU
  uint64_t buffer_bytes = 0;  // of a staging buffer
};

/// One run's. Its functions change only the plan that they are given.
class TransferPlanner {
 public:
  /// Blocks whose transfers are chosen together: what is said of these fits the nearest
  /// cache.
  static constexpr size_t kChosenTogether = 512;

  /// `model` must outlive it.
  TransferPlanner(const CostModel& model, const TransferRules& rules)
      : model_(model), rules_(rules) {}

  /// The first step of a plan, quick, so that the GPU can begin: what of the request is on the
  /// GPU (`plan->wanted_resident`), and what is missing.
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
  /// Tells apart what of the missing blocks is pinned and what is to be read, and orders both.
  static void PutInOrder(const PassInputs& inputs, TransferPlan* plan);

  const CostModel& model_;
  const TransferRules rules_;
};

}  // namespace edgemill
