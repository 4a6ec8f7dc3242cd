#include "engine/algorithms/shared/simulation.h"

#include <span>
#include <string>

#include "common/random.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/graph/id_map.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

Status VisitStartValues(LoadedGraph& graph, const RunState& state, double least, double most,
                        const std::function<void(VertexId vertex, double value)>& set) {
  if (const InputValues* const values = state.Find(kValues)) {
    return VisitValues(graph, *values, /*all=*/true, set);
  }
  const uint64_t seed = Mix64(state.Get(kValueSeed));
  return IdMap(graph.store(), graph.reader())
      .VisitInParallel(graph.threads(), [&](uint64_t, std::span<const ExternalId> ids,
                                            std::span<const VertexId> vertices) {
        for (size_t i = 0; i < ids.size(); ++i) {
          const double share = static_cast<double>(Mix64(ids[i] ^ seed) >> 11) * 0x1p-53;
          set(vertices[i], least + share * (most - least));
        }
        return OkStatus();
      });
}

Status StartValues(LoadedGraph& graph, const RunState& state, double least, double most,
                   std::span<float> value) {
  constexpr double kGreatest = std::numeric_limits<float>::max();
  constexpr double kMin = std::numeric_limits<float>::min();
  double largest = 0;
  VertexId too_large = kInvalidVertex;
  RETURN_IF_ERROR(VisitStartValues(graph, state, least, most, [&](VertexId vertex, double start) {
    const double magnitude = std::abs(start);
    if (magnitude > LoadRelaxed(&largest)) AtomicMax(&largest, magnitude);
    if (magnitude > kGreatest) {
      AtomicMin(&too_large, vertex);
    } else {
      value[vertex] = static_cast<float>(start);
    }
  }));
  if (too_large != kInvalidVertex) {
    ASSIGN_OR_RETURN(const std::string text, VertexText(graph, too_large));
    return BadDataError(StrCat("the value of vertex ", text, " is above ", kGreatest, " or below -",
                               kGreatest, ": scale the values"));
  }
  if (largest > 0 && largest < kMin) {
    return BadDataError(
        StrCat("no value is above ", kMin, " or below -", kMin, ": scale the values"));
  }
  return OkStatus();
}

Status NotFinite(LoadedGraph& graph, std::span<const float> value, uint64_t iterations) {
  ASSIGN_OR_RETURN(const VertexId vertex,
                   FirstVertexWhere(graph, [&](VertexId v) { return !std::isfinite(value[v]); }));
  if (vertex == kInvalidVertex) return InternalError("a value was not finite, and is now");
  ASSIGN_OR_RETURN(const std::string text, VertexText(graph, vertex));
  return BadDataError(StrCat("the value of vertex ", text, " is not a finite number after ",
                             FormatCount(iterations), " iterations"));
}

void WarnOfSaturation(std::span<const float> value, double bound, Answer* answer) {
  constexpr size_t kMaxLookedAt = 65536;
  const size_t step = value.size() / kMaxLookedAt + 1;
  size_t looked_at = 0, beyond = 0;
  for (size_t v = 0; v < value.size(); v += step) {
    ++looked_at;
    beyond += std::abs(value[v]) > bound ? 1 : 0;
  }
  if (2 * beyond <= looked_at) return;
  answer->timing_caveat = StrCat("over half of the values are above ", bound, " or below -", bound,
                                 ": give smaller weights, or --gain");
  answer->warnings.push_back(answer->timing_caveat);
}

}  // namespace edgemill
