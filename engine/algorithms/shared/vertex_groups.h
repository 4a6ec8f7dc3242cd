// Groups of vertices that share a label, which is one of the vertices. Finds the largest group by a
// sample, and facts about all groups.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/random.h"
#include "common/units.h"
#include "engine/api/algorithm.h"

namespace edgemill {

/// Some vertices, chosen at random but always the same. A vertex may come twice. Empty for an empty
/// graph.
inline std::vector<VertexId> SampledVertices(uint64_t num_vertices) {
  constexpr uint32_t kSampledVertices = 1024;
  Random random(num_vertices);
  std::vector<VertexId> sample(num_vertices > 0 ? kSampledVertices : 0);
  for (VertexId& vertex : sample) vertex = static_cast<VertexId>(random.Below(num_vertices));
  return sample;
}

/// The most common label; of several, the one that first reached that count. 0 without labels.
inline VertexId MostCommonLabel(std::span<const VertexId> labels) {
  std::unordered_map<VertexId, uint32_t> counts;
  VertexId most_common = 0;
  for (const VertexId label : labels) {
    if (++counts[label] > counts[most_common]) most_common = label;
  }
  return most_common;
}

inline namespace EM_VIEWS_NAMESPACE {

/// What DescribeGroups works with.
struct GroupSizes : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> others{*this, "sizes of groups"};  // members of each but its label vertex
};

struct CountMembers {
  View<const VertexId> label;
  Into<Sum<uint32_t>> others;
  TallyView<Sum<uint64_t>> groups, of_giant;
  VertexId giant;  // counted apart: all threads would wait for its counter
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
  using Monoid = Both<Sum<uint64_t>, Max<uint32_t>>;  // groups with others, and the most others
  View<const uint32_t> others;
  Monoid::Value operator()(VertexId v) const { return {others[v] > 0, others[v]}; }
};

/// Adds facts: how many groups there are, how large the largest is, and how many have one member.
/// `noun` says what a group is: "component".
inline Status DescribeGroups(Engine& engine, const VertexArray<VertexId>& label, GroupSizes& sizes,
                             const std::string& noun, Answer* answer) {
  const VertexSet all = engine.sets().All();
  Tally<Sum<uint64_t>> groups("groups"), of_giant("members");
  const VertexId giant = MostCommonLabel(label.At(SampledVertices(engine.num_vertices())));
  const CountMembers count_members{label.read(), sizes.others.into<Sum<uint32_t>>(), groups.view(),
                                   of_giant.view(), giant};
  RETURN_IF_ERROR(engine.VertexMap(all, count_members));
  ASSIGN_OR_RETURN(const uint64_t count, groups.Take());
  ASSIGN_OR_RETURN(const uint64_t giants, of_giant.Take());
  const OtherMembers others{sizes.others.read()};
  ASSIGN_OR_RETURN(const auto rest, engine.Reduce<OtherMembers::Monoid>(all, others));
  const uint64_t largest = count == 0 ? 0 : std::max<uint64_t>(giants, rest.second) + 1;
  answer->AddCount(noun + "s", count);
  answer->AddFact("largest", StrCat(FormatCount(largest), " vertices"), largest,
                  StrCat("largest_", noun, "_vertices"));
  answer->AddCount("of one vertex", count - rest.first - (giants > 0),
                   StrCat(noun, "s_of_one_vertex"));
  return OkStatus();
}

}  // namespace EM_VIEWS_NAMESPACE

}  // namespace edgemill
