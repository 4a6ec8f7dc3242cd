#include "engine/cpu/workspace.h"

namespace edgemill {
namespace {

/// Whether pushes add messages up in a sum a vertex: where they are asked for, where lists to pull
/// from are missing, where one vertex collects from two lists, and where sums are sent.
bool NeedsSums(const PassNeeds& needs, const PassOptions& options, const ListColumns& lists) {
  if (needs.sends_sums) return true;
  if (!needs.collects) return false;
  if (options.mode == Mode::kPush) return true;
  const bool can_pull = (!needs.out || lists.in) && (!needs.in || lists.out);
  return !can_pull || (needs.must_fold && lists.directed);
}

/// Sets that passes hold beside the driver's: what is active now and next, what waits, and who was
/// notified or has received.
uint64_t SetsOfPasses(const PassNeeds& needs, const PassOptions& options) {
  if (needs.partial_bytes == 0) return 0;  // no programs
  const bool marks = needs.collects || options.mode == Mode::kNotifyPull;
  return 2 + (needs.buckets ? 1 : 0) + (marks ? 1 : 0) + (needs.must_fold ? 1 : 0);
}

uint64_t ClosedWords(const PassNeeds& needs, uint64_t num_vertices) {
  return needs.takes_first ? (num_vertices + 63) / 64 : 0;
}

/// Partial sums and marks, the list of a pass's blocks, and its plan, a bit each.
uint64_t PartialBytes(const PassNeeds& needs, uint64_t num_blocks) {
  return num_blocks * (2 * needs.partial_bytes + 1 + 8) + num_blocks / 8 + 8;
}

/// Bytes of closed bits, kept messages, sums and partial sums: all but the sets.
uint64_t FixedBytes(const PassNeeds& needs, const PassOptions& options, const ListColumns& lists,
                    uint64_t num_vertices, uint64_t num_blocks) {
  const uint64_t sum_bytes = NeedsSums(needs, options, lists) ? needs.sum_bytes : 0;
  return PartialBytes(needs, num_blocks) + 8 * ClosedWords(needs, num_vertices) +
         num_vertices * (needs.kept_bytes + sum_bytes);
}

PassSizes SizesOf(const LoadedGraph& graph, const PassOptions& options) {
  PassSizes sizes{.num_vertices = graph.num_vertices(),
                  .num_edges = graph.num_edges(),
                  .num_blocks = graph.num_blocks(),
                  .threads = graph.threads()};
  if (options.from_disk && sizes.num_blocks > 0) {
    const ColumnInfo& column = graph.store().column(graph.neighbors(Direction::kOut));
    sizes.block_bytes_read =
        static_cast<double>(column.stored_bytes) / static_cast<double>(sizes.num_blocks);
    sizes.keeps_neighbors = graph.keeps_from_disk();
  }
  return sizes;
}

}  // namespace

uint64_t Workspace::SizeBytes(const PassNeeds& needs, const PassOptions& options,
                              const ListColumns& lists, uint64_t num_vertices, uint64_t num_blocks,
                              uint64_t most_sets) {
  const uint64_t sets = most_sets + SetsOfPasses(needs, options);
  return FixedBytes(needs, options, lists, num_vertices, num_blocks) +
         sets * Frontier::SizeBytes(num_vertices);
}

Workspace::Workspace(LoadedGraph& graph, const PassNeeds& needs, const PassOptions& options,
                     const ListColumns& lists, uint64_t most_sets)
    : needs_(needs),
      options_(options),
      lists_(lists),
      sizes_(SizesOf(graph, options)),
      sets_(graph.num_vertices(), most_sets + SetsOfPasses(needs, options), graph.threads(),
            graph.budget()) {}

bool Workspace::has_sums() const { return NeedsSums(needs_, options_, lists_); }

StatusOr<std::unique_ptr<Workspace>> Workspace::Create(LoadedGraph& graph, const PassNeeds& needs,
                                                       const PassOptions& options,
                                                       uint64_t most_sets) {
  const ListColumns lists = ListColumnsOf(graph);
  std::unique_ptr<Workspace> workspace(new Workspace(graph, needs, options, lists, most_sets));
  const uint64_t num_vertices = graph.num_vertices();
  const uint64_t num_blocks = graph.num_blocks();
  const bool sums = workspace->has_sums();
  ASSIGN_OR_RETURN(
      workspace->reservation_,
      graph.budget().Reserve(FixedBytes(needs, options, lists, num_vertices, num_blocks),
                             "the engine's passes"));
  ASSIGN_OR_RETURN(workspace->closed_, Array<uint64_t>::Allocate(ClosedWords(needs, num_vertices)));
  ASSIGN_OR_RETURN(workspace->kept_, Buffer::Allocate(num_vertices * needs.kept_bytes));
  ASSIGN_OR_RETURN(workspace->sums_, Buffer::Allocate(sums ? num_vertices * needs.sum_bytes : 0));
  ASSIGN_OR_RETURN(workspace->partial_sums_,
                   Buffer::Allocate(2 * num_blocks * needs.partial_bytes));
  workspace->partial_marks_.resize(num_blocks);
  return workspace;
}

}  // namespace edgemill
