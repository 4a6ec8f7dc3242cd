#include "engine/api/engine.h"

#include <algorithm>

namespace edgemill {
namespace {

bool Include(Directions declared, Directions used) {
  return (static_cast<int>(declared) & static_cast<int>(used)) == static_cast<int>(used);
}

std::string_view DirectionsName(Directions directions) {
  if (directions == Directions::kBoth) return "kBoth";
  return directions == Directions::kOut ? "kOut" : "kIn";
}

}  // namespace

StatusOr<std::unique_ptr<Engine>> Engine::CreateOnCard(LoadedGraph& graph, State& state,
                                                       const PassOptions& options,
                                                       const CardRun& card, Recorder& recorder) {
  // Sets of passes come to the host one at a time.
  ASSIGN_OR_RETURN(auto workspace,
                   Workspace::Create(graph, PassNeeds(), options, state.most_sets() + kCardSets));
  std::unique_ptr<Engine> engine(new Engine(graph, state, std::move(workspace), recorder));
  engine->card_file_ = card.file;
  if (card.dispatcher != nullptr) {
    ASSIGN_OR_RETURN(engine->hybrid_,
                     HybridRun::Create(graph, state.needs(), options, *card.dispatcher));
  }
  ASSIGN_OR_RETURN(engine->card_,
                   EngineCard::Create(card, graph, state, engine->sets(), options.mode, recorder));
  return engine;
}

Status Engine::NoKernels(std::string_view program) const {
  return GpuError(
      StrCat("the file of ", program, ", ", card_file_, ".cc, was not compiled for GPUs"));
}

void Engine::CheckDegrees(Direction lists) const {
  if (state_.has_degrees(lists)) return;
  internal::AuthorMistake(
      StrCat("its State does not declare these degrees: give it a field `Degrees degrees{*this, ",
             lists == Direction::kOut ? "kOut" : "kIn", "}`"));
}

void Engine::CheckProgram(const std::string_view* name, Directions directions) const {
  for (const PassTraits& declared : state_.programs()) {
    if (declared.program == name && Include(declared.directions, directions)) return;
  }
  internal::AuthorMistake(
      StrCat("its State does not declare this program: give it a field `Programs<", *name,
             "> programs{*this, ", DirectionsName(directions), "}`"));
}

Status Engine::CheckLists(Directions directions) const {
  const auto declared = state_.programs();
  if (std::none_of(declared.begin(), declared.end(), [&](const PassTraits& traits) {
        return traits.visits && Include(traits.directions, directions);
      })) {
    internal::AuthorMistake(
        StrCat("its State does not declare the lists that EdgeVisit reads: give it a field "
               "`VisitedLists lists{*this, ",
               DirectionsName(directions), "}`"));
  }
  for (const Direction lists : ListsOf(directions, graph_.info().directed, false)) {
    if (graph_.can_sweep(lists)) continue;
    return UsageError(StrCat(graph_.store().path(), " has no ",
                             lists == Direction::kOut ? "out" : "in",
                             "-columns: ingest it with --columns both"));
  }
  return OkStatus();
}

}  // namespace edgemill
