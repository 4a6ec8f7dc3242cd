#include "engine/stats/sampled_shares.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/random.h"
#include "engine/stats/edge_probes.h"

namespace edgemill {
namespace {

/// Questions that are answered together.
constexpr size_t kBatch = 16'384;
/// Bytes of a batch, for each question.
constexpr uint64_t kQuestionBytes = 160;
/// How many pairs of edges of a vertex are tried before its share is taken as unknown.
constexpr size_t kTries = 16;

/// Two places among the edges of a vertex: out-edges first, then in-edges.
struct Wedge {
  VertexId center = 0;
  EdgeIndex first = 0, second = 0;
  // What was found:
  bool is_wedge = false;  // the places stand for two different neighbours
  bool closed = false;    // which are neighbours of each other
};

/// Looks at wedges of the graph without directions, loops and duplicates.
class WedgeReader {
 public:
  explicit WedgeReader(LoadedGraph& graph)
      : graph_(graph), probes_(graph), directed_(graph.info().directed) {}

  /// The edges of a vertex in the lists that are read.
  uint64_t Places(VertexId vertex) const {
    const uint64_t out = graph_.index(Direction::kOut).degree(vertex);
    return directed_ ? out + graph_.index(Direction::kIn).degree(vertex) : out;
  }

  /// Fills in what is found of each wedge.
  Status Look(std::span<Wedge> wedges) {
    std::vector<VertexId> firsts(wedges.size()), seconds(wedges.size());
    std::vector<uint8_t> stand(wedges.size(), 1);
    RETURN_IF_ERROR(Resolve(wedges, &Wedge::first, &firsts, &stand));
    RETURN_IF_ERROR(Resolve(wedges, &Wedge::second, &seconds, &stand));
    std::vector<EdgeProbes::Pair> pairs;
    std::vector<size_t> of;
    for (size_t i = 0; i < wedges.size(); ++i) {
      wedges[i].is_wedge = stand[i] != 0 && firsts[i] != seconds[i];
      if (!wedges[i].is_wedge) continue;
      VertexId owner = firsts[i], other = seconds[i];
      if (Places(other) < Places(owner)) std::swap(owner, other);  // the shorter lists are read
      pairs.push_back({owner, other});
      of.push_back(i);
    }
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      if (direction == Direction::kIn && !directed_) break;
      ASSIGN_OR_RETURN(const std::vector<uint8_t> found, probes_.Contain(direction, pairs));
      for (size_t i = 0; i < of.size(); ++i) wedges[of[i]].closed |= found[i] != 0;
    }
    return OkStatus();
  }

 private:
  /// Finds the neighbours at one place of each wedge. Clears `stand` where the place is a loop, or
  /// where an earlier place has the same neighbour.
  Status Resolve(std::span<const Wedge> wedges, EdgeIndex Wedge::*place,
                 std::vector<VertexId>* neighbors, std::vector<uint8_t>* stand) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      if (direction == Direction::kIn && !directed_) break;
      const VertexIndexView out = graph_.index(Direction::kOut);
      std::vector<EdgeIndex> edges;  // the edge before comes first, or the edge itself again
      std::vector<size_t> of;
      for (size_t i = 0; i < wedges.size(); ++i) {
        const uint64_t out_degree = out.degree(wedges[i].center);
        const bool is_out = wedges[i].*place < out_degree;
        if (is_out != (direction == Direction::kOut)) continue;
        const EdgeIndex number = wedges[i].*place - (is_out ? 0 : out_degree);
        const EdgeIndex edge = graph_.index(direction).first_edge(wedges[i].center) + number;
        edges.push_back(number == 0 ? edge : edge - 1);
        edges.push_back(edge);
        of.push_back(i);
      }
      ASSIGN_OR_RETURN(const std::vector<VertexId> found, probes_.NeighborsAt(direction, edges));
      std::vector<EdgeProbes::Pair> also_out;
      for (size_t k = 0; k < of.size(); ++k) {
        const size_t i = of[k];
        const VertexId neighbor = found[2 * k + 1];
        (*neighbors)[i] = neighbor;
        const bool repeats = edges[2 * k] != edges[2 * k + 1] && found[2 * k] == neighbor;
        if (repeats || neighbor == wedges[i].center) (*stand)[i] = 0;
        also_out.push_back({wedges[i].center, neighbor});
      }
      if (direction == Direction::kOut) continue;
      ASSIGN_OR_RETURN(const std::vector<uint8_t> twice,
                       probes_.Contain(Direction::kOut, also_out));
      for (size_t k = 0; k < of.size(); ++k) {
        if (twice[k] != 0) (*stand)[of[k]] = 0;
      }
    }
    return OkStatus();
  }

  LoadedGraph& graph_;
  EdgeProbes probes_;
  const bool directed_;
};

uint64_t PairsOf(uint64_t places) { return places * (places - (places > 0)) / 2; }

/// Pair number `number` of a vertex, counted as (1, 0), (2, 0), (2, 1), (3, 0), ...
Wedge PairAt(VertexId center, uint64_t number) {
  auto larger = static_cast<uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(number))) / 2);
  while (larger * (larger - 1) / 2 > number) --larger;
  while (larger * (larger + 1) / 2 <= number) ++larger;
  return {.center = center, .first = larger, .second = number - larger * (larger - 1) / 2};
}

/// Looks at `wedges` in batches. Calls `take(begin, end)` with ranges of whole vertices.
class WedgeBatches {
 public:
  explicit WedgeBatches(WedgeReader& reader) : reader_(reader) {}
  /// Adds all wedges of a vertex; `take` gets them once they have been looked at.
  template <typename Take>
  Status Add(std::span<const Wedge> of_vertex, const Take& take) {
    wedges_.insert(wedges_.end(), of_vertex.begin(), of_vertex.end());
    sizes_.push_back(of_vertex.size());
    return wedges_.size() < kBatch ? OkStatus() : Flush(take);
  }
  template <typename Take>
  Status Flush(const Take& take) {
    RETURN_IF_ERROR(CheckCancelled());
    RETURN_IF_ERROR(reader_.Look(wedges_));
    size_t begin = 0;
    for (const size_t size : sizes_) {
      take(std::span<const Wedge>(wedges_).subspan(begin, size));
      begin += size;
    }
    wedges_.clear();
    sizes_.clear();
    return OkStatus();
  }

 private:
  WedgeReader& reader_;
  std::vector<Wedge> wedges_;
  std::vector<size_t> sizes_;
};

/// Looks at every pair of edges of every vertex.
StatusOr<ClusteringEstimates> ExactClustering(LoadedGraph& graph, WedgeReader& reader) {
  uint64_t wedges = 0, closed = 0;
  double sum = 0;
  WedgeBatches batches(reader);
  const auto take = [&](std::span<const Wedge> of_vertex) {
    uint64_t all = 0, joined = 0;
    for (const Wedge& wedge : of_vertex) {
      all += wedge.is_wedge;
      joined += wedge.is_wedge && wedge.closed;
    }
    wedges += all;
    closed += joined;
    if (all > 0) sum += static_cast<double>(joined) / static_cast<double>(all);
  };
  std::vector<Wedge> of_vertex;
  for (uint64_t vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    const auto center = static_cast<VertexId>(vertex);
    of_vertex.clear();
    for (uint64_t i = 0; i < PairsOf(reader.Places(center)); ++i) {
      of_vertex.push_back(PairAt(center, i));
    }
    if (!of_vertex.empty()) RETURN_IF_ERROR(batches.Add(of_vertex, take));
  }
  RETURN_IF_ERROR(batches.Flush(take));
  ClusteringEstimates estimates{.global = ShareEstimate::Of(closed, wedges, true)};
  ShareEstimate& local = estimates.local;
  local.sample = graph.num_vertices();
  local.exact = true;
  local.value = local.sample == 0 ? 0 : sum / static_cast<double>(local.sample);
  local.low = local.high = local.value;
  return estimates;
}

/// Uniform samples of vertices, and of pairs of edges of each.
StatusOr<ShareEstimate> SampleLocal(LoadedGraph& graph, WedgeReader& reader,
                                    const SampleChoice& choice) {
  Random random(Mix64(choice.seed));
  std::vector<VertexId> vertices(choice.size);
  for (VertexId& vertex : vertices) {
    vertex = static_cast<VertexId>(random.Below(graph.num_vertices()));
  }
  std::sort(vertices.begin(), vertices.end());  // so that a batch reads neighbouring blocks
  uint64_t closed = 0, unknown = 0;
  WedgeBatches batches(reader);
  const auto take = [&](std::span<const Wedge> tries) {
    const auto first =
        std::find_if(tries.begin(), tries.end(), [](const Wedge& wedge) { return wedge.is_wedge; });
    const uint64_t pairs = PairsOf(reader.Places(tries[0].center));
    if (first != tries.end()) {
      closed += first->closed;
    } else if (pairs > kTries) {
      ++unknown;  // else all pairs were tried, and there is none
    }
  };
  std::vector<Wedge> tries;
  for (const VertexId vertex : vertices) {
    const uint64_t pairs = PairsOf(reader.Places(vertex));
    tries.clear();
    for (uint64_t i = 0; i < std::min<uint64_t>(pairs, kTries); ++i) {
      tries.push_back(PairAt(vertex, pairs <= kTries ? i : random.Below(pairs)));
    }
    // The first of few pairs must be any of them.
    for (size_t i = tries.size(); i > 1; --i) std::swap(tries[i - 1], tries[random.Below(i)]);
    if (!tries.empty()) RETURN_IF_ERROR(batches.Add(tries, take));
  }
  RETURN_IF_ERROR(batches.Flush(take));
  return ShareEstimate::Of(closed, choice.size, false, unknown);
}

/// Uniform samples of all pairs of edges with a vertex in common.
StatusOr<ShareEstimate> SampleGlobal(LoadedGraph& graph, WedgeReader& reader, double all_pairs,
                                     const SampleChoice& choice) {
  Random random(Mix64(choice.seed + 1));
  std::vector<double> at(choice.size);
  for (double& place : at) place = random.Unit() * all_pairs;
  std::sort(at.begin(), at.end());
  uint64_t wedges = 0, closed = 0;
  WedgeBatches batches(reader);
  const auto take = [&](std::span<const Wedge> looked_at) {
    for (const Wedge& wedge : looked_at) {
      wedges += wedge.is_wedge;
      closed += wedge.is_wedge && wedge.closed;
    }
  };
  double before = 0;
  size_t next = 0;
  for (uint64_t vertex = 0; vertex < graph.num_vertices() && next < at.size(); ++vertex) {
    const auto center = static_cast<VertexId>(vertex);
    const uint64_t pairs = PairsOf(reader.Places(center));
    before += static_cast<double>(pairs);
    for (; next < at.size() && at[next] < before; ++next) {
      const Wedge wedge = PairAt(center, random.Below(pairs));
      RETURN_IF_ERROR(batches.Add({&wedge, 1}, take));
    }
  }
  RETURN_IF_ERROR(batches.Flush(take));
  return ShareEstimate::Of(closed, wedges, false);
}

}  // namespace

uint64_t SampledSharesBytes(const SampleChoice& choice) {
  return 16 * choice.size + kQuestionBytes * 2 * kBatch;
}

StatusOr<ShareEstimate> EstimateReciprocity(LoadedGraph& graph, Direction lists,
                                            const SampleChoice& choice) {
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(SampledSharesBytes(choice), "sampled edges"));
  const bool exact = graph.num_edges() <= choice.size;
  std::vector<EdgeIndex> edges(exact ? graph.num_edges() : choice.size);
  Random random(Mix64(choice.seed + 2));
  for (size_t i = 0; i < edges.size(); ++i) edges[i] = exact ? i : random.Below(graph.num_edges());
  std::sort(edges.begin(), edges.end());
  EdgeProbes probes(graph);
  uint64_t looked_at = 0, returned = 0;
  for (size_t begin = 0; begin < edges.size(); begin += kBatch) {
    RETURN_IF_ERROR(CheckCancelled());
    const auto batch =
        std::span<const EdgeIndex>(edges).subspan(begin, std::min(kBatch, edges.size() - begin));
    ASSIGN_OR_RETURN(const std::vector<VertexId> neighbors, probes.NeighborsAt(lists, batch));
    std::vector<EdgeProbes::Pair> reversed;
    for (size_t i = 0; i < batch.size(); ++i) {
      const VertexId owner = probes.OwnerOf(lists, batch[i]);
      if (owner != neighbors[i]) reversed.push_back({neighbors[i], owner});
    }
    ASSIGN_OR_RETURN(const std::vector<uint8_t> found, probes.Contain(lists, reversed));
    looked_at += reversed.size();
    returned += static_cast<uint64_t>(std::count(found.begin(), found.end(), 1));
  }
  return ShareEstimate::Of(returned, looked_at, exact);
}

StatusOr<ClusteringEstimates> EstimateClustering(LoadedGraph& graph, const SampleChoice& choice) {
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(SampledSharesBytes(choice), "sampled paths"));
  WedgeReader reader(graph);
  double all_pairs = 0;
  for (uint64_t vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    all_pairs += static_cast<double>(PairsOf(reader.Places(static_cast<VertexId>(vertex))));
  }
  if (all_pairs <= static_cast<double>(choice.size)) return ExactClustering(graph, reader);
  ClusteringEstimates estimates;
  ASSIGN_OR_RETURN(estimates.local, SampleLocal(graph, reader, choice));
  ASSIGN_OR_RETURN(estimates.global, SampleGlobal(graph, reader, all_pairs, choice));
  return estimates;
}

}  // namespace edgemill
