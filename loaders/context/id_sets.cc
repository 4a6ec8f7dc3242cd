#include "loaders/context/id_sets.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {

int IdSets::NumNeeded(const EdgeSourceInfo& info, const IdChoice& choice) {
  if (info.named || choice.FollowsRange(info)) return 0;
  if (info.has_vertex_list) return 2;
  return choice.mode != IdMode::kDense ? 1 : 0;
}

Status IdSets::Make(const EdgeSourceInfo& info, const IdChoice& choice, uint64_t set_bytes,
                    MemoryBudget& budget, EdgeRules* rules) {
  CHECK(!seen.has_value());  // the sets are made once, since rules point to them
  rules->id_limit =
      std::min<uint64_t>(choice.max_vertex_id.value_or(kMaxVertices - 1), kMaxVertices - 1) + 1;
  rules->max_id = choice.max_vertex_id.value_or(~ExternalId{0});
  const int num_sets = NumNeeded(info, choice);
  if (num_sets == 0) return OkStatus();
  uint64_t limit = set_bytes * 8;
  if (choice.narrow_id_limit > 0) limit = std::min(limit, choice.narrow_id_limit);
  limit = std::min<uint64_t>(limit, kMaxVertices);
  ASSIGN_OR_RETURN(seen, SeenIds::Create(limit, budget));
  rules->seen = &*seen;
  rules->wide_allowed = choice.mode != IdMode::kDense;
  if (num_sets == 2) {
    ASSIGN_OR_RETURN(listed, SeenIds::Create(limit, budget));
    rules->listed = &*listed;
  }
  rules->id_limit = std::min(limit, choice.mode == IdMode::kDense ? rules->id_limit : limit);
  return OkStatus();
}

Status IdSets::Save(SpillSpace& space, uint64_t max_id) {
  CHECK(files.empty());  // streams that the journal names must not be replaced
  for (const std::optional<SeenIds>* set : {&seen, &listed}) {
    if (!set->has_value()) continue;
    std::unique_ptr<SpillStream> stream = space.NewStream();
    RETURN_IF_ERROR((*set)->SaveTo(*stream, std::min(max_id, (*set)->limit() - 1)));
    files.push_back(std::move(stream));
  }
  return OkStatus();
}

Status IdSets::Load(std::unique_ptr<SpillStream> file) {
  std::optional<SeenIds>& set = files.empty() ? seen : listed;
  if (!set.has_value()) return BadDataError("the ingest journal is damaged: use --replace");
  RETURN_IF_ERROR(set->LoadFrom(*file));
  files.push_back(std::move(file));
  return OkStatus();
}

void IdSets::MarkListedAsSeen() {
  CHECK(listed.has_value());
  std::swap(seen, listed);
  listed.reset();
}

void IdSets::LeaveFiles() const {
  for (const auto& file : files) file->LeaveFiles();
}

}  // namespace edgemill
