#include "engine/program/backend.h"

#include "engine/program/main_team.h"

namespace edgemill {

StatusOr<std::unique_ptr<MainTeam>> Backend::MakeTeam(const ProgramRef& program) {
  static_cast<void>(program);
  return std::unique_ptr<MainTeam>();
}

}  // namespace edgemill
