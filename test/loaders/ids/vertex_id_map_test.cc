// The input's ids for the ids in keys, before and after a resume.
#include "loaders/ids/vertex_id_map.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "common/units.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

class VertexIdMapTest : public testing::Test {
 protected:
  void OpenSpace(bool reopen) {
    SpillSpace::Options options;
    options.directories = {root_.path()};
    options.memory_bytes = 64 * kPageBytes;
    options.page_bytes = kPageBytes;
    options.reopen = reopen;
    auto space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok()) << space.status().message();
    space_ = std::move(*space);
  }
  /// A map of the ids 10, 13, 16, ... of kVertices vertices.
  IdRanks SparseIds() {
    auto seen = SeenIds::Create(1 << 20, budget_);
    EXPECT_TRUE(seen.ok());
    for (uint32_t rank = 0; rank < kVertices; ++rank) seen->Mark(IdOf(rank));
    auto ids = IdRanks::Sparse(std::move(*seen), IdOf(kVertices - 1), budget_);
    EXPECT_TRUE(ids.ok());
    return std::move(*ids);
  }
  /// Renumbers the vertices in descending order of their ranks.
  void Renumber(VertexIdMap* names) {
    auto internal = Array<uint32_t>::Allocate(kVertices);
    ASSERT_TRUE(internal.ok());
    for (uint32_t rank = 0; rank < kVertices; ++rank) (*internal)[rank] = kVertices - 1 - rank;
    names->SetInternalOfRank(std::move(*internal), {});
  }
  /// Returns the map that another process restores from the saved state of `names`.
  VertexIdMap Resumed(VertexIdMap names) {
    EXPECT_TRUE(names.Save(*space_).ok());
    StateWriter out;
    names.PutState(&out);
    names.LeaveFiles();
    names = {};
    const std::string state = out.Take();
    OpenSpace(true);
    StateReader in(state);
    VertexIdMap resumed;
    EXPECT_TRUE(resumed.LoadState(*space_, &in).ok());
    EXPECT_TRUE(in.Finish().ok());
    return resumed;
  }

  static constexpr uint64_t kPageBytes = 16384;
  static constexpr uint32_t kVertices = 100'000;
  static uint32_t IdOf(uint32_t rank) { return 10 + 3 * rank; }

  TemporaryDirectory root_;
  MemoryBudget budget_{128 * kMebibyte};
  std::unique_ptr<SpillSpace> space_;
};

TEST_F(VertexIdMapTest, IdsAsReadAreTheirOwnNames) {
  VertexIdMap names;
  names.SetIds(SparseIds());
  EXPECT_FALSE(names.keys_are_final());
  EXPECT_EQ(names.InputNameOf(IdOf(7)).id, IdOf(7));
  EXPECT_EQ(names.RankOf(IdOf(7)), 7u);
}

TEST_F(VertexIdMapTest, RanksAndInternalIdsNameTheInputsIds) {
  VertexIdMap names;
  names.SetIds(SparseIds());
  names.SetKeysAreFinal();
  EXPECT_EQ(names.RankOf(7), 7u);
  EXPECT_EQ(names.InputNameOf(7).id, IdOf(7));
  Renumber(&names);
  EXPECT_EQ(names.InputNameOf(7).id, IdOf(kVertices - 1 - 7));
}

TEST_F(VertexIdMapTest, DenseIdsAreNamedFromTheirBase) {
  OpenSpace(false);
  VertexIdMap names;
  names.SetIds(IdRanks::Dense(1, kVertices));
  Renumber(&names);
  names.SetKeysAreFinal();
  EXPECT_EQ(names.InputNameOf(0).id, kVertices);
  const VertexIdMap resumed = Resumed(std::move(names));
  EXPECT_EQ(resumed.InputNameOf(0).id, kVertices);
  EXPECT_EQ(resumed.InputNameOf(kVertices - 1).id, 1u);
  EXPECT_EQ(resumed.ids().num_vertices(), kVertices);
}

TEST_F(VertexIdMapTest, SparseIdsKeepTheirNamesOverAResume) {
  for (const bool renumbered : {false, true}) {
    SCOPED_TRACE(renumbered);
    space_.reset();
    OpenSpace(false);
    VertexIdMap names;
    names.SetIds(SparseIds());
    if (renumbered) Renumber(&names);
    names.SetKeysAreFinal();
    const VertexIdMap resumed = Resumed(std::move(names));
    EXPECT_TRUE(resumed.keys_are_final());
    EXPECT_TRUE(resumed.ids().sparse());
    EXPECT_EQ(resumed.ids().num_vertices(), kVertices);
    for (const uint32_t id : {0u, 7u, 65'536u, kVertices - 1}) {
      EXPECT_EQ(resumed.InputNameOf(id).id, IdOf(renumbered ? kVertices - 1 - id : id));
    }
  }
}

TEST_F(VertexIdMapTest, IdsAsReadAreDecidedAgainAfterAResume) {
  OpenSpace(false);
  VertexIdMap names;
  names.SetIds(IdRanks::Dense(0, kVertices));
  StateWriter out;
  names.PutState(&out);
  const std::string state = out.Take();
  StateReader in(state);
  VertexIdMap resumed;
  ASSERT_TRUE(resumed.LoadState(*space_, &in).ok());
  EXPECT_FALSE(resumed.keys_are_final());
  EXPECT_EQ(resumed.ids().num_vertices(), 0u);
}

}  // namespace
}  // namespace edgemill
