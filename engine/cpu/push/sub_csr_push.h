// Push along the lists of a SubCSR, which other threads have decoded.
#pragma once

#include <type_traits>
#include <utility>

#include "engine/cpu/push/push_target.h"
#include "engine/cpu/push/sent_messages.h"
#include "engine/program/pass_coverage.h"
#include "kernels/sub_csr.h"
#include "kernels/weight.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// Returns the weight of edge `edge` of `lists`, which has weights of the type `stored`: 1 where
/// the graph has none.
template <typename Weight>
Weight WeightOf(const SubCsr& lists, [[maybe_unused]] WeightType stored, uint32_t edge) {
  if constexpr (std::is_same_v<Weight, NoWeight>) {
    return {};
  } else {
    if (lists.weight_bytes == 0) return Weight{1};
    const void* const weights = lists.weights();
    if (stored == WeightType::kInt32) {
      return static_cast<Weight>(static_cast<const int32_t*>(weights)[edge]);
    }
    return stored == WeightType::kFloat32
               ? static_cast<Weight>(static_cast<const float*>(weights)[edge])
               : static_cast<Weight>(static_cast<const double*>(weights)[edge]);
  }
}

/// Sends the messages of the vertices of `lists`, which all emit. `program`: the thread's copy.
template <typename P>
void PushSubCsr(PushTarget<P>& target, const SubCsr& lists, P& program) {
  const WeightType stored = target.pass().graph().info().weights;
  EM_COVER(sub_csr_lists, lists.num_lists);
  SentMessages<P> sent(target);
  for (uint32_t list = 0; list < lists.num_lists; ++list) {
    const VertexId vertex = lists.vertices()[list];
    const MessageOfProgram<P> message = target.pass().Sent(program, vertex);
    [[maybe_unused]] VertexId before = list == 0 ? lists.previous : kInvalidVertex;
    for (uint32_t edge = lists.offsets()[list]; edge < lists.offsets()[list + 1]; ++edge) {
      const VertexId to = lists.neighbors()[edge];
      if constexpr (kIsSimpleOf<P>) {
        if (to == vertex || std::exchange(before, to) == to) continue;
      }
      sent.MakeSpace(program, 1);
      sent.Send(
          program, to,
          CallAlong(program, message, vertex, to, WeightOf<WeightAsked<P>>(lists, stored, edge)));
    }
  }
  sent.DeliverAll(program);
}

}  // namespace edgemill
