// Groups of vertices, such as components: what is said of them, and what verifies them.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/random.h"
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/verify/disjoint_sets.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

/// Some vertices, perhaps twice, chosen at random but always the same; none where there are none.
inline std::vector<VertexId> SampledVertices(uint64_t num_vertices) {
  constexpr uint32_t kSampledVertices = 1024;
  Random random(num_vertices);
  std::vector<VertexId> sample(num_vertices > 0 ? kSampledVertices : 0);
  for (VertexId& vertex : sample) vertex = static_cast<VertexId>(random.Below(num_vertices));
  return sample;
}

/// The label most often met, of several the first that was met as often; 0 without labels.
inline VertexId MostCommonLabel(std::span<const VertexId> labels) {
  std::unordered_map<VertexId, uint32_t> counts;
  VertexId most_common = 0;
  for (const VertexId label : labels) {
    if (++counts[label] > counts[most_common]) most_common = label;
  }
  return most_common;
}

/// Sizes of groups whose label is one of their members: the state of DescribeGroups.
struct GroupSizes : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> others{*this, "sizes of groups"};  // members of each but its label
};

namespace internal {

struct CountMembers {
  View<const VertexId> label;
  Into<Sum<uint32_t>> others;
  TallyView<Sum<uint64_t>> groups, of_giant;
  VertexId giant;  // apart: all threads would wait for its counter
  void operator()(VertexId v) {
    if (label[v] == v) {
      groups.Add(1);
    } else if (label[v] == giant) {
      of_giant.Add(1);
    } else {
      others.Add(label[v], 1);
    }
  }
};
struct OtherMembers {
  using Monoid = Both<Sum<uint64_t>, Max<uint32_t>>;  // how many have others, and the most
  View<const uint32_t> others;
  Monoid::Value operator()(VertexId v) const { return {others[v] > 0, others[v]}; }
};

}  // namespace internal

/// Adds facts: how many groups there are, how large the largest is, and how many have one member.
/// `noun` is what a group is called ("component").
inline Status DescribeGroups(Engine& engine, const VertexArray<VertexId>& label, GroupSizes& sizes,
                             std::string_view noun, Answer* answer) {
  const VertexSet all = engine.sets().All();
  Tally<Sum<uint64_t>> groups("groups"), of_giant("members");
  const VertexId giant = MostCommonLabel(label.At(SampledVertices(engine.num_vertices())));
  RETURN_IF_ERROR(
      engine.VertexMap(all, internal::CountMembers{label.read(), sizes.others.into<Sum<uint32_t>>(),
                                                   groups.view(), of_giant.view(), giant}));
  ASSIGN_OR_RETURN(const uint64_t count, groups.Take());
  ASSIGN_OR_RETURN(const uint64_t giants, of_giant.Take());
  using Others = internal::OtherMembers;
  ASSIGN_OR_RETURN(const auto rest,
                   engine.Reduce<Others::Monoid>(all, Others{sizes.others.read()}));
  const uint64_t largest = count == 0 ? 0 : std::max<uint64_t>(giants, rest.second) + 1;
  answer->AddCount(StrCat(noun, "s"), count);
  answer->AddFact("largest", StrCat(FormatCount(largest), " vertices"), largest,
                  StrCat("largest_", noun, "_vertices"));
  answer->AddCount("of one vertex", count - rest.first - (giants > 0),
                   StrCat(noun, "s_of_one_vertex"));
  return OkStatus();
}

/// The state of CheckComponents.
struct ComponentCheck : RunState {
  using RunState::RunState;
  DisjointSets sets{*this, "the verifier's sets"};
  /// Known to be joined with their labels: between two such vertices an edge joins nothing new.
  VertexBits joined{*this, "the verifier's marks"};
};

/// Checks that labels are components', each that of its least member. Every edge joins equal
/// labels, so no component is torn; edges join every vertex with its label, so none are run
/// together; and no label is above its vertex. Of labels whose spreading was stopped (not `final`):
/// edges may join unequal ones.
inline Status CheckComponents(LoadedGraph& graph, std::span<const VertexId> label,
                              ComponentCheck& check, bool final = true) {
  RETURN_IF_ERROR(NoVertexWhere(graph, "has a label that is not the least",
                                [&](VertexId v) { return label[v] > v; }));
  check.sets.Start(graph.threads());
  VertexId torn = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    const auto [from, to] = edge;
    if (label[from] != label[to] && final) {
      AtomicMin(&torn, from);
    } else if (label[from] != label[to]) {
      check.sets.Unite(from, to);
    } else if (!check.joined.has(from) || !check.joined.has(to)) {
      check.sets.Unite(from, to);
      if (!check.sets.Same(from, label[from])) return;
      check.joined.Add(from);
      check.joined.Add(to);
    }
  }));
  RETURN_IF_ERROR(WrongVertex(graph, torn, "has a neighbour in another component"));
  return NoVertexWhere(graph, "is not joined with its label", [&](VertexId v) {
    return !check.joined.has(v) && !check.sets.Same(v, label[v]);
  });
}

}  // namespace edgemill
