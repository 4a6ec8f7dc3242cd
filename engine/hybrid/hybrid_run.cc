#include "engine/hybrid/hybrid_run.h"

#include <utility>

#include "common/check.h"
#include "engine/hybrid/message_sender.h"

namespace edgemill {
namespace {

/// The sets of a host team beside those of its passes: vertices that were touched, and vertices
/// that have received messages.
constexpr uint64_t kHostTeamSets = 2;

uint64_t WordsOf(const GraphInfo& info) { return (info.num_vertices + 63) / 64; }

}  // namespace

uint64_t HybridRun::SizeBytes(const WorkspaceNeeds& needs, const GraphInfo& info, int threads) {
  return SetBytes(info) + MessageSenderBytes(threads) +
         Workspace::SizeBytes(needs, info.num_vertices, info.num_blocks(), kHostTeamSets);
}

uint64_t HybridRun::SetBytes(const GraphInfo& info) { return 8 * WordsOf(info); }

StatusOr<std::unique_ptr<HybridRun>> HybridRun::Create(LoadedGraph& graph,
                                                       const Dispatcher& dispatcher) {
  std::unique_ptr<HybridRun> run(new HybridRun(graph, dispatcher));
  const uint64_t words = WordsOf(graph.info());
  ASSIGN_OR_RETURN(
      run->reservation_,
      graph.budget().Reserve(SetBytes(graph.info()), "sets on their way between processors"));
  ASSIGN_OR_RETURN(run->words_, Array<uint64_t>::Allocate(words));
  return run;
}

Status HybridRun::AddHostTeam(LoadedGraph& graph, ProgramList programs, const PassOptions& options,
                              const OtherMemory& memory) {
  CHECK_EQ(graph.num_blocks(), graph_.num_blocks());  // all teams share the same blocks
  auto team =
      std::make_unique<HostTeamResources>(HostTeamResources{graph, memory, crossed_, {}, nullptr});
  const WorkspaceNeeds needs = HostTeamNeedsOf(programs, options, ListColumnsOf(graph));
  ASSIGN_OR_RETURN(team->workspace, Workspace::Create(graph, needs, options, kHostTeamSets));
  ASSIGN_OR_RETURN(team->reservation,
                   graph.budget().Reserve(MessageSenderBytes(graph.threads()),
                                          "messages on their way between processors"));
  host_teams_.push_back(std::move(team));
  return OkStatus();
}

}  // namespace edgemill
