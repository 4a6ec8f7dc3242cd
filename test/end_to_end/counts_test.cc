// Counts and offsets over 2^32 that docs/FORMAT.md lists. They are synthetic, because real edges
// would take hours.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdio>
#include <numeric>

#include "engine/graph/vertex_index.h"
#include "loaders/encode/column_writer.h"
#include "loaders/encode/offsets_encoder.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_records.h"
#include "storage/format/group_codec.h"
#include "storage/read/block_reader.h"
#include "storage/write/graph_writer.h"
#include "test/graphs/memory_graph_writer.h"
#include "test/graphs/written_graph.h"
#include "test/sanitized.h"

namespace edgemill {
namespace {

constexpr uint64_t k2To32 = uint64_t{1} << 32;

/// E8, E9, E13, E14: a run's index reads the offsets that the encoder of an ingest wrote, near
/// multiples of 2^32 and far beyond.
TEST(CountsOver2To32, FirstEdgesComeBackFromTheOffsetsColumn) {
  std::vector<EdgeIndex> starts = {0, 5};
  for (const uint64_t multiple : {uint64_t{1}, uint64_t{2}, uint64_t{5}, uint64_t{65535}}) {
    for (const int64_t beside : {-1, 0, 0, 1}) {
      starts.push_back(multiple * k2To32 + static_cast<uint64_t>(beside));
    }
    for (int i = 0; i < 150; ++i) starts.push_back(starts.back() + static_cast<uint64_t>(i % 3));
  }
  MemoryGraphWriter writer(128, 4);
  ColumnWriter column(writer, ColumnKind::kOutOffsets, CompressionPolicy::kNever);
  OffsetsEncoder encoder(column.block_values());
  const uint64_t num_vertices = starts.size() - 1;
  const auto append = [&] {
    const auto count = static_cast<uint32_t>(encoder.block().size());
    std::byte* const payload = column.Scratch(MaxPackedBytes(count));
    const Status appended =
        column.Append({Codec::kPackedAscending, count}, {payload, encoder.PackBlock(payload)});
    ASSERT_TRUE(appended.ok()) << appended.message();
    encoder.NextBlock();
  };
  for (uint64_t v = 0; v <= num_vertices; ++v) {
    while (encoder.Fill(v, starts[v])) append();
  }
  if (!encoder.block().empty()) append();
  std::vector<uint32_t> low = writer.Values(ColumnKind::kOutOffsets);  // gaps modulo 2^32
  std::partial_sum(low.begin(), low.end(), low.begin());
  ASSERT_EQ(low.size(), starts.size());
  const std::vector<VertexId>& crossings = encoder.crossings();
  EXPECT_EQ(crossings.size(), starts.back() / k2To32);
  const VertexIndexView index{low.data(), crossings.data(), static_cast<uint32_t>(crossings.size()),
                              static_cast<VertexId>(num_vertices)};
  for (VertexId v = 0; v <= num_vertices; ++v) {
    ASSERT_EQ(index.first_edge(v), starts[v]) << "vertex " << v;
    ASSERT_TRUE(v == num_vertices || index.degree(v) == starts[v + 1] - starts[v])
        << v << ": " << index.degree(v) << ", " << starts[v] << " to " << starts[v + 1];
    const auto first = std::lower_bound(starts.begin(), starts.end() - 1, starts[v]);
    ASSERT_EQ(index.LowerBound(starts[v]), VertexId(first - starts.begin()));
  }
}

/// E6, E10, E11: blocks far into a segment, and segments beyond 4 GiB.
TEST(CountsOver2To32, PlacesInSegmentsComeBack) {
  PageRecord page;
  for (const uint64_t offset :
       {k2To32 - 128, k2To32, k2To32 * 128 - 128, k2To32 * 128, (uint64_t{1} << 47) - 128}) {
    BlockLocation location{};
    location.set_offset(offset);
    location.stored_bytes = 128;
    EXPECT_EQ(location.offset(), offset);
    page.blocks.push_back(location);
  }
  const StatusOr<PageRecord> back = DecodePage(EncodePage(page));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->blocks, page.blocks);
  for (const uint64_t length : {k2To32 - 128, k2To32, 15 * k2To32}) {
    EXPECT_EQ(*DecodeSegment(EncodeSegment(length)), length);
  }
  BlockIdentity identity{Uuid{}, ColumnKind::kOutNeighbors, 7, 3 * k2To32 + 9};
  std::vector<std::byte> stored;
  const std::vector<std::byte> payload(64);
  const BlockContents contents{Codec::kRaw32, 16};
  const BlockLocation location =
      BlockSealer().Seal(identity, contents, payload, CompressionPolicy::kNever, &stored);
  EXPECT_EQ(CheckBlock(identity, contents, location, stored)->block, identity.block);
  identity.block -= k2To32;
  EXPECT_FALSE(CheckBlock(identity, contents, location, stored).ok());
}

/// E7: page numbers up to the last come back from their keys, in order. The next number is refused.
TEST(CountsOver2To32, PageNumbersEndAt2To32) {
  std::string before;
  for (const uint32_t page : {uint32_t{0}, uint32_t{1} << 24, uint32_t{1} << 31, ~uint32_t{0}}) {
    const std::string key = PageKey(ColumnKind::kOutNeighbors, page);
    EXPECT_EQ(ParseKey(key)->page, page);
    EXPECT_GT(key, before);
    before = key;
  }
  for (const uint64_t page_blocks : {1, 256, 65536}) {
    const auto blocks = static_cast<uint32_t>(page_blocks);
    EXPECT_EQ(*PageOfBlock(k2To32 * page_blocks - 1, blocks), ~uint32_t{0});
    EXPECT_EQ(PageOfBlock(k2To32 * page_blocks, blocks).status().code(), Code::kOutput);
  }
}

/// A store that has only counts.
class CountedStore : public GraphStore {
 public:
  CountedStore(uint64_t num_edges, uint32_t block_edges) {
    info_.num_edges = num_edges;
    info_.block_edges = block_edges;
    ColumnInfo& column = columns_[static_cast<size_t>(ColumnKind::kOutNeighbors)];
    column.num_values = num_edges;
    column.num_blocks = (num_edges + block_edges - 1) / block_edges;
  }
};

/// E4: counts that follow from the number of blocks, and the size of the last block, for more than
/// 2^32 blocks.
TEST(CountsOver2To32, BlocksAreCountedBeyond2To32) {
  const CountedStore store(128 * k2To32 + 133, 128);
  const ColumnKind column = ColumnKind::kOutNeighbors;
  ASSERT_EQ(store.column(column).num_blocks, k2To32 + 2);
  EXPECT_EQ(store.block_values(column, k2To32), 128u);
  EXPECT_EQ(store.block_values(column, k2To32 + 1), 5u);
  EXPECT_EQ(store.identity(column, k2To32 + 1).block, k2To32 + 1);
  EXPECT_EQ(store.identity(column, k2To32 + 1).page, uint32_t{1} << 24);
  EXPECT_EQ(store.table_bytes(),
            (k2To32 + 2) * sizeof(BlockLocation) + ((1u << 24) + 1) * sizeof(PageInfo));
  EXPECT_GT(BlockReader::OverheadBytes(store, {}), (k2To32 + 2) * 8);
}

/// A graph of 2^32 + 40,000 edges and 8.6 GB of blocks. Only its catalog has data: the segment is a
/// sparse file.
class HollowGraph {
 public:
  static constexpr uint64_t kEdges = k2To32 + 40'000;
  static constexpr uint32_t kStoredBytes = 64 << 10;
  static constexpr uint32_t kPayloadBytes = 100'000;
  static constexpr uint64_t kBlockEdges = 1u << 15;
  static constexpr uint64_t kBlocks = (kEdges + kBlockEdges - 1) / kBlockEdges;

  HollowGraph() {
    CreateOptions options;
    EXPECT_TRUE(GraphWriter::Create(path_, options).ok());  // the graph stays unfinished
    header_.whole = true;
    header_.num_directories = 1;
    header_.info.uuid = options.uuid;
    header_.info.num_vertices = 1000;
    header_.info.num_edges = kEdges;
    header_.info.num_self_loops = k2To32 + 3;
    header_.info.num_duplicates = k2To32 + 4;
    header_.columns[static_cast<size_t>(kColumn)] = {kEdges, kBlocks * kStoredBytes,
                                                     kBlocks * kPayloadBytes, kBlocks};
    const SegmentKey segment{kColumn, 0, 0};
    const uint64_t length = kBlocks * kStoredBytes;
    const StatusOr<File> file =
        File::Open(StrCat(path_, "/data/", options.uuid.ToString(), "/", segment.FileName()),
                   O_RDWR | O_CREAT);
    EXPECT_TRUE(file.ok() && file->Truncate(length).ok());
    WritePages();
    catalog_->Put(segment.Encode(), EncodeSegment(length));
    Write(header_);
  }

  /// Replaces the header in the catalog.
  void Write(const HeaderRecord& header) {
    if (catalog_ == nullptr) catalog_ = OpenCatalog();
    catalog_->Put(HeaderKey(), EncodeHeader(header));
    EXPECT_TRUE(catalog_->Write().ok());
    catalog_.reset();
  }

  StatusOr<std::unique_ptr<GraphStore>> Open(MemoryBudget& budget) {
    return GraphStore::Open(path_, {}, budget);
  }
  const HeaderRecord& header() const { return header_; }
  static constexpr ColumnKind kColumn = ColumnKind::kOutNeighbors;

 private:
  std::unique_ptr<Catalog> OpenCatalog() {
    auto catalog = Catalog::Open(path_ + "/catalog", Catalog::Mode::kWrite);
    EXPECT_TRUE(catalog.ok()) << catalog.status().message();
    return std::move(*catalog);
  }
  void WritePages() {
    catalog_ = OpenCatalog();
    for (uint64_t first = 0; first < kBlocks; first += header_.info.page_blocks) {
      PageRecord page{PageInfo{500, 500, 0, 999}, {}};
      for (uint64_t b = first; b < std::min(kBlocks, first + header_.info.page_blocks); ++b) {
        BlockLocation location{};
        location.set_offset(b * kStoredBytes);
        location.stored_bytes = kStoredBytes;
        location.payload_bytes = kPayloadBytes;
        page.blocks.push_back(location);
      }
      catalog_->Put(PageKey(kColumn, *PageOfBlock(first, header_.info.page_blocks)),
                    EncodePage(page));
    }
  }

  TemporaryDirectory temporary_;
  const std::string path_ = temporary_ / "hollow.mill";
  HeaderRecord header_;
  std::unique_ptr<Catalog> catalog_;
};

/// E1, E2, E3, E5: the counts are written, and read by an open, which compares them with the sums
/// over all blocks.
TEST(CountsOver2To32, AnOpenGraphHasThem) {
  HollowGraph graph;
  MemoryBudget budget(uint64_t{1} << 30);
  const auto store = graph.Open(budget);
  ASSERT_TRUE(store.ok()) << store.status().message();
  const ColumnInfo& column = (*store)->column(HollowGraph::kColumn);
  EXPECT_EQ((*store)->info().num_edges, k2To32 + 40'000);
  EXPECT_EQ((*store)->info().num_self_loops, k2To32 + 3);
  EXPECT_EQ((*store)->info().num_duplicates, k2To32 + 4);
  EXPECT_EQ(column.num_values, k2To32 + 40'000);
  EXPECT_EQ(column.stored_bytes, HollowGraph::kBlocks << 16);
  EXPECT_GT(column.stored_bytes, 2 * k2To32);
  EXPECT_GT(column.payload_bytes, 3 * k2To32);
  EXPECT_EQ((*store)->block_values(HollowGraph::kColumn, column.num_blocks - 1),
            40'000u - (1 << 15));
  EXPECT_EQ((*store)->data_directories()[0].stored_bytes, column.stored_bytes);
}

/// The same counts less a multiple of 2^32 are refused. So no check uses only 32 bits.
TEST(CountsOver2To32, CountsWithoutTheirHighBitsAreRefused) {
  HollowGraph graph;
  MemoryBudget budget(uint64_t{1} << 30);
  const auto refused = [&](const char* name, const auto& change) {
    HeaderRecord header = graph.header();
    change(header, header.columns[static_cast<size_t>(HollowGraph::kColumn)]);
    graph.Write(header);
    EXPECT_EQ(graph.Open(budget).status().code(), Code::kBadData) << name;
  };
  using Header = HeaderRecord;
  refused("E1", [](Header& header, ColumnInfo&) { header.info.num_edges -= k2To32; });
  refused("E1, E3", [](Header& header, ColumnInfo& column) {
    header.info.num_edges = column.num_values = 40'000;
  });
  refused("E2 loops", [](Header& header, ColumnInfo&) {
    header.info.num_self_loops = 2 * k2To32 + 1;  // more than there are edges; 1 in 32 bits
  });
  refused("E2 duplicates",
          [](Header& header, ColumnInfo&) { header.info.num_duplicates = 2 * k2To32 + 1; });
  refused("E3", [](Header&, ColumnInfo& column) { column.num_values -= k2To32; });
  refused("E4", [](Header&, ColumnInfo& column) { column.num_blocks += k2To32; });
  refused("E5 stored", [](Header&, ColumnInfo& column) { column.stored_bytes -= k2To32; });
  refused("E5 payload", [](Header&, ColumnInfo& column) { column.payload_bytes -= 3 * k2To32; });
  graph.Write(graph.header());
  EXPECT_TRUE(graph.Open(budget).ok());
}

/// Of an open graph's memory, only the block table grows with the edges. The allocator's count is
/// at most what was reserved. With a pass's list of blocks, it is at most 1.5 bytes for 1,000
/// edges.
TEST(MemoryOfManyBlocks, IsAtMost1AndAHalfBytesFor1000Edges) {
#ifdef EDGEMILL_TEST_SANITIZED
  GTEST_SKIP() << "a sanitizer's allocator does not say what is held";
#endif
  HollowGraph graph;
  MemoryBudget budget(uint64_t{1} << 30);
  const auto allocated = [] {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const uint64_t available = budget.available_bytes();
  { const auto warm = graph.Open(budget); }  // RocksDB keeps some things for good
  const uint64_t before = allocated();
  const auto store = graph.Open(budget);
  ASSERT_TRUE(store.ok()) << store.status().message();
  const uint64_t held = allocated() - before;
  const uint64_t reserved = available - budget.available_bytes();
  EXPECT_EQ(reserved, (*store)->table_bytes());
  EXPECT_GE(held, HollowGraph::kBlocks * sizeof(BlockLocation));
  EXPECT_LE(held, reserved + (64 << 10));
  const double thousands = static_cast<double>(HollowGraph::kEdges) / 1000;
  const uint64_t list = BlockReader::OverheadBytes(**store, {});
  std::printf("%.3f bytes for 1,000 edges, and %.3f while a pass runs\n",
              static_cast<double>(held) / thousands, static_cast<double>(list) / thousands);
  EXPECT_LE(static_cast<double>(held + list) / thousands, 1.5);
}

}  // namespace
}  // namespace edgemill
