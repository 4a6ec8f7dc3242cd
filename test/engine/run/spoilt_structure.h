// Wrong answers of the algorithms that look for structure.
#pragma once

#include <algorithm>
#include <numeric>

#include "test/engine/run/verification.h"

namespace edgemill::verification {

/// Spoils single values, of which every other one is wrong.
template <typename T>
void SpoilPlaces(const Verification& verification, std::string_view array,
                 const std::function<std::vector<T>(VertexId vertex, T right)>& wrong) {
  Spoiler<T> spoiler(verification, array);
  for (const VertexId vertex : Places(spoiler.right().size())) {
    for (const T value : wrong(vertex, spoiler.right()[vertex])) spoiler.RefusedAt(vertex, {value});
  }
  EXPECT_GT(spoiler.num_spoilt(), 0u) << array;
}

inline void SpoilStrongComponents(const Verification& verification) {
  SpoilPlaces<uint32_t>(verification, "component", [](VertexId v, uint32_t) {
    return std::vector<uint32_t>{v, 0, 1, v + 1, kNone, kNone - 1};
  });
  Spoiler<uint32_t> spoiler(verification, "component");
  const auto& right = spoiler.right();
  const auto size = static_cast<VertexId>(right.size());
  if (std::count(right.begin(), right.end(), right.front()) < size) {  // else another name
    spoiler.Refused("all in one",
                    [](std::span<uint32_t> names) { std::fill(names.begin(), names.end(), 0); });
  }
  spoiler.Refused("all alone",
                  [](std::span<uint32_t> names) { std::iota(names.begin(), names.end(), 0u); });
  spoiler.Refused("two merged", [&](std::span<uint32_t> names) {
    for (VertexId v = 0; v < size; ++v)
      names[v] = right[v] == right[0] ? right[size - 1] : right[v];
  });
}

inline void SpoilTriangles(const std::function<Verification(const RunOptions&)>& prepare) {
  const auto lists = [&](Direction direction) {
    return prepare({.algorithm = "triangles"}).graph().has_lists(direction);
  };
  if (!lists(Direction::kOut) || !lists(Direction::kIn)) return;  // both are needed
  SpoilPlaces<uint64_t>(prepare({.algorithm = "triangles"}), "triangles",
                        [](VertexId, uint64_t count) {
                          return std::vector<uint64_t>{count + 1, count + 3, count - 3, ~count};
                        });
  SpoilPlaces<uint64_t>(prepare({.algorithm = "lcc"}), "links", [](VertexId, uint64_t links) {
    return std::vector<uint64_t>{links + 1, links - 1, 2 * links + 2};
  });
  SpoilPlaces<uint32_t>(prepare({.algorithm = "lcc"}), "neighbours", [](VertexId, uint32_t count) {
    return std::vector<uint32_t>{count + 1, count - 1};
  });
}

/// Communities that are not those of which the run says the modularity; of leiden also such that no
/// edge joins.
inline void SpoilCommunities(const std::function<Verification(const RunOptions&)>& prepare) {
  for (const char* const name : {"louvain", "leiden"}) {
    const Verification verification = prepare({.algorithm = name});
    Spoiler<uint32_t> spoiler(verification, "community");
    const auto& right = spoiler.right();
    const auto size = static_cast<VertexId>(right.size());
    for (const VertexId vertex : Places(size)) {
      for (const uint32_t wrong : {vertex + 1, size, kNone}) spoiler.RefusedAt(vertex, {wrong});
    }
    if (right == std::vector<uint32_t>(size, 0)) continue;
    spoiler.Refused("named after others",
                    [](std::span<uint32_t> names) { std::reverse(names.begin(), names.end()); });
    spoiler.Refused("all alone",
                    [](std::span<uint32_t> names) { std::iota(names.begin(), names.end(), 0u); });
  }
}

/// Every sum of shared neighbours is wrong, and every number of neighbours of what shares some.
inline void SpoilSimilarities(const std::function<Verification(const RunOptions&)>& prepare,
                              ExternalId source) {
  constexpr uint64_t kMuch = uint64_t{1} << 58;  // of sums in small units
  for (const std::string measure : {"jaccard", "cosine", "common", "adamic-adar", "allocation"}) {
    const RunOptions options{.algorithm = "similarity",
                             .values = {{"--source", source}, {"--measure", measure}}};
    const bool weighs = measure == "adamic-adar" || measure == "allocation";
    SpoilPlaces<uint64_t>(prepare(options), "shared", [&](VertexId, uint64_t sum) {
      if (weighs) return std::vector<uint64_t>{sum + kMuch, sum ^ kMuch << 2, ~sum};
      return std::vector<uint64_t>{sum + 1, sum - 1, 0, ~sum};
    });
  }
}

/// Where other algorithms look for structure.
inline void SpoilStructure(const std::function<Verification(const RunOptions&)>& prepare,
                           const GraphInfo& info, ExternalId source) {
  SpoilSimilarities(prepare, source);
  SpoilPlaces<uint8_t>(prepare({.algorithm = "mis"}), "choice", [](VertexId, uint8_t) {
    return std::vector<uint8_t>{1, 2};
  });
  SpoilPlaces<uint32_t>(prepare({.algorithm = "coloring"}), "color", [](VertexId, uint32_t color) {
    return std::vector<uint32_t>{color + 1, color + 64, color - 1, 0, 1, kNone};
  });
  SpoilStrongComponents(prepare({.algorithm = "scc"}));
  const auto vertices = [](VertexId v, uint32_t label) {
    return std::vector<uint32_t>{v, v + 1, 0, label + 1, kNone};
  };
  for (const uint64_t iterations : {1, 3}) {
    SpoilPlaces<uint32_t>(prepare({.algorithm = "cdlp", .values = {{"--iterations", iterations}}}),
                          "label", vertices);
  }
  const auto size = static_cast<uint32_t>(info.num_vertices);
  SpoilPlaces<uint32_t>(prepare({.algorithm = "mst"}), "parent", [size](VertexId v, uint32_t) {
    return std::vector<uint32_t>{v, size, kNone};
  });
  SpoilPlaces<uint8_t>(prepare({.algorithm = "bipartite"}), "side", [](VertexId, uint8_t) {
    return std::vector<uint8_t>{0, 1, 2, 255};
  });
  if (info.directed) {
    SpoilPlaces<uint32_t>(prepare({.algorithm = "toposort"}), "level", [](VertexId, uint32_t l) {
      return std::vector<uint32_t>{l + 1, l - 1, 0, 1, kNone};
    });
  }
  SpoilTriangles(prepare);
  if (!info.directed) SpoilCommunities(prepare);
  for (const bool all : {false, true}) {
    if (all && info.num_vertices > 500) continue;  // each verdict takes as many searches as the run
    const RunOptions options{.algorithm = "diameter", .values = {{"--eccentricity", all}}};
    SpoilPlaces<uint32_t>(prepare(options), "lower", [](VertexId, uint32_t bound) {
      return std::vector<uint32_t>{bound + 1, bound - 1, 0};
    });
  }
}

}  // namespace edgemill::verification
