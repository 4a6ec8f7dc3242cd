#include "engine/gpu/workspace/device_needs.h"

#include "common/check.h"
#include "engine/plan/direction_policy.h"
#include "engine/state/state_copies.h"

namespace edgemill {
namespace {

/// Notes that neighbours may be sampled, if a program or visit pulls through the lists of one
/// direction only.
void AddHints(Directions directions, const ListColumns& lists, bool searches, DeviceNeeds* needs) {
  const auto pulled = ListsOf(directions, lists.directed, /*reversed=*/true);
  if (pulled.size() != 1) return;
  needs->may_sample = pulled[0];
  needs->may_search |= searches;
}

void AddProgram(const ProgramTraits& program, const DirectionPolicy& policy,
                const ListColumns& lists, Mode mode, DeviceNeeds* needs) {
  const bool push = policy.may_push(), pull = policy.may_pull();
  const bool along = GoesAlong(program.directions), against = GoesAgainst(program.directions);
  needs->scanned.out |= (along && push) || (against && pull);
  needs->scanned.in |= (against && push) || (along && pull);
  if (program.may_search && pull) AddHints(program.directions, lists, /*searches=*/true, needs);
  needs->pulls |= pull;
  needs->sums |= program.collects && (mode == Mode::kPush || !policy.can_pull() ||
                                      (lists.directed && program.directions == Directions::kBoth));
  needs->may_run_in_one_launch |= push && !program.collects;
}

}  // namespace

DeviceNeeds DeviceNeedsOf(State& state, const GraphStore& store, Mode mode, uint32_t async_passes,
                          Sharing sharing) {
  const ProgramList programs = state.programs();
  DeviceNeeds needs{.programs = {programs.begin(), programs.end()},
                    .rarely_reused = programs.empty(),
                    .shares = sharing != Sharing::kNothing};
  const ListColumns lists = ListColumnsOf(store);
  bool notifies = false;
  for (const ProgramTraits& program : programs) {
    const DirectionPolicy policy(program, lists, mode, async_passes > 0, {});
    AddProgram(program, policy, lists, mode, &needs);
    notifies |= policy.may_pull() && (program.collects || mode == Mode::kNotifyPull);
    needs.asynchronous |= async_passes > 0 && program.may_run_asynchronously;
  }
  for (const ListVisit& visit : state.visits()) {
    needs.scanned.out |= GoesAlong(visit.directions);
    needs.scanned.in |= GoesAgainst(visit.directions);
    needs.visits_weights |= visit.weights == VisitsWeights::kYes;
    // Of a directed graph, visits take whole lists (GpuBackend::samples_hubs).
    if (visit.sampled == VisitsSampled::kYes && !lists.directed) {
      AddHints(visit.directions, lists, /*searches=*/false, &needs);
    }
  }
  needs.rarely_reused &= !needs.visits_weights;  // these come in rounds, as Boruvka's
  // Searches and samples are the GPU's alone, and the host would wait meanwhile.
  if (sharing == Sharing::kHost) needs.may_sample = std::nullopt;
  needs.may_search &= needs.may_sample.has_value();
  if (!lists.directed) {
    needs.scanned.out |= needs.scanned.in;
    needs.scanned.in = false;
  } else {
    needs.scanned.out &= lists.out;
    needs.scanned.in &= lists.in;
  }
  CHECK(lists.directed || !needs.scanned.in);  // an undirected graph has only out-lists
  // A graph may lack the lists from which a neighbour would be sampled.
  if (needs.may_sample.has_value() && !needs.scanned.Has(*needs.may_sample)) {
    needs.may_sample = std::nullopt;
    needs.may_search = false;
  }
  const bool takes_more =
      AnyOf(programs, [](const ProgramTraits& program) { return !program.takes_first; });
  needs.marks = needs.pulls && (notifies || takes_more);
  needs.scanned.weighted = needs.has_weighted() && store.info().weights != WeightType::kNone;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    needs.degrees[static_cast<size_t>(direction)] = state.has_degrees(direction);
  }
  ArenaPlan arena;
  StateCopies copies(state);
  copies.Plan(&arena);
  needs.state_bytes = arena.bytes();
  return needs;
}

DeviceNeeds HelperNeedsOf(const DeviceNeeds& main) {
  DeviceNeeds needs = main;
  needs.may_sample = std::nullopt;
  needs.may_search = needs.samples_neighbors = needs.keeps_headers = false;
  needs.may_run_in_one_launch = needs.asynchronous = needs.gathers = false;
  needs.shares = needs.logs = true;
  return needs;
}

}  // namespace edgemill
