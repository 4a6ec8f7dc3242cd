// Calls of WouldRelax. Debug builds check that the messages that it refuses would change nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "engine/program/program_calls.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

#if EDGEMILL_CHECK_VIEWS
/// A copy of a program, and of its values of one vertex: Relax can be tried on these.
template <typename P>
class RelaxTrial {
  static constexpr size_t kMaxBytes = 64;  // of a value

 public:
  /// Whether Relax can change only the vertex's own values and tallies. Other programs are not
  /// tried.
  static constexpr bool kIsPossible = HasRelax<P> && [] {
    bool possible = true;
    P program{};
    VisitFields(program, [&](auto& field) {
      using Field = std::remove_cvref_t<decltype(field)>;
      if constexpr (kIsSharedView<Field>) possible = false;
      if constexpr (requires { field.OfWord(0); }) possible = false;  // a view of lanes
      if constexpr (requires { field.Add(0, field.data()[0]); }) possible = false;  // Into
      if constexpr (kIsOwnView<Field>) possible &= sizeof(*field.data()) <= kMaxBytes;
    });
    return possible;
  }();

  RelaxTrial(const P& program, VertexId vertex) : program_(program), vertex_(vertex) {
    VisitFields(program_, [&, place = size_t{0}](auto& field) mutable {
      using Field = std::remove_cvref_t<decltype(field)>;
      std::byte* const copy = after_[place++].data();
      if constexpr (kIsOwnView<Field>) {
        using T = std::remove_pointer_t<decltype(field.data())>;
        if (!field || vertex >= field.array()->size) return;  // the view reports it when it is used
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
          const T value = internal::LoadCell(field.data() + vertex);
          std::memcpy(copy, &value, sizeof(T));
        } else {
          std::memcpy(copy, field.data() + vertex, sizeof(T));
        }
        // The view's first element is placed so that the element of `vertex` is the copy.
        const auto first = reinterpret_cast<uintptr_t>(copy) - vertex * sizeof(T);
        field = Field(reinterpret_cast<T*>(first), field.array());
      } else if constexpr (requires { field.sum().Reset(); }) {
        field.sum().Reset();
      }
    });
    before_ = after_;
  }
  RelaxTrial(const RelaxTrial&) = delete;
  RelaxTrial& operator=(const RelaxTrial&) = delete;

  const P& program() const { return program_; }
  /// Calls Relax. Returns the name of what it changed; empty where it changed nothing.
  std::string Relax(SumOfProgram<P> sum) {
    std::string changed;
    if (CallRelax(program_, vertex_, sum)) changed = "the set of active vertices";
    VisitFields(program_, [&, place = size_t{0}](auto& field) mutable {
      using Field = std::remove_cvref_t<decltype(field)>;
      if constexpr (kIsOwnView<Field>) {
        if (before_[place] != after_[place]) changed = field.array()->name;
      } else if constexpr (requires { field.sum().value() == field.sum().value(); }) {
        const auto added = field.sum().value();
        field.sum().Reset();
        if (!(added == field.sum().value())) changed = "a tally";
      }
      ++place;
    });
    return changed;
  }

 private:
  using Copies = std::array<std::array<std::byte, kMaxBytes>, kMaxFields>;

  P program_;
  const VertexId vertex_;
  Copies before_{};
  alignas(kMaxBytes) Copies after_{};
};

/// Reports a fault where WouldRelax refuses a message that Relax would take.
template <typename P>
void CheckRefusal(const P& program, VertexId vertex, SumOfProgram<P> sum) {
  if constexpr (RelaxTrial<P>::kIsPossible) {
    RelaxTrial<P> trial(program, vertex);
    // Other threads may have changed the values since.
    if (Tuning<P>::WouldRelax(trial.program(), vertex, sum)) return;
    const std::string changed = trial.Relax(sum);
    if (changed.empty()) return;
    AccessGuard::handler()(kProgramName<P>,
                           "WouldRelax is false where Relax would change " + changed);
  }
}
#endif

/// Calls Tuning::WouldRelax of a program that has it.
template <typename P>
inline bool CallWouldRelax(const P& program, VertexId vertex, SumOfProgram<P> sum) {
  EM_ACCESS(vertex);
  const bool would = Tuning<P>::WouldRelax(program, vertex, sum);
#if EDGEMILL_CHECK_VIEWS
  if (!would) CheckRefusal(program, vertex, sum);
#endif
  return would;
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
