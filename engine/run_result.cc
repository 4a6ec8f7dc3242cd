#include "engine/run_result.h"

#include <algorithm>
#include <limits>

namespace edgemill {
namespace {

constexpr size_t kTopRanks = 5;
constexpr ExternalId kNoId = std::numeric_limits<ExternalId>::max();

}  // namespace

VertexValue AnswerResult::Value(ExternalId id, VertexId vertex) const {
  VertexValue value{.id = id};
  switch (answer_.kind) {
    case ResultKind::kLevel:
    case ResultKind::kParent:
    case ResultKind::kComponent:
      value.reached = answer_.small[vertex] != kInvalidVertex;
      value.integer = answer_.small[vertex];
      break;
    case ResultKind::kIntegerDistance:
      if (answer_.distances.size() == 0) {
        value.reached = answer_.small[vertex] != std::numeric_limits<uint32_t>::max();
        value.integer = answer_.small[vertex];
      } else {
        value.reached = answer_.distances[vertex] != std::numeric_limits<uint64_t>::max();
        value.integer = answer_.distances[vertex];
      }
      break;
    case ResultKind::kRealDistance:
      value.reached = answer_.reals[vertex] != std::numeric_limits<double>::infinity();
      value.real = answer_.reals[vertex];
      break;
    case ResultKind::kRank:
      value.real = answer_.reals[vertex];
      break;
  }
  return value;
}

StatusOr<Array<ExternalId>> AnswerResult::LoadIds(MemoryReservation* reservation) {
  ASSIGN_OR_RETURN(*reservation, budget_.Reserve(num_vertices() * 8, "ids of the answer"));
  ASSIGN_OR_RETURN(Array<ExternalId> ids, Array<ExternalId>::Allocate(num_vertices()));
  std::fill(ids.begin(), ids.end(), kNoId);
  IdMap map(store_, *reader_);
  RETURN_IF_ERROR(
      map.Visit([&](uint64_t, std::span<const ExternalId> run, std::span<const VertexId> vertices) {
        for (size_t i = 0; i < run.size(); ++i) {
          // Ids rise, so that the first member of a component has its least.
          const VertexId key =
              answer_.kind == ResultKind::kComponent ? answer_.small[vertices[i]] : vertices[i];
          if (ids[key] == kNoId) ids[key] = run[i];
        }
        return OkStatus();
      }));
  return ids;
}

Status AnswerResult::Visit(const Visitor& visit) {
  const bool is_vertex =
      answer_.kind == ResultKind::kParent || answer_.kind == ResultKind::kComponent;
  MemoryReservation reservation;
  Array<ExternalId> id_of;
  if (is_vertex) {
    ASSIGN_OR_RETURN(id_of, LoadIds(&reservation));
  }
  std::vector<VertexValue> values;
  IdMap map(store_, *reader_);
  return map.Visit(
      [&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        values.clear();
        for (size_t i = 0; i < ids.size(); ++i) {
          values.push_back(Value(ids[i], vertices[i]));
          if (is_vertex && values.back().reached)
            values.back().integer = id_of[values.back().integer];
        }
        return visit(values);
      });
}

Status AnswerResult::AddTopRanks() {
  std::vector<std::pair<double, ExternalId>> top;
  RETURN_IF_ERROR(Visit([&](std::span<const VertexValue> values) {
    for (const VertexValue& value : values) {
      if (top.size() == kTopRanks && value.real <= top.back().first) continue;
      const auto place = std::find_if(top.begin(), top.end(),
                                      [&](const auto& entry) { return entry.first < value.real; });
      top.insert(place, {value.real, value.id});
      if (top.size() > kTopRanks) top.pop_back();
    }
    return OkStatus();
  }));
  for (size_t i = 0; i < top.size(); ++i) {
    const std::string name = StrCat("rank ", i + 1);
    answer_.facts.push_back({name,
                             StrCat("vertex ", top[i].second, ": ", top[i].first),
                             {{StrCat("rank_", i + 1, "_vertex"), top[i].second},
                              {StrCat("rank_", i + 1), top[i].first}}});
  }
  return OkStatus();
}

}  // namespace edgemill
