#include "engine/api/run_result.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>
#include <vector>

#include "common/thread_annotations.h"

namespace edgemill {
namespace {

constexpr size_t kTopRanks = 5;
/// Each has a block of ids, half a megabyte, which nobody has reserved.
constexpr int kMostIdThreads = 8;
constexpr ExternalId kNoId = std::numeric_limits<ExternalId>::max();

/// The greatest ranks with their vertices; of equal ranks the least ids.
struct TopRanks {
  using Entry = std::pair<double, ExternalId>;
  std::vector<Entry> entries;  // at most kTopRanks, in order

  void Add(const Entry& entry) {
    const auto before = [](const Entry& a, const Entry& b) {
      return a.first > b.first || (a.first == b.first && a.second < b.second);
    };
    if (entries.size() == kTopRanks && !before(entry, entries.back())) return;
    entries.insert(std::upper_bound(entries.begin(), entries.end(), entry, before), entry);
    if (entries.size() > kTopRanks) entries.pop_back();
  }
};

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

Status AnswerResult::AddTopRanks(int threads) {
  Mutex mutex;
  TopRanks top;
  // A rank that is not among the first so far: most vertices need no more than one look.
  std::atomic<double> least{-1};
  IdMap map(store_, *reader_);
  RETURN_IF_ERROR(map.VisitInParallel(
      std::min(threads, kMostIdThreads),
      [&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        TopRanks of_block;
        const double known = least.load(std::memory_order_relaxed);
        for (size_t i = 0; i < ids.size(); ++i) {
          const double rank = answer_.reals[vertices[i]];
          if (rank >= known) of_block.Add({rank, ids[i]});
        }
        MutexLock lock(mutex);
        for (const auto& entry : of_block.entries) top.Add(entry);
        if (top.entries.size() == kTopRanks) least = top.entries.back().first;
        return OkStatus();
      }));
  for (size_t i = 0; i < top.entries.size(); ++i) {
    const auto& [rank, id] = top.entries[i];
    const std::string name = StrCat("rank ", i + 1);
    answer_.facts.push_back(
        {name,
         StrCat("vertex ", id, ": ", rank),
         {{StrCat("rank_", i + 1, "_vertex"), id}, {StrCat("rank_", i + 1), rank}}});
  }
  return OkStatus();
}

}  // namespace edgemill
