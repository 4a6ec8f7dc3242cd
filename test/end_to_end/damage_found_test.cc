// Damage to a graph on disk: each run that reads it ends with an error that names the place. No run
// gives a wrong answer.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/output/scrub.h"
#include "storage/catalog/catalog.h"
#include "test/graphs/graph_builder.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

constexpr int kDirectories = 3;

/// A graph on several data directories, with all columns except names, and its right answers.
class DamageTest : public testing::Test {
 protected:
  void SetUp() override {
    list_ = WithSparseIds(DenseList({"random", 900, RandomTestEdges(11, 900, 4000)}));
    // Every vertex has an edge in each direction, so a run reads all blocks of each column that it
    // uses.
    for (size_t i = 0; i < list_.ids.size(); ++i) {
      list_.edges.push_back({list_.ids[i], list_.ids[(i + 1) % list_.ids.size()], 3});
    }
    Build("graph.mill", "data", list_, Uuid::Generate());
    for (const std::string name : {"bfs", "sssp", "cc", "pagerank"}) {
      right_[name] = RunOnDisk(path(), Options(name));
      ASSERT_TRUE(right_[name].status.ok()) << right_[name].status.message();
    }
    store_ = *GraphStore::Open(path(), {}, budget_);
    for (int column = 0; column < kNumColumnsWithoutNames; ++column) {
      ASSERT_TRUE(store_->has(ColumnKind(column)));
    }
  }

  void Build(const std::string& name, const std::string& data, const EdgeList& list, Uuid uuid) {
    IngestOptions options;
    for (int i = 0; i < kDirectories; ++i) {
      options.data_directories.push_back(root_ / StrCat(data, i));
    }
    options.block_edges = 512;
    options.page_blocks = 4;
    options.renumbering = Renumbering::kDegree;
    options.ids = IdMode::kSparse;
    options.weights.kind = WeightChoice::Kind::kInt32;
    options.uuid = uuid;
    options.threads = 1;
    const auto report = BuildGraph(list, root_ / name, options);
    ASSERT_TRUE(report.ok()) << report.status().message();
  }

  std::string path() const { return root_ / "graph.mill"; }
  RunOptions Options(const std::string& algorithm) const {
    RunOptions options{.algorithm = algorithm, .threads = 2};
    if (algorithm == "bfs" || algorithm == "sssp") options.values.Set("--source", list_.ids[5]);
    if (algorithm == "pagerank") options.values.Set("--iterations", 3);
    options.verify = true;
    return options;
  }

  /// Runs `algorithm`, which must give the right answer or BadData. Returns whether it gave
  /// BadData.
  bool Refused(const std::string& algorithm, std::string* message = nullptr,
               const OpenOptions& open = {}) {
    const Outcome outcome = RunOnDisk(path(), Options(algorithm), uint64_t{256} << 20, open);
    if (outcome.status.ok()) {
      EXPECT_TRUE(SameAnswers(outcome, right_.at(algorithm))) << "a wrong answer";
      return false;
    }
    EXPECT_EQ(outcome.status.code(), Code::kBadData) << outcome.status.message();
    if (message != nullptr) *message = outcome.status.message();
    return true;
  }

  /// The faults that verify lists.
  std::vector<std::string> Faults() {
    MemoryBudget budget(uint64_t{256} << 20);
    Progress progress;
    auto store = GraphStore::Open(path(), {}, budget);
    if (!store.ok()) return {std::string(store.status().message())};
    auto reader = BlockReader::Create(**store, {.threads = 2}, budget);
    CHECK(reader.ok());
    Scrub scrub({**store, **reader, 2, budget, progress}, "", {});
    EXPECT_TRUE(scrub.Run().ok());
    return scrub.state().faults;
  }

  const SegmentFile& Segment(ColumnKind column, const BlockLocation& location) const {
    return store_->segments()[store_->segment_file(column, location)];
  }

  TemporaryDirectory root_;
  EdgeList list_;
  std::map<std::string, Outcome> right_;
  MemoryBudget budget_{uint64_t{64} << 20};
  std::unique_ptr<GraphStore> store_;
};

/// An algorithm that reads every block of the column.
std::string ReaderOf(ColumnKind column) {
  switch (column) {
    case ColumnKind::kOutWeights:
    case ColumnKind::kInWeights:
      return "sssp";
    case ColumnKind::kOutNeighbors:
      return "cc";
    default:
      return "pagerank";
  }
}

std::vector<std::byte> ReadBytes(const std::string& path, uint64_t offset, size_t size) {
  const File file = *File::Open(path, O_RDONLY);
  std::vector<std::byte> bytes(size);
  const StatusOr<size_t> read = file.ReadAt(bytes, offset);
  CHECK(read.ok() && *read == size);
  return bytes;
}

void WriteBytes(const std::string& path, uint64_t offset, std::span<const std::byte> bytes) {
  CHECK(File::Open(path, O_WRONLY)->WriteAt(bytes, offset).ok());
}

void FlipBit(const std::string& path, uint64_t offset, int bit) {
  std::vector<std::byte> byte = ReadBytes(path, offset, 1);
  byte[0] ^= std::byte{1} << bit;
  WriteBytes(path, offset, byte);
}

bool Names(const std::string& message, const std::string& file, uint64_t block) {
  const std::string name = fs::path(file).filename().stem().string();
  return message.find(name) != std::string::npos &&
         message.find(StrCat("block ", block, " ")) != std::string::npos;
}

TEST_F(DamageTest, AFlippedBitInAnyBlockIsNamedByItsReaders) {
  Random random(3);
  int sites = 0;
  for (int kind = 0; kind < kNumColumnsWithoutNames; ++kind) {
    const auto column = ColumnKind(kind);
    for (uint64_t block = 0; block < store_->blocks(column).size(); ++block) {
      const BlockLocation location = store_->blocks(column)[block];
      const std::string file = Segment(column, location).file.path();
      BlockHeader header;
      std::memcpy(&header, ReadBytes(file, location.offset(), sizeof(header)).data(),
                  sizeof(header));
      const uint64_t end = sizeof(header) + header.stored_bytes;
      for (const uint64_t site : {random.Below(56), 56 + random.Below(8), uint64_t{64},
                                  64 + random.Below(header.stored_bytes), end - 1}) {
        SCOPED_TRACE(StrCat(ColumnName(column), " block ", block, ", byte ", site, " of ", end));
        const int bit = static_cast<int>(random.Below(8));
        FlipBit(file, location.offset() + site, bit);
        std::string message;
        if (column == ColumnKind::kInWeights) {
          Refused(ReaderOf(column), &message);  // pulls may not be needed
        } else {
          EXPECT_TRUE(Refused(ReaderOf(column), &message));
          EXPECT_TRUE(Names(message, file, block)) << message;
        }
        Refused(std::array{"bfs", "cc", "sssp"}[random.Below(3)]);
        const std::vector<std::string> faults = Faults();
        EXPECT_TRUE(std::any_of(faults.begin(), faults.end(), [&](const std::string& fault) {
          return Names(fault, file, block);
        })) << (faults.empty() ? "nothing found" : faults[0]);
        FlipBit(file, location.offset() + site, bit);
        ++sites;
        if (HasFailure()) return;
      }
      if (end == location.stored_bytes) continue;
      FlipBit(file, location.offset() + end, 0);  // padding belongs to no block
      Refused(ReaderOf(column));
      FlipBit(file, location.offset() + end, 0);
    }
  }
  EXPECT_GT(sites, 200);
  EXPECT_TRUE(Faults().empty());
}

TEST_F(DamageTest, RightBlocksInWrongPlacesAreRefused) {
  Build("other.mill", "other",
        WithSparseIds(DenseList({"other", 900, RandomTestEdges(12, 900, 5000)})), Uuid::Generate());
  EdgeList later = list_;
  for (TestEdge& edge : later.edges) edge.weight += 1;
  std::reverse(later.edges.begin(), later.edges.begin() + 1000);
  later.edges[17].target = later.edges[18].target;
  Build("later.mill", "later", later, store_->info().uuid);
  MemoryBudget budget(uint64_t{64} << 20);
  const auto other = *GraphStore::Open(root_ / "other.mill", {}, budget);
  const auto again = *GraphStore::Open(root_ / "later.mill", {}, budget);
  int copied = 0;
  for (const GraphStore* from :
       {static_cast<const GraphStore*>(store_.get()), static_cast<const GraphStore*>(other.get()),
        static_cast<const GraphStore*>(again.get())}) {
    for (const ColumnKind column : {ColumnKind::kOutNeighbors, ColumnKind::kInNeighbors,
                                    ColumnKind::kOutWeights, ColumnKind::kInOffsets}) {
      for (uint64_t block = 0; block < store_->blocks(column).size(); ++block) {
        const uint64_t source = from == store_.get() ? (block + 1) % from->blocks(column).size()
                                                     : block % from->blocks(column).size();
        const BlockLocation& theirs = from->blocks(column)[source];
        const BlockLocation& ours = store_->blocks(column)[block];
        if (theirs.checksum == ours.checksum) continue;
        const size_t size = std::min(theirs.stored_bytes, ours.stored_bytes);
        const std::string file = Segment(column, ours).file.path();
        const auto bytes =
            ReadBytes(from->segments()[from->segment_file(column, theirs)].file.path(),
                      theirs.offset(), size);
        const auto saved = ReadBytes(file, ours.offset(), size);
        WriteBytes(file, ours.offset(), bytes);
        SCOPED_TRACE(StrCat(ColumnName(column), " block ", block, " from ", from->path()));
        std::string message;
        ASSERT_TRUE(Refused(ReaderOf(column), &message));
        EXPECT_TRUE(Names(message, file, block)) << message;
        WriteBytes(file, ours.offset(), saved);
        ++copied;
      }
    }
  }
  EXPECT_GT(copied, 60);
  EXPECT_TRUE(Faults().empty());
}

/// Replaces the contents of block `block` of `column`, and its checksums in header and catalog, as
/// if they had been written so.
void Rewrite(const std::string& graph, const std::string& segment, ColumnKind column,
             uint64_t block, uint32_t page_blocks, const BlockContents& contents) {
  const auto catalog = *Catalog::Open(graph + "/catalog", Catalog::Mode::kWrite);
  const std::string key = PageKey(column, *PageOfBlock(block, page_blocks));
  PageRecord page = *DecodePage(**catalog->Get(key));
  BlockLocation& location = page.blocks[block % page_blocks];
  std::vector<std::byte> stored = ReadBytes(segment, location.offset(), location.stored_bytes);
  BlockHeader header;
  std::memcpy(&header, stored.data(), sizeof(header));
  header.codec = contents.codec;
  header.num_values = contents.num_values;
  const auto identity = std::as_bytes(std::span(&header, 1)).first(offsetof(BlockHeader, checksum));
  header.checksum = Checksum64(StoredPayload(header, stored), Checksum64(identity));
  WriteBytes(segment, location.offset(), std::as_bytes(std::span(&header, 1)));
  location.checksum = header.checksum;
  catalog->Put(key, EncodePage(page));
  ASSERT_TRUE(catalog->Write().ok());
}

TEST_F(DamageTest, BlocksOfOtherContentsThanTheirColumnHasAreRefused) {
  const uint32_t page_blocks = store_->info().page_blocks;
  for (int kind = 0; kind < kNumColumnsWithoutNames; ++kind) {
    const auto column = ColumnKind(kind);
    const uint64_t block = store_->blocks(column).size() - 1;
    const std::string file = Segment(column, store_->blocks(column)[block]).file.path();
    const BlockContents right = store_->block_contents(column, block);
    const Codec other =
        right.codec == Codec::kPackedValues ? Codec::kPackedAscending : Codec::kPackedValues;
    for (const BlockContents& wrong :
         {BlockContents{other, right.num_values}, BlockContents{right.codec, right.num_values - 1},
          BlockContents{right.codec, right.num_values + 1}}) {
      SCOPED_TRACE(StrCat(ColumnName(column), ": ", wrong.num_values, " values of codec ",
                          static_cast<int>(wrong.codec)));
      Rewrite(path(), file, column, block, page_blocks, wrong);
      std::string message;
      EXPECT_TRUE(Refused(ReaderOf(column), &message) || column == ColumnKind::kInWeights);
      const std::vector<std::string> faults = Faults();
      ASSERT_FALSE(faults.empty());
      EXPECT_TRUE(Names(faults[0], file, block)) << faults[0];
      Rewrite(path(), file, column, block, page_blocks, right);
    }
    EXPECT_FALSE(Refused(ReaderOf(column)));
  }
  EXPECT_TRUE(Faults().empty());
}

TEST_F(DamageTest, SegmentsOfAnotherLengthAreRefused) {
  const std::span<const SegmentFile> segments = store_->segments();
  for (const SegmentFile& segment : segments) {
    const std::string file = segment.file.path();
    const uint64_t size = fs::file_size(file);
    std::vector<uint64_t> lengths = {0, size - 4096, size - 1, size + 1, size + 4096};
    for (const BlockLocation& location : store_->blocks(segment.column)) {
      if (&Segment(segment.column, location) == &segment) lengths.push_back(location.offset());
    }
    fs::copy_file(file, root_ / "saved", fs::copy_options::overwrite_existing);
    for (const uint64_t length : lengths) {
      fs::resize_file(file, length);
      for (const char* algorithm : {"bfs", "pagerank"}) {
        const bool refused = Refused(algorithm);
        EXPECT_TRUE(refused || length > size) << file << " of " << length << " bytes";
      }
      EXPECT_TRUE(!Faults().empty() || length > size);
      fs::copy_file(root_ / "saved", file, fs::copy_options::overwrite_existing);
    }
    fs::remove(file);
    EXPECT_NE(RunOnDisk(path(), Options("cc")).status.code(), Code::kOk);
    fs::copy_file(root_ / "saved", file);
  }
  EXPECT_FALSE(Refused("cc"));
}

TEST_F(DamageTest, DataDirectoriesAreFoundByWhatTheyAre) {
  const std::string uuid = store_->info().uuid.ToString();
  fs::rename(root_ / "data1", root_ / "away");
  const Outcome gone = RunOnDisk(path(), Options("cc"));
  EXPECT_EQ(gone.status.code(), Code::kMissing) << gone.status.message();
  EXPECT_NE(gone.status.message().find("data1"), std::string::npos) << gone.status.message();
  EXPECT_FALSE(Refused("cc", nullptr, {.data_directories = {root_ / "away"}}));
  fs::rename(root_ / "away", root_ / "data1");
  // The directories change places.
  fs::rename(root_ / "data0", root_ / "saved");
  fs::rename(root_ / "data1", root_ / "data0");
  fs::rename(root_ / "data2", root_ / "data1");
  fs::rename(root_ / "saved", root_ / "data2");
  for (const char* algorithm : {"bfs", "sssp", "cc", "pagerank"}) {
    EXPECT_FALSE(Refused(algorithm));
  }
  EXPECT_TRUE(Faults().empty());
  // Files of two directories change places.
  const auto segment = [&](int directory, const char* name) {
    return fs::path(root_ / StrCat("data", directory)) / uuid / name;
  };
  for (const char* name : {"out-neighbors.0000.seg", "in-offsets.0000.seg", "IDENTITY"}) {
    const auto swap = [&] {
      fs::rename(segment(0, name), root_ / "saved");
      fs::rename(segment(1, name), segment(0, name));
      fs::rename(root_ / "saved", segment(1, name));
    };
    if (!fs::exists(segment(0, name)) || !fs::exists(segment(1, name))) continue;
    swap();
    EXPECT_TRUE(Refused("bfs")) << name;
    EXPECT_FALSE(Faults().empty()) << name;
    swap();
  }
  EXPECT_FALSE(Refused("bfs"));
}

/// All files below `directory`.
std::vector<std::string> FilesBelow(const std::string& directory) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_F(DamageTest, ADamagedCatalogNeverGivesAWrongAnswer) {
  store_.reset();
  std::vector<std::string> files = FilesBelow(path() + "/catalog");
  for (int i = 0; i < kDirectories; ++i) {
    for (const std::string& file : FilesBelow(root_ / StrCat("data", i))) {
      if (fs::path(file).filename() == "IDENTITY") files.push_back(file);
    }
  }
  files.push_back(path() + "/IDENTITY");
  Random random(8);
  int refusals = 0;
  for (const std::string& file : files) {
    const uint64_t size = fs::file_size(file);
    const std::string name = fs::path(file).filename();
    const bool essential = name.starts_with("MANIFEST") || name.ends_with(".sst");
    for (int i = 0; i < (essential ? 60 : 4) && size > 0; ++i) {
      const uint64_t site = random.Below(size);
      const int bit = static_cast<int>(random.Below(8));
      SCOPED_TRACE(StrCat(file, ", byte ", site));
      FlipBit(file, site, bit);
      refusals += Refused(std::array{"bfs", "cc", "sssp", "pagerank"}[random.Below(4)]);
      FlipBit(file, site, bit);  // fails if reading changed the file
      if (HasFailure()) return;
    }
    if (size == 0) continue;
    fs::copy_file(file, root_ / "saved", fs::copy_options::overwrite_existing);
    fs::resize_file(file, size / 2);
    refusals += Refused("cc");
    fs::copy_file(root_ / "saved", file, fs::copy_options::overwrite_existing);
  }
  EXPECT_FALSE(Refused("cc"));
  EXPECT_GT(refusals, 20);
}

}  // namespace
}  // namespace edgemill
