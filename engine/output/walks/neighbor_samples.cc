#include "engine/output/walks/neighbor_samples.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "common/buffer.h"
#include "common/cancel.h"
#include "common/check.h"
#include "common/threads/parallel.h"
#include "common/threads/parallel_sort.h"
#include "engine/output/walks/resident_blocks.h"
#include "engine/output/walks/saturating.h"
#include "engine/output/walks/walk_random.h"

namespace edgemill {
namespace {

constexpr size_t kSampleGrain = 16;                   // samples a thread takes at a time
constexpr size_t kReadGrain = size_t{1} << 12;        // edges that a thread reads at a time
constexpr uint64_t kEnoughEdges = uint64_t{1} << 22;  // of a batch where all blocks are in memory

/// An edge to be read, and the place in the batch for its neighbour.
struct WantedEdge {
  EdgeIndex edge;
  uint64_t place;
};

/// The samples of one batch. Each has space for the most edges that a sample may have.
class SampleBatch {
 public:
  /// Bytes of a sample: its edges, the edges that are wanted, and vertices while they are found.
  static uint64_t BytesOf(const SampleOptions& options) {
    const uint64_t each = sizeof(SampledEdge) + 2 * sizeof(WantedEdge) + 2 * sizeof(VertexId);
    const uint64_t beside = each + (options.fanouts.size() + 2) * sizeof(uint64_t);
    return SaturatingSum(SaturatingProduct(MostSampledEdges(options), each), beside);
  }

  static StatusOr<std::unique_ptr<SampleBatch>> Create(const GraphContext& context,
                                                       const SampleOptions& options,
                                                       ResidentBlocks& blocks, uint64_t capacity);
  /// Takes the samples of starts `first` to `first` + `count` - 1.
  Status Take(std::span<const VertexId> starts, uint64_t first, uint64_t count);
  NeighborSample At(uint64_t i) const {
    const size_t hops = options_.fanouts.size();
    return {first_ + i, edges_.span().subspan(i * most_edges_, hop_ends_[(i + 1) * hops - 1]),
            hop_ends_.span().subspan(i * hops, hops)};
  }
  uint64_t num_edges() const { return num_edges_; }

 private:
  struct FoundSizes {
    uint64_t known = 0, asked = 0;
  };

  SampleBatch(const GraphContext& context, const SampleOptions& options, ResidentBlocks& blocks)
      : context_(context),
        options_(options),
        blocks_(blocks),
        most_edges_(MostSampledEdges(options)) {}

  /// Finds the vertices of sample `i` whose edges hop `hop` takes.
  void FindAsked(uint64_t i, size_t hop, VertexId start);
  /// Writes which edges of the asked vertices sample `i` takes, from place `at` of wanted_ on.
  void Choose(uint64_t i, size_t hop, uint64_t at);
  uint64_t NumTaken(uint64_t degree, uint64_t fanout) const {
    if (degree == 0) return 0;
    return options_.replace ? fanout : std::min(degree, fanout);
  }
  /// Reads the neighbours of the first `count` wanted edges.
  Status Read(uint64_t count);
  /// The vertices of sample `i` that were found: those that are asked next, and all before.
  std::span<VertexId> Found(uint64_t i) {
    return found_.span().subspan(i * (most_edges_ + 1), most_edges_ + 1);
  }

  const GraphContext& context_;
  const SampleOptions& options_;
  ResidentBlocks& blocks_;
  const uint64_t most_edges_;
  uint64_t first_ = 0;
  uint64_t num_edges_ = 0;
  MemoryReservation reservation_;
  Array<SampledEdge> edges_;
  Array<uint64_t> hop_ends_;
  Array<VertexId> found_;    // by sample: known vertices, rising, then those asked now, rising
  Array<FoundSizes> sizes_;  // by sample, of found_
  Array<WantedEdge> wanted_;
};

StatusOr<std::unique_ptr<SampleBatch>> SampleBatch::Create(const GraphContext& context,
                                                           const SampleOptions& options,
                                                           ResidentBlocks& blocks,
                                                           uint64_t capacity) {
  std::unique_ptr<SampleBatch> batch(new SampleBatch(context, options, blocks));
  const uint64_t most = batch->most_edges_;
  ASSIGN_OR_RETURN(batch->reservation_,
                   context.budget.Reserve(capacity * BytesOf(options), "samples"));
  ASSIGN_OR_RETURN(batch->edges_, Array<SampledEdge>::Allocate(capacity * most));
  ASSIGN_OR_RETURN(batch->hop_ends_, Array<uint64_t>::Allocate(capacity * options.fanouts.size()));
  ASSIGN_OR_RETURN(batch->found_, Array<VertexId>::Allocate(capacity * (most + 1)));
  ASSIGN_OR_RETURN(batch->sizes_, Array<FoundSizes>::Allocate(capacity));
  ASSIGN_OR_RETURN(batch->wanted_, Array<WantedEdge>::Allocate(capacity * most));
  return batch;
}

Status SampleBatch::Take(std::span<const VertexId> starts, uint64_t first, uint64_t count) {
  first_ = first;
  const size_t hops = options_.fanouts.size();
  std::vector<uint64_t> places(count + 1);
  for (size_t hop = 0; hop < hops; ++hop) {
    ForEachChunk(count, kSampleGrain, context_.threads, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        FindAsked(i, hop, starts[first + i]);
        uint64_t taken = 0;
        for (const VertexId vertex : Found(i).subspan(sizes_[i].known, sizes_[i].asked)) {
          taken += NumTaken(blocks_.index().degree(vertex), options_.fanouts[hop]);
        }
        places[i + 1] = taken;
        hop_ends_[i * hops + hop] = taken + (hop == 0 ? 0 : hop_ends_[i * hops + hop - 1]);
      }
    });
    places[0] = 0;
    for (uint64_t i = 0; i < count; ++i) places[i + 1] += places[i];
    CHECK_LE(places[count], wanted_.size());
    ForEachChunk(count, kSampleGrain, context_.threads, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) Choose(i, hop, places[i]);
    });
    num_edges_ += places[count];
    RETURN_IF_ERROR(Read(places[count]));
  }
  context_.progress.Advance(count);
  return OkStatus();
}

void SampleBatch::FindAsked(uint64_t i, size_t hop, VertexId start) {
  const std::span<VertexId> found = Found(i);
  if (hop == 0) {
    found[0] = start;
    sizes_[i].known = 0;
    sizes_[i].asked = 1;
    return;
  }
  const size_t hops = options_.fanouts.size();
  // Those asked in the hop before are known from here on.
  const uint64_t known = sizes_[i].known + sizes_[i].asked;
  std::inplace_merge(found.begin(), found.begin() + static_cast<int64_t>(sizes_[i].known),
                     found.begin() + static_cast<int64_t>(known));
  uint64_t end = known;
  const uint64_t from = hop == 1 ? 0 : hop_ends_[i * hops + hop - 2];
  const auto taken = edges_.span().subspan(i * most_edges_ + from);
  for (uint64_t k = 0; k < hop_ends_[i * hops + hop - 1] - from; ++k) {
    const VertexId neighbor = taken[k].neighbor;
    const auto known_end = found.begin() + static_cast<int64_t>(known);
    if (!std::binary_search(found.begin(), known_end, neighbor)) found[end++] = neighbor;
  }
  const auto asked = found.begin() + static_cast<int64_t>(known);
  std::sort(asked, found.begin() + static_cast<int64_t>(end));
  const auto last = std::unique(asked, found.begin() + static_cast<int64_t>(end));
  sizes_[i].known = known;
  sizes_[i].asked = static_cast<uint64_t>(last - asked);
}

/// Draws different numbers below `size` into the edges of `drawn`, rising. They are at most half of
/// all. Uses the places of `drawn`. Numbers that were drawn before are drawn anew, all at once.
void DrawDistinct(uint64_t key, uint64_t size, std::span<WantedEdge> drawn) {
  const auto less = [](const WantedEdge& a, const WantedEdge& b) { return a.edge < b.edge; };
  uint64_t draws = 0;
  for (size_t known = 0; known < drawn.size();) {
    const std::span<WantedEdge> more = drawn.subspan(known);
    for (WantedEdge& one : more) one.edge = BitsBelow(PartOfKey(key, draws++), size);
    std::sort(more.begin(), more.end(), less);
    size_t merged = 0;
    for (size_t i = 0, k = known; i < known || k < drawn.size();) {
      const bool is_known = k == drawn.size() || (i < known && drawn[i].edge <= drawn[k].edge);
      const EdgeIndex next = is_known ? drawn[i++].edge : drawn[k++].edge;
      if (merged == 0 || drawn[merged - 1].place != next) drawn[merged++].place = next;
    }
    for (size_t i = 0; i < merged; ++i) drawn[i].edge = drawn[i].place;
    known = merged;
  }
}

/// Chooses as many of `size` numbers as `chosen` has, without repetition, and writes them to its
/// edges, rising. They are no more than `size`. Uses the places of `chosen`.
void ChooseDistinct(uint64_t key, uint64_t size, std::span<WantedEdge> chosen) {
  constexpr uint64_t kFew = 64;  // that are faster searched one by one
  const uint64_t count = chosen.size();
  if (count <= kFew) {  // Floyd's algorithm (Bentley, CACM 1987)
    for (uint64_t k = 0; k < count; ++k) {
      const uint64_t i = size - count + k;
      uint64_t number = BitsBelow(PartOfKey(key, i), i + 1);
      for (uint64_t j = 0; j < k; ++j) {
        if (chosen[j].edge == number) number = i;
      }
      chosen[k].edge = number;
    }
    std::sort(chosen.begin(), chosen.end(),
              [](const WantedEdge& a, const WantedEdge& b) { return a.edge < b.edge; });
    return;
  }
  if (count <= size / 2) return DrawDistinct(key, size, chosen);
  // Those that are left out are fewer: they are drawn, and kept in the places.
  const std::span<WantedEdge> left_out = chosen.first(size - count);
  DrawDistinct(key, size, left_out);
  uint64_t number = 0, passed = 0;
  for (WantedEdge& one : chosen) {
    for (; passed < left_out.size() && left_out[passed].place == number; ++passed) ++number;
    one.edge = number++;
  }
}

void SampleBatch::Choose(uint64_t i, size_t hop, uint64_t at) {
  const size_t hops = options_.fanouts.size();
  const uint64_t fanout = options_.fanouts[hop];
  uint64_t place = i * most_edges_ + (hop == 0 ? 0 : hop_ends_[i * hops + hop - 1]);
  const uint64_t key = WalkKey(options_.seed, first_ + i);
  for (const VertexId vertex : Found(i).subspan(sizes_[i].known, sizes_[i].asked)) {
    const EdgeIndex first = blocks_.index().first_edge(vertex);
    const uint64_t degree = blocks_.index().first_edge(vertex + 1) - first;
    const std::span<WantedEdge> taken = wanted_.span().subspan(at, NumTaken(degree, fanout));
    const uint64_t vertex_key = PartOfKey(key, vertex);
    if (options_.replace) {
      for (uint64_t k = 0; k < taken.size(); ++k) {
        taken[k].edge = BitsBelow(PartOfKey(vertex_key, k), degree);
      }
    } else if (taken.size() == degree) {
      for (uint64_t k = 0; k < degree; ++k) taken[k].edge = k;
    } else {
      ChooseDistinct(vertex_key, degree, taken);
    }
    for (WantedEdge& one : taken) {
      one = {first + one.edge, place};
      edges_[place++].vertex = vertex;
    }
    at += taken.size();
  }
}

Status SampleBatch::Read(uint64_t count) {
  const std::span<WantedEdge> wanted = wanted_.span().first(count);
  const auto read = [&](std::span<const WantedEdge> some) {
    ForEachChunk(some.size(), kReadGrain, context_.threads, [&](size_t begin, size_t end) {
      for (size_t k = begin; k < end; ++k) {
        edges_[some[k].place].neighbor = *blocks_.TargetAt(some[k].edge);
      }
    });
  };
  if (blocks_.num_slots() == blocks_.num_blocks()) {
    read(wanted);
    return CheckCancelled();
  }
  ParallelSort(wanted, context_.threads, [](const WantedEdge& a, const WantedEdge& b) {
    return std::pair(a.edge, a.place) < std::pair(b.edge, b.place);
  });
  std::vector<uint64_t> some;
  for (size_t begin = 0; begin < wanted.size();) {
    RETURN_IF_ERROR(CheckCancelled());
    some.clear();
    size_t end = begin;
    for (; end < wanted.size(); ++end) {
      const uint64_t block = blocks_.BlockOf(wanted[end].edge);
      if (!some.empty() && some.back() == block) continue;
      if (some.size() == blocks_.num_slots()) break;
      some.push_back(block);
    }
    RETURN_IF_ERROR(blocks_.Load(some));
    read(wanted.subspan(begin, end - begin));
    begin = end;
  }
  return OkStatus();
}

}  // namespace

uint64_t MostSampledEdges(const SampleOptions& options) {
  uint64_t sum = 0, hop = 1;
  for (const uint64_t fanout : options.fanouts) {
    hop = SaturatingProduct(hop, fanout);
    sum = SaturatingSum(sum, hop);
  }
  return sum;
}

uint64_t SampleMemoryBytes(const GraphInfo& info, const SampleOptions& options) {
  const ResidentBlocks::Needs needs{options.neighbors};
  const uint64_t beside =
      ResidentBlocks::FixedBytes(info, needs) +
      std::min<uint64_t>(info.num_blocks(), 1) * ResidentBlocks::SlotBytes(info, needs);
  return SaturatingSum(beside, SampleBatch::BytesOf(options));
}

StatusOr<SampleCounts> SampleNeighbors(const GraphContext& context,
                                       std::span<const VertexId> starts,
                                       const SampleOptions& options, const SampleSink& sink) {
  CHECK(!options.fanouts.empty());
  const GraphInfo& info = context.store.info();
  SampleCounts counts{.blocks = info.num_blocks()};
  if (starts.empty()) return counts;
  const ResidentBlocks::Needs needs{options.neighbors};
  ASSIGN_OR_RETURN(const std::unique_ptr<ResidentBlocks> blocks,
                   ResidentBlocks::Create(context, needs));
  const uint64_t bytes = context.budget.available_bytes();
  const uint64_t sample_bytes = SampleBatch::BytesOf(options);
  const uint64_t slot_bytes = ResidentBlocks::SlotBytes(info, needs);
  const uint64_t enough = std::min<uint64_t>(
      starts.size(), std::max<uint64_t>(kEnoughEdges / MostSampledEdges(options), 1));
  uint64_t slots = info.num_blocks();
  uint64_t samples = enough;
  if (SaturatingSum(slots * slot_bytes, SaturatingProduct(samples, sample_bytes)) > bytes) {
    const uint64_t half = std::max(bytes / 2 / sample_bytes, uint64_t{1});
    samples = std::min<uint64_t>(starts.size(), half);
    const uint64_t taken = std::min(bytes, SaturatingProduct(samples, sample_bytes));
    slots = std::min(slots, (bytes - taken) / slot_bytes);
    slots = std::max(slots, std::min<uint64_t>(info.num_blocks(), 1));
    if (bytes > slots * slot_bytes && samples * sample_bytes > bytes - slots * slot_bytes) {
      samples = std::max<uint64_t>((bytes - slots * slot_bytes) / sample_bytes, 1);
    }
  }
  RETURN_IF_ERROR(blocks->Prepare(slots));
  ASSIGN_OR_RETURN(const std::unique_ptr<SampleBatch> batch,
                   SampleBatch::Create(context, options, *blocks, samples));
  context.progress.StartStage("sampling", "samples", starts.size());
  for (bool goes_on = true; goes_on && counts.samples < starts.size(); ++counts.batches) {
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t count = std::min<uint64_t>(samples, starts.size() - counts.samples);
    RETURN_IF_ERROR(batch->Take(starts, counts.samples, count));
    ASSIGN_OR_RETURN(goes_on, sink.take(count, [&](uint64_t i) { return batch->At(i); }));
    counts.samples += count;
  }
  counts.edges = batch->num_edges();
  counts.blocks_read = blocks->blocks_read();
  return counts;
}

}  // namespace edgemill
