#include "bench/trials/source_picker.h"

#include <algorithm>
#include <memory>
#include <random>

#include "common/cancel.h"
#include "engine/graph/id_map.h"
#include "engine/graph/vertex_index.h"
#include "storage/read/block_reader.h"

namespace edgemill::bench {
namespace {

/// Draws in a row without a source, after which the search ends.
constexpr uint64_t kMaxDraws = 1'000'000;

/// A number below `bound`, all with the same probability. Draws again when the generator's number
/// is above the last whole multiple of `bound`.
uint64_t Draw(std::mt19937_64& random, uint64_t bound) {
  const uint64_t rest = (std::mt19937_64::max() % bound + 1) % bound;
  while (true) {
    const uint64_t value = random();
    if (value <= std::mt19937_64::max() - rest) return value % bound;
  }
}

/// How many vertices have out-edges, but at most `most`.
uint64_t CountSources(const VertexIndexView& index, uint64_t num_vertices, uint64_t most) {
  uint64_t count = 0;
  for (uint64_t vertex = 0; vertex < num_vertices && count < most; ++vertex) {
    if (index.degree(static_cast<VertexId>(vertex)) > 0) ++count;
  }
  return count;
}

}  // namespace

StatusOr<std::vector<ExternalId>> PickSources(const GraphStore& store, const SourceDraws& draws,
                                              int threads, MemoryBudget& budget,
                                              Progress& progress) {
  const GraphInfo& info = store.info();
  BlockReaderOptions options;
  options.buffer_bytes = BlockReader::MinimumBufferBytes(store, threads);
  options.threads = threads;
  ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                   BlockReader::Create(store, options, budget));
  progress.StartStage("choosing sources", "vertices", info.num_vertices + 1);
  ASSIGN_OR_RETURN(const VertexIndex index,
                   VertexIndex::Load({store, *reader, threads, budget, progress}, Direction::kOut));
  IdMap ids(store, *reader);
  std::mt19937_64 random(draws.seed);
  std::vector<ExternalId> sources;
  uint64_t fruitless = 0, count = draws.count;
  if (draws.distinct && info.num_edges > 0) {
    count = CountSources(index.view(), info.num_vertices, draws.count);
  }
  while (sources.size() < count) {
    RETURN_IF_ERROR(CheckCancelled());
    if (info.num_edges == 0 || ++fruitless > kMaxDraws) {
      return UsageError(StrCat(store.path(),
                               ": hardly any vertex has out-edges, and none was found",
                               " to start at: give one with -r"));
    }
    ASSIGN_OR_RETURN(const auto place, ids.At(Draw(random, info.num_vertices)));
    if (index.view().degree(place.second) == 0) continue;
    const bool again = std::find(sources.begin(), sources.end(), place.first) != sources.end();
    if (draws.distinct && again) continue;
    sources.push_back(place.first);
    fruitless = 0;
  }
  return sources;
}

}  // namespace edgemill::bench
