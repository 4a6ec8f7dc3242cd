#include "engine/api/run_result.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/thread_annotations.h"
#include "engine/api/top_list.h"

namespace edgemill {
namespace {

/// Each has a block of ids, half a megabyte, which nobody has reserved.
constexpr int kMostIdThreads = 8;
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

template <typename T>
Status AnswerResult::FindTopValues(uint32_t count, int threads) {
  Mutex mutex;
  TopList<T> top(count);
  // What is less is not among the first: most vertices need no more than one look.
  std::atomic<T> least{std::numeric_limits<T>::lowest()};
  IdMap map(store_, *reader_);
  RETURN_IF_ERROR(map.VisitInParallel(
      std::min(threads, kMostIdThreads),
      [&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        TopList<T> of_block(count);
        const T known = least.load(std::memory_order_relaxed);
        for (size_t i = 0; i < ids.size(); ++i) {
          const VertexValue found = Value(ids[i], vertices[i]);
          const T value = std::is_same_v<T, double> ? T(found.real) : T(found.integer);
          if (found.reached && value >= known) of_block.Add({value, ids[i]});
        }
        MutexLock lock(mutex);
        top.Add(of_block);
        if (top.full()) least = top.least();
        return OkStatus();
      }));
  for (const auto& [value, id] : top.Sorted()) top_.push_back({id, value});
  return OkStatus();
}

Status AnswerResult::FindLargestComponents(uint32_t count) {
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   budget_.Reserve(num_vertices() * 4, "sizes of components"));
  ASSIGN_OR_RETURN(Array<uint32_t> members, Array<uint32_t>::Allocate(num_vertices()));
  for (const VertexId label : answer_.small) ++members[label];
  TopList<uint64_t> top(count);
  IdMap map(store_, *reader_);
  RETURN_IF_ERROR(
      map.Visit([&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        for (size_t i = 0; i < ids.size(); ++i) {
          // Ids rise: the first member that is met has the component's id.
          uint32_t& size = members[answer_.small[vertices[i]]];
          if (size > 0) top.Add({std::exchange(size, 0), ids[i]});
        }
        return OkStatus();
      }));
  for (const auto& [size, id] : top.Sorted()) top_.push_back({id, size});
  return OkStatus();
}

Status AnswerResult::FindTop(uint32_t count, int threads) {
  if (count == 0) return OkStatus();
  switch (answer_.kind) {
    case ResultKind::kRank:
    case ResultKind::kRealDistance:
      return FindTopValues<double>(count, threads);
    case ResultKind::kLevel:
    case ResultKind::kIntegerDistance:
      return FindTopValues<uint64_t>(count, threads);
    case ResultKind::kComponent:
      return FindLargestComponents(count);
    case ResultKind::kParent:
      break;  // parents have no order
  }
  return OkStatus();
}

}  // namespace edgemill
