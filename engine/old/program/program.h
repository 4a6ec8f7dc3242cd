// Vertex programs: the algebra from which the engine derives push, pull and notify-pull.
//
// A program says what a vertex sends, how messages change along an edge, how they combine, and what
// a vertex makes of them (Garaph's gather, sum, apply, activate: ATC 2017, 2.3). It is a small
// value that holds pointers to its state, one array a field, and its parameters: copied freely, no
// virtual calls, no allocation, so that one source compiles for host and device. The algorithm's
// driver may change its parameters from one iteration to the next.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "common/types.h"
#include "engine/program/mode.h"
#include "kernels/device.h"
#include "kernels/vertex_index_view.h"
#include "kernels/weight.h"

namespace edgemill {

/// What every function of a program may know besides its own fields.
struct Context {
  uint32_t iteration = 0;  // from 0
  uint64_t num_vertices = 0;
};

/// What the engine may assume of a program.
struct ProgramTraits {
  /// Every vertex sends in every iteration: there is no frontier.
  bool all_active = false;
  /// Apply is called for every vertex, with the identity where nothing was received; else for
  /// receivers only.
  bool apply_to_all = false;
  /// Messages may be taken in any order and against any mix of old and new state, with the same
  /// end: push then calls Receive on the state itself. Otherwise push goes through an accumulator a
  /// vertex.
  bool order_independent = false;
  /// In pull one message says all: the rest of the list need not be looked at.
  bool early_exit = false;
  /// Send hands something over (a delta): Begin is called once for each active vertex before it
  /// sends.
  bool consumes = false;
  /// Vertices are taken in order of Priority: those that IsDue first, the others stay active.
  bool prioritised = false;
  /// Measure is called for every vertex at the end of each iteration.
  bool measured = false;
  /// The arrays that Send would read next (StateUse::kSent) are the answer.
  bool answers_with_sent = false;
  /// A vertex that becomes active may send at once, before the iteration ends: what messages say
  /// does not depend on the iteration that they are sent in. Needs order_independent.
  bool asynchronous = false;
};

/// A sum of numbers between -8 and 8, of at most that size itself, in units of 2^-60: addition of
/// whole numbers, so that the order, and with it the thread count, does not matter.
struct FixedSum {
  int64_t units = 0;
  EM_HOST_DEVICE void Add(double value) { units += static_cast<int64_t>(value * 0x1p60); }
  EM_HOST_DEVICE void Merge(const FixedSum& other) { units += other.units; }
  EM_HOST_DEVICE double value() const { return static_cast<double>(units) * 0x1p-60; }
};

/// Nothing to reduce.
struct NoAggregate {
  EM_HOST_DEVICE void Merge(const NoAggregate&) {}
};

/// What a prioritised program's last step sent: edges of the vertices that were due when it began,
/// and of those that became due in it (again, most of them).
struct StepEdges {
  EdgeIndex first = 0;
  EdgeIndex again = 0;
};

/// What an array of a program's state is for: its answer, copied back from a GPU at the end, or the
/// iterations alone.
enum class StateUse {
  kResult,
  kWork,
  kSent,  // work that Send reads, and nothing writes during an iteration
};

/// A vertex program. Beside what is required here, to run on a GPU:
///   `void VisitState(uint64_t num_vertices, Visit visit)`, a template: calls `visit(pointer, size,
///       StateUse)` with a reference to each of its pointers to state, and the number of elements
///       there, and `visit(index)` with each VertexIndexView of out-edges. Arrays start as zeros.
/// A type Partial, to which Message converts and which Combine takes, is what a few messages (32 on
/// a CPU, a group's 128 on a GPU, eight additions deep) are added up in before these sums are;
/// Message itself where there is none. By trait:
///   order_independent, and shared by processors: `Message Echo(VertexId) const`: a message that
///       Receive, on another copy of the state that was alike before this iteration, takes to what
///       the vertex has come to in it.
///   all_active, order_independent: `void Prefetch(VertexId) const`: asks for the memory that Send,
///       or Receive, of the vertex will touch soon.
///   not order_independent: `void Deposit(VertexId, Message) const` keeps what was received until
///       Apply, and `Message Deposited(VertexId) const` gives it, on a GPU.
///   order_independent: `bool Receive(VertexId, Message, const Context&) const`: takes a message
///       with atomic operations; whether the vertex is active next.
///   early_exit, without weights: `void PrefetchState(VertexId) const`: asks for the memory that
///       Apply and Receive write, where Wants is true.
///   order_independent, if it likes: `bool Heeds(VertexId, Message) const`: whether Receive would
///       change anything as things stand: push asks before, and most messages end there.
///   early_exit, if it likes: `uint64_t WantsBits(uint64_t word) const`: Wants of the vertices 64 *
///       word + i, as bits i; those beyond the last vertex do not matter.
///   early_exit, if it likes: `void Settle(VertexId, Message, const Context&) const` and `void
///       MarkSettled(uint64_t word, uint64_t bits) const`: Apply in two parts, for programs whose
///       Apply always returns true: a vertex's own state, and later, a word by one thread, what is
///       kept of the vertices 64 * word + i together, for those with bits i.
///   measured: `void Measure(VertexId, Aggregate*) const`.
///   consumes: `void Begin(VertexId, const Context&) const`.
///   consumes, asynchronous: `void BeginMore(VertexId, const Context&) const`: hands over what has
///       come since Begin too, before the vertex has sent.
///   prioritised: `bool IsDue(VertexId) const`, true of those that Initial activates; `double
///       Priority(VertexId) const`; and `void Advance(double least, const StepEdges& last)`, of
///       host and device:
///       nothing is due, `least` is the least priority of an active vertex, which is due
///       afterwards.
template <typename P>
concept VertexProgram = std::is_trivially_copyable_v<P> &&
    std::is_trivially_copyable_v<typename P::Message> &&
    requires(const P program, VertexId vertex, typename P::Message message,
             typename P::Weight weight, const Context& context, typename P::Aggregate aggregate) {
  { P::kTraits } -> std::convertible_to<ProgramTraits>;
  /// Writes the vertex's first state; whether it is active.
  { program.Initial(vertex, context) } -> std::same_as<bool>;
  /// What an active vertex sends along its out-edges; false declines, and it stays active.
  { program.Send(vertex, context, &message) } -> std::same_as<bool>;
  /// The message as it arrives over an edge.
  { program.Along(message, weight) } -> std::same_as<typename P::Message>;
  /// The neutral element of Combine.
  { P::Identity() } -> std::same_as<typename P::Message>;
  /// Commutative and associative (but for rounding).
  { P::Combine(message, message) } -> std::same_as<typename P::Message>;
  /// Whether a message could change the vertex at all: pull skips it otherwise.
  { program.Wants(vertex) } -> std::same_as<bool>;
  /// Takes what was received; whether the vertex is active next. What the iteration's driver
  /// wants to know of all vertices (residual, dangling mass) goes into the aggregate here,
  /// while the state is at hand.
  { program.Apply(vertex, message, context, &aggregate) } -> std::same_as<bool>;
  {aggregate.Merge(aggregate)};
};

/// What a few messages of a program are added up in.
template <typename P>
struct PartialMessageOf {
  using Type = typename P::Message;
};
template <typename P>
requires requires { typename P::Partial; }
struct PartialMessageOf<P> {
  using Type = typename P::Partial;
};
template <typename P>
using PartialMessage = typename PartialMessageOf<P>::Type;

/// Combines `message` into `*place` while others do: by the program's own `Accumulate(Message*,
/// Message)`, where one operation of the processor does it, else by Combine.
template <typename P>
EM_HOST_DEVICE inline void Accumulate(typename P::Message* place, typename P::Message message) {
  if constexpr (requires { P::Accumulate(place, message); }) {
    P::Accumulate(place, message);
  } else {
    AtomicCombine(place, message, P::Combine);
  }
}

}  // namespace edgemill
