// Widths of paths from a source: the state of a search for widest paths, and what verifies them.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "common/number_text.h"
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/path_check.h"
#include "engine/api/toolkit/weighted_search.h"
#include "engine/program/monoids.h"

namespace edgemill {

// Widths are kept as doubles or, of whole weights, as uint32_t and 1 more: no path is the least.
template <typename D>
constexpr D kNoWidth = Max<D>::identity();
/// Of an edge of weight 0.
template <typename D>
constexpr D kLeastWidth = std::is_floating_point_v<D> ? 0 : 1;
/// The source's, as if it had an edge of the greatest weight to itself.
template <typename D>
constexpr D kGreatestWidth = std::numeric_limits<D>::max();
template <>
inline constexpr uint32_t kGreatestWidth<uint32_t> = uint32_t{1} << 31;

/// A width a vertex: in 8 bytes on graphs with real weights, in 4 on others.
class PathWidths {
 public:
  explicit PathWidths(RunState& state)
      : real_(HasRealWeights(state.weights())),
        wholes_(state, "width", UseIf(!real_, ArrayUse::kResult)),
        reals_(state, "real width", UseIf(real_, ArrayUse::kResult)) {}

  bool real() const { return real_; }
  /// The greatest at `source`; no other vertex has one. D: double for real ones, else uint32_t.
  template <typename D>
  View<D> StartAt(VertexId source) {
    VertexArray<D>& widths = Widths<D>();
    widths.Fill(kNoWidth<D>);
    widths.Set(source, kGreatestWidth<D>);
    return widths.view();
  }
  /// Adds how many vertices have a width, and the least.
  template <typename D>
  Status AddReach(Engine& engine, Answer* answer) {
    using Count = CountReached<Min<D>>;
    const Count count{Widths<D>().read(), kNoWidth<D>};
    ASSIGN_OR_RETURN(const auto reached,
                     engine.Reduce<typename Count::Monoid>(engine.sets().All(), count));
    answer->AddReached(reached.first, engine.num_vertices());
    if (reached.first > 1) {
      const WideLength<D> least = reached.second - kLeastWidth<D>;
      answer->AddFact("narrowest width", NumberText(least), least);
    }
    return OkStatus();
  }
  /// Fills the column "width".
  void FillAnswer(Answer* answer) const {
    if (real_) {
      answer->Fill("width", [widths = reals_.span()](VertexId v) {
        return widths[v] < 0 ? std::numeric_limits<double>::infinity() : widths[v];
      });
    } else {
      answer->Fill("width", [widths = wholes_.span()](VertexId v) {
        return widths[v] == 0 ? kUnreachedInteger : uint64_t{widths[v]} - 1;
      });
    }
  }
  /// Returns function(std::span<const D>) of the widths as they are kept.
  template <typename F>
  auto Visit(F function) const {
    return real_ ? function(reals_.span()) : function(wholes_.span());
  }

 private:
  template <typename D>
  VertexArray<D>& Widths() {
    if constexpr (std::is_same_v<D, double>) {
      return reals_;
    } else {
      return wholes_;
    }
  }

  const bool real_;
  VertexArray<uint32_t> wholes_;
  VertexArray<double> reals_;
};

/// The rule of largest least weights, for CheckPaths.
template <typename D>
struct WidestPaths {
  using Value = D;
  using Wide = WideLength<D>;
  static constexpr D kStart = kGreatestWidth<D>;
  static constexpr D kNone = kNoWidth<D>;
  static constexpr std::string_view kWrong = "has a width that its in-edges do not give";
  static Wide Through(Wide width, Wide weight) {
    return std::min(width, std::is_floating_point_v<D> ? weight : weight + 1);
  }
  static bool Better(Wide a, Wide b) { return a > b; }
};

}  // namespace edgemill
