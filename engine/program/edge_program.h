// Edge programs: the messages that cross edges, how they combine, and how vertices take them. The
// functions that a program has decide what the engine may do with it.
//
// A program is an aggregate of views and numbers (views.h). The engine copies it freely, and
// compiles it for host and device:
//
//   using Monoid = ...;                      see monoids.h. Emit returns the monoid's Message
//   Message Emit(VertexId) const;            called any number of times. An Emit that is not const
//                                            consumes: it is called once for each activation
//   Message Along(Message, E) const;         optional. E is Edge or WeightedEdge<W>
//   bool Cond(VertexId) const;               optional. Once false, it must stay false until the
//                                            operator ends
//   bool Apply(VertexId, Value);             called by one thread at a time for a vertex. True puts
//                                            the vertex into the result
//   bool Relax(VertexId, Value);             like Apply, but many threads call it at once, so it
//                                            uses atomic operations. Each call has a part of the
//                                            sum: one message or more, in any order. With an
//                                            idempotent monoid, true means "changed"
//   void Next();                             optional. Called between passes; a program that has it
//                                            never runs asynchronously
//   double Priority(VertexId) const;         required for Bucketed
//   bool Enough(VertexId, Value) const;      optional. True allows to skip the rest of the list
//   static constexpr bool kAppliesToAll;     Apply is also called where no message came
//   static constexpr bool kSimple;           parallel edges count once, loops never. With kBoth on
//                                            directed graphs, two opposite edges count twice
//
// A program has Apply, Relax or both. With a first-wins monoid (Any) it has only Apply: the engine
// claims a vertex for the first message that comes. Without Relax, a const Emit reads only
// View<const T>. Sources: Ligra's edgeMap and Cond (Shun, Blelloch, PPoPP 2013); Garaph's gather,
// sum, apply, activate (ATC 2017, 2.3).
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "common/type_name.h"
#include "common/types.h"
#include "engine/program/arrays/value_fields.h"
#include "engine/program/arrays/views.h"
#include "engine/program/edge.h"

namespace edgemill {

template <typename P>
using SumOfProgram = typename P::Monoid::Value;
template <typename P>
using MessageOfProgram = MonoidMessage<typename P::Monoid>;

/// The name of a program in error messages. The address of this constant identifies the program.
template <typename P>
inline constexpr std::string_view kProgramName = TypeName<P>();

/// A program may have a struct Tuning: hints for speed, which never change the answer. Its members
/// are optional:
///   static bool WouldRelax(const P&, VertexId, Value)   whether Relax would change anything in the
///       present state. A push tests this first, and drops most messages by it. Default: Cond.
///       Debug builds check what it refuses (relax_trial.h).
///   static void Prefetch(const P&, VertexId)   prefetches the memory that a pushed message for the
///       vertex touches. Default: the vertex's element of every View.
///   static bool AsksForSender(const P&)   first-wins programs only: whether Apply reads its
///       message. With this member, a GPU may call Apply after all passes, on the program as it was
///       in the vertex's pass. Then Apply must return true and close the vertex, and Emit must not
///       read what Apply writes.
///   static double Pending(const P&, VertexId)   how much an active vertex has to pass on, at least
///       0. A GPU may then bring blocks with most of it first (BlockPriority::kDelta).
///   static constexpr auto kSumsWaitIn = &P::view   a View in which a GPU keeps a pull's sums until
///       all are complete, rounded to the View's type. For programs that apply to all and
///       whose Apply writes the same element. Default: each vertex takes its sum at once.
struct NoTuning {};

namespace internal {

template <typename P>
struct TuningOf {
  using Type = NoTuning;
};
template <typename P>
requires requires { typename P::Tuning; }
struct TuningOf<P> {
  using Type = typename P::Tuning;
};

}  // namespace internal

template <typename P>
using Tuning = typename internal::TuningOf<P>::Type;

namespace internal {

/// Finds the functions that a program names, whatever their declaration: a name that both bases
/// have is ambiguous, so its address does not compile.
struct EveryName {
  int Emit, Along, Cond, Apply, Relax, Next, Priority, Enough;
};
template <typename P>
struct NamesOf : P, EveryName {};
template <typename P>
concept NamesRelax = !requires {
  &NamesOf<P>::Relax;
};
template <typename P>
concept NamesApply = !requires {
  &NamesOf<P>::Apply;
};
template <typename P>
concept NamesCond = !requires {
  &NamesOf<P>::Cond;
};
template <typename P>
concept NamesAlong = !requires {
  &NamesOf<P>::Along;
};
template <typename P>
concept NamesNext = !requires {
  &NamesOf<P>::Next;
};
template <typename P>
concept NamesPriority = !requires {
  &NamesOf<P>::Priority;
};
template <typename P>
concept NamesEnough = !requires {
  &NamesOf<P>::Enough;
};

}  // namespace internal

template <typename P>
concept HasEmit = requires(P program) {
  { program.Emit(VertexId{}) } -> std::convertible_to<MessageOfProgram<P>>;
};
/// Whether Emit may be called any number of times. Otherwise it consumes.
template <typename P>
concept EmitsRepeatedly = requires(const P program) {
  program.Emit(VertexId{});
};
template <typename P>
concept HasRelax = requires(P program, SumOfProgram<P> sum) {
  { program.Relax(VertexId{}, sum) } -> std::same_as<bool>;
};
template <typename P>
concept HasApply = requires(P program, SumOfProgram<P> sum) {
  { program.Apply(VertexId{}, sum) } -> std::same_as<bool>;
};
template <typename P>
concept HasCond = requires(const P program) {
  { program.Cond(VertexId{}) } -> std::same_as<bool>;
};
template <typename P>
concept HasNext = requires(P program) {
  { program.Next() } -> std::same_as<void>;
};
template <typename P>
concept HasPriority = requires(const P program) {
  { program.Priority(VertexId{}) } -> std::convertible_to<double>;
};
template <typename P>
concept HasEnough = requires(const P program, SumOfProgram<P> sum) {
  { program.Enough(VertexId{}, sum) } -> std::same_as<bool>;
};
template <typename P>
concept HasPending = requires(const P program) {
  { Tuning<P>::Pending(program, VertexId{}) } -> std::convertible_to<double>;
};
template <typename P, typename E>
concept HasAlong = requires(const P program, MessageOfProgram<P> message, E edge) {
  { program.Along(message, edge) } -> std::convertible_to<MessageOfProgram<P>>;
};

namespace internal {

/// Along, as a function on edges.
template <typename P>
struct AlongOf {
  template <typename E>
  requires HasAlong<P, E>
  void operator()(const E&) const;
};

}  // namespace internal

/// The type in which Along takes the weight of an edge; NoWeight where it takes no weight.
template <typename P>
using WeightAsked = WeightOfEdges<internal::AlongOf<P>>;
template <typename P>
inline constexpr bool kIsWeighted = !std::is_same_v<WeightAsked<P>, NoWeight>;

// Traits that follow from the functions of a program.

/// A vertex takes only one message in a pass: lists need not be read to their ends.
template <typename P>
inline constexpr bool kTakesFirst = kIsFirstWins<typename P::Monoid>;
/// Emit consumes: its message is kept for the pass.
template <typename P>
inline constexpr bool kConsumes = !EmitsRepeatedly<P>;
/// Messages are added up before Apply: a push needs a sum for each vertex.
template <typename P>
inline constexpr bool kCollects = !HasRelax<P> && !kTakesFirst<P>;
template <typename P>
inline constexpr bool kAppliesToAllOf = [] {
  if constexpr (requires { P::kAppliesToAll; }) return bool{P::kAppliesToAll};
  return false;
}();
template <typename P>
inline constexpr bool kIsSimpleOf = [] {
  if constexpr (requires { P::kSimple; }) return bool{P::kSimple};
  return false;
}();
/// The program is a Lanes (lanes.h): its messages are senders, and are never combined.
template <typename P>
inline constexpr bool kHasLanes = kHoldsProgram<P>;
/// A pull may test a sampled neighbour of each vertex before it reads the vertex's list.
template <typename P>
inline constexpr bool kTestsSampled = kTakesFirst<P> && !kIsWeighted<P> && !kIsSimpleOf<P>;
/// Pulls may be a search: many in one launch on a GPU, with no phase between them.
template <typename P>
inline constexpr bool kCanSearch =
    kTestsSampled<P>&& HasCond<P> && !kConsumes<P> && !kHasTallies<P>;
/// The type of a sum of a few messages (GroupSum).
template <typename P>
using PartialOf = typename GroupSum<typename P::Monoid>::Type;
/// Pulls on a GPU may go by cells (kernels/gpu/cells/edge_cells.h): every vertex takes a sum of
/// messages of 4 bytes, which are the same on all edges of their sender.
template <typename P>
inline constexpr bool kMayUseCells =
    kAppliesToAllOf<P> && !internal::NamesAlong<P> && !internal::NamesEnough<P> &&
    !kIsSimpleOf<P> && sizeof(PartialOf<P>) == 4;
/// Vertices that become active may emit before the pass ends.
template <typename P>
inline constexpr bool kMayRunAsynchronously = !kCollects<P> && !HasNext<P>;
/// An asynchronous run saves passes. It changes no bit of the answer, if passes go on until no
/// vertex is active.
template <typename P>
inline constexpr bool kAsynchronyPays =
    kMayRunAsynchronously<P>&& HasRelax<P>&& kIsIdempotent<typename P::Monoid>;
/// The most bytes of a sum that a push adds up. Programs that collect larger sums only pull.
inline constexpr size_t kMaxSumBytes = 8;
inline constexpr size_t kMaxMessageBytes = 16;
template <typename P>
inline constexpr bool kCanPush = !kCollects<P> || sizeof(SumOfProgram<P>) <= kMaxSumBytes;

namespace internal {

/// Whether M is a monoid. If not, the compiler reports one error, which names the function.
template <typename M>
constexpr bool CheckMonoid() {
  if constexpr (!requires { typename M::Value; }) {
    static_assert(kNever<M>, "Monoid: needs `using Value = T`");
  } else if constexpr (!std::is_trivially_copyable_v<typename M::Value>) {
    static_assert(kNever<M>, "Monoid: its Value must be trivially copyable");
  } else if constexpr (!requires {
                         { M::identity() } -> std::convertible_to<typename M::Value>;
                       }) {
    static_assert(kNever<M>, "identity: a Monoid needs `static Value identity()`");
  } else if constexpr (!requires(typename M::Value sum) {
                         { M::Combine(sum, sum) } -> std::convertible_to<typename M::Value>;
                       }) {
    static_assert(kNever<M>, "Combine: a Monoid needs `static Value Combine(Value, Value)`");
  } else {
    return true;
  }
  return false;
}

/// An argument in place of a V: it converts to a T only where a T holds every V.
template <typename V>
struct EveryValue {
  template <typename T>
  requires requires(V value) { T{value}; }
  operator T() const;
};

/// Whether the functions that take sums take every sum unchanged, and messages hold all that Emit
/// returns. Otherwise C++ would convert, and values would change silently.
template <typename P>
constexpr bool CheckNarrowing() {
  using Message = MessageOfProgram<P>;
  using AnySum = EveryValue<SumOfProgram<P>>;
  if constexpr (HasRelax<P> && !requires(P p, AnySum sum) { p.Relax(VertexId{}, sum); }) {
    static_assert(kNever<P>, "Relax: its parameter does not hold every Value of the Monoid");
  } else if constexpr (HasApply<P> && !requires(P p, AnySum sum) { p.Apply(VertexId{}, sum); }) {
    static_assert(kNever<P>, "Apply: its parameter does not hold every Value of the Monoid");
  } else if constexpr (HasEnough<P> &&
                       !requires(const P p, AnySum sum) { p.Enough(VertexId{}, sum); }) {
    static_assert(kNever<P>, "Enough: its parameter does not hold every Value of the Monoid");
  } else if constexpr (!requires(P p) { Message{p.Emit(VertexId{})}; }) {
    static_assert(kNever<P>, "Emit: the Monoid's Message does not hold all that it returns");
  } else {
    return true;
  }
  return false;
}

/// Checks the functions that take messages. If they are wrong, the compiler reports one error.
template <typename P>
constexpr bool CheckTaking() {
  if constexpr (NamesRelax<P> && !HasRelax<P>) {
    static_assert(kNever<P>, "Relax: must be `bool Relax(VertexId, Value)`, Value the Monoid's");
  } else if constexpr (NamesApply<P> && !HasApply<P>) {
    static_assert(kNever<P>, "Apply: must be `bool Apply(VertexId, Value)`, Value the Monoid's");
  } else if constexpr (!HasRelax<P> && !HasApply<P>) {
    static_assert(kNever<P>, "Apply or Relax: an edge program has at least one of them");
  } else if constexpr (kTakesFirst<P> && HasRelax<P>) {
    static_assert(kNever<P>, "Relax: a program whose Monoid is Any has Apply alone");
  } else if constexpr (kAppliesToAllOf<P> && !kCollects<P>) {
    static_assert(kNever<P>,
                  "kAppliesToAll: such a program has no Relax, and its Monoid is not Any");
  } else {
    return CheckNarrowing<P>();
  }
  return false;
}

/// Checks all functions of a program whose Monoid is known to be right.
template <typename P>
constexpr bool CheckFunctions() {
  if constexpr (!HasEmit<P>) {
    static_assert(kNever<P>, "Emit: must be `Message Emit(VertexId) const`, Message the Monoid's");
  } else if constexpr (sizeof(MessageOfProgram<P>) > kMaxMessageBytes) {
    static_assert(kNever<P>, "Emit: a message has at most 16 bytes");
  } else if constexpr (NamesAlong<P> && !HasAlong<P, Edge> && !kIsWeighted<P>) {
    static_assert(kNever<P>,
                  "Along: must be `Message Along(Message, const E&) const`, E an Edge or a "
                  "WeightedEdge of int32_t, float or double");
  } else if constexpr (NamesCond<P> && !HasCond<P>) {
    static_assert(kNever<P>, "Cond: must be `bool Cond(VertexId) const`");
  } else if constexpr (NamesNext<P> && !HasNext<P>) {
    static_assert(kNever<P>, "Next: must be `void Next()`");
  } else if constexpr (NamesPriority<P> && !HasPriority<P>) {
    static_assert(kNever<P>, "Priority: must be `double Priority(VertexId) const`");
  } else if constexpr (NamesEnough<P> && !HasEnough<P>) {
    static_assert(kNever<P>, "Enough: must be `bool Enough(VertexId, Value) const`");
  } else {
    return CheckTaking<P>();
  }
  return false;
}

}  // namespace internal

/// Whether P is an edge program. If not, the compiler reports one error, which names the function.
template <typename P>
constexpr bool CheckEdgeProgram() {
  if constexpr (!CheckFields<P>()) {
  } else if constexpr (!requires { typename P::Monoid; }) {
    static_assert(kNever<P>, "Monoid: an edge program needs `using Monoid = ...`");
  } else if constexpr (internal::CheckMonoid<typename P::Monoid>()) {
    return internal::CheckFunctions<P>();
  }
  return false;
}

/// Checks a program that Bucketed runs.
template <typename P>
constexpr bool CheckBucketedProgram() {
  if constexpr (!CheckEdgeProgram<P>()) {
    return false;
  } else {
    static_assert(HasPriority<P>, "Priority: Bucketed needs `double Priority(VertexId) const`");
    return HasPriority<P>;
  }
}

/// Calls the check for the kind of operator.
template <bool kBucketed, typename P>
constexpr bool CheckProgram() {
  if constexpr (kBucketed) {
    return CheckBucketedProgram<P>();
  } else {
    return CheckEdgeProgram<P>();
  }
}

}  // namespace edgemill
