#include "engine/cpu/pass/workspace.h"

#include <algorithm>

#include "common/check.h"

namespace edgemill {
namespace {

/// Whether sums for each vertex are needed: where the options ask for pushes, where lists to pull
/// from are missing, and where a vertex collects from two lists.
bool NeedsSums(ProgramList programs, const PassOptions& options, const ListColumns& lists) {
  if (!AnyOf(programs, &ProgramTraits::collects)) return false;
  if (options.mode == Mode::kPush) return true;
  return AnyOf(programs, [&](const ProgramTraits& program) {
    const bool can_pull = DirectionPolicy(program, lists, options.mode, false, {}).can_pull();
    const bool folds = program.collects && program.directions == Directions::kBoth;
    return !can_pull || (folds && lists.directed);
  });
}

uint64_t ClosedWords(const WorkspaceNeeds& needs, uint64_t num_vertices) {
  return needs.closed_bits ? (num_vertices + 63) / 64 : 0;
}

/// Bytes of partial sums and marks, of the list of a pass's blocks, and of the BlockPlan's bits.
uint64_t PartialBytes(const WorkspaceNeeds& needs, uint64_t num_blocks) {
  return num_blocks * (2 * needs.partial_bytes + 1 + 8) + num_blocks / 8 + 8;
}

/// Bytes of closed bits, emitted messages, sums and partial sums: all but the sets.
uint64_t FixedBytes(const WorkspaceNeeds& needs, uint64_t num_vertices, uint64_t num_blocks) {
  return PartialBytes(needs, num_blocks) + 8 * ClosedWords(needs, num_vertices) +
         num_vertices * (needs.emitted_bytes + needs.sum_bytes);
}

PassSizes SizesOf(LoadedGraph& graph, const PassOptions& options) {
  PassSizes sizes{.num_vertices = graph.num_vertices(),
                  .num_edges = graph.num_edges(),
                  .num_blocks = graph.num_blocks(),
                  .threads = graph.threads(),
                  .pull_threshold = options.pull_threshold};
  if (options.from_disk && sizes.num_blocks > 0) {
    const ColumnInfo& column = graph.store().column(graph.neighbors(Direction::kOut));
    const double bytes =
        static_cast<double>(column.stored_bytes) / static_cast<double>(sizes.num_blocks);
    sizes.ReadFromDisk(
        bytes, options.disk_rate == nullptr ? BuiltInCalibration().disk_rate : *options.disk_rate);
    sizes.samples_neighbors = graph.neighbor_memory().samples_from_disk();
  }
  return sizes;
}

/// The number of sets: vertices that are active now and next, that were notified, and that have
/// received messages.
uint64_t SetsOf(ProgramList programs, const PassOptions& options) {
  if (programs.empty()) return 0;
  const bool marks = AnyOf(programs, &ProgramTraits::collects) || options.mode == Mode::kNotifyPull;
  const bool folds = AnyOf(programs, [](const ProgramTraits& program) {
    return program.collects && program.directions == Directions::kBoth;
  });
  return uint64_t{2} + marks + folds;
}

WorkspaceNeeds CommonNeeds(ProgramList programs, const PassOptions& options) {
  return {
      .num_sets = SetsOf(programs, options),
      .closed_bits = AnyOf(programs, &ProgramTraits::takes_first),
      .emitted_bytes = MaxBytes(programs, &ProgramTraits::message_bytes, &ProgramTraits::consumes),
      .partial_bytes = MostSumBytes(programs)};
}

}  // namespace

WorkspaceNeeds WorkspaceNeedsOf(ProgramList programs, const PassOptions& options,
                                const ListColumns& lists) {
  WorkspaceNeeds needs = CommonNeeds(programs, options);
  if (AnyOf(programs, &ProgramTraits::has_priority)) ++needs.num_sets;  // waiting vertices
  if (NeedsSums(programs, options, lists)) {
    needs.sum_bytes = MaxBytes(programs, &ProgramTraits::sum_bytes, &ProgramTraits::collects);
  }
  return needs;
}

WorkspaceNeeds HostTeamNeedsOf(ProgramList programs, const PassOptions& options,
                               const ListColumns& lists) {
  WorkspaceNeeds needs = CommonNeeds(programs, options);
  const bool sends = AnyOf(programs, &ProgramTraits::sends_sums);
  if (sends || NeedsSums(programs, options, lists)) {
    needs.sum_bytes =
        std::max(MaxBytes(programs, &ProgramTraits::sum_bytes, &ProgramTraits::collects),
                 MaxBytes(programs, &ProgramTraits::sum_bytes, &ProgramTraits::sends_sums));
  }
  return needs;
}

uint64_t Workspace::SizeBytes(const WorkspaceNeeds& needs, uint64_t num_vertices,
                              uint64_t num_blocks, uint64_t max_sets) {
  return FixedBytes(needs, num_vertices, num_blocks) +
         (max_sets + needs.num_sets) * Frontier::SizeBytes(num_vertices);
}

Workspace::Workspace(LoadedGraph& graph, const WorkspaceNeeds& needs, const PassOptions& options,
                     uint64_t max_sets)
    : options_(options),
      has_sums_(needs.sum_bytes > 0),
      lists_(ListColumnsOf(graph)),
      sizes_(SizesOf(graph, options)),
      sets_(graph.num_vertices(), max_sets + needs.num_sets, graph.threads(), graph.budget()) {}

StatusOr<std::unique_ptr<Workspace>> Workspace::Create(LoadedGraph& graph,
                                                       const WorkspaceNeeds& needs,
                                                       const PassOptions& options,
                                                       uint64_t max_sets) {
  CHECK_LE(needs.emitted_bytes, kMaxMessageBytes);
  CHECK_GE(needs.partial_bytes, needs.sum_bytes);  // blocks may have parts of every sum
  std::unique_ptr<Workspace> workspace(new Workspace(graph, needs, options, max_sets));
  const uint64_t num_vertices = graph.num_vertices();
  const uint64_t num_blocks = graph.num_blocks();
  ASSIGN_OR_RETURN(
      workspace->reservation_,
      graph.budget().Reserve(FixedBytes(needs, num_vertices, num_blocks), "the engine's passes"));
  ASSIGN_OR_RETURN(workspace->closed_, Array<uint64_t>::Allocate(ClosedWords(needs, num_vertices)));
  ASSIGN_OR_RETURN(workspace->emitted_, Buffer::Allocate(num_vertices * needs.emitted_bytes));
  ASSIGN_OR_RETURN(workspace->sums_, Buffer::Allocate(num_vertices * needs.sum_bytes));
  ASSIGN_OR_RETURN(workspace->partials_.sums,
                   Buffer::Allocate(2 * num_blocks * needs.partial_bytes));
  workspace->partials_.marks.resize(num_blocks);
  if (options.sub_csr_bytes > 0) {
    ASSIGN_OR_RETURN(workspace->sub_csrs_,
                     SubCsrParts::Create(options.sub_csr_bytes, graph.threads(), graph.budget()));
  }
  return workspace;
}

}  // namespace edgemill
