// The note of a resumed ingest on the work of earlier processes.
#include "loaders/ingest/resume_note.h"

#include <gtest/gtest.h>

#include "common/units.h"
#include "test/graphs/list_source.h"

namespace edgemill {
namespace {

/// A source that an earlier process has read in part.
class HalfRead : public ListSource {
 public:
  HalfRead(const EdgeList& list, SourcePlace place) : ListSource(list), place_(place) {
    mutable_info().input_bytes = 4 * kMebibyte;
  }
  SourcePlace place() const override { return place_; }

 private:
  SourcePlace place_;
};

TEST(ResumeNoteTest, SaysWhatIsKeptAndWhatIsDoneAgain) {
  const EdgeList list;
  const HalfRead source(list, {.stored_bytes = kMebibyte});
  IngestState state;
  EXPECT_EQ(ResumeNote(state, source),
            "resuming: no edge that was read had been kept: reading starts over");
  state.stats.edges = 1'234'567;
  state.source_position = "somewhere";
  EXPECT_EQ(ResumeNote(state, source),
            "resuming: 1,234,567 edges of the first 1.00 MiB (25 %) are kept; reading goes on "
            "from there");
  const HalfRead compressed(list, {.stored_bytes = kMebibyte, .repeated_bytes = 3 * kMebibyte});
  EXPECT_EQ(ResumeNote(state, compressed),
            "resuming: 1,234,567 edges are kept; 3.00 MiB of uncompressed input are read again, "
            "then reading goes on from there");
  state.stage = IngestStage::kPrepare;
  EXPECT_EQ(ResumeNote(state, source),
            "resuming: all 1,234,567 edges are read and kept; preparing to sort them starts over");
  state.stage = IngestStage::kEncodeIn;
  state.encoder_state = "begun";
  EXPECT_EQ(ResumeNote(state, source),
            "resuming: all 1,234,567 edges are read and kept; sorting in-edges goes on");
}

}  // namespace
}  // namespace edgemill
