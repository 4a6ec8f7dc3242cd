// How teams, each with a copy of the state, share a pass of an edge program. The engine derives
// this from the program's functions and views: programs declare nothing for it.
//
// Functions write only their own vertex, so each vertex has one owner during a pass. The other
// teams send combined messages to the owner. Where the monoid is idempotent, Relax can be tried on
// a stale copy: the sender tries it on its own copy, and sends only what changes that copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/check.h"
#include "engine/program/bucket_bound.h"
#include "engine/program/edge_program.h"
#include "engine/program/mode.h"
#include "engine/program/sets/vertex_range.h"

namespace edgemill {

/// The share of one team in a shared pass.
struct TeamShare {
  // The team's blocks.
  uint64_t begin = 0;
  uint64_t end = 0;
  // The vertices that the team owns.
  uint64_t first_vertex = 0;
  uint64_t end_vertex = 0;
  /// Its blocks begin in the list of the vertex before its first one. The owner of that vertex gets
  /// this part of the sum.
  bool continues = false;
  /// Its blocks end in a list that goes on in the blocks of later teams.
  bool splits = false;
  /// SharedPass::by_vertex: the vertices whose lists the team visits.
  VertexRange lists;

  bool has_blocks() const { return begin < end; }
  bool owns_vertices() const { return first_vertex < end_vertex; }
  /// All its blocks are in one list that goes on after them. The list's vertex belongs to an
  /// earlier team.
  bool within_list() const { return continues && splits && !owns_vertices(); }
};

/// One pass that teams work on together.
struct SharedPass {
  Mode mode = Mode::kPush;  // kPush or kPull
  bool asynchronous = false;
  double bound = kNoBound;
  /// True in a pull from the lists of one direction: a vertex belongs to the team that has the
  /// block where the vertex's list starts. Otherwise the main team owns all vertices.
  bool owns_lists = false;
  /// Teams have the whole lists of ranges of vertices, so that no list crosses from one to another.
  /// Otherwise they have ranges of blocks.
  bool by_vertex = false;
  /// The share of each team, the main one first. Blocks and vertices rise from team to team.
  std::vector<TeamShare> shares;

  const TeamShare& main_share() const {
    CHECK(!shares.empty());
    return shares.front();
  }
};

template <typename F>
inline constexpr bool kIsIntoView = false;
template <typename M>
inline constexpr bool kIsIntoView<Into<M>> = true;

namespace internal {

/// Not lambdas: nvcc 13 fails on a lambda in a variable template.
struct FindInto {
  bool found = false;
  template <typename F>
  constexpr void operator()(F&) {
    found |= kIsIntoView<F>;
  }
};
struct FindShared {
  bool found = false;
  template <typename F>
  constexpr void operator()(F&) {
    found |= kIsSharedView<F>;
  }
};
template <typename P, typename Find>
constexpr bool HasField() {
  Find find;
  P program{};
  VisitFields(program, find);
  return find.found;
}

}  // namespace internal

template <typename P>
inline constexpr bool kHasInto = internal::HasField<P, internal::FindInto>();
template <typename P>
inline constexpr bool kHasShared = internal::HasField<P, internal::FindShared>();

/// Whether teams may share its passes. Each team calls a consuming Emit on its own copy. If that
/// Emit also combined into an array, the array would get each value several times. The messages of
/// lanes are senders, whose words a team of another memory lacks.
template <typename P>
inline constexpr bool kMayShare = !kHasShared<P> && !(kConsumes<P> && kHasInto<P>)&&!kHasLanes<P>;

/// The sender tries Relax on its own copy first. It does not where Relax may combine into an array.
template <typename P>
inline constexpr bool kTriesOwnCopy =
    HasRelax<P>&& kIsIdempotent<typename P::Monoid> && !kHasInto<P>;

/// The sender adds messages up in one sum for each vertex. Otherwise it sends them during the pass,
/// combined only as far as a small cache allows.
template <typename P>
inline constexpr bool kSendsSums =
    !kTakesFirst<P> &&
    (kCollects<P> || (!kTriesOwnCopy<P> && sizeof(SumOfProgram<P>) <= kMaxSumBytes));

}  // namespace edgemill
