#include "engine/api/card/engine_card.h"

#include "common/clock.h"
#include "engine/api/card/state_copies.h"
#include "engine/plan/direction_policy.h"
#if defined(EDGEMILL_WITH_CUDA)
#include "engine/gpu/gpu_engine.h"
#endif

namespace edgemill {

#if defined(EDGEMILL_WITH_CUDA)

namespace {

/// Tells the recorder what it took to set a card up, and to take down what is declared after it.
class SetUpTimer {
 public:
  explicit SetUpTimer(Recorder& recorder) : recorder_(recorder) {}
  ~SetUpTimer() { recorder_.AddSetupSeconds(watch_.seconds()); }
  void IsUp() { recorder_.AddSetupSeconds(watch_.seconds()); }
  void GoesDown() { watch_.Restart(); }

 private:
  Recorder& recorder_;
  Stopwatch watch_;
};

class Card final : public EngineCard {
 public:
  Card(State& state, Recorder& recorder) : timer_(recorder), copies_(state) {
    copies_.Plan(&arena_);
  }
  ~Card() override { timer_.GoesDown(); }
  Status Start(const CardRun& run, LoadedGraph& graph, SetPool& pool, Mode mode,
               Recorder& recorder) {
    ASSIGN_OR_RETURN(engine_,
                     GpuEngine::Create(run.gpu, graph, run.needs, arena_, pool, mode, recorder));
    RETURN_IF_ERROR(copies_.Begin(engine_->home(), FirstElements::kZeros));
    timer_.IsUp();
    return OkStatus();
  }
  GpuOperators& operators() override { return *engine_; }

 private:
  SetUpTimer timer_;
  DeviceArena arena_;
  std::unique_ptr<GpuEngine> engine_;
  StateCopies copies_;
};

}  // namespace

StatusOr<std::unique_ptr<EngineCard>> EngineCard::Create(const CardRun& run, LoadedGraph& graph,
                                                         State& state, SetPool& pool, Mode mode,
                                                         Recorder& recorder) {
  auto card = std::make_unique<Card>(state, recorder);
  RETURN_IF_ERROR(card->Start(run, graph, pool, mode, recorder));
  return std::unique_ptr<EngineCard>(std::move(card));
}

#else

StatusOr<std::unique_ptr<EngineCard>> EngineCard::Create(const CardRun&, LoadedGraph&, State&,
                                                         SetPool&, Mode, Recorder&) {
  return GpuError("this build has no code for GPUs");
}

#endif

CardNeeds CardNeedsOf(State& state, const GraphStore& store, Mode mode, uint32_t async_passes,
                      bool shares) {
  CardNeeds needs{.passes = state.needs(), .shares = shares};
  const ListColumns lists = ListColumnsOf(store);
  bool has_programs = false, must_sum = false, notifies = false;
  for (const PassTraits& traits : state.programs()) {
    const DirectionPolicy policy(traits, lists, mode, async_passes > 0, {});
    const bool out = traits.directions != Directions::kIn;
    const bool in = traits.directions != Directions::kOut;
    const bool push = policy.may_push(), pull = policy.may_pull();
    needs.iteration.push |= (out && push) || (in && pull);
    needs.iteration.pull |= (in && push) || (out && pull);
    const auto pulled = ListsOf(traits.directions, lists.directed, /*reversed=*/true);
    if (traits.tests_kept && !shares && pulled.size() == 1 && (pull || traits.visits)) {
      needs.may_keep = pulled[0];
      needs.may_search |= pull;
    }
    if (traits.visits) continue;
    has_programs = true;
    needs.pulls |= pull;
    must_sum |= traits.collects && (mode == Mode::kPush || !policy.can_pull() ||
                                    (lists.directed && traits.directions == Directions::kBoth));
    notifies |= pull && (traits.collects || mode == Mode::kNotifyPull);
    needs.runs_alone |= push && !traits.collects;
    needs.iteration.asynchronous |= async_passes > 0 && traits.may_run_asynchronously;
  }
  if (!lists.directed) {
    needs.iteration.push |= needs.iteration.pull;
    needs.iteration.pull = false;
  } else {
    needs.iteration.push &= lists.out;
    needs.iteration.pull &= lists.in;
  }
  needs.marks = needs.pulls && (notifies || needs.passes.takes_more);
  needs.sums = must_sum;
  needs.iteration.frontier = true;
  needs.iteration.in_parts = shares;
  needs.iteration.weighted = needs.passes.weights && store.info().weights != WeightType::kNone;
  needs.iteration.once = !has_programs;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    needs.degrees[static_cast<size_t>(direction)] = state.has_degrees(direction);
  }
  ArenaPlan arena;
  StateCopies copies(state);
  copies.Plan(&arena);
  needs.state_bytes = arena.bytes();
  return needs;
}

}  // namespace edgemill
