// Errors keep their parts, whatever text is put around them.
#include "common/status.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace edgemill {
namespace {

TEST(Status, ErrnoGoesWithTheError) {
  const Status full = ErrnoError(ENOSPC, "write", "/data/a");
  EXPECT_EQ(full.errno_value(), ENOSPC);
  EXPECT_EQ(full.code(), Code::kIo);
  const Status annotated = Annotate(full, "sorting");
  EXPECT_EQ(annotated.errno_value(), ENOSPC);
  EXPECT_EQ(annotated.code(), Code::kIo);
  EXPECT_TRUE(annotated.message().starts_with("sorting: /data/a: cannot write"));
  const Status renamed = annotated.WithMessage("something else");
  EXPECT_EQ(renamed.errno_value(), ENOSPC);
  EXPECT_EQ(renamed.message(), "something else");
}

TEST(Status, FullDisksAreKnownByErrnoNotByText) {
  EXPECT_TRUE(ErrnoError(ENOSPC, "write", "a").disk_full());
  EXPECT_TRUE(ErrnoError(EDQUOT, "write", "a").disk_full());
  EXPECT_FALSE(ErrnoError(EIO, "write", "a").disk_full());
  EXPECT_FALSE(IoError("No space left on device").disk_full());
  EXPECT_FALSE(OkStatus().disk_full());
  EXPECT_EQ(OkStatus().errno_value(), 0);
  EXPECT_TRUE(Annotate(OkStatus(), "reading").ok());
}

TEST(Status, AnErrorKeepsThePlaceThatWasSetFirst) {
  EXPECT_EQ(OkStatus().place(), FaultPlace());
  EXPECT_EQ(BadDataError("bad").place(), FaultPlace());
  const Status line = BadDataError("bad").At({.file = "a.el", .line = 3, .column = 0});
  const Status outer = Annotate(line, "reading").At({.file = "b.el", .line = 9, .offset = 7});
  EXPECT_EQ(outer.message(), "reading: bad");
  EXPECT_EQ(outer.place(), (FaultPlace{.file = "a.el", .line = 3, .column = 0, .offset = 7}));
  EXPECT_EQ(outer.code(), Code::kBadData);
  EXPECT_EQ(line.place().offset, std::nullopt);  // shared errors do not change
  const Status open = ErrnoError(EIO, "read", "c.mill/data").At({.block_of = "names", .block = 0});
  EXPECT_EQ(open.place(), (FaultPlace{.file = "c.mill/data", .block_of = "names", .block = 0}));
  EXPECT_EQ(open.errno_value(), EIO);
  EXPECT_EQ(ByteError("d", 5, "odd").message(), "d: byte 5: odd");
  EXPECT_EQ(ByteError("d", 5, "odd").place(), (FaultPlace{.file = "d", .offset = 5}));
}

TEST(Status, EachErrnoHasItsCode) {
  const std::pair<int, Code> codes[] = {{EACCES, Code::kPermission},
                                        {EROFS, Code::kPermission},
                                        {ENOENT, Code::kMissing},
                                        {ENOTDIR, Code::kMissing},
                                        {EEXIST, Code::kOutput},
                                        {ENOMEM, Code::kBudget},
                                        {EIO, Code::kIo},
                                        {EMFILE, Code::kIo}};
  for (const auto& [error, code] : codes) {
    EXPECT_EQ(ErrnoError(error, "open", "a").code(), code) << error;
    EXPECT_EQ(ErrnoError(error, "open", "a").errno_value(), error);
  }
}

}  // namespace
}  // namespace edgemill
