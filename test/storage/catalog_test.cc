// The catalog: its records as bytes, its root hash, and opening a damaged catalog.
#include "storage/catalog/catalog.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "storage/catalog/catalog_contents.h"
#include "storage/write/segment_writer.h"
#include "test/graphs/written_graph.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

HeaderRecord SampleHeader() {
  HeaderRecord header;
  header.whole = true;
  header.info.uuid = TestUuid();
  header.info.num_vertices = kMaxVertices;
  header.info.num_edges = (uint64_t{5} << 32) + 7;
  header.info.directed = false;
  header.info.sparse_ids = true;
  header.info.weights = WeightType::kFloat64;
  header.info.renumbering = Renumbering::kHub;
  header.info.num_self_loops = (uint64_t{1} << 32) + 1;
  header.info.num_duplicates = (uint64_t{1} << 32) + 2;
  header.info.has_negative_weight = true;
  header.info.offset_crossings = {{{1, 1, 1, 4'000'000'000u, 4'000'000'001u}, {9}}};
  header.num_directories = 3;
  for (uint64_t c = 0; c < kNumColumnsWithoutNames; ++c) {
    header.columns[c] = {(c << 33) + 1, (c << 40) + 2, (c << 41) + 3, (c << 32) + 4};
  }
  return header;
}

/// The sample header of a graph whose vertices have names.
HeaderRecord NamedHeader() {
  HeaderRecord header = SampleHeader();
  header.info.sparse_ids = false;
  header.columns[static_cast<size_t>(ColumnKind::kNames)] = {(uint64_t{3} << 34) + 5, 6, 7, 8};
  header.columns[static_cast<size_t>(ColumnKind::kNameGroups)] = {9, 10, 11, 12};
  return header;
}

TEST(CatalogRecords, HeadersKeepCountsBeyond32Bits) {
  const HeaderRecord header = SampleHeader();
  const StatusOr<HeaderRecord> back = DecodeHeader(EncodeHeader(header));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(EncodeHeader(*back), EncodeHeader(header));
  EXPECT_EQ(back->info.num_edges, header.info.num_edges);
  EXPECT_EQ(back->info.num_vertices, header.info.num_vertices);
  EXPECT_EQ(back->info.num_self_loops, header.info.num_self_loops);
  EXPECT_EQ(back->info.num_duplicates, header.info.num_duplicates);
  EXPECT_EQ(back->info.offset_crossings, header.info.offset_crossings);
  EXPECT_EQ(back->info.weights, WeightType::kFloat64);
  for (int c = 0; c < kNumColumns; ++c) {
    EXPECT_EQ(back->columns[c].num_values, header.columns[c].num_values);
    EXPECT_EQ(back->columns[c].num_blocks, header.columns[c].num_blocks);
    EXPECT_EQ(back->columns[c].stored_bytes, header.columns[c].stored_bytes);
    EXPECT_EQ(back->columns[c].payload_bytes, header.columns[c].payload_bytes);
  }
}

TEST(CatalogRecords, HeadersOfNamedGraphsHaveTwoMoreColumnsAndAFlag) {
  constexpr size_t kTwoColumns = 64;
  HeaderRecord header = NamedHeader();
  const std::string named = EncodeHeader(header);
  const StatusOr<HeaderRecord> back = DecodeHeader(named);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(EncodeHeader(*back), named);
  EXPECT_EQ(back->info.name_bytes, (uint64_t{3} << 34) + 5);
  EXPECT_EQ(back->columns[static_cast<size_t>(ColumnKind::kNameGroups)].num_values, 9u);
  // A header without names has the bytes that it had before names existed.
  header.columns[static_cast<size_t>(ColumnKind::kNames)] = {};
  header.columns[static_cast<size_t>(ColumnKind::kNameGroups)] = {};
  std::string same = named.substr(0, named.size() - kTwoColumns);
  EXPECT_EQ(same[12], 1);
  same[12] = 0;
  EXPECT_EQ(EncodeHeader(header), same);
  EXPECT_EQ(DecodeHeader(same)->info.name_bytes, 0u);
  // A header with the flag must have the columns, and the reverse.
  for (std::string bytes : {same, named}) {
    bytes[12] ^= 1;
    EXPECT_EQ(DecodeHeader(bytes).status().code(), Code::kBadData);
  }
  same[12] = 1;
  EXPECT_EQ(DecodeHeader(same + std::string(kTwoColumns, '\0')).status().code(), Code::kBadData);
  for (size_t size = same.size(); size < named.size(); ++size) {
    EXPECT_FALSE(DecodeHeader(named.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(DecodeHeader(named + 'x').ok());
}

TEST(CatalogRecords, NamesThatContradictTheRestAreRefused) {
  const auto refused = [](auto change) {
    HeaderRecord header = NamedHeader();
    change(header);
    return DecodeHeader(EncodeHeader(header)).status().code() == Code::kBadData;
  };
  const auto column = [](HeaderRecord& header, ColumnKind kind) -> ColumnInfo& {
    return header.columns[static_cast<size_t>(kind)];
  };
  EXPECT_FALSE(refused([](HeaderRecord&) {}));
  EXPECT_TRUE(refused([](HeaderRecord& header) { header.info.sparse_ids = true; }));
  EXPECT_TRUE(refused([](HeaderRecord& header) { header.info.id_base = 1; }));
  EXPECT_TRUE(refused([](HeaderRecord& header) { header.info.num_vertices = 1; }))
      << "more bytes than the names can have";
  EXPECT_TRUE(refused([&](HeaderRecord& header) { column(header, ColumnKind::kNames) = {}; }));
  EXPECT_TRUE(refused([&](HeaderRecord& header) { column(header, ColumnKind::kNameGroups) = {}; }));
  // An unfinished graph may have only a part of its names.
  EXPECT_FALSE(refused([&](HeaderRecord& header) {
    header.whole = false;
    column(header, ColumnKind::kNameGroups) = {};
  }));
}

/// A directed graph without the weights of one direction.
HeaderRecord OneWayHeader(ColumnKind missing) {
  HeaderRecord header = SampleHeader();
  header.info.directed = true;
  header.columns[static_cast<size_t>(missing)] = {};
  return header;
}

TEST(CatalogRecords, HeadersWithWeightsOfOneDirectionHaveAFlag) {
  constexpr char kFlag = 2;
  const std::string all = EncodeHeader(SampleHeader());
  EXPECT_EQ(all[12], 0);
  for (const ColumnKind missing : {ColumnKind::kOutWeights, ColumnKind::kInWeights}) {
    const std::string bytes = EncodeHeader(OneWayHeader(missing));
    EXPECT_EQ(bytes[12], kFlag);
    EXPECT_EQ(bytes.size(), all.size());
    const StatusOr<HeaderRecord> back = DecodeHeader(bytes);
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(EncodeHeader(*back), bytes);
    EXPECT_EQ(back->columns[static_cast<size_t>(missing)].num_blocks, 0u);
    // A program that does not know the flag refuses the graph, and this one refuses a wrong flag.
    for (std::string wrong : {bytes, all}) {
      wrong[12] ^= kFlag;
      EXPECT_EQ(DecodeHeader(wrong).status().code(), Code::kBadData);
    }
    // Names and weights of one direction may occur together.
    HeaderRecord named = NamedHeader();
    named.columns[static_cast<size_t>(missing)] = {};
    EXPECT_EQ(EncodeHeader(named)[12], 3);
    EXPECT_TRUE(DecodeHeader(EncodeHeader(named)).ok());
  }
}

TEST(CatalogRecords, WeightsOfOneDirectionOnlyWhereTheOtherHasThem) {
  const auto code = [](HeaderRecord header, std::initializer_list<ColumnKind> missing) {
    for (const ColumnKind kind : missing) header.columns[static_cast<size_t>(kind)] = {};
    return DecodeHeader(EncodeHeader(header)).status().code();
  };
  HeaderRecord header = SampleHeader();
  EXPECT_EQ(code(header, {ColumnKind::kOutWeights, ColumnKind::kInWeights}), Code::kBadData);
  // Lists of one direction alone, with and without weights.
  EXPECT_EQ(code(header, {ColumnKind::kInNeighbors, ColumnKind::kInWeights}), Code::kOk);
  EXPECT_EQ(code(header, {ColumnKind::kOutNeighbors, ColumnKind::kOutWeights}), Code::kOk);
  EXPECT_EQ(
      code(header, {ColumnKind::kInNeighbors, ColumnKind::kInWeights, ColumnKind::kOutWeights}),
      Code::kBadData);
  header.info.weights = WeightType::kNone;
  EXPECT_EQ(code(header, {ColumnKind::kOutWeights, ColumnKind::kInWeights}), Code::kOk);
  // While a graph is not whole, any column may be missing.
  header = SampleHeader();
  header.whole = false;
  EXPECT_EQ(code(header, {ColumnKind::kInWeights}), Code::kOk);
  EXPECT_EQ(code(header, {ColumnKind::kOutWeights, ColumnKind::kInWeights}), Code::kOk);
}

TEST(CatalogRecords, UnknownVersionsAndFeaturesAreRefusedByName) {
  const std::string good = EncodeHeader(SampleHeader());
  for (const uint32_t version : {0u, kCatalogVersion + 1, kCatalogVersion << 24, UINT32_MAX}) {
    std::string bytes = good;
    std::memcpy(&bytes[8], &version, 4);
    const Status status = DecodeHeader(bytes).status();
    EXPECT_EQ(status.code(), Code::kBadData);
    EXPECT_NE(status.message().find(StrCat("version ", version, ",")), std::string_view::npos);
    EXPECT_NE(status.message().find(StrCat("reads version ", kCatalogVersion)),
              std::string_view::npos);
  }
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t flag = uint64_t{1} << bit;
    std::string bytes = good;
    std::memcpy(&bytes[12], &flag, 8);
    EXPECT_EQ(DecodeHeader(bytes).status().code(), Code::kBadData);
    bytes = good;
    std::memcpy(&bytes[20], &flag, 8);
    EXPECT_TRUE(DecodeHeader(bytes).ok()) << "readers may ignore compatible features";
    EXPECT_FALSE(CheckWritable(bytes).ok()) << "writers may not";
  }
}

TEST(CatalogRecords, CutOrLengthenedRecordsAreRefused) {
  const std::string header = EncodeHeader(SampleHeader());
  const PageRecord page{PageInfo{1, 2, 3, 4}, std::vector<BlockLocation>(3)};
  const std::string page_bytes = EncodePage(page);
  const std::string directory = EncodeDirectory({TestUuid(), 2, "/disk"});
  for (size_t size = 0; size < header.size(); ++size) {
    EXPECT_FALSE(DecodeHeader(header.substr(0, size)).ok()) << size;
    EXPECT_EQ(DecodePage(page_bytes.substr(0, size)).ok(), size >= page_bytes.size());
    EXPECT_EQ(DecodeDirectory(directory.substr(0, size)).ok(), size >= directory.size());
  }
  EXPECT_FALSE(DecodeHeader(header + 'x').ok());
  EXPECT_FALSE(DecodePage(page_bytes + 'x').ok());
  EXPECT_FALSE(DecodeDirectory(directory + 'x').ok());
  EXPECT_FALSE(DecodeSegment("1234567").ok());
  EXPECT_FALSE(DecodeSegment("123456789").ok());
  EXPECT_FALSE(DecodeRoot("x").ok());
  EXPECT_FALSE(ParseKey("").ok());
  EXPECT_FALSE(ParseKey("X").ok());
  EXPECT_FALSE(ParseKey(std::string("P") + static_cast<char>(kNumColumns) + "....").ok());
  EXPECT_FALSE(ParseKey("Hx").ok());
}

TEST(CatalogRecords, KeysSortByColumnThenNumber) {
  std::vector<std::string> keys;
  for (int column = 0; column < kNumColumns; ++column) {
    for (const uint32_t page : {0u, 1u, 255u, 256u, 65536u, UINT32_MAX}) {
      keys.push_back(PageKey(static_cast<ColumnKind>(column), page));
      const StatusOr<ParsedKey> parsed = ParseKey(keys.back());
      ASSERT_TRUE(parsed.ok());
      EXPECT_EQ(parsed->page, page);
      EXPECT_EQ(static_cast<int>(parsed->column), column);
    }
  }
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  const SegmentKey segment{ColumnKind::kInWeights, 255, 65535};
  EXPECT_EQ(ParseKey(segment.Encode())->segment, segment);
  EXPECT_EQ(segment.FileName(), "in-weights.65535.seg");
}

TEST(RootHash, EveryBitFlipLossAndRenamingOfARecordIsFound) {
  TemporaryDirectory temporary;
  ASSERT_TRUE(WriteGraph(temporary / "g.mill", TestGraph()).ok());
  using Records = std::vector<std::pair<std::string, std::string>>;
  const Records records = *DumpRecords(temporary / "g.mill/catalog");
  const auto check = [](const Records& changed) {
    RootCheck root;
    for (const auto& [key, value] : changed) RETURN_IF_ERROR(root.Add(key, value));
    return root.Finish();
  };
  ASSERT_TRUE(check(records).ok());
  for (size_t i = 0; i < records.size(); ++i) {
    const size_t bits = records[i].second.size() * 8;
    for (size_t bit = 0; bit < bits; ++bit) {
      Records changed = records;
      char& byte = changed[i].second[bit / 8];
      byte = static_cast<char>(byte ^ 1 << bit % 8);
      ASSERT_FALSE(check(changed).ok()) << "record " << i << " bit " << bit;
    }
    Records lost = records;
    lost.erase(lost.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(check(lost).ok());
    Records doubled = records;
    doubled.push_back(records[i]);
    EXPECT_EQ(check(doubled).ok(), records[i].first == RootKey());
    for (size_t j = 0; j < i; ++j) {
      if (records[i].second == records[j].second) continue;
      Records swapped = records;
      std::swap(swapped[i].second, swapped[j].second);
      EXPECT_FALSE(check(swapped).ok()) << i << " and " << j;
    }
  }
}

/// A graph whose catalog's files a test damages.
class DamagedCatalogTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteGraph(path_, graph_).ok());
    for (const auto& entry : fs::directory_iterator(path_ + "/catalog")) {
      files_[entry.path().native()] =
          *ReadWholeFile(entry.path().native(), static_cast<size_t>(entry.file_size()));
    }
    ASSERT_GE(files_.size(), 4u);
  }
  void Overwrite(const std::string& name, const std::string& contents) {
    std::ofstream(name, std::ios::binary | std::ios::trunc) << contents;
  }
  /// Expects that the damage is harmless or an error. Returns whether it was an error.
  bool Found(const std::string& what) {
    const Status status = CheckGraph(path_, graph_);
    if (status.ok()) return false;
    // A catalog that lost its last records looks like that of an unfinished ingest.
    EXPECT_TRUE(status.code() == Code::kBadData || status.code() == Code::kMissing ||
                status.code() == Code::kUnfinished || status.code() == Code::kIo)
        << what << ": " << status.message();
    return true;
  }

  TemporaryDirectory temporary_;
  const TestGraph graph_{};
  const std::string path_ = temporary_ / "g.mill";
  std::map<std::string, std::string> files_;
};

TEST_F(DamagedCatalogTest, EveryBitOfTheHeaderRecordOnDisk) {
  size_t flips = 0;
  for (const auto& [name, contents] : files_) {
    if (!name.ends_with(".sst")) continue;
    const size_t begin = contents.find("EDGEMILL");
    ASSERT_NE(begin, std::string::npos);
    const size_t size = EncodeHeader(SampleHeader()).size() - 6 * sizeof(VertexId);
    for (size_t bit = 0; bit < size * 8; ++bit) {
      std::string flipped = contents;
      flipped[begin + bit / 8] = static_cast<char>(flipped[begin + bit / 8] ^ 1 << bit % 8);
      Overwrite(name, flipped);
      ASSERT_TRUE(Found(StrCat("bit ", bit))) << "bit " << bit;
      ++flips;
    }
    Overwrite(name, contents);
  }
  EXPECT_GT(flips, 2000u);
  EXPECT_FALSE(Found("nothing"));
}

TEST_F(DamagedCatalogTest, FlipsCutsAndLossesInEveryFile) {
  Random random(3);
  int found = 0;
  for (const auto& [name, contents] : files_) {
    for (size_t begin = 0; begin < contents.size(); begin += 512) {
      std::string flipped = contents;
      const size_t place = begin + random.Below(std::min<size_t>(512, contents.size() - begin));
      flipped[place] = static_cast<char>(flipped[place] ^ 1 << random.Below(8));
      Overwrite(name, flipped);
      found += Found(StrCat(name, " byte ", place));
    }
    for (int i = 0; i < 20; ++i) {
      Overwrite(name, contents.substr(0, random.Below(contents.size() + 1)));
      found += Found(StrCat(name, " cut"));
    }
    fs::remove(name);
    found += Found(StrCat(name, " gone"));
    Overwrite(name, contents);
    ASSERT_FALSE(Found("nothing")) << name;
  }
  EXPECT_GT(found, 20);
}

TEST_F(DamagedCatalogTest, ReadingLeavesNoTrace) {
  const auto state = [&] {
    std::map<std::string, std::string> seen;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      struct stat info;
      EXPECT_EQ(lstat(entry.path().c_str(), &info), 0);
      seen[entry.path().native()] = StrCat(info.st_ino, " ", info.st_size, " ", info.st_mtim.tv_sec,
                                           " ", info.st_mtim.tv_nsec, " ", info.st_ctim.tv_nsec);
    }
    return seen;
  };
  const auto before = state();
  EXPECT_FALSE(Found("nothing"));
  EXPECT_EQ(state(), before);
  for (const auto& [name, unused] : before) {
    EXPECT_EQ(name.find("LOG."), std::string::npos) << name;
  }
}

TEST_F(DamagedCatalogTest, AnotherGraphsCatalogIsRefused) {
  CreateOptions options = TestOptions(graph_, {});
  options.uuid = TestUuid().Derive(5);
  StatusOr<std::unique_ptr<GraphWriter>> other =
      GraphWriter::Create(temporary_ / "other.mill", options);
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE(FinishGraph(**other, graph_).ok());
  other->reset();
  fs::remove_all(path_ + "/catalog");
  fs::copy(temporary_ / "other.mill/catalog", path_ + "/catalog");
  EXPECT_EQ(CheckGraph(path_, graph_).code(), Code::kMissing);
}

TEST_F(DamagedCatalogTest, TheBlockTableIsReservedInTheBudget) {
  MemoryBudget small(MemoryBudget::kProcessBytes + 100);
  EXPECT_EQ(GraphStore::Open(path_, {}, small).status().code(), Code::kBudget);
  MemoryBudget enough(MemoryBudget::kProcessBytes + 30 * 24 + 10 * 16);
  const uint64_t before = enough.available_bytes();
  {
    const auto store = GraphStore::Open(path_, {}, enough);
    ASSERT_TRUE(store.ok()) << store.status().message();
    EXPECT_LT(enough.available_bytes(), before);
  }
  EXPECT_EQ(enough.available_bytes(), before);
}

/// Fills the catalog of a new graph as if 2^33 + 5 edges had been written to it, in blocks of 32
/// KiB.
void PutManyBlocks(Catalog& catalog, HeaderRecord header, uint64_t num_edges) {
  const ColumnKind column = ColumnKind::kOutNeighbors;
  const uint64_t num_blocks = (num_edges + 65535) / 65536;
  uint64_t end = 0;
  for (uint64_t block = 0; block < num_blocks;) {
    PageRecord page{PageInfo{5, 5, 0, 9}, {}};  // one hub
    const uint32_t number = static_cast<uint32_t>(block / 256);
    for (; block < num_blocks && page.blocks.size() < 256; ++block) {
      BlockLocation location{};
      location.checksum = block;
      location.set_offset(end);
      location.stored_bytes = location.payload_bytes = 48 << 10;
      end += location.stored_bytes;
      page.blocks.push_back(location);
    }
    catalog.Put(PageKey(column, number), EncodePage(page));
  }
  catalog.Put(SegmentKey{column, 0, 0}.Encode(), EncodeSegment(end));
  header.whole = true;
  header.info.num_vertices = 10;
  header.info.num_edges = num_edges;
  header.info.offset_crossings[0] = {5, 5};
  header.columns[static_cast<size_t>(column)] = {num_edges, end, end, num_blocks};
  catalog.Put(HeaderKey(), EncodeHeader(header));
  ASSERT_TRUE(catalog.Write().ok());
}

TEST(LargeCounts, EdgesOffsetsAndBytesCross32Bits) {
  TemporaryDirectory temporary;
  const std::string path = temporary / "g.mill";
  CreateOptions options;
  options.uuid = TestUuid();
  options.block_edges = 65536;
  ASSERT_TRUE(GraphWriter::Create(path, options).ok());
  const uint64_t num_edges = (uint64_t{1} << 33) + 5;
  {
    StatusOr<std::unique_ptr<Catalog>> catalog =
        Catalog::Open(path + "/catalog", Catalog::Mode::kWrite);
    ASSERT_TRUE(catalog.ok());
    PutManyBlocks(**catalog, *ReadHeader(**catalog), num_edges);
  }
  const std::string segment = path + "/data/" + TestUuid().ToString() + "/out-neighbors.0000.seg";
  std::ofstream{segment};
  fs::resize_file(segment, ((num_edges + 65535) / 65536) * (48 << 10));  // a sparse file
  MemoryBudget budget(uint64_t{64} << 20);
  const auto opened = GraphStore::Open(path, {}, budget);
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  const GraphStore& store = **opened;
  const ColumnKind column = ColumnKind::kOutNeighbors;
  EXPECT_EQ(store.info().num_edges, num_edges);
  const uint64_t last = (uint64_t{1} << 33) / 65536;
  ASSERT_EQ(store.blocks(column).size(), last + 1);
  EXPECT_EQ(store.block_values(column, last), 5u);
  EXPECT_EQ(store.block_values(column, last - 1), 65536u);
  EXPECT_EQ(store.identity(column, last).page, last / 256);
  EXPECT_EQ(store.blocks(column)[last].offset(), last * (48 << 10));
  EXPECT_GT(store.blocks(column)[last].offset(), uint64_t{1} << 32);
  EXPECT_EQ(store.data_directories()[0].stored_bytes, store.column(column).stored_bytes);
  EXPECT_GT(store.column(column).stored_bytes, uint64_t{1} << 32);
  EXPECT_EQ(store.LocationText(column, store.blocks(column)[last]),
            StrCat(segment, " at ", last * (48 << 10)));
}

TEST(LargeCounts, BlockPlacesReachBeyond40BitsOfBytes) {
  BlockLocation location{};
  for (const uint64_t offset :
       {uint64_t{0}, uint64_t{128}, (uint64_t{1} << 32) - 128, uint64_t{1} << 32,
        (uint64_t{1} << 39) - 128, uint64_t{1} << 39, (uint64_t{1} << 47) - 128}) {
    location.set_offset(offset);
    EXPECT_EQ(location.offset(), offset);
  }
}

}  // namespace
}  // namespace edgemill
