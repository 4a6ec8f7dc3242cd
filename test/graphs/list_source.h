// Edges in memory as an input of ingest.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "common/strings.h"
#include "loaders/source/edge_source.h"
#include "test/graphs/in_memory_graph.h"

namespace edgemill {

/// The input of a graph: edges with input ids, and the list of vertices if there is one.
struct EdgeList {
  std::string name;
  std::vector<ExternalId> ids;  // ascending
  std::vector<TestEdge> edges;
  bool weighted = true;
  std::string name_prefix = {};  // if not empty, a vertex's name is this prefix and its id
};

/// A source that gives the vertices of a list in the first chunk, and the edges in chunks of
/// `chunk_edges`. The list must outlive the source.
class ListSource : public EdgeSource {
 public:
  explicit ListSource(const EdgeList& list, size_t chunk_edges = 500)
      : list_(list), chunk_edges_(chunk_edges) {
    info_.names = {list.name};
    info_.weighted = list.weighted;
    info_.named = !list.name_prefix.empty();
  }
  EdgeSourceInfo& mutable_info() { return info_; }
  const EdgeSourceInfo& info() const override { return info_; }
  void SetNameSeed(uint64_t seed) override { info_.name_seed = seed; }
  StatusOr<bool> Next(EdgeChunk* chunk) override {
    std::lock_guard lock(mutex_);
    chunk->Clear();
    chunk->sequence = next_;
    const size_t begin = std::min(list_.edges.size(), next_ * chunk_edges_);
    const size_t end = std::min(list_.edges.size(), begin + chunk_edges_);
    if (begin == end && (next_ > 0 || list_.ids.empty())) return false;
    const std::span part(list_.edges.data() + begin, end - begin);
    if (info_.named) return AddNamed(part, chunk);
    if (next_ == 0) chunk->vertices = list_.ids;
    const bool wide = std::any_of(part.begin(), part.end(), [](const TestEdge& edge) {
      return std::max(edge.source, edge.target) >= kInvalidVertex;
    });
    for (const TestEdge& edge : part) {
      if (wide) chunk->wide.push_back({edge.source, edge.target});
      if (!wide) chunk->narrow.push_back({VertexId(edge.source), VertexId(edge.target)});
      if (list_.weighted) chunk->weights.push_back(edge.weight);
    }
    ++next_;
    return true;
  }
  StatusOr<std::string> PositionAfter(uint64_t sequence) override { return StrCat(sequence + 1); }
  Status Resume(const std::string& position) override {
    return ParseNumber(position, &next_) ? OkStatus() : BadDataError("position");
  }

 private:
  uint64_t AddName(ExternalId id, EdgeChunk* chunk) const {
    const std::string name = StrCat(list_.name_prefix, id);
    return chunk->names.Add(HashName(name, info_.name_seed), name).id;
  }
  bool AddNamed(std::span<const TestEdge> edges, EdgeChunk* chunk) {
    for (const TestEdge& edge : edges) {
      const uint64_t source = AddName(edge.source, chunk);
      chunk->wide.push_back({source, AddName(edge.target, chunk)});
      if (list_.weighted) chunk->weights.push_back(edge.weight);
    }
    if (next_++ > 0) return true;
    for (const ExternalId id : list_.ids) AddName(id, chunk);
    return true;
  }

  const EdgeList& list_;
  const size_t chunk_edges_;
  EdgeSourceInfo info_;
  std::mutex mutex_;
  uint64_t next_ = 0;
};

}  // namespace edgemill
