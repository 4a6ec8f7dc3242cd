// Searches that -i may stop while vertices are still active.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/program/operator_types.h"

namespace edgemill {

/// The option of algorithms whose passes the user may bound.
inline constexpr Option<uint64_t> kMaxPasses{.names = "-i,--iterations",
                                             .help = "stop after N iterations",
                                             .range = Whole32(1),
                                             .stops_early = true};

/// The same option for one method only.
constexpr Option<uint64_t> MostPassesOf(std::string_view method) {
  Option<uint64_t> option = kMaxPasses;
  option.method = method;
  return option;
}

/// How many passes a Fixpoint may take.
inline uint64_t MostPasses(const RunState& state) {
  return state.Given(kMaxPasses) ? state.Get(kMaxPasses) : ~uint64_t{0};
}

/// Whether a Fixpoint ended by itself. Otherwise warns; `so` says what the answer means then.
inline bool Settled(const FixpointTotals& totals, std::string_view so, Answer* answer) {
  if (totals.left.empty()) return true;
  answer->warnings.push_back(StrCat("stopped by -i ", totals.passes, " (active vertices: ",
                                    FormatCount(totals.left.size()), "): ", so));
  return false;
}

}  // namespace edgemill
