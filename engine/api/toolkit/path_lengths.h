// Lengths of paths from a source: the state of a search for the least, and what verifies them.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "engine/api/algorithm.h"
#include "engine/api/toolkit/path_check.h"
#include "engine/api/toolkit/weighted_search.h"
#include "engine/program/monoids.h"

namespace edgemill {

/// The length of the path to a vertex that is not reached.
template <typename D>
constexpr D kUnreachedLength = Min<D>::identity();

/// How far a search came.
template <typename D>
struct Reach {
  uint64_t vertices = 0;
  D farthest = 0;
};

/// A length a vertex, in 8 bytes: doubles on graphs with real weights; on others integers of 64
/// bits, or of 32 where the driver found that these do.
class PathLengths : public VertexArray<uint64_t> {
 public:
  PathLengths(RunState& state, const char* name)
      : VertexArray<uint64_t>(state, name, ArrayUse::kResult), run_state_(state) {}

  bool real() const { return HasRealWeights(run_state_.weights()); }
  /// The lengths are Ds from now on: 0 at `source`, and no other vertex reached.
  template <typename D>
  View<D> StartAt(VertexId source) {
    run_state_.set_form(sizeof(D) == sizeof(uint32_t) ? kNarrow : 0);
    FillAs<D>(kUnreachedLength<D>);
    SetAs<D>(source, 0);
    return view_as<D>();
  }
  /// How many vertices have a length, and the greatest.
  template <typename D>
  StatusOr<Reach<D>> ReachOf(Engine& engine) {
    const CountReached<Max<D>> count{{view_as<D>().data(), view_as<D>().array()},
                                     kUnreachedLength<D>};
    ASSIGN_OR_RETURN(const auto found, (engine.Reduce<typename CountReached<Max<D>>::Monoid>(
                                           engine.sets().All(), count)));
    return Reach<D>{found.first, std::max(D{0}, found.second)};
  }
  /// Returns function(std::span<const D>) of the lengths as they are.
  template <typename F>
  auto Visit(F function) {
    if (real()) return function(span_as<double>());
    if (run_state_.form() == kNarrow) return function(span_as<uint32_t>());
    return function(span_as<uint64_t>());
  }

 private:
  static constexpr uint32_t kNarrow = 1;  // a State::form()

  RunState& run_state_;
};

/// The rule of least sums of weights that are not negative.
template <typename D>
struct ShortestPaths {
  using Value = D;
  using Wide = WideLength<D>;
  static constexpr D kStart = 0;
  static constexpr D kNone = kUnreachedLength<D>;
  static constexpr std::string_view kWrong = "has a distance that its in-edges do not give";
  static Wide Through(Wide length, Wide weight) { return length + weight; }
  static bool Better(Wide a, Wide b) { return a < b; }
};

}  // namespace edgemill
