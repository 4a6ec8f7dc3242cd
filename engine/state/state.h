// The state of an algorithm: arrays that one struct declares as its fields.
//
//   struct BfsState : State {
//     using State::State;
//     VertexArray<uint32_t> level{*this, "level", ArrayUse::kResult};
//     Programs<Visit> programs{*this, kOut};
//   };
//
// The declaration gives an array its name and its use. The planner constructs the struct first, and
// asks for its bytes. Then Allocate reserves and allocates them. Algorithms compute no bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/threads/parallel.h"
#include "common/types.h"
#include "engine/graph/direction.h"
#include "engine/program/arrays/array_copy.h"
#include "engine/program/arrays/views.h"
#include "engine/program/journal/journal.h"
#include "engine/program/program_traits.h"
#include "engine/program/sets/vertex_set.h"
#include "engine/state/list_visit.h"
#include "engine/state/tally.h"

namespace edgemill {

/// What an array is for.
enum class ArrayUse : uint8_t {
  kResult,    // a column of the answer, or values from which a column is computed
  kVertices,  // a result whose values are vertices
  kWork,      // needed only while the algorithm runs
  kNone,      // not needed in this run: the array has no elements
};

class StateArray;

/// Base of an algorithm's state. Not movable: its arrays hold references to it.
class State {
 public:
  /// A state for a graph of `num_vertices`. Loops over its arrays run on `threads` threads.
  State(uint64_t num_vertices, int threads) : num_vertices_(num_vertices), threads_(threads) {}
  virtual ~State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  uint64_t num_vertices() const { return num_vertices_; }
  int threads() const { return threads_; }
  /// Bytes of all arrays.
  uint64_t array_bytes() const;
  /// The bytes of the arrays for results, and whether one of them holds vertices.
  uint64_t result_bytes() const;
  bool answers_vertices() const;
  /// What the state declares: programs, lists for EdgeVisit, and, if it calls Intersect, for what.
  ProgramList programs() const { return programs_; }
  std::span<const ListVisit> visits() const { return visits_; }
  std::optional<AsksForArcs> intersects() const { return intersects_; }
  /// Whether the state declares degrees in `direction`.
  bool has_degrees(Direction direction) const { return degrees_[static_cast<size_t>(direction)]; }
  /// The most sets that the driver holds at the same time.
  uint64_t max_sets() const { return max_sets_; }
  std::span<StateArray* const> arrays() const { return arrays_; }
  /// Reserves and allocates all arrays, filled with zeros. BudgetError.
  Status Allocate(MemoryBudget& budget);
  /// Copies the results to the host where arrays have other memories (state_copies.h). Also returns
  /// the first error that an accessor kept.
  Status CopyResultsToHost();
  /// The first error that an accessor of an array kept, because accessors cannot return errors.
  /// Operators return it before they do anything. Ok where there is no other memory.
  Status status() const {
    for (const ArrayHome* const home : homes_) RETURN_IF_ERROR(home->status());
    return OkStatus();
  }
  /// From here on, `journal` records what drivers read of arrays, or answers; null: no more.
  void Keep(Journal* journal) { journal_ = journal; }
  Journal* journal() const { return journal_; }
  /// Whether the driver's calls are answered from a journal: arrays are restored afterwards.
  bool answers() const { return journal_ != nullptr && journal_->answers(); }
  /// Frees the memory of all arrays except results. Their copies in other memories are not used any
  /// more.
  void DropWork();
  /// The elements, of type T, of the array `name`. Empty where there is no such array.
  template <typename T>
  std::span<T> Find(std::string_view name);

 protected:
  /// For drivers that hold more than one set at the same time (default 1).
  void HoldSets(uint64_t most) { max_sets_ = most; }

 private:
  friend class StateArray;
  friend class StateCopies;
  friend class Degrees;
  friend class VisitedLists;
  friend struct IntersectedLists;
  template <typename... Ps>
  friend class Programs;

  const uint64_t num_vertices_;
  const int threads_;
  uint64_t max_sets_ = 1;
  std::vector<ProgramTraits> programs_;
  std::vector<ListVisit> visits_;
  std::optional<AsksForArcs> intersects_;
  std::array<bool, 2> degrees_ = {false, false};
  std::vector<StateArray*> arrays_;
  std::vector<ArrayHome*> homes_;  // of the other memories
  Journal* journal_ = nullptr;     // null: none is kept
};

/// The common part of arrays of all types.
class StateArray {
 public:
  StateArray(const StateArray&) = delete;
  StateArray& operator=(const StateArray&) = delete;

  const char* name() const { return info_.name; }
  ArrayUse use() const { return use_; }
  bool is_result() const { return use_ == ArrayUse::kResult || use_ == ArrayUse::kVertices; }
  uint64_t size() const { return info_.size; }
  uint64_t bytes() const { return info_.size * info_.element_bytes; }
  const ArrayInfo* info() const { return &info_; }
  /// For arrays that no program views: they get no other memory.
  void KeepOnHost() { stays_on_host_ = true; }
  // For checkpoints. The State's status() has the errors of copying.
  /// The current elements, on the host.
  std::span<const std::byte> CurrentBytes() const {
    UseOnHost(ElementUse::kRead);
    return memory_.bytes();
  }
  /// The host's memory, of which the caller writes every byte.
  std::span<std::byte> ReplacedBytes() {
    UseOnHost(ElementUse::kReplace);
    return memory_.bytes();
  }

 protected:
  StateArray(State& state, const char* name, uint64_t size, uint32_t element_bytes, ArrayUse use);
  /// Called before the host reads or writes elements: copies them to the host if need be.
  void UseOnHost(ElementUse use) const {
    if (info_.copy != nullptr) [[unlikely]]
      info_.copy->PrepareOnHost(use);
  }

  const State& state_;
  ArrayInfo info_;
  const ArrayUse use_;
  Buffer memory_;
  MemoryReservation reservation_;

 private:
  friend class State;
  friend class StateCopies;

  bool stays_on_host_ = false;
};

template <typename T>
std::span<T> State::Find(std::string_view name) {
  for (StateArray* const array : arrays_) {
    if (array->name() != name) continue;
    CHECK_LE(sizeof(T), array->info_.element_bytes);
    array->UseOnHost(ElementUse::kWrite);
    return {reinterpret_cast<T*>(array->memory_.data()), array->size()};
  }
  return {};
}

// Classes that make views. They have another name for the linker where views check
// (access_guard.h), and no code in the library.
inline namespace EM_VIEWS_NAMESPACE {

/// An array of any size. T must be trivially copyable.
template <typename T>
class Values : public StateArray {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  View<T> view() { return {data(), &info_}; }
  View<const T> read() const { return {data(), &info_}; }
  Anywhere<T> anywhere() const { return {data(), &info_}; }
  template <typename M>
  Into<M> into() {
    static_assert(std::is_same_v<typename M::Value, T>);
    return {data(), &info_};
  }
  Shared<T> shared() { return {data(), &info_}; }
  /// The same memory as size() elements of another type, which is not larger than T. The rules of
  /// mutable_span hold.
  template <typename U>
  std::span<U> as() {
    UseOnHost(ElementUse::kWrite);
    return {DataAs<U>(), size()};
  }
  template <typename U>
  std::span<const U> span_as() const {
    UseOnHost(ElementUse::kRead);
    return {DataAs<U>(), size()};
  }
  template <typename U>
  View<U> view_as() {
    return {DataAs<U>(), &info_};
  }
  template <typename U>
  View<const U> read_as() const {
    return {DataAs<U>(), &info_};
  }

  /// Sets every element to `value`: on the GPU where the array has memory there, else on all
  /// threads of the host.
  void Fill(T value) { FillAs<T>(value); }
  template <typename U>
  void FillAs(U value) {
    if (state_.answers()) [[unlikely]]
      return;
    U* const first = DataAs<U>();
    if (info_.copy != nullptr) [[unlikely]] {
      if (sizeof(U) <= ArrayHome::kMaxFillBytes) {
        return info_.copy->Fill(AsBytes(value), size());
      }
      info_.copy->PrepareOnHost(ElementUse::kWrite);
    }
    ForEachChunk(size(), FirstTouchGrain(size(), state_.threads()), state_.threads(),
                 [&](size_t begin, size_t end) { std::fill(first + begin, first + end, value); });
  }
  // For drivers, which read or write one element.
  T Get(uint64_t index) const {
    CheckIndex(index);
    T value = data()[index];
    if (info_.copy != nullptr) [[unlikely]]
      info_.copy->Get(index, std::as_writable_bytes(std::span(&value, 1)));
    if (state_.journal() != nullptr) [[unlikely]]
      state_.journal()->Pass(JournalTag::kValue, &value);
    return value;
  }
  void Set(uint64_t index, T value) { SetAs<T>(index, value); }
  template <typename U>
  void SetAs(uint64_t index, U value) {
    CheckIndex(index);
    if (info_.copy != nullptr) [[unlikely]] {
      return info_.copy->Set(index, AsBytes(value));
    }
    DataAs<U>()[index] = value;
  }
  /// The elements at `indexes`.
  std::vector<T> At(std::span<const VertexId> indexes) const {
    std::vector<T> values;
    values.reserve(indexes.size());
    for (const VertexId index : indexes) {
      CheckIndex(index);
      values.push_back(data()[index]);
    }
    if (info_.copy != nullptr) [[unlikely]]
      info_.copy->Get(indexes, std::as_writable_bytes(std::span(values)));
    if (state_.journal() != nullptr) [[unlikely]]
      state_.journal()->Pass(JournalTag::kValue, std::as_writable_bytes(std::span(values)));
    return values;
  }
  /// All current elements, on the host. The span stays valid, but later writes on a GPU are visible
  /// in it only after another call, or after the end of the run. For answers and verifiers: what a
  /// driver decides by these elements is not in the journal of checkpoints.
  std::span<const T> span() const {
    UseOnHost(ElementUse::kRead);
    return {data(), size()};
  }
  /// All elements, on the host. The caller may write them until the next operator.
  std::span<T> mutable_span() {
    UseOnHost(ElementUse::kWrite);
    return {data(), size()};
  }
  /// Exchanges the elements of two arrays of the same State and size, in constant time. Existing
  /// views keep their memory, so that they show the other array afterwards.
  void Swap(Values& other) {
    if (size() != other.size() || &state_ != &other.state_) {
      internal::AuthorMistake(
          StrCat(name(), " and ", other.name(), ": Swap is for arrays of one State and size"));
    }
    std::swap(memory_, other.memory_);
    std::swap(reservation_, other.reservation_);
    std::swap(info_.copy, other.info_.copy);
  }

 protected:
  Values(State& state, const char* name, uint64_t size, ArrayUse use)
      : StateArray(state, name, use == ArrayUse::kNone ? 0 : size, sizeof(T), use) {}

 private:
  void CheckIndex(uint64_t index) const {
    if (index < size()) [[likely]]
      return;
    internal::AuthorMistake(
        StrCat(name(), ": the driver asks for element ", index, " of ", size()));
  }
  template <typename U>
  static std::span<const std::byte> AsBytes(const U& value) {
    return std::as_bytes(std::span(&value, 1));
  }
  template <typename U>
  U* DataAs() const {
    static_assert(sizeof(U) <= sizeof(T) && std::is_trivially_copyable_v<U>);
    return size() == 0 ? nullptr : reinterpret_cast<U*>(const_cast<std::byte*>(memory_.data()));
  }
  T* data() const { return DataAs<T>(); }
};

/// A T for each vertex.
template <typename T>
class VertexArray : public Values<T> {
 public:
  VertexArray(State& state, const char* name, ArrayUse use = ArrayUse::kWork)
      : Values<T>(state, name, state.num_vertices(), use) {}
};

/// A bit for each vertex, which any thread may set.
class VertexBits : public Values<uint64_t> {
 public:
  VertexBits(State& state, const char* name, ArrayUse use = ArrayUse::kWork)
      : Values<uint64_t>(state, name, (state.num_vertices() + 63) / 64, use) {}
  bool has(VertexId vertex) const { return TestBit(span().data(), vertex); }
  /// Sets the bit. Returns whether it was clear before.
  bool Add(VertexId vertex) { return AtomicSetBit(mutable_span().data(), vertex); }
};

/// `size` values of the whole graph, into which programs combine. Reset sets them to identities:
/// call it first.
template <typename M>
class Counters : public Values<typename M::Value> {
 public:
  Counters(State& state, const char* name, uint64_t size)
      : Values<typename M::Value>(state, name, size, ArrayUse::kWork) {}
  void Reset() { this->Fill(M::identity()); }
  Into<M> view() { return this->template into<M>(); }
};

}  // namespace EM_VIEWS_NAMESPACE

/// Whether an operator may run a program for many passes, as Fixpoint and Bucketed do.
enum class PassesOf : bool { kOne, kMany };

/// Declares the programs that the driver runs and their directions. The engine runs no other
/// programs.
template <typename... Ps>
class Programs {
 public:
  /// `wanted`: whether this run needs the programs. `passes`: kOne where only EdgeMap runs them.
  Programs(State& state, [[maybe_unused]] Directions directions, bool wanted = true,
           PassesOf passes = PassesOf::kMany) {
    if constexpr ((CheckEdgeProgram<Ps>() && ...)) {
      if (!wanted) return;
      (state.programs_.push_back(ProgramTraitsOf<Ps>(directions, passes == PassesOf::kMany)), ...);
    }
  }
};

/// Declares that the driver calls Engine::Degrees for this direction (kOut or kIn).
class Degrees {
 public:
  Degrees(State& state, OneDirection direction, bool wanted = true) {
    state.degrees_[direction.is_out() ? 0 : 1] |= wanted;
  }
};

/// Declares that the driver calls EdgeVisit in these directions.
class VisitedLists {
 public:
  VisitedLists(State& state, Directions directions, bool wanted = true,
               VisitsSampled sampled = VisitsSampled::kNo,
               VisitsWeights weights = VisitsWeights::kNo) {
    if (!wanted) return;
    state.visits_.push_back({directions, sampled, weights});
  }
  VisitedLists(State& state, Directions directions, VisitsWeights weights)
      : VisitedLists(state, directions, /*wanted=*/true, VisitsSampled::kNo, weights) {}
};

/// Declares that the driver calls Engine::Intersect. Such a run is on the CPU.
struct IntersectedLists {
  explicit IntersectedLists(State& state, AsksForArcs arcs = AsksForArcs::kNo) {
    state.intersects_ = arcs;
  }
};

}  // namespace edgemill
