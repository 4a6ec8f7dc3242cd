// The cells of a run's pulls: whether they pay, and when they are made.
#pragma once

#include <memory>
#include <optional>

#include "common/status.h"
#include "common/types.h"
#include "engine/graph/direction.h"
#include "engine/plan/cell_policy.h"
#include "engine/program/sets/vertex_range.h"

namespace edgemill {

class DeviceCells;
class GpuWorkspace;

/// Belongs to one run. One thread uses it.
class PullCells {
 public:
  /// `workspace` must outlive it.
  explicit PullCells(GpuWorkspace& workspace);
  ~PullCells();

  /// Returns the cells by which a pull through `lists` goes, in which all vertices emit and those
  /// in `owners` take. Null: it goes by lists. Makes the cells where they pay, or the run asks for
  /// them. Then it has DeviceCells::Create's errors, and BudgetError where the GPU's memory is too
  /// small for them; `auto` goes on by lists then.
  StatusOr<const DeviceCells*> Choose(Direction lists, const VertexRange& owners);
  /// Whether Choose would make cells now, or forecast what they save: both wait for the GPU.
  bool Makes(Direction lists, const VertexRange& owners) const;

 private:
  bool Has(Direction lists, const VertexRange& owners) const {
    return cells_ != nullptr && lists_ == lists && owners_ == owners;
  }
  /// Whether cells that are not there may be made for such pulls.
  bool MayMake(Direction lists, const VertexRange& owners) const;
  /// Whether the GPU can use cells of this graph; else an error says why not.
  Status Check(Direction lists, const VertexRange& owners) const;
  Status Forecast(Direction lists);
  /// How many iterations are left, with the one under way, as the algorithm expects.
  std::optional<uint64_t> IterationsLeft() const;

  GpuWorkspace& workspace_;
  CellPolicy policy_;
  std::unique_ptr<DeviceCells> cells_;
  Direction lists_ = Direction::kOut;   // of cells_
  VertexRange owners_;                  // of cells_
  std::optional<VertexRange> refused_;  // owners for whose cells there is no memory
};

}  // namespace edgemill
