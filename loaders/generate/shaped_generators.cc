// Graphs with a shape: web crawls, roads, grids, paths and stars. A chunk has the edges of a range
// of vertices.
#include <algorithm>
#include <cmath>

#include "common/random.h"
#include "loaders/generate/generator_source.h"

namespace edgemill {
namespace {

constexpr uint64_t kChunkVertices = 16384;
/// The lists of a web chunk copy only from lists of the same chunk.
constexpr uint64_t kWebChunkVertices = 4096;
constexpr uint64_t kCopyWindow = 8;

uint64_t NumChunks(uint64_t num_vertices, uint64_t chunk_vertices) {
  return (num_vertices + chunk_vertices - 1) / chunk_vertices;
}

/// Calls `body(v)` for each vertex of chunk `number`.
template <typename Body>
void ForChunk(uint64_t number, uint64_t num_vertices, uint64_t chunk_vertices, Body body) {
  const uint64_t end = std::min(num_vertices, (number + 1) * chunk_vertices);
  for (uint64_t v = number * chunk_vertices; v < end; ++v) body(v);
}

void AddEdge(EdgeChunk* chunk, uint64_t source, uint64_t target) {
  chunk->narrow.push_back({static_cast<uint32_t>(source), static_cast<uint32_t>(target)});
}

/// The size of a web.
struct WebSize {
  uint64_t num_vertices;
  uint64_t degree;  // on average
};

/// Makes an ascending list of targets for `v`. It has most targets of `model`, some targets near
/// `v`, and a few anywhere, of which low ids are more frequent.
void MakeWebList(uint64_t v, const WebSize& web, const std::vector<uint32_t>* model, Random& random,
                 std::vector<uint32_t>* list) {
  const auto [num_vertices, degree] = web;
  list->clear();
  // Degrees follow a power law: most lists are short, a few have hundreds of targets.
  const double unit = std::max(random.Unit(), 1e-6);
  const auto wanted =
      static_cast<uint64_t>(std::min(0.5 * static_cast<double>(degree) / std::sqrt(unit), 4096.0));
  if (model != nullptr) {
    for (const uint32_t target : *model) {
      if (random.Below(8) != 0) list->push_back(target);
    }
  }
  uint64_t run = v;
  while (list->size() < wanted) {
    const uint64_t kind = random.Below(16);
    if (kind < 7) {
      run = (run + 1) % num_vertices;  // like navigation links: consecutive neighbours
    } else if (kind < 15) {
      const uint64_t range = uint64_t{1} << (2 + random.Below(9));
      run = (v + num_vertices + random.Below(2 * range) - range % num_vertices) % num_vertices;
    } else {
      const double place = random.Unit();
      run = static_cast<uint64_t>(place * place * place * static_cast<double>(num_vertices));
    }
    list->push_back(static_cast<uint32_t>(run));
  }
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

}  // namespace

GeneratorPlan PlanWeb(uint64_t num_vertices, uint64_t degree, uint64_t seed) {
  GeneratorPlan plan;
  plan.num_vertices = num_vertices;
  plan.expected_edges = num_vertices * degree;
  plan.undirected = false;
  plan.num_chunks = NumChunks(num_vertices, kWebChunkVertices);
  plan.make = [=](uint64_t number, EdgeChunk* chunk) {
    Random random(Mix64(seed) + number);
    std::vector<std::vector<uint32_t>> recent(kCopyWindow);
    uint64_t made = 0;
    ForChunk(number, num_vertices, kWebChunkVertices, [&](uint64_t v) {
      const uint64_t back = 1 + random.Below(kCopyWindow - 1);
      const bool copies = back <= made && random.Below(10) < 7;
      std::vector<uint32_t>& list = recent[made % kCopyWindow];
      MakeWebList(v, {num_vertices, degree},
                  copies ? &recent[(made - back) % kCopyWindow] : nullptr, random, &list);
      for (const uint32_t target : list) AddEdge(chunk, v, target);
      ++made;
    });
  };
  return plan;
}

GeneratorPlan PlanGrid(uint64_t num_vertices, bool road, uint64_t seed) {
  const auto columns = static_cast<uint64_t>(
      std::max(1.0, std::floor(std::sqrt(static_cast<double>(num_vertices)))));
  const uint64_t rows = (num_vertices + columns - 1) / columns;
  GeneratorPlan plan;
  plan.num_vertices = rows * columns;
  plan.expected_edges = 2 * plan.num_vertices;
  plan.weighted = road;
  plan.num_chunks = NumChunks(plan.num_vertices, kChunkVertices);
  plan.make = [=, total = plan.num_vertices](uint64_t number, EdgeChunk* chunk) {
    Random random(Mix64(seed) + number);
    const auto add = [&](uint64_t v, uint64_t w, uint64_t of_six) {
      if (road && random.Below(6) >= of_six) return;
      AddEdge(chunk, v, w);
      if (road) chunk->weights.push_back(static_cast<double>(1 + random.Below(100)));
    };
    ForChunk(number, total, kChunkVertices, [&](uint64_t v) {
      const bool has_right = v % columns + 1 < columns;
      const bool has_lower = v + columns < total;
      if (has_right) add(v, v + 1, 5);
      if (has_lower) add(v, v + columns, 5);
      if (road && has_right && has_lower && random.Below(16) == 0) add(v, v + columns + 1, 6);
    });
  };
  return plan;
}

GeneratorPlan PlanPath(uint64_t num_vertices) {
  GeneratorPlan plan;
  plan.num_vertices = num_vertices;
  plan.expected_edges = num_vertices;
  plan.num_chunks = NumChunks(num_vertices, kChunkVertices);
  plan.make = [=](uint64_t number, EdgeChunk* chunk) {
    ForChunk(number, num_vertices, kChunkVertices, [&](uint64_t v) {
      if (v + 1 < num_vertices) AddEdge(chunk, v, v + 1);
    });
  };
  return plan;
}

GeneratorPlan PlanStar(uint64_t num_vertices) {
  GeneratorPlan plan = PlanPath(num_vertices);
  plan.make = [=](uint64_t number, EdgeChunk* chunk) {
    ForChunk(number, num_vertices, kChunkVertices, [&](uint64_t v) {
      if (v > 0) AddEdge(chunk, 0, v);
    });
  };
  return plan;
}

}  // namespace edgemill
