// A GPU that helps the main one in shared passes.
#pragma once

#include <vector>

#include "engine/gpu/gpu_pass.h"
#include "engine/gpu/gpu_side.h"
#include "engine/gpu/gpu_team.h"
#include "engine/gpu/pass_tallies.h"
#include "engine/program/helper_team.h"

namespace edgemill {

/// Its part of the shared passes of one edge operator: the lists of its vertices. In a pull it owns
/// these vertices. In a push it adds up messages by vertex, and the main GPU takes them from there.
class GpuHelperTeam final : public HelperTeam {
 public:
  /// All arguments must outlive it.
  GpuHelperTeam(GpuHelper& helper, GpuSide& main, const CompiledProgram& program);

  const OtherMemory& memory() const override { return side_.memory; }
  std::optional<VertexRange> lists() const override { return helper_.lists(); }
  /// Not in pushes whose messages it cannot keep.
  bool MayHelp(Mode mode) const override {
    return mode != Mode::kPush || pass_.kernels().receive_sums != nullptr;
  }
  Status Begin(const void* program, const SharedPass& pass, size_t team,
               MainTeam& main_team) override;
  StatusOr<bool> Queue() override;
  Status Work(MainTeam& main_team) override;
  std::span<const std::byte> border() const override { return {}; }  // it has whole lists
  Status Take(std::span<const std::byte> border) override;
  const uint32_t* TouchedThere() const override { return launch_.touched; }
  Status GiveActive(MainTeam& main_team) override;
  std::span<const uint64_t> touched() const override {
    return {};
  }  // not asked in passes by_vertex
  uint64_t sent() const override { return 0; }
  Status Report(Mode mode, Recorder* recorder) override;

 private:
  GpuWorkspace& workspace() const { return *side_.workspace; }
  PassArrays& arrays() const { return side_.arrays(); }
  /// Copies the vertices that emit from the main GPU. Null: all vertices emit.
  StatusOr<const uint32_t*> Senders(MainTeam& main_team);
  /// Makes a push keep its messages.
  Status BeginLog();
  /// Queues the visit of its blocks. Waits for blocks that are not on this GPU, and makes cells.
  Status Visit();

  GpuHelper& helper_;
  GpuSide& side_;
  GpuSide& main_;
  const ProgramRef program_;
  GpuPass pass_;
  PassTallies tallies_;
  // These belong to the pass under way.
  const void* shown_ = nullptr;  // the program, with views of this GPU's memory
  Mode mode_ = Mode::kPush;
  PassArgs launch_;
  EdgeIndex edges_in_cells_ = 0;  // of a pull by cells
  bool queued_ = false;           // Queue has called Visit
};

}  // namespace edgemill
