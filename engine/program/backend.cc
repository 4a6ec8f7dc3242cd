#include "engine/program/backend.h"

#include "engine/program/leading_team.h"

namespace edgemill {

StatusOr<std::unique_ptr<LeadingTeam>> Backend::MakeTeam(const ProgramRef& program) {
  static_cast<void>(program);
  return std::unique_ptr<LeadingTeam>();
}

}  // namespace edgemill
