// A graph whose packed blocks are built in memory from an edge list, and a reader of the blocks.
// They test the engine without disks. Tests choose the block size and the order of delivery, and
// may damage blocks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/check.h"
#include "common/random.h"
#include "common/thread_annotations.h"
#include "storage/format/group_codec.h"
#include "storage/format/name_coding.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// An edge between ids of the input.
struct TestEdge {
  ExternalId source;
  ExternalId target;
  double weight = 1;
};

/// How InMemoryGraph builds a graph.
struct TestGraphOptions {
  bool directed = true;  // false: each edge is stored both ways (a loop once)
  WeightType weights = WeightType::kNone;
  uint32_t block_edges = 128;
  bool out_columns = true;
  bool in_columns = true;   // directed graphs have in-lists too
  bool out_weights = true;  // the weights of out-lists, where there are weights
  bool in_weights = true;
  uint64_t renumber_seed = 0;      // not 0: internal ids are a random permutation of the ranks
  bool by_degree = false;          // internal ids are those of `--renumber degree`
  std::vector<std::string> names;  // ascending names of the vertices 0, 1, ..., or empty
};

/// A GraphStore in memory.
class InMemoryGraph : public GraphStore {
 public:
  using Block = std::vector<uint64_t>;  // payload and slack, 8-byte aligned

  /// `ids` has the input ids of the vertices, ascending. It must have both ends of every edge.
  InMemoryGraph(std::vector<ExternalId> ids, const std::vector<TestEdge>& edges,
                const TestGraphOptions& options)
      : ids_(std::move(ids)) {
    path_ = "memory.mill";
    info_.num_vertices = ids_.size();
    info_.directed = options.directed;
    info_.weights = options.weights;
    info_.block_edges = options.block_edges;
    info_.id_base = ids_.empty() ? 0 : ids_.front();
    info_.sparse_ids = !ids_.empty() && ids_.back() - ids_.front() + 1 != ids_.size();
    if (info_.sparse_ids) info_.id_base = 0;
    internal_.resize(ids_.size());
    std::iota(internal_.begin(), internal_.end(), 0u);
    if (options.renumber_seed != 0) {
      Random random(options.renumber_seed);
      for (size_t i = internal_.size(); i > 1; --i) {
        std::swap(internal_[i - 1], internal_[random.Below(i)]);
      }
    } else if (options.by_degree) {
      NumberByDegree(edges);
    }
    if (options.renumber_seed != 0 || options.by_degree) {
      info_.renumbering = Renumbering::kDegree;
      AddPacked(ColumnKind::kInternalOfRank, internal_, PackMode::kValues);
    }
    if (info_.sparse_ids) AddGaps(ColumnKind::kExternalIds, ids_);
    if (!options.names.empty()) AddNames(options.names);
    BuildEdges(edges, options);
  }

  /// Makes a graph whose ids are 0 to num_vertices - 1.
  static std::unique_ptr<InMemoryGraph> Dense(uint64_t num_vertices,
                                              const std::vector<TestEdge>& edges,
                                              const TestGraphOptions& options = {}) {
    std::vector<ExternalId> ids(num_vertices);
    std::iota(ids.begin(), ids.end(), ExternalId{0});
    return std::make_unique<InMemoryGraph>(std::move(ids), edges, options);
  }

  void SetUuid(const Uuid& uuid) { info_.uuid = uuid; }
  std::span<const std::byte> payload(ColumnKind column, uint64_t block) const {
    const auto& [words, bytes] = payloads_[static_cast<size_t>(column)][block];
    return {reinterpret_cast<const std::byte*>(words.data()), bytes};
  }
  /// The same payload, writable, for tests that damage the graph.
  std::span<std::byte> mutable_payload(ColumnKind column, uint64_t block) {
    const auto bytes = payload(column, block);
    return {const_cast<std::byte*>(bytes.data()), bytes.size()};
  }

 private:
  enum class PackMode { kAscending, kValues };
  struct Stored {
    uint64_t edge;  // source << 32 | target, internal
    double weight;
  };

  size_t RankOf(ExternalId id) const {
    const auto place = std::lower_bound(ids_.begin(), ids_.end(), id);
    CHECK(place != ids_.end() && *place == id);
    return static_cast<size_t>(place - ids_.begin());
  }
  VertexId Internal(ExternalId id) const { return internal_[RankOf(id)]; }

  /// Vertices with many edges get the first internal ids.
  void NumberByDegree(const std::vector<TestEdge>& edges) {
    std::vector<uint64_t> degrees(ids_.size());
    for (const TestEdge& edge : edges) {
      ++degrees[RankOf(edge.source)];
      ++degrees[RankOf(edge.target)];
    }
    std::vector<size_t> ranks(ids_.size());
    std::iota(ranks.begin(), ranks.end(), size_t{0});
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](size_t a, size_t b) { return degrees[a] > degrees[b]; });
    for (size_t i = 0; i < ranks.size(); ++i) internal_[ranks[i]] = static_cast<VertexId>(i);
  }

  template <typename Pack>
  void AddBlock(ColumnKind column, size_t max_bytes, Pack pack) {
    std::pair<Block, size_t> block;
    block.first.resize((max_bytes + kDecodeSlackBytes) / 8 + 1);
    block.second = pack(reinterpret_cast<std::byte*>(block.first.data()));
    ColumnInfo& info = columns_[static_cast<size_t>(column)];
    info.payload_bytes += block.second;
    ++info.num_blocks;
    BlockLocation location{};
    location.payload_bytes = static_cast<uint32_t>(block.second);
    locations_[static_cast<size_t>(column)].push_back(location);
    payloads_[static_cast<size_t>(column)].push_back(std::move(block));
  }

  void AddPacked(ColumnKind column, std::span<const uint32_t> values, PackMode mode) {
    columns_[static_cast<size_t>(column)].num_values = values.size();
    for (size_t first = 0; first < values.size(); first += info_.block_edges) {
      const auto part =
          values.subspan(first, std::min<size_t>(info_.block_edges, values.size() - first));
      AddBlock(column, MaxPackedBytes(static_cast<uint32_t>(part.size())), [&](std::byte* out) {
        return mode == PackMode::kValues
                   ? PackValues(part, out)
                   : PackAscending(part, first > 0 ? values[first - 1] : 0, out);
      });
    }
  }

  template <typename T>
  void AddRaw(ColumnKind column, std::span<const T> values) {
    columns_[static_cast<size_t>(column)].num_values = values.size();
    for (size_t first = 0; first < values.size(); first += info_.block_edges) {
      const auto part =
          values.subspan(first, std::min<size_t>(info_.block_edges, values.size() - first));
      AddBlock(column, part.size_bytes(), [&](std::byte* out) {
        std::memcpy(out, part.data(), part.size_bytes());
        return part.size_bytes();
      });
    }
  }

  void AddGaps(ColumnKind column, const std::vector<uint64_t>& values) {
    std::vector<uint64_t> gaps(values);
    for (size_t i = 1; i < values.size(); ++i) {
      if (i % info_.block_edges != 0) gaps[i] = values[i] - values[i - 1];
    }
    AddRaw<uint64_t>(column, gaps);
  }

  void AddNames(const std::vector<std::string>& names) {
    CHECK_EQ(names.size(), ids_.size());
    std::string coded;
    std::vector<uint64_t> ends;
    NameEncoder encoder;
    for (const std::string& name : names) {
      encoder.Append(name, &coded);
      if (encoder.between_groups()) ends.push_back(coded.size());
    }
    if (!encoder.between_groups()) ends.push_back(coded.size());
    info_.name_bytes = coded.size();
    AddRaw<char>(ColumnKind::kNames, coded);
    AddGaps(ColumnKind::kNameGroups, ends);
  }

  void BuildEdges(const std::vector<TestEdge>& edges, const TestGraphOptions& options) {
    std::vector<Stored> out;
    for (const TestEdge& edge : edges) {
      const uint64_t source = Internal(edge.source);
      const uint64_t target = Internal(edge.target);
      out.push_back({source << 32 | target, edge.weight});
      if (!options.directed && source != target)
        out.push_back({target << 32 | source, edge.weight});
      if (edge.weight < 0) info_.has_negative_weight = true;
    }
    info_.num_edges = out.size();
    std::map<uint64_t, uint64_t> copies;
    for (const Stored& edge : out) {
      info_.num_self_loops += edge.edge >> 32 == (edge.edge & 0xffffffff);
      info_.num_duplicates += ++copies[edge.edge] > 1;
    }
    if (options.out_columns) AddDirection(out, 0, options.out_weights);
    if (options.directed && options.in_columns) {
      for (Stored& edge : out) edge.edge = edge.edge << 32 | edge.edge >> 32;
      AddDirection(out, 3, options.in_weights);
    }
  }

  /// Sorts and packs one direction; `first_column` is its offsets column.
  void AddDirection(std::vector<Stored>& edges, size_t first_column, bool weights) {
    std::stable_sort(edges.begin(), edges.end(),
                     [](const Stored& a, const Stored& b) { return a.edge < b.edge; });
    std::vector<uint32_t> offsets(info_.num_vertices + 1, 0);
    std::vector<uint64_t> pairs;
    for (const Stored& edge : edges) {
      pairs.push_back(edge.edge);
      ++offsets[(edge.edge >> 32) + 1];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    AddPacked(ColumnKind(first_column), offsets, PackMode::kAscending);
    const ColumnKind neighbors = ColumnKind(first_column + 1);
    columns_[first_column + 1].num_values = pairs.size();
    for (size_t first = 0; first < pairs.size(); first += info_.block_edges) {
      const size_t count = std::min<size_t>(info_.block_edges, pairs.size() - first);
      AddBlock(neighbors, MaxPackedBytes(static_cast<uint32_t>(count)), [&](std::byte* out) {
        return PackNeighbors(std::span(pairs).subspan(first, count),
                             first > 0 ? std::optional(pairs[first - 1]) : std::nullopt, out);
      });
    }
    if (weights) AddWeights(edges, ColumnKind(first_column + 2));
  }

  void AddWeights(const std::vector<Stored>& edges, ColumnKind column) {
    const auto as = [&](auto convert) {
      std::vector<decltype(convert(0.0))> values;
      for (const Stored& edge : edges) values.push_back(convert(edge.weight));
      return values;
    };
    switch (info_.weights) {
      case WeightType::kNone:
        return;
      case WeightType::kInt32: {
        const auto bits = [](double weight) {
          return static_cast<uint32_t>(static_cast<int32_t>(weight));
        };
        return AddPacked(column, as(bits), PackMode::kValues);
      }
      case WeightType::kFloat32:
        return AddRaw<float>(column, as([](double weight) { return static_cast<float>(weight); }));
      case WeightType::kFloat64:
        return AddRaw<double>(column, as([](double weight) { return weight; }));
    }
  }

  std::vector<ExternalId> ids_;
  std::vector<uint32_t> internal_;
  std::array<std::vector<std::pair<Block, size_t>>, kNumColumns> payloads_;
};

/// Reads an InMemoryGraph. Delivers planned blocks in an order shuffled by a seed; the seed 0 keeps
/// the planned order. Counts the planned blocks, and fails at a chosen delivery.
class InMemoryReader : public BlockReader {
 public:
  InMemoryReader(const InMemoryGraph& graph, uint64_t shuffle_seed)
      : graph_(graph), shuffle_seed_(shuffle_seed) {}

  std::unique_ptr<BlockStream> Start(std::span<const ColumnKind> columns,
                                     std::vector<uint64_t> blocks) override {
    CHECK(std::is_sorted(blocks.begin(), blocks.end()));
    MutexLock lock(mutex_);
    planned_[columns[0]] += blocks.size();
    if (shuffle_seed_ != 0) {
      Random random(shuffle_seed_++);
      for (size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[random.Below(i)]);
    }
    return std::make_unique<Stream>(*this, std::vector<ColumnKind>(columns.begin(), columns.end()),
                                    std::move(blocks));
  }
  std::vector<uint64_t> CachedBlocks(std::span<const ColumnKind>) const override { return {}; }
  StatusOr<BlockLease> ReadOne(ColumnKind column, uint64_t block) override {
    return Deliver(std::span(&column, 1), block);
  }
  const BlockReaderStats& stats() const override { return stats_; }
  std::string engine_name() const override { return "memory"; }

  /// The number of deliveries before one fails. With a negative number, none fails.
  std::atomic<int64_t> deliveries_left{-1};
  /// Calls RequestCancel at this delivery instead of failing.
  bool cancel_instead = false;
  /// Calls RequestCancel when a stream has delivered everything.
  bool cancel_at_end = false;
  /// Reports that all blocks are cached.
  bool is_cached = false;
  /// Blocks planned so far, by column.
  const std::map<ColumnKind, uint64_t>& planned() const { return planned_; }

 private:
  class Stream : public BlockStream {
   public:
    Stream(InMemoryReader& reader, std::vector<ColumnKind> columns, std::vector<uint64_t> blocks)
        : reader_(reader), columns_(std::move(columns)), blocks_(std::move(blocks)) {}
    StatusOr<std::optional<BlockLease>> Next() override {
      RETURN_IF_ERROR(CheckCancelled());
      const size_t place = next_.fetch_add(1);
      if (place >= blocks_.size()) {
        if (reader_.cancel_at_end) RequestCancel();
        return std::optional<BlockLease>();
      }
      ASSIGN_OR_RETURN(BlockLease lease, reader_.Deliver(columns_, blocks_[place]));
      return std::optional<BlockLease>(std::move(lease));
    }
    uint64_t num_to_read() const override { return reader_.is_cached ? 0 : blocks_.size(); }

   private:
    InMemoryReader& reader_;
    std::vector<ColumnKind> columns_;
    std::vector<uint64_t> blocks_;
    std::atomic<size_t> next_{0};
  };

  StatusOr<BlockLease> Deliver(std::span<const ColumnKind> columns, uint64_t block) {
    if (deliveries_left.load() >= 0 && deliveries_left.fetch_sub(1) == 0) {
      if (!cancel_instead) return IoError("the disk is gone");
      RequestCancel();
    }
    std::array<std::span<const std::byte>, 2> payloads;
    for (size_t i = 0; i < columns.size(); ++i) {
      payloads[i] = graph_.payload(columns[i], block);
      stats_.bytes_read += payloads[i].size();
    }
    ++stats_.blocks_read;
    return BlockLease::Borrow(block, payloads);
  }

  const InMemoryGraph& graph_;
  Mutex mutex_;  // several streams may start at once
  uint64_t shuffle_seed_;
  std::map<ColumnKind, uint64_t> planned_;
  BlockReaderStats stats_;
};

}  // namespace edgemill
