#include "engine/hybrid/hybrid_run.h"

#include "engine/hybrid/message_sender.h"

namespace edgemill {
namespace {

/// Of the helper, beside those that count as its passes': who was touched, and has received.
constexpr uint64_t kHelperSets = 2;

uint64_t WordsOf(const GraphInfo& info) { return (info.num_vertices + 63) / 64; }

uint64_t CrossingBytes(const GraphInfo& info, int threads) {
  return 8 * WordsOf(info) + MessageSenderBytes(threads);
}

}  // namespace

uint64_t HybridRun::SizeBytes(const WorkspaceNeeds& needs, const GraphInfo& info, int threads) {
  return CrossingBytes(info, threads) +
         Workspace::SizeBytes(needs, info.num_vertices, info.num_blocks(), kHelperSets);
}

StatusOr<std::unique_ptr<HybridRun>> HybridRun::Create(LoadedGraph& graph, ProgramList programs,
                                                       const PassOptions& options,
                                                       const Dispatcher& dispatcher) {
  std::unique_ptr<HybridRun> run(new HybridRun(graph, dispatcher));
  const WorkspaceNeeds needs = HelperNeedsOf(programs, options, ListColumnsOf(graph));
  ASSIGN_OR_RETURN(run->workspace_, Workspace::Create(graph, needs, options, kHelperSets));
  ASSIGN_OR_RETURN(run->reservation_,
                   graph.budget().Reserve(CrossingBytes(graph.info(), graph.threads()),
                                          "what crosses between processors"));
  ASSIGN_OR_RETURN(run->words_, Array<uint64_t>::Allocate(WordsOf(graph.info())));
  return run;
}

}  // namespace edgemill
