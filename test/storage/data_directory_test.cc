// Data directories that have moved, are missing, or have another's files; and removal of graphs.
#include "storage/catalog/data_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "test/graphs/written_graph.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

class DataDirectoryTest : public testing::Test {
 protected:
  void Write(int count) {
    for (int i = 0; i < count; ++i) disks_.push_back(temporary_ / StrCat("disk", i));
    const Status status = WriteGraph(path_, graph_, disks_);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Status Open(const std::vector<std::string>& overrides = {}) {
    return CheckGraph(path_, graph_, overrides);
  }
  std::string Blocks(int disk) { return disks_[disk] + "/" + TestUuid().ToString(); }

  TemporaryDirectory temporary_;
  const TestGraph graph_{};
  const std::string path_ = temporary_ / "g.mill";
  std::vector<std::string> disks_;
};

TEST_F(DataDirectoryTest, AMovedGraphAndMovedDisksAreFound) {
  Write(4);
  fs::rename(path_, temporary_ / "moved.mill");
  EXPECT_TRUE(CheckGraph(temporary_ / "moved.mill", graph_).ok());
  fs::rename(temporary_ / "moved.mill", path_);
  std::vector<std::string> moved;
  for (int i = 0; i < 4; ++i) {
    moved.push_back(temporary_ / StrCat("new", i));
    fs::rename(disks_[i], moved[i]);
  }
  EXPECT_EQ(Open().code(), Code::kMissing);
  std::sort(moved.begin(), moved.end());
  int orders = 0;
  do {
    const Status status = Open(moved);
    EXPECT_TRUE(status.ok()) << status.message();
    ++orders;
  } while (std::next_permutation(moved.begin(), moved.end()));
  EXPECT_EQ(orders, 24);
}

TEST_F(DataDirectoryTest, AGraphWithItsOwnDataMovesAsOne) {
  ASSERT_TRUE(WriteGraph(path_, graph_).ok());
  fs::rename(path_, temporary_ / "moved.mill");
  EXPECT_TRUE(CheckGraph(temporary_ / "moved.mill", graph_).ok());
  fs::copy(temporary_ / "moved.mill", temporary_ / "copy.mill", fs::copy_options::recursive);
  fs::remove_all(temporary_ / "moved.mill");
  EXPECT_TRUE(CheckGraph(temporary_ / "copy.mill", graph_).ok());
}

TEST_F(DataDirectoryTest, DisksThatChangedPlacesAreFoundByUuid) {
  Write(3);
  fs::rename(disks_[0], temporary_ / "aside");
  fs::rename(disks_[1], disks_[0]);
  fs::rename(disks_[2], disks_[1]);
  fs::rename(temporary_ / "aside", disks_[2]);
  const Status status = Open();
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST_F(DataDirectoryTest, EveryMissingSubsetIsListedWhole) {
  Write(4);
  for (int subset = 1; subset < 16; ++subset) {
    for (int i = 0; i < 4; ++i) {
      if ((subset >> i & 1) != 0) fs::rename(disks_[i], disks_[i] + ".gone");
    }
    const Status status = Open();
    EXPECT_EQ(status.code(), Code::kMissing) << status.message();
    for (int i = 0; i < 4; ++i) {
      const bool missing = (subset >> i & 1) != 0;
      const auto mentions = [&](const std::string& text) {
        return status.message().find(text) != std::string_view::npos;
      };
      EXPECT_EQ(mentions(TestUuid().Derive(i).ToString()), missing) << status.message();
      EXPECT_EQ(mentions(disks_[i]), missing) << status.message();
      if (missing) fs::rename(disks_[i] + ".gone", disks_[i]);
    }
    EXPECT_NE(status.message().find("--data DIR"), std::string_view::npos);
  }
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, SwappedAndForeignContentsAreRefused) {
  Write(2);
  // Segments are exchanged, so that they are under another directory's identity.
  fs::rename(Blocks(0) + "/out-neighbors.0000.seg", temporary_ / "aside");
  fs::rename(Blocks(1) + "/out-neighbors.0000.seg", Blocks(0) + "/out-neighbors.0000.seg");
  fs::rename(temporary_ / "aside", Blocks(1) + "/out-neighbors.0000.seg");
  EXPECT_EQ(Open().code(), Code::kBadData);
  fs::rename(Blocks(0) + "/out-neighbors.0000.seg", temporary_ / "aside");
  fs::rename(Blocks(1) + "/out-neighbors.0000.seg", Blocks(0) + "/out-neighbors.0000.seg");
  fs::rename(temporary_ / "aside", Blocks(1) + "/out-neighbors.0000.seg");
  EXPECT_TRUE(Open().ok());
  // The identity file is replaced by that of another graph.
  const std::string identity = *ReadWholeFile(Blocks(0) + "/IDENTITY", 4096);
  const Uuid other = TestUuid().Derive(99);
  const auto overwrite = [&](const std::string& text) {
    std::ofstream(Blocks(0) + "/IDENTITY", std::ios::trunc) << text;
  };
  overwrite(EncodeIdentity(DirectoryIdentity{other, other.Derive(0), 0, 2}));
  const Status foreign = Open();
  EXPECT_EQ(foreign.code(), Code::kBadData);
  EXPECT_NE(foreign.message().find(other.ToString()), std::string_view::npos) << foreign.message();
  overwrite(EncodeIdentity(DirectoryIdentity{TestUuid(), TestUuid().Derive(0), 1, 2}));
  EXPECT_EQ(Open().code(), Code::kBadData);
  overwrite(EncodeIdentity(DirectoryIdentity{TestUuid(), TestUuid().Derive(7), 0, 2}));
  EXPECT_EQ(Open().code(), Code::kBadData);
  for (size_t bit = 0; bit < identity.size() * 8; ++bit) {
    std::string flipped = identity;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    ASSERT_FALSE(DecodeDirectoryIdentity(flipped, "x").ok()) << "bit " << bit;
  }
  overwrite(identity);
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, SegmentsCutOffOrAddedToAreFoundAtOpen) {
  Write(1);
  const std::string segment = Blocks(0) + "/out-neighbors.0000.seg";
  const uint64_t size = fs::file_size(segment);
  for (const uint64_t wrong :
       {uint64_t{0}, uint64_t{128}, size - 4096, size - 1, size + 1, size + 128, size + 4096}) {
    const std::string whole = *ReadWholeFile(segment, size);
    ASSERT_EQ(truncate(segment.c_str(), static_cast<off_t>(wrong)), 0);
    const Status status = Open();
    EXPECT_EQ(status.code(), Code::kBadData) << wrong;
    EXPECT_NE(status.message().find(segment), std::string_view::npos) << status.message();
    std::ofstream(segment, std::ios::trunc) << whole;
  }
  EXPECT_TRUE(Open().ok());
  fs::remove(segment);
  EXPECT_EQ(Open().code(), Code::kBadData);
}

TEST_F(DataDirectoryTest, WhatEverybodyMayWriteIsRefused) {
  Write(1);
  for (const std::string& path : {path_, Blocks(0)}) {
    ASSERT_EQ(chmod(path.c_str(), 0707), 0);
    EXPECT_EQ(Open().code(), Code::kPermission) << path;
    ASSERT_EQ(chmod(path.c_str(), 0700), 0);
    EXPECT_TRUE(Open().ok());
  }
  ASSERT_EQ(chmod(disks_[0].c_str(), 01777), 0);  // as for /tmp: others may only add files
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, NewFilesAreTheOwnersOnly) {
  Write(1);
  for (const std::string& path : {path_, Blocks(0), path_ + "/catalog", path_ + "/runs"}) {
    EXPECT_EQ(fs::status(path).permissions() & fs::perms(0077), fs::perms::none) << path;
  }
  EXPECT_EQ(fs::status(Blocks(0) + "/out-neighbors.0000.seg").permissions() & fs::perms(0077),
            fs::perms::none);
}

TEST_F(DataDirectoryTest, SymbolicLinksBelowADirectoryAreNotFollowed) {
  Write(1);
  const std::string segment = Blocks(0) + "/out-neighbors.0000.seg";
  for (const std::string& path : {segment, Blocks(0) + "/IDENTITY", Blocks(0)}) {
    fs::rename(path, temporary_ / "target");
    fs::create_symlink(temporary_ / "target", path);
    EXPECT_FALSE(Open().ok()) << path;
    fs::remove(path);
    fs::rename(temporary_ / "target", path);
  }
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, HintsCannotLeadOutOfTheGraphDirectory) {
  const std::vector<std::string> hostile = {"",    ".",       "..", "../x",
                                            "a/b", "a/../..", "x/", std::string("a\0b", 3)};
  for (const std::string& hint : hostile) {
    const DirectoryRecord record{TestUuid(), 1, hint};
    EXPECT_FALSE(DecodeDirectory(EncodeDirectory(record)).ok()) << hint;
    const GraphIdentity identity{TestUuid(), {{hint, true}}};
    EXPECT_FALSE(DecodeGraphIdentity(EncodeIdentity(identity), "x").ok()) << hint;
  }
  for (const std::string hint : {"data", "/disk", "-odd name-", "..."}) {
    const DirectoryRecord record{TestUuid(), 1, hint};
    EXPECT_TRUE(DecodeDirectory(EncodeDirectory(record)).ok()) << hint;
  }
}

TEST_F(DataDirectoryTest, UnusableDirectoriesAreRefusedBeforeAnythingIsMade) {
  std::ofstream(temporary_ / "file") << "x";
  using Disks = std::vector<std::string>;
  for (const Disks& disks :
       {Disks{temporary_ / "a", temporary_ / "a"}, Disks{temporary_ / "a", temporary_ / "b/../a/"},
        Disks{path_ + "/catalog"}, Disks{path_ + "/x/y"}, Disks{path_},
        Disks{temporary_ / "line\nbreak"}, Disks(257, temporary_ / "a")}) {
    EXPECT_EQ(WriteGraph(path_, graph_, disks).code(), Code::kUsage);
    EXPECT_FALSE(PathExists(path_));
  }
  EXPECT_FALSE(WriteGraph(path_, graph_, {temporary_ / "file"}).ok());
  EXPECT_FALSE(PathExists(path_));
  EXPECT_EQ(WriteGraph(temporary_ / "file", graph_).code(), Code::kOutput);
  EXPECT_EQ(WriteGraph(temporary_ / "no/where.mill", graph_).code(), Code::kOutput);
  EXPECT_TRUE(WriteGraph(path_, graph_, {path_ + "/inside"}).ok());
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, RemovalDeletesTheGraphsOwnFilesAndNothingElse) {
  fs::create_directories(temporary_ / "disk0/other");
  std::ofstream(temporary_ / "disk0/other/precious") << "x";
  Write(2);
  fs::create_directories(path_ + "/runs/1");
  std::ofstream(path_ + "/runs/1/checkpoint") << "x";
  fs::create_directory_symlink(temporary_ / "disk0/other", path_ + "/runs/link");
  ASSERT_TRUE(RemoveGraph(path_ + "/", {}).ok());
  EXPECT_FALSE(PathExists(path_));
  EXPECT_TRUE(PathExists(temporary_ / "disk0/other/precious"));
  EXPECT_FALSE(PathExists(Blocks(0)));
  EXPECT_FALSE(PathExists(disks_[1])) << "made by the ingest, and empty";
}

TEST_F(DataDirectoryTest, RemovalRefusesWhatIsNoGraphOrHoldsForeignFiles) {
  EXPECT_EQ(RemoveGraph(temporary_ / "nothing", {}).code(), Code::kMissing);
  fs::create_directories(temporary_ / "photos/holiday");
  EXPECT_EQ(RemoveGraph(temporary_ / "photos", {}).code(), Code::kBadData);
  // An empty directory may be the rest of a killed removal.
  EXPECT_TRUE(RemoveGraph(temporary_ / "photos/holiday", {}).ok());
  Write(1);
  for (const std::string& place :
       {path_ + "/mine.txt", path_ + "/catalog/mine.txt", Blocks(0) + "/mine.txt",
        Blocks(0) + "/out-neighbors.0000.seg.bak", path_ + "/data"}) {
    std::ofstream{place} << "x";
    const Status status = RemoveGraph(path_, {});
    EXPECT_EQ(status.code(), Code::kBadData) << place;
    EXPECT_NE(status.message().find(place), std::string_view::npos) << status.message();
    fs::remove(place);
    EXPECT_TRUE(Open().ok());
  }
  fs::create_symlink(path_, temporary_ / "link");
  EXPECT_EQ(RemoveGraph(temporary_ / "link", {}).code(), Code::kBadData);
  EXPECT_TRUE(Open().ok());
}

TEST_F(DataDirectoryTest, RemovalWorksOnDamagedAndMovedGraphs) {
  Write(2);
  fs::rename(disks_[1], temporary_ / "moved");
  EXPECT_EQ(RemoveGraph(path_, {}).code(), Code::kMissing);
  EXPECT_TRUE(PathExists(Blocks(0)));
  EXPECT_TRUE(RemoveGraph(path_, {temporary_ / "moved"}).ok());
  EXPECT_FALSE(PathExists(path_));
  EXPECT_FALSE(PathExists(temporary_ / "moved/" + TestUuid().ToString()));
  fs::remove(temporary_ / "moved");
  for (const std::string victim : {"catalog/CURRENT", "catalog", "IDENTITY", "LOCK"}) {
    ASSERT_TRUE(WriteGraph(path_, graph_, disks_).ok());
    fs::remove_all(path_ + "/" + victim);
    const Status status = RemoveGraph(path_, {});
    EXPECT_TRUE(status.ok()) << victim << ": " << status.message();
    EXPECT_FALSE(PathExists(path_));
    for (const std::string& disk : disks_) {
      // Only the identity file says that the ingest made it.
      EXPECT_EQ(PathExists(disk), victim == "IDENTITY");
      if (PathExists(disk)) fs::remove(disk);
    }
    EXPECT_TRUE(fs::is_empty(temporary_.path())) << victim;
  }
}

}  // namespace
}  // namespace edgemill
