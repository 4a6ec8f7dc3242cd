// Wrong answers of searches, ranks and other values of vertices.
#pragma once

#include <cmath>
#include <numeric>

#include "test/engine/run/verification.h"

namespace edgemill::verification {

inline void SpoilLevels(const Verification& verification) {
  Spoiler<uint32_t> spoiler(verification, "level");
  const auto& right = spoiler.right();
  const auto plus = [](uint32_t by) { return [by](uint32_t level) { return level + by; }; };
  for (const VertexId vertex : Places(right.size())) {
    const uint32_t level = right[vertex];
    spoiler.RefusedAt(vertex, {level + 1, level - 1, 0, 1, kNone, kNone - 1});
  }
  const auto reached = [](uint32_t level) { return level != kNone; };
  spoiler.RefusedWhere("all one further", reached, plus(1));
  for (const uint32_t from : {1u, 2u, 3u}) {
    const auto beyond = [&](uint32_t level) { return level != kNone && level >= from; };
    spoiler.RefusedWhere(StrCat("from level ", from, " one further"), beyond, plus(1));
    spoiler.RefusedWhere(StrCat("from level ", from, " one nearer"), beyond, plus(-1u));
    spoiler.RefusedWhere(StrCat("from level ", from, " unreached"), beyond,
                         [](uint32_t) { return kNone; });
  }
  const auto unreached = [](uint32_t level) { return level == kNone; };
  for (const uint32_t level : {0u, 1u, 2u}) {
    spoiler.RefusedWhere("unreached ones reached", unreached, [&](uint32_t) { return level; });
    spoiler.RefusedWhere(
        "all on a level", [](uint32_t) { return true; }, [&](uint32_t) { return level; });
  }
  const VertexId other = verification.source() == 0 ? 1 : 0;
  if (other < right.size()) {
    const std::unique_ptr<State> wrong = verification.RunFrom(other);
    spoiler.Refused("another source", [&](std::span<uint32_t> values) {
      const std::span<uint32_t> levels = wrong->Find<uint32_t>("level");
      std::copy(levels.begin(), levels.end(), values.begin());
    });
  }
  EXPECT_GT(spoiler.num_spoilt(), right.size() > 1 ? 5u : 0u);
}

inline void SpoilParents(const Verification& verification,
                         const std::set<std::pair<VertexId, VertexId>>& edges) {
  Spoiler<uint32_t> spoiler(verification, "parent");
  const auto& right = spoiler.right();
  const VertexId num_vertices = static_cast<VertexId>(right.size());
  for (const VertexId vertex : Places(right.size())) {
    spoiler.RefusedAt(vertex, {kNone, vertex, num_vertices, kNone - 1});
    for (const VertexId parent : Places(right.size())) {
      if (edges.contains({parent, vertex})) continue;
      spoiler.RefusedAt(vertex, {parent});
      break;
    }
  }
  spoiler.Refused("a cycle of two", [&](std::span<uint32_t> parents) {
    for (VertexId vertex = 0; vertex < num_vertices; ++vertex) {
      const VertexId parent = right[vertex];
      if (parent != kNone && parent != vertex) {
        parents[parent] = vertex;
        break;
      }
    }
  });
  const auto reached = [](uint32_t parent) { return parent != kNone; };
  spoiler.RefusedWhere("all below the source", reached,
                       [&](uint32_t) { return verification.source(); });
  spoiler.RefusedWhere("none reached", reached, [](uint32_t) { return kNone; });
}

inline void SpoilComponents(const Verification& verification) {
  Spoiler<uint32_t> spoiler(verification, "component");
  const auto& right = spoiler.right();
  const VertexId num_vertices = static_cast<VertexId>(right.size());
  for (const VertexId vertex : Places(right.size())) {
    spoiler.RefusedAt(vertex, {vertex, 0, vertex + 1, num_vertices, num_vertices - 1, kNone});
  }
  const std::set<VertexId> labels(right.begin(), right.end());
  const auto relabel = [](VertexId from, VertexId to) {
    return [=](uint32_t label) { return label == from ? to : label; };
  };
  const auto any = [](uint32_t) { return true; };
  for (const VertexId label : {*labels.begin(), *labels.rbegin()}) {
    for (const VertexId other : {*labels.begin(), *labels.rbegin(), label + 1}) {
      spoiler.RefusedWhere(StrCat(label, " merged with or called ", other), any,
                           relabel(label, other));
    }
    std::vector<VertexId> members;
    for (VertexId vertex = 0; vertex < num_vertices; ++vertex) {
      if (right[vertex] == label) members.push_back(vertex);
    }
    spoiler.Refused("split in two", [&](std::span<uint32_t> values) {
      const size_t half = members.size() / 2;
      for (size_t i = half; half > 0 && i < members.size(); ++i) values[members[i]] = members[half];
    });
    spoiler.Refused("called by the last member", [&](std::span<uint32_t> values) {
      for (const VertexId member : members) values[member] = members.back();
    });
  }
  spoiler.RefusedWhere("all in one", any, [](uint32_t) { return 0u; });
  spoiler.Refused("all alone",
                  [](std::span<uint32_t> values) { std::iota(values.begin(), values.end(), 0u); });
}

/// Spoils a centrality, whose array is called `array`.
inline void SpoilScores(const Verification& verification, const char* array) {
  Spoiler<double> spoiler(verification, array);
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const double score = right[vertex];
    spoiler.RefusedAt(vertex, {score + 1, -1, score * 1.001, kInfinity,
                               std::numeric_limits<double>::quiet_NaN()});
  }
  const auto some = [](double score) { return score > 0; };
  spoiler.RefusedWhere("twice as much", some, [](double score) { return 2 * score; });
  spoiler.RefusedWhere("nothing", some, [](double) { return 0.0; });
}

inline void SpoilCores(const Verification& verification) {
  Spoiler<uint32_t> spoiler(verification, "core");
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const uint32_t core = right[vertex];
    spoiler.RefusedAt(vertex, {core + 1, core - 1, 0, 1, kNone});
  }
  const auto any = [](uint32_t) { return true; };
  spoiler.RefusedWhere("all one more", any, [](uint32_t core) { return core + 1; });
  spoiler.RefusedWhere("none", any, [](uint32_t) { return 0u; });
  for (const uint32_t from : {1u, 2u, 3u}) {
    const auto beyond = [&](uint32_t core) { return core >= from; };
    spoiler.RefusedWhere(StrCat("from core ", from, " one less"), beyond,
                         [](uint32_t core) { return core - 1; });
    spoiler.RefusedWhere(StrCat("no core beyond ", from), beyond, [&](uint32_t) { return from; });
  }
}

template <typename T>
void SpoilDistances(const Verification& verification) {
  Spoiler<T> spoiler(verification, "distance");
  const auto& right = spoiler.right();
  constexpr bool kReal = std::is_floating_point_v<T>;
  const T unreached = kReal ? static_cast<T>(kInfinity) : std::numeric_limits<T>::max();
  for (const VertexId vertex : Places(right.size())) {
    const T distance = right[vertex];
    spoiler.RefusedAt(vertex, {static_cast<T>(distance + 1), static_cast<T>(distance - 1), 0,
                               unreached, static_cast<T>(distance / 2)});
    if constexpr (kReal) {
      spoiler.RefusedAt(vertex, {std::nan(""), -kInfinity, -1.0, std::nextafter(distance, 1e300),
                                 std::nextafter(distance, -1.0)});
    }
  }
  const auto reached = [&](T distance) { return distance != unreached; };
  spoiler.RefusedWhere("all further", reached, [](T distance) { return distance + 1; });
  spoiler.RefusedWhere("all half as far", reached,
                       [](T distance) { return static_cast<T>(distance / 2); });
  spoiler.RefusedWhere("all twice as far", reached, [](T distance) { return distance * 2; });
  for (const T from : {1, 5, 20}) {
    const auto beyond = [&](T distance) { return distance != unreached && distance >= from; };
    spoiler.RefusedWhere("beyond it further", beyond, [](T distance) { return distance + 1; });
    spoiler.RefusedWhere("beyond it nearer", beyond, [](T distance) { return distance - 1; });
    spoiler.RefusedWhere("beyond it unreached", beyond, [&](T) { return unreached; });
  }
  for (const T distance : {0, 1, 1000000}) {
    spoiler.RefusedWhere(
        "unreached ones reached", [&](T value) { return value == unreached; },
        [&](T) { return distance; });
  }
}

/// A width as the state stores it: a T for reals, or an integer plus 1.
template <typename T>
void SpoilWidths(const Verification& verification) {
  constexpr bool kReal = std::is_floating_point_v<T>;
  Spoiler<T> spoiler(verification, kReal ? "real width" : "width");
  const auto& right = spoiler.right();
  const T none = kReal ? static_cast<T>(-kInfinity) : T{0};
  for (const VertexId vertex : Places(right.size())) {
    const T width = right[vertex];
    spoiler.RefusedAt(vertex, {none, static_cast<T>(width + 1), static_cast<T>(width - 1), T{1},
                               static_cast<T>(width * 2), static_cast<T>(width / 2),
                               right[verification.source()], std::numeric_limits<T>::max()});
    if constexpr (kReal) {
      spoiler.RefusedAt(vertex, {std::nan(""), kInfinity, -1.0, std::nextafter(width, kInfinity),
                                 std::nextafter(width, -kInfinity)});
    }
  }
  const auto reached = [&](T width) { return width != none; };
  spoiler.RefusedWhere("all half as wide", reached,
                       [](T width) { return static_cast<T>(width / 2); });
  spoiler.RefusedWhere("none reached", reached, [&](T) { return none; });
  const T source = right[verification.source()];
  spoiler.RefusedWhere("all as wide as the source", reached, [&](T) { return source; });
  for (const T from : {1, 5, 20}) {
    const auto others = [&](T width) { return width != none && width != source; };
    const auto wide = [&](T width) { return others(width) && width >= from; };
    const auto narrow = [&](T width) { return others(width) && width <= from; };
    spoiler.RefusedWhere("wide ones wider", wide, [](T width) { return width + 1; });
    spoiler.RefusedWhere("wide ones narrower", wide, [](T width) { return width - 1; });
    spoiler.RefusedWhere("wide ones unreached", wide, [&](T) { return none; });
    spoiler.RefusedWhere("narrow ones wider", narrow, [](T width) { return width + 1; });
    spoiler.RefusedWhere("narrow ones unreached", narrow, [&](T) { return none; });
  }
  for (const T width : {T{1}, T{2}, T{1000000}, source}) {
    spoiler.RefusedWhere(
        "unreached ones reached", [&](T value) { return value == none; }, [&](T) { return width; });
  }
}

inline void SpoilPathCounts(const Verification& verification) {
  Spoiler<uint64_t> spoiler(verification, "paths");
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const uint64_t paths = right[vertex];
    spoiler.RefusedAt(vertex, {0, 1, 2, paths + 1, paths - 1, paths * 2, ~uint64_t{0},
                               paths + (uint64_t{1} << 32), paths + (uint64_t{1} << 63)});
  }
  const auto reached = [](uint64_t paths) { return paths > 0; };
  spoiler.RefusedWhere("none reached", reached, [](uint64_t) { return uint64_t{0}; });
  spoiler.RefusedWhere("twice as many", reached, [](uint64_t paths) { return 2 * paths; });
  spoiler.RefusedWhere("as many as doubles hold", reached, [](uint64_t paths) {
    return static_cast<uint64_t>(static_cast<double>(paths));
  });
  spoiler.RefusedWhere("one path each", reached, [](uint64_t) { return uint64_t{1}; });
  spoiler.RefusedWhere(
      "unreached ones reached", [](uint64_t paths) { return paths == 0; },
      [](uint64_t) { return uint64_t{1}; });
  for (const uint64_t from : {2, 3, 10}) {
    const auto many = [&](uint64_t paths) { return paths >= from; };
    spoiler.RefusedWhere("some more", many, [](uint64_t paths) { return paths + 1; });
    spoiler.RefusedWhere("some fewer", many, [](uint64_t paths) { return paths - 1; });
  }
}

/// Ranks, or the contribution of each rank to each out-neighbour.
template <typename T>
void SpoilRanks(const Verification& verification, std::string_view array, bool spread) {
  Spoiler<T> spoiler(verification, array);
  const auto& right = spoiler.right();
  const VertexIndexView index = verification.graph().index(Direction::kOut);
  constexpr T kInfinite = static_cast<T>(kInfinity);
  for (const VertexId vertex : Places(right.size())) {
    const T rank = right[vertex];
    const auto parts = std::is_same_v<T, float> ? std::max<EdgeIndex>(1, index.degree(vertex)) : 1;
    const T step = static_cast<T>(1e-4) / static_cast<T>(parts);
    const T nan = static_cast<T>(std::nan(""));
    spoiler.RefusedAt(vertex,
                      {rank + step, rank - step, -rank, nan, kInfinite, -kInfinite, 1 + rank});
  }
  const auto all = [](T) { return true; };
  for (const double factor : {0.0, 0.5, 0.9999, 1.0001, 2.0, -1.0, kInfinity, std::nan("")}) {
    spoiler.RefusedWhere(StrCat("times ", factor), all,
                         [&](T rank) { return static_cast<T>(rank * factor); });
  }
  if (!spread || std::is_same_v<T, float>) return;
  spoiler.Refused("two ranks exchanged", [](std::span<T> ranks) {
    const auto [least, greatest] = std::minmax_element(ranks.begin(), ranks.end());
    if (*greatest - *least > 1e-4) std::swap(*least, *greatest);
  });
}

inline void SpoilValues(const Verification& verification) {
  Spoiler<float> spoiler(verification, "value");
  const auto& right = spoiler.right();
  constexpr auto kInfinite = static_cast<float>(kInfinity);
  for (const VertexId vertex : Places(right.size())) {
    const float value = right[vertex];
    spoiler.RefusedAt(vertex,
                      {value + 1e-3f, value - 1e-3f, value + 1, -2, std::nanf(""), kInfinite});
  }
  const auto some = [](float value) { return std::abs(value) > 1e-2f; };
  for (const float factor : {0.0f, 0.9f, 1.1f, -1.0f, kInfinite}) {
    spoiler.RefusedWhere(StrCat("times ", factor), some,
                         [factor](float value) { return value * factor; });
  }
  spoiler.Refused("two values exchanged", [](std::span<float> values) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    if (*greatest - *least > 1e-2f) std::swap(*least, *greatest);
  });
}

/// A path to the last vertex.
template <typename Prepare>
void SpoilSteps(Prepare prepare, uint64_t source, uint64_t target, bool weighted) {
  RunOptions options{.algorithm = "path",
                     .values = {{"--source", source}, {"--target", InputVertex{target}}}};
  if (weighted) options.values.Set("--weighted", true);
  const Verification verification = prepare(options);
  Spoiler<uint32_t> spoiler(verification, "links");
  const auto& right = spoiler.right();
  for (const VertexId vertex : Places(right.size())) {
    const uint32_t step = right[vertex];
    spoiler.RefusedAt(vertex, {step + 1, step - 1, 0, 1, 5, kNone});
  }
  spoiler.RefusedWhere(
      "no path", [](uint32_t) { return true; }, [](uint32_t) { return kNone; });
}

/// Values that iterations give, which may be scaled in the end. A change counts where it is not
/// tiny beside the greatest value.
inline void SpoilIterations(const Verification& verification, const char* array) {
  Spoiler<double> spoiler(verification, array);
  const auto& right = spoiler.right();
  const double most = right.empty() ? 0 : *std::max_element(right.begin(), right.end());
  const double step = most / 100;
  for (const VertexId vertex : Places(right.size())) {
    const double value = right[vertex];
    spoiler.RefusedAt(vertex, {kInfinity, -kInfinity, std::nan("")});
    if (most == 0) continue;
    spoiler.RefusedAt(vertex, {value + step, value - step, value + most, -most});
    if (value > step) spoiler.RefusedAt(vertex, {0, 2 * value});
  }
}

/// Answers of ppr, katz, hits, eigenvector, and strengths.
template <typename Prepare>
void SpoilIterated(Prepare prepare, bool has_weights) {
  const auto spoil = [&](RunOptions options, const char* array) {
    SpoilIterations(prepare(options), array);
    if (!has_weights) return;
    options.values.Set("--weighted", true);
    SpoilIterations(prepare(options), array);
  };
  for (const uint64_t iterations : {2, 60}) {
    const auto run = [&](std::string name) {
      return RunOptions{.algorithm = std::move(name), .values = {{"--iterations", iterations}}};
    };
    spoil(run("ppr"), "share");
    spoil(run("eigenvector"), "value");
    spoil(run("hits"), "hub");
    spoil(run("hits"), "authority");
  }
  SpoilIterations(
      prepare({.algorithm = "katz", .values = {{"--alpha", 1e-3}, {"--iterations", 3}}}), "value");
  if (!has_weights) return;
  SpoilScores(prepare({.algorithm = "degrees", .values = {{"--weighted", true}}}), "strength");
}

}  // namespace edgemill::verification
