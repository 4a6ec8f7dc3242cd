// What a State says of the lists that its driver reads beside programs.
#pragma once

#include "engine/program/directions.h"

namespace edgemill {

/// Whether functions that Engine::Intersect calls ask for numbers of edges.
enum class AsksForArcs : bool { kNo, kYes };

/// Whether a driver calls Engine::VisitSampled: then a GPU with the memory samples neighbours.
enum class VisitsSampled : bool { kNo, kYes };

/// Whether visits also read the weights of edges.
enum class VisitsWeights : bool { kNo, kYes };

/// Lists that a driver visits, in these directions.
struct ListVisit {
  Directions directions;
  VisitsSampled sampled;
  VisitsWeights weights;
};

}  // namespace edgemill
