// Finds the vertices with given input ids, many at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "common/status.h"
#include "common/threads/parallel_sort.h"
#include "common/types.h"
#include "engine/graph/id_map.h"

namespace edgemill {

/// A vertex that is looked for.
struct WantedVertex {
  ExternalId id;
  uint64_t place;  // among those that are found
};

/// Sets vertices[entry.place] for each of `entries`, which have an `id` and a `place`. Sorts them
/// by these. Returns the entry of the least place whose id no vertex has, or null. Reads all ids
/// once.
template <typename Entry>
StatusOr<const Entry*> FindVertices(IdMap& ids, std::span<Entry> entries, int threads,
                                    std::span<VertexId> vertices) {
  ParallelSort(entries, threads, [](const Entry& a, const Entry& b) {
    return std::pair(a.id, a.place) < std::pair(b.id, b.place);
  });
  auto next = entries.begin();
  const Entry* missing = nullptr;
  const auto note = [&](const Entry& entry) {
    if (missing == nullptr || entry.place < missing->place) missing = &entry;
  };
  RETURN_IF_ERROR(
      ids.Visit([&](uint64_t, std::span<const ExternalId> some, std::span<const VertexId> of_them) {
        for (auto id = some.begin(); next != entries.end(); ++next) {
          id = std::lower_bound(id, some.end(), next->id);
          if (id == some.end()) break;
          if (*id != next->id) {
            note(*next);
          } else {
            vertices[next->place] = of_them[static_cast<size_t>(id - some.begin())];
          }
        }
        return OkStatus();
      }));
  for (; next != entries.end(); ++next) note(*next);
  return missing;
}

}  // namespace edgemill
