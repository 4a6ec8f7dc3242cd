// One pass of an edge program over a graph's lists: the common part of push and pull.
#pragma once

#include <span>

#include "common/check.h"
#include "engine/cpu/pass/active_sets.h"
#include "engine/cpu/pass/closed_bits.h"
#include "engine/cpu/pass/thread_copies.h"
#include "engine/cpu/pass/workspace.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/program/edge_program.h"
#include "engine/program/program_calls.h"
#include "engine/program/sets/frontier.h"

namespace edgemill {

/// The vertices that emit in a pass, and the sets that the pass changes. All outlive the pass.
struct PassSets {
  const Frontier* from = nullptr;  // null: all vertices emit
  Frontier* next = nullptr;        // gets the vertices that become active
  ClosedBits* closed = nullptr;    // null unless the program takes the first message
};

/// The vertices that emit in a pass, the messages that they send, and the sets that the pass
/// changes. One thread makes it, and all threads work on copies of its program.
template <typename P>
class EdgePass {
 public:
  using Message = MessageOfProgram<P>;

  /// `graph` and `workspace` outlive it.
  EdgePass(LoadedGraph& graph, Workspace& workspace, const P& program, const PassSets& sets)
      : graph_(graph), workspace_(workspace), sets_(sets), copies_(program, graph.threads()) {
    CHECK(sets.next != nullptr);
    CHECK_EQ(sets.next->num_vertices(), graph.num_vertices());
  }

  LoadedGraph& graph() const { return graph_; }
  Workspace& workspace() const { return workspace_; }
  const Frontier* from() const { return sets_.from; }
  Frontier& next() const { return *sets_.next; }
  ClosedBits* closed() const { return sets_.closed; }
  /// The program as it was given, and the copies that threads call.
  const P& program() const { return copies_.given(); }
  ThreadCopies<P>& copies() { return copies_; }
  /// The blocks of the pass: all blocks, unless other teams visit some of them.
  const BlockRange& blocks() const { return blocks_; }
  void set_blocks(const BlockRange& blocks) {
    CHECK_LE(blocks.begin, blocks.end);
    blocks_ = blocks;
  }
  /// The number of edges of the vertices that emit, or more.
  EdgeIndex edges() const { return edges_; }
  void set_edges(EdgeIndex edges) { edges_ = edges; }

  bool Emits(VertexId vertex) const { return sets_.from == nullptr || sets_.from->Test(vertex); }
  /// The message that `vertex` sends in this pass.
  Message Sent(P& program, VertexId vertex) const {
    if constexpr (kConsumes<P>) {
      return workspace_.emitted<Message>()[vertex];
    } else {
      return CallEmit(program, vertex);
    }
  }
  void PrefetchSent(P& program, VertexId vertex) const {
    if constexpr (kConsumes<P>) {
      Prefetch(&workspace_.emitted<Message>()[vertex]);
    } else {
      edgemill::PrefetchSent(program, vertex);
    }
  }
  /// Where the program consumes: calls Emit of the members of `from` (null: all), and keeps their
  /// messages.
  Status Consume(const Frontier* from);

 private:
  LoadedGraph& graph_;
  Workspace& workspace_;
  const PassSets sets_;
  BlockRange blocks_{0, ~uint64_t{0}};
  EdgeIndex edges_ = GraphBlocks::kAllEdges;
  ThreadCopies<P> copies_;
};

template <typename P>
Status EdgePass<P>::Consume([[maybe_unused]] const Frontier* from) {
  if constexpr (kConsumes<P>) {
    const std::span<Message> emitted = workspace_.template emitted<Message>();
    CHECK_GE(emitted.size(), graph_.num_vertices());  // the workspace was planned with this program
    return ForEachMember(graph_, from, [&](const MemberChunk& members) {
      P program = this->program();
      members.ForEach([&](VertexId vertex) { emitted[vertex] = CallEmit(program, vertex); });
      copies_.AddTallies(program);
    });
  }
  return OkStatus();
}

}  // namespace edgemill
