// A GraphWriter that keeps blocks in memory and decodes them, for tests of ingest.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "storage/format/group_codec.h"
#include "storage/format/name_coding.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

class MemoryGraphWriter : public GraphWriter {
 public:
  MemoryGraphWriter(uint32_t block_edges, uint32_t page_blocks)
      : block_edges_(block_edges), page_blocks_(page_blocks) {
    uuid_.bytes[0] = 7;
    const std::string pattern = (std::filesystem::temp_directory_path() / "ingestXXXXXX").string();
    std::vector<char> name(pattern.begin(), pattern.end());
    name.push_back('\0');
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name.data();
    spills_ = {directory_};
  }
  ~MemoryGraphWriter() override { std::filesystem::remove_all(directory_); }

  const Uuid& uuid() const override { return uuid_; }
  uint32_t block_edges() const override { return block_edges_; }
  uint32_t page_blocks() const override { return page_blocks_; }
  const std::vector<std::string>& spill_directories() const override { return spills_; }
  void PutJournal(std::string_view key, std::string_view value) override {
    journal_[std::string(key)] = value;
  }
  std::optional<std::string> GetJournal(std::string_view key) const override {
    const auto found = journal_.find(std::string(key));
    if (found == journal_.end()) return std::nullopt;
    return found->second;
  }
  Status AppendBlock(ColumnKind column, BlockLocation location,
                     std::vector<std::byte> stored) override {
    auto& blocks = blocks_[size_t(column)];
    bytes_ += stored.size();
    const uint64_t number = blocks.size();
    const BlockIdentity identity{uuid_, column, static_cast<uint32_t>(number / page_blocks_),
                                 number};
    CHECK_GE(stored.size(), sizeof(BlockHeader));
    BlockHeader header;
    std::memcpy(&header, stored.data(), sizeof(header));
    const BlockContents contents{header.codec, header.num_values};  // the type is not known yet
    RETURN_IF_ERROR(CheckBlock(identity, contents, location, stored).status());
    if (discard_) {
      stored.clear();
      stored.shrink_to_fit();
    }
    blocks.push_back({location, std::move(stored)});
    return OkStatus();
  }
  Status AppendPage(ColumnKind column, const PageInfo& page) override {
    pages_[size_t(column)].push_back(page);
    return OkStatus();
  }
  uint64_t num_blocks(ColumnKind column) const override { return blocks_[size_t(column)].size(); }
  Status Checkpoint() override {
    ++checkpoints_;
    return OkStatus();
  }
  Status Commit(GraphInfo info) override {
    info_ = std::move(info);
    committed_ = true;
    return OkStatus();
  }
  bool committed() const override { return committed_; }
  uint64_t stored_bytes() const override { return bytes_; }

  /// All the bytes that were stored for a column.
  std::vector<std::byte> Bytes(ColumnKind column) const {
    std::vector<std::byte> all;
    for (const auto& block : blocks_[size_t(column)]) {
      all.insert(all.end(), block.stored.begin(), block.stored.end());
    }
    return all;
  }
  /// Calls `visit(header, payload)` for each block. Decoding slack follows the payload.
  template <typename Visit>
  void VisitBlocks(ColumnKind column, Visit visit) const {
    for (const auto& block : blocks_[size_t(column)]) {
      BlockHeader header;
      std::memcpy(&header, block.stored.data(), sizeof(header));
      std::vector<uint64_t> memory((header.payload_bytes + kDecodeSlackBytes) / 8 + 1);
      const std::span<std::byte> payload(reinterpret_cast<std::byte*>(memory.data()),
                                         header.payload_bytes);
      if (header.compression != Compression::kNone) {
        ASSERT_TRUE(DecompressPayload(header, block.stored, payload).ok());
      } else {
        const auto plain = StoredPayload(header, block.stored);
        std::copy(plain.begin(), plain.end(), payload.begin());
      }
      visit(header, payload);
    }
  }
  std::vector<uint32_t> Offsets(ColumnKind column) const {
    std::vector<uint32_t> offsets;
    VisitBlocks(column, [&](const BlockHeader& header, std::span<std::byte> payload) {
      StatusOr<PackedView> view = PackedView::Open(payload, header.num_values);
      ASSERT_TRUE(view.ok());
      std::vector<uint32_t> values(header.num_values);
      UnpackAscending(*view, values.data());
      offsets.insert(offsets.end(), values.begin(), values.end());
    });
    return offsets;
  }
  std::vector<uint32_t> Values(ColumnKind column) const {
    std::vector<uint32_t> all;
    VisitBlocks(column, [&](const BlockHeader& header, std::span<std::byte> payload) {
      StatusOr<PackedView> view = PackedView::Open(payload, header.num_values);
      ASSERT_TRUE(view.ok());
      std::vector<uint32_t> values(header.num_values);
      UnpackValues(*view, values.data());
      all.insert(all.end(), values.begin(), values.end());
    });
    return all;
  }
  std::vector<double> Weights(ColumnKind column) const {
    std::vector<double> all;
    if (info_.weights == WeightType::kInt32) {
      for (const uint32_t value : Values(column)) all.push_back(static_cast<int32_t>(value));
      return all;
    }
    VisitBlocks(column, [&](const BlockHeader& header, std::span<std::byte> payload) {
      for (uint32_t i = 0; i < header.num_values; ++i) {
        if (header.codec == Codec::kRaw32) {
          all.push_back(reinterpret_cast<const float*>(payload.data())[i]);
        } else {
          all.push_back(reinterpret_cast<const double*>(payload.data())[i]);
        }
      }
    });
    return all;
  }
  std::vector<uint64_t> ExternalIds() const {
    std::vector<uint64_t> ids;
    VisitBlocks(ColumnKind::kExternalIds,
                [&](const BlockHeader& header, std::span<std::byte> payload) {
                  const uint64_t* gaps = reinterpret_cast<const uint64_t*>(payload.data());
                  for (uint32_t i = 0; i < header.num_values; ++i) {
                    ids.push_back(i == 0 ? gaps[0] : ids.back() + gaps[i]);
                  }
                });
    return ids;
  }
  /// The names of all ranks.
  std::vector<std::string> Names() const {
    std::string coded;
    VisitBlocks(ColumnKind::kNames, [&](const BlockHeader&, std::span<std::byte> payload) {
      coded.append(reinterpret_cast<const char*>(payload.data()), payload.size());
    });
    NameDecoder decoder(coded);
    std::vector<std::string> names;
    std::string_view name;
    while (decoder.Next(&name)) names.emplace_back(name);
    EXPECT_TRUE(decoder.rest().empty());
    return names;
  }
  /// (vertex, neighbour) pairs of one direction, decoded.
  std::vector<std::pair<uint32_t, uint32_t>> Edges(bool in) const {
    const auto offsets = Offsets(in ? ColumnKind::kInOffsets : ColumnKind::kOutOffsets);
    std::vector<uint32_t> source_of;
    for (size_t v = 0; v + 1 < offsets.size(); ++v) {
      source_of.insert(source_of.end(), offsets[v + 1] - offsets[v], static_cast<uint32_t>(v));
    }
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    VisitBlocks(in ? ColumnKind::kInNeighbors : ColumnKind::kOutNeighbors,
                [&](const BlockHeader& header, std::span<std::byte> payload) {
                  const StatusOr<PackedView> view = PackedView::Open(payload, header.num_values);
                  ASSERT_TRUE(view.ok());
                  const size_t first = edges.size();
                  ASSERT_LE(first + header.num_values, source_of.size());
                  VisitNeighbors(
                      *view, 0, header.num_values,
                      [&](uint32_t edge) {
                        const uint32_t source = source_of[first + edge];
                        return std::pair(source, offsets[source] == first + edge);
                      },
                      [&](uint32_t, uint32_t source, uint32_t target) {
                        edges.emplace_back(source, target);
                      });
                });
    return edges;
  }

  const GraphInfo& info() const { return info_; }
  int checkpoints() const { return checkpoints_; }
  const std::vector<PageInfo>& pages(ColumnKind column) const { return pages_[size_t(column)]; }
  /// From now on, drops each block at once. Runs that measure time and memory use this.
  void Discard() { discard_ = true; }

 private:
  struct Block {
    BlockLocation location;
    std::vector<std::byte> stored;
  };
  Uuid uuid_;
  uint32_t block_edges_;
  uint32_t page_blocks_;
  std::string directory_;
  std::vector<std::string> spills_;
  std::map<std::string, std::string> journal_;
  std::array<std::vector<Block>, kNumColumns> blocks_;
  std::array<std::vector<PageInfo>, kNumColumns> pages_;
  GraphInfo info_;
  uint64_t bytes_ = 0;
  int checkpoints_ = 0;
  bool committed_ = false;
  bool discard_ = false;
};

}  // namespace edgemill
