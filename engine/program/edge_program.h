// Edge programs: what crosses edges, how it combines, and what becomes of it. What the engine may
// do with a program follows from the functions that it has.
//
// A program is an aggregate of views and numbers (views.h), copied freely, compiled for host and
// device:
//
//   using Monoid = ...;                      monoids.h; its Message is what is sent
//   Message Emit(VertexId) const;            may be called any number of times. Not const: consumes
//                                            what it sends, and is called once an activation
//   Message Along(Message, E) const;         optional. E: Edge, WeightedEdge<W>
//   bool Cond(VertexId) const;               optional. Once false, false until the operator ends
//   bool Apply(VertexId, Value);             one thread has the vertex; true: it is in the result
//   bool Relax(VertexId, Value);             as Apply, by atomic operations, in any order, once or
//                                            more often, with parts of the sum: a message at the
//                                            least. True of idempotent monoids: "changed"
//   void Next();                             optional. Between passes; never asynchronous then
//   double Priority(VertexId) const;         of Bucketed
//   bool Enough(VertexId, Value) const;      optional. The rest of the list may be skipped
//   static constexpr bool kAppliesToAll;     Apply also where nothing came
//   static constexpr bool kSimple;           parallel edges count once, loops never; with kBoth on
//                                            directed graphs, an edge each way is two
//
// At least one of Apply and Relax. A first-wins monoid (Any) has Apply alone: the engine claims a
// vertex for the first message that comes. A const Emit of a program without Relax reads
// View<const T> only. Sources: Ligra's edgeMap and Cond (Shun, Blelloch, PPoPP 2013); Garaph's
// gather, sum, apply, activate (ATC 2017, 2.3).
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

/// What messages call a program. Its address tells programs apart.
template <typename P>
inline constexpr std::string_view kProgramName = TypeName<P>();

/// A program may have a struct Tuning: hints for speed, never needed for a right answer. Members
/// that it may have:
///   static bool WouldRelax(const P&, VertexId, Value)   whether Relax would change anything as
///       things stand: push tests it first, and most messages end there. Default: Cond. Debug
///       builds check what it refuses (relax_trial.h).
///   static void Prefetch(const P&, VertexId)   asks for what Relax or Apply of the vertex, or Emit
///       in a dense pull, will touch. Default: every View, or in pull every View<const T>.
///   static bool AsksForSender(const P&)   of a first-wins program: whether Apply looks at its
///   message.
///       Where it is there, Apply may come when all passes are over, with the program as it was in
///       the vertex's pass: it is always true, and closes the vertex, and Emit reads nothing that
///       it writes.
///   static constexpr auto kSumsWaitIn = &P::view   a View in which a GPU lets sums of a pull wait
///       until all are there, rounded to its type: of a program that applies to all and whose Apply
///       writes the same element. Default: they are taken as they come.
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

/// Which functions a program names, however it declares them: a name that both bases have is
/// ambiguous, and so is no member.
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
/// Emit may be called any number of times; else it consumes.
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

/// What Along asks to know of the weight of an edge: NoWeight, or the weight as a W.
template <typename P>
using WeightAsked = WeightOfEdges<internal::AlongOf<P>>;
template <typename P>
inline constexpr bool kIsWeighted = !std::is_same_v<WeightAsked<P>, NoWeight>;

// What follows from the functions that are there.

/// One message is all that a vertex takes in a pass: lists need not be read to their ends.
template <typename P>
inline constexpr bool kTakesFirst = kIsFirstWins<typename P::Monoid>;
/// Emit consumes: its message is kept for the pass.
template <typename P>
inline constexpr bool kConsumes = !EmitsRepeatedly<P>;
/// Messages are added up before Apply: a push needs a sum a vertex.
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
/// A pull may ask a sampled neighbour of each vertex before it looks through its list.
template <typename P>
inline constexpr bool kTestsSampled = kTakesFirst<P> && !kIsWeighted<P> && !kIsSimpleOf<P>;
/// Pulls may be a search: many in one launch on a GPU, with no phase between them.
template <typename P>
inline constexpr bool kMaySearch =
    kTestsSampled<P>&& HasCond<P> && !kConsumes<P> && !kHasTallies<P>;
/// What becomes active may emit before the pass ends.
template <typename P>
inline constexpr bool kMayRunAsynchronously = !kCollects<P> && !HasNext<P>;
/// Emitting in the same pass changes no bit of the answer, where passes go on until no vertex is
/// active. It saves passes.
template <typename P>
inline constexpr bool kAsynchronyPays =
    kMayRunAsynchronously<P>&& HasRelax<P>&& kIsIdempotent<typename P::Monoid>;
/// Messages of more bytes have no sum a vertex: programs that collect them pull.
inline constexpr size_t kMaxSumBytes = 8;
inline constexpr size_t kMaxMessageBytes = 16;
template <typename P>
inline constexpr bool kMayPush = !kCollects<P> || sizeof(SumOfProgram<P>) <= kMaxSumBytes;

namespace internal {

/// Whether M is a monoid; where not, one compile error that names the function.
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

/// In a call's place of a V: becomes a T only where a T holds every V.
template <typename V>
struct EveryValue {
  template <typename T>
  requires requires(V value) { T{value}; }
  operator T() const;
};

/// Whether the functions that take sums take each as it is, and messages hold what is sent. Where
/// not, C++ would convert, and values would change in silence.
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

/// The same of the functions that take messages.
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

/// The same of all functions of a program whose Monoid is one.
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

/// Whether P is an edge program; where not, one compile error that names the function.
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

/// The same of a program that Bucketed runs.
template <typename P>
constexpr bool CheckBucketedProgram() {
  if constexpr (!CheckEdgeProgram<P>()) {
    return false;
  } else {
    static_assert(HasPriority<P>, "Priority: Bucketed needs `double Priority(VertexId) const`");
    return HasPriority<P>;
  }
}

/// Either.
template <bool kBucketed, typename P>
constexpr bool CheckProgram() {
  if constexpr (kBucketed) {
    return CheckBucketedProgram<P>();
  } else {
    return CheckEdgeProgram<P>();
  }
}

}  // namespace edgemill
