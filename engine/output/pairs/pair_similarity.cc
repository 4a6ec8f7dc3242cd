#include "engine/output/pairs/pair_similarity.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/check.h"
#include "common/threads/parallel.h"
#include "common/threads/parallel_sort.h"
#include "engine/graph/graph_blocks.h"
#include "engine/graph/graph_indexes.h"
#include "engine/output/pairs/holder_counts.h"
#include "engine/output/pairs/neighbor_sets.h"

namespace edgemill {
namespace {

/// A pair by the places of its vertices among all vertices in pairs; the lesser place is first.
struct PlacedPair {
  uint32_t one, other;
  uint32_t number;  // of the pair
};
constexpr uint64_t kPairBytes = 2 * sizeof(VertexId) + sizeof(PlacedPair);

/// Vertices in pairs, by place: [begin, end).
struct Part {
  size_t begin, end;
};

/// The pairs, and their vertices in parts.
class PlacedPairs {
 public:
  static StatusOr<PlacedPairs> Make(const GraphContext& context, std::span<const VertexPair> pairs);

  /// The vertices in pairs, rising, each once.
  std::span<const VertexId> vertices() const { return ends_.span().first(num_vertices_); }
  std::span<const VertexId> VerticesOf(size_t part) const {
    return vertices().subspan(parts_[part].begin, parts_[part].end - parts_[part].begin);
  }
  /// Divides the vertices into parts whose sets take at most `bytes`, at least a vertex each, and
  /// sorts the pairs by their parts.
  void Divide(const PairLists& source, uint64_t bytes);
  size_t num_parts() const { return parts_.size(); }
  size_t PartOf(uint32_t place) const {
    const auto after =
        std::upper_bound(parts_.begin(), parts_.end(), place,
                         [](uint32_t p, const Part& part) { return p < part.begin; });
    return static_cast<size_t>(after - parts_.begin()) - 1;
  }
  /// The number of a vertex in its part.
  size_t InPart(size_t part, uint32_t place) const { return place - parts_[part].begin; }
  std::span<const PlacedPair> pairs() const { return pairs_.span(); }
  /// The first of `pairs`, as long as `is_like` them.
  template <typename Test>
  static std::span<const PlacedPair> TakeWhile(std::span<const PlacedPair> pairs, Test is_like) {
    const auto end = std::partition_point(pairs.begin(), pairs.end(), is_like);
    return pairs.first(static_cast<size_t>(end - pairs.begin()));
  }

 private:
  MemoryReservation reservation_;
  Array<VertexId> ends_;
  size_t num_vertices_ = 0;
  Array<PlacedPair> pairs_;
  std::vector<Part> parts_;
};

StatusOr<PlacedPairs> PlacedPairs::Make(const GraphContext& context,
                                        std::span<const VertexPair> pairs) {
  PlacedPairs made;
  ASSIGN_OR_RETURN(made.reservation_,
                   context.budget.Reserve(pairs.size() * kPairBytes, "the order of pairs"));
  ASSIGN_OR_RETURN(made.ends_, Array<VertexId>::Allocate(2 * pairs.size()));
  ASSIGN_OR_RETURN(made.pairs_, Array<PlacedPair>::Allocate(pairs.size()));
  for (size_t i = 0; i < pairs.size(); ++i) {
    made.ends_[2 * i] = pairs[i].one;
    made.ends_[2 * i + 1] = pairs[i].other;
  }
  ParallelSort(made.ends_.span(), context.threads, std::less<>());
  made.num_vertices_ =
      static_cast<size_t>(std::unique(made.ends_.begin(), made.ends_.end()) - made.ends_.begin());
  const std::span<const VertexId> vertices = made.vertices();
  constexpr size_t kGrain = 4096;
  ForEachChunk(pairs.size(), kGrain, context.threads, [&](size_t begin, size_t end) {
    const auto place_of = [&](VertexId vertex) {
      const auto at = std::lower_bound(vertices.begin(), vertices.end(), vertex);
      return static_cast<uint32_t>(at - vertices.begin());
    };
    for (size_t i = begin; i < end; ++i) {
      const uint32_t one = place_of(pairs[i].one), other = place_of(pairs[i].other);
      made.pairs_[i] = {std::min(one, other), std::max(one, other), static_cast<uint32_t>(i)};
    }
  });
  return made;
}

void PlacedPairs::Divide(const PairLists& source, uint64_t bytes) {
  uint64_t taken = 0;
  for (size_t place = 0; place < num_vertices_; ++place) {
    const uint64_t more = NeighborSets::BytesOf(source, ends_[place]);
    if (parts_.empty() || taken + more > bytes) {
      parts_.push_back({place, place});
      taken = 0;
    }
    taken += more;
    parts_.back().end = place + 1;
  }
  const auto by_place = [](const PlacedPair& a, const PlacedPair& b) {
    return std::tie(a.one, a.other, a.number) < std::tie(b.one, b.other, b.number);
  };
  if (parts_.size() == 1) return ParallelSort(pairs_.span(), source.threads, by_place);
  const auto parts_of = [this](const PlacedPair& pair) {
    return std::pair(PartOf(pair.one), PartOf(pair.other));
  };
  ParallelSort(pairs_.span(), source.threads, [&](const PlacedPair& a, const PlacedPair& b) {
    const auto of_a = parts_of(a), of_b = parts_of(b);
    return of_a != of_b ? of_a < of_b : by_place(a, b);
  });
}

/// What a shared neighbour counts, by the number of vertices that have it.
class NeighborWeights {
 public:
  explicit NeighborWeights(bool by_log) : by_log_(by_log), of_few_(kFew) {
    for (uint32_t holders = 0; holders < kFew; ++holders) of_few_[holders] = Compute(holders);
  }
  double Of(uint32_t holders) const { return holders < kFew ? of_few_[holders] : Compute(holders); }

 private:
  static constexpr uint32_t kFew = 1 << 16;
  double Compute(uint32_t holders) const {
    if (holders < 2) return 0;
    return by_log_ ? 1 / std::log(static_cast<double>(holders)) : 1.0 / holders;
  }

  const bool by_log_;
  std::vector<double> of_few_;
};

/// Computes the values of pairs whose sets are in memory.
class PairValues {
 public:
  PairValues(const PairOptions& options, const HolderCounts* holders, int threads,
             std::span<double> values)
      : measure_(options.measure),
        holders_(holders),
        weights_(measure_ == SimilarityMeasure::kAdamicAdar),
        threads_(threads),
        values_(values) {}

  /// `a` and `b`: the sets of the first vertices of `pairs`, and of the others. `first` and
  /// `other` are the places of sets 0.
  void Compute(std::span<const PlacedPair> pairs, const NeighborSets& a, size_t first_a,
               const NeighborSets& b, size_t first_b) const {
    constexpr size_t kGrain = 64;
    ForEachChunk(pairs.size(), kGrain, threads_, [&](size_t begin, size_t end) {
      for (const PlacedPair& pair : pairs.subspan(begin, end - begin)) {
        const size_t i = pair.one - first_a, j = pair.other - first_b;
        values_[pair.number] = SimilarityOf(measure_, SharedOf(a, i, b, j), a.size(i), b.size(j));
      }
    });
  }

 private:
  double SharedOf(const NeighborSets& a, size_t i, const NeighborSets& b, size_t j) const {
    if (holders_ == nullptr) {
      uint64_t shared = 0;
      NeighborSets::VisitShared(a, i, b, j, [&](VertexId) { ++shared; });
      return static_cast<double>(shared);
    }
    double sum = 0;
    NeighborSets::VisitShared(
        a, i, b, j, [&](VertexId neighbor) { sum += weights_.Of(holders_->Of(neighbor)); });
    return sum;
  }

  const SimilarityMeasure measure_;
  const HolderCounts* const holders_;  // null: neighbours count 1
  const NeighborWeights weights_;
  const int threads_;
  const std::span<double> values_;
};

/// Computes all values. The sets of one part stay, and the parts with which it has pairs pass by.
Status ComputeByParts(const GraphContext& context, const PlacedPairs& placed,
                      const PairValues& values, NeighborSets& kept, NeighborSets* passing) {
  context.progress.StartStage("comparing", "pairs", placed.pairs().size());
  for (auto left = placed.pairs(); !left.empty();) {
    const size_t part = placed.PartOf(left[0].one);
    auto of_part = PlacedPairs::TakeWhile(
        left, [&](const PlacedPair& pair) { return placed.PartOf(pair.one) == part; });
    left = left.subspan(of_part.size());
    kept.Start(placed.VerticesOf(part));
    for (const PlacedPair& pair : of_part) {
      kept.Want(placed.InPart(part, pair.one));
      if (placed.PartOf(pair.other) == part) kept.Want(placed.InPart(part, pair.other));
    }
    RETURN_IF_ERROR(kept.Read());
    while (!of_part.empty()) {
      RETURN_IF_ERROR(CheckCancelled());
      const size_t with = placed.PartOf(of_part[0].other);
      const auto some = PlacedPairs::TakeWhile(
          of_part, [&](const PlacedPair& pair) { return placed.PartOf(pair.other) == with; });
      of_part = of_part.subspan(some.size());
      if (with != part) {
        passing->Start(placed.VerticesOf(with));
        for (const PlacedPair& pair : some) passing->Want(placed.InPart(with, pair.other));
        RETURN_IF_ERROR(passing->Read());
      }
      const auto first_of = [&](size_t p, uint32_t place) {
        return place - placed.InPart(p, place);
      };
      values.Compute(some, kept, first_of(part, some[0].one), with == part ? kept : *passing,
                     first_of(with, some[0].other));
      context.progress.Advance(some.size());
    }
  }
  return OkStatus();
}

}  // namespace

uint64_t PairMemoryBytes(const GraphStore& store, uint64_t num_pairs, const PairOptions& options) {
  const GraphInfo& info = store.info();
  const uint64_t counts = WeighsNeighbors(options.measure) ? HolderCounts::SizeBytes(info) : 0;
  return VertexIndex::SizeBytes(info) + counts + num_pairs * kPairBytes +
         2 * NeighborSets::MostBytes(info);
}

Status FindSimilarities(const GraphContext& context, std::span<const VertexPair> pairs,
                        const PairOptions& options, std::span<double> values) {
  CHECK_EQ(pairs.size(), values.size());
  CHECK_LE(pairs.size(), size_t{std::numeric_limits<uint32_t>::max()});
  if (pairs.empty()) return OkStatus();
  const GraphInfo& info = context.store.info();
  const bool is_out = options.neighbors == Direction::kOut || !info.directed;
  GraphIndexes indexes(info);
  RETURN_IF_ERROR(indexes.Load(context, {.out_index = is_out, .in_index = !is_out}));
  GraphBlocks blocks(context, indexes);
  const PairLists source{info, blocks, indexes.view(options.neighbors), options.neighbors,
                         context.threads};
  HolderCounts holders;
  if (WeighsNeighbors(options.measure)) {
    ASSIGN_OR_RETURN(holders, HolderCounts::Count(context, source));
  }
  ASSIGN_OR_RETURN(PlacedPairs placed, PlacedPairs::Make(context, pairs));
  uint64_t all = 0, largest = 0;
  for (const VertexId vertex : placed.vertices()) {
    const uint64_t bytes = NeighborSets::BytesOf(source, vertex);
    all += bytes;
    largest = std::max(largest, bytes);
  }
  const uint64_t left = context.budget.available_bytes();
  const uint64_t bytes = all <= left ? all : std::max(largest, left / 2);
  placed.Divide(source, bytes);
  ASSIGN_OR_RETURN(NeighborSets kept, NeighborSets::Create(source, bytes, context.budget));
  std::vector<NeighborSets> passing;  // none where all sets stay
  if (placed.num_parts() > 1) {
    ASSIGN_OR_RETURN(NeighborSets sets, NeighborSets::Create(source, bytes, context.budget));
    passing.push_back(std::move(sets));
  }
  const PairValues pair_values(options, WeighsNeighbors(options.measure) ? &holders : nullptr,
                               context.threads, values);
  return ComputeByParts(context, placed, pair_values, kept,
                        passing.empty() ? nullptr : &passing.front());
}

}  // namespace edgemill
