#include "engine/hybrid/hybrid_run.h"

#include <algorithm>

#include "engine/hybrid/message_sender.h"

namespace edgemill {
namespace {

/// Of the helper, beside those that count as its passes': who was touched, and has received.
constexpr uint64_t kHelperSets = 2;

}  // namespace

StatusOr<std::unique_ptr<HybridRun>> HybridRun::Create(LoadedGraph& graph, const PassNeeds& needs,
                                                       const PassOptions& options,
                                                       const Dispatcher& dispatcher) {
  std::unique_ptr<HybridRun> run(new HybridRun(graph, dispatcher));
  PassNeeds helper = needs;
  helper.buckets = false;  // sets that wait are the leader's
  helper.sends_sums = needs.sent_sum_bytes > 0;
  helper.sum_bytes = std::max(needs.sum_bytes, needs.sent_sum_bytes);
  ASSIGN_OR_RETURN(run->workspace_, Workspace::Create(graph, helper, options, kHelperSets));
  const uint64_t words = (graph.num_vertices() + 63) / 64;
  ASSIGN_OR_RETURN(run->reservation_,
                   graph.budget().Reserve(8 * words + ReturnedValues::SizeBytes() +
                                              MessageSenderBytes(graph.threads()),
                                          "what crosses between processors"));
  ASSIGN_OR_RETURN(run->words_, Array<uint64_t>::Allocate(words));
  return run;
}

}  // namespace edgemill
