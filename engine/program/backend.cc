#include "engine/program/backend.h"

#include "engine/program/helper_team.h"
#include "engine/program/main_team.h"

namespace edgemill {

StatusOr<std::unique_ptr<MainTeam>> Backend::MakeTeam(const ProgramRef& program) {
  static_cast<void>(program);
  return std::unique_ptr<MainTeam>();
}

StatusOr<std::vector<std::unique_ptr<HelperTeam>>> Backend::MakeHelpers(const ProgramRef& program) {
  static_cast<void>(program);
  return std::vector<std::unique_ptr<HelperTeam>>();
}

Status Backend::Intersect(const FunctionRef& function) {
  static_cast<void>(function);
  return InternalError("lists are intersected on the CPU");  // so the plan has chosen the CPU
}

}  // namespace edgemill
