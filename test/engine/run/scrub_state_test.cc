// The state of an interrupted scrub is read back unchanged, and refused when it is damaged.
#include "engine/output/scrub_state.h"

#include <gtest/gtest.h>

#include "common/os/file.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

ScrubState SomeState() {
  ScrubState state;
  state.graph = *Uuid::Parse("01234567-89ab-4cde-8f01-23456789abcd");
  state.column = 2;
  state.next_block = 7;
  state.forward_hash = ~uint64_t{0};
  state.last_known = true;
  state.AddFault(BadDataError("a block is bad")
                     .At({.file = "d/names.0000", .offset = 0, .block_of = "names", .block = 7}));
  state.AddFault(BadDataError("so is the catalog"));
  return state;
}

TEST(ScrubStateTest, IsReadAsItWasWritten) {
  const TemporaryDirectory directory;
  const ScrubState state = SomeState();
  ASSERT_TRUE(WriteScrubState(directory / "state", state).ok());
  const auto read = ReadScrubState(directory / "state", state.graph);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->column, 2);
  EXPECT_EQ(read->next_block, 7u);
  EXPECT_EQ(read->forward_hash, ~uint64_t{0});
  EXPECT_TRUE(read->last_known);
  EXPECT_EQ(read->faults, state.faults);
  EXPECT_EQ(read->places, state.places);
}

TEST(ScrubStateTest, NoFlippedBitAndNoCutIsBelieved) {
  const TemporaryDirectory directory;
  const ScrubState state = SomeState();
  const std::string path = directory / "state";
  ASSERT_TRUE(WriteScrubState(path, state).ok());
  const std::string whole = *ReadWholeFile(path, 1 << 20);
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    directory.Write("state", flipped);
    EXPECT_EQ(ReadScrubState(path, state.graph).status().code(), Code::kBadData) << bit;
  }
  for (size_t size = 0; size < whole.size(); ++size) {
    directory.Write("state", whole.substr(0, size));
    EXPECT_EQ(ReadScrubState(path, state.graph).status().code(), Code::kBadData) << size;
  }
}

TEST(ScrubStateTest, AnotherGraphsIsRefused) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteScrubState(directory / "state", SomeState()).ok());
  EXPECT_EQ(ReadScrubState(directory / "state", Uuid()).status().code(), Code::kBadData);
}

}  // namespace
}  // namespace edgemill
