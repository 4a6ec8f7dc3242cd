#include "engine/output/result_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <span>

#include "common/os/file.h"
#include "common/strings.h"
#include "loaders/read/edge_reader.h"
#include "loaders/tables/duckdb_api.h"

namespace edgemill::cli {
namespace {

class ResultWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + StrCat("result_writer_", getpid());
    ASSERT_TRUE(MakeDirectory(folder_).ok());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Contents(const std::string& name) const {
    const StatusOr<std::string> text = ReadWholeFile(Path(name), 1 << 24);
    EXPECT_TRUE(text.ok());
    return text.ok() ? *text : "";
  }
  ResultOptions Options(const std::string& name, ResultType type) const {
    ResultOptions options{.path = Path(name), .type = type, .headings = {"level"}};
    options.format = *ResultFormatOf(options.path);
    return options;
  }

  std::string folder_;
};

TEST_F(ResultWriterTest, WritesIntegersAsText) {
  StatusOr<ResultWriter> writer = ResultWriter::Create(Options("a.txt", ResultType::kCount));
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->Append(0, uint64_t{7}).ok());
  ASSERT_TRUE(writer->AppendUnreachable(std::numeric_limits<uint64_t>::max()).ok());
  EXPECT_FALSE(PathExists(Path("a.txt"))) << "visible before it is whole";
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(Contents("a.txt"), "0 7\n18446744073709551615 inf\n");
}

/// Several row groups, with values that are missing. DuckDB reads the file back where it is there;
/// the frame of the file is checked anyway.
TEST_F(ResultWriterTest, WritesParquet) {
  constexpr uint64_t kRows = 300'000;
  StatusOr<ResultWriter> writer = ResultWriter::Create(Options("a.parquet", ResultType::kCount));
  ASSERT_TRUE(writer.ok());
  for (uint64_t id = 0; id < kRows; ++id) {
    ASSERT_TRUE((id % 7 == 3 ? writer->AppendUnreachable(id) : writer->Append(id, id * id)).ok());
  }
  ASSERT_TRUE(writer->Finish().ok());
  const std::string file = Contents("a.parquet");
  ASSERT_TRUE(file.starts_with("PAR1") && file.ends_with("PAR1"));
  uint32_t footer_bytes = 0;
  std::memcpy(&footer_bytes, file.data() + file.size() - 8, sizeof(footer_bytes));
  EXPECT_LT(footer_bytes, 4096u);
  EXPECT_GT(footer_bytes, 100u);
  if (!LoadDuckDb().ok()) GTEST_SKIP() << LoadDuckDb().status().message();
  ReadOptions options;
  options.sql =
      StrCat("SELECT id AS a, id AS b, coalesce(level, -1) AS c FROM '", Path("a.parquet"), "'");
  const StatusOr<std::unique_ptr<EdgeSource>> source = OpenEdgeReader({}, options);
  ASSERT_TRUE(source.ok()) << source.status().message();
  uint64_t id = 0;
  EdgeChunk chunk;
  for (StatusOr<bool> more = (*source)->Next(&chunk); more.ok() && *more;
       more = (*source)->Next(&chunk)) {
    ASSERT_EQ(chunk.weights.size(), chunk.narrow.size());
    for (size_t i = 0; i < chunk.narrow.size(); ++i, ++id) {
      ASSERT_EQ(chunk.narrow[i].source, id);
      ASSERT_EQ(chunk.weights[i], id % 7 == 3 ? -1.0 : static_cast<double>(id * id));
    }
  }
  EXPECT_EQ(id, kRows);
}

TEST_F(ResultWriterTest, RealsReadBackTheSame) {
  const double values[] = {0.1, 1e-300, 5e-324, 1.0 / 3, 1e22, 12345678.9};
  StatusOr<ResultWriter> writer = ResultWriter::Create(Options("a.csv", ResultType::kReal));
  ASSERT_TRUE(writer.ok());
  for (const double value : values) ASSERT_TRUE(writer->Append(1, value).ok());
  ASSERT_TRUE(writer->Append(2, std::numeric_limits<double>::infinity()).ok());
  ASSERT_TRUE(writer->Finish().ok());
  const std::string text = Contents("a.csv");
  ASSERT_TRUE(text.starts_with("id,level\n1,0.1\n")) << text;
  ASSERT_TRUE(text.ends_with("\n2,inf\n")) << text;
  size_t at = text.find('\n') + 1;
  for (const double value : values) {
    const size_t comma = text.find(',', at);
    const size_t end = text.find('\n', at);
    double parsed = 0;
    ASSERT_TRUE(ParseNumber(text.substr(comma + 1, end - comma - 1), &parsed));
    EXPECT_EQ(parsed, value);
    at = end + 1;
  }
}

TEST_F(ResultWriterTest, GraphalyticsSpellsUnreachableItsWay) {
  for (const ResultType type : {ResultType::kCount, ResultType::kReal}) {
    ResultOptions options = Options("a.tsv", type);
    options.graphalytics_unreachable = true;
    StatusOr<ResultWriter> writer = ResultWriter::Create(options);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->AppendUnreachable(3).ok());
    ASSERT_TRUE(writer->Finish().ok());
    EXPECT_EQ(Contents("a.tsv"),
              type == ResultType::kReal ? "3\tInfinity\n" : "3\t9223372036854775807\n");
  }
}

TEST_F(ResultWriterTest, NumpyArraysAreAlignedAndTyped) {
  ResultOptions options = Options("a.npy", ResultType::kReal);
  options.num_vertices = 3;
  options.write_ids = true;
  StatusOr<ResultWriter> writer = ResultWriter::Create(options);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->Append(10, 0.25).ok());
  ASSERT_TRUE(writer->AppendUnreachable(20).ok());
  ASSERT_TRUE(writer->Append(30, 4.0).ok());
  ASSERT_TRUE(writer->Finish().ok());
  const std::string values = Contents("a.npy");
  const std::string ids = Contents("a.ids.npy");
  ASSERT_EQ(values.size(), 128u + 24u);
  ASSERT_EQ(ids.size(), 128u + 24u);
  EXPECT_EQ(values.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(values[127], '\n');
  EXPECT_NE(values.find("'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"),
            std::string::npos);
  EXPECT_NE(ids.find("'<u8'"), std::string::npos);
  double reals[3];
  std::memcpy(reals, values.data() + 128, sizeof(reals));
  EXPECT_EQ(reals[0], 0.25);
  EXPECT_EQ(reals[1], std::numeric_limits<double>::infinity());
  uint64_t numbers[3];
  std::memcpy(numbers, ids.data() + 128, sizeof(numbers));
  EXPECT_EQ(numbers[2], 30u);
}

TEST_F(ResultWriterTest, LongCountsAreUnsigned) {
  for (const std::string name : {"a.npy", "a.tsv"}) {
    ResultOptions options = Options(name, ResultType::kLongCount);
    options.num_vertices = 1;
    StatusOr<ResultWriter> writer = ResultWriter::Create(options);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->Append(4, ~uint64_t{1}).ok());
    ASSERT_TRUE(writer->Finish().ok());
  }
  EXPECT_NE(Contents("a.npy").find("'descr': '<u8'"), std::string::npos);
  EXPECT_EQ(Contents("a.npy").substr(128), "\xfe\xff\xff\xff\xff\xff\xff\xff");
  EXPECT_EQ(Contents("a.tsv"), "4\t18446744073709551614\n");
}

TEST_F(ResultWriterTest, ManyValuesPassThroughTheBuffer) {
  StatusOr<ResultWriter> writer = ResultWriter::Create(Options("a.txt", ResultType::kCount));
  ASSERT_TRUE(writer.ok());
  std::string expected;
  for (uint64_t id = 0; id < 300'000; ++id) {
    ASSERT_TRUE(writer->Append(id, id * 3).ok());
    expected += StrCat(id, " ", id * 3, "\n");
  }
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_TRUE(Contents("a.txt") == expected);
}

TEST_F(ResultWriterTest, NothingStaysWithoutFinish) {
  {
    StatusOr<ResultWriter> writer = ResultWriter::Create(Options("a.txt", ResultType::kCount));
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->Append(0, uint64_t{1}).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ResultWriterTest, RefusesUnknownSuffixesAndMissingFolders) {
  EXPECT_EQ(ResultFormatOf("a.xls").status().code(), Code::kUsage);
  ResultOptions options = Options("a.txt", ResultType::kCount);
  options.path = folder_ + "/none/a.txt";
  EXPECT_FALSE(ResultWriter::Create(options).ok());
  EXPECT_EQ(CheckOutputPath(options.path, false).code(), Code::kOutput);
  EXPECT_EQ(CheckOutputPath(folder_, true).code(), Code::kOutput);
  EXPECT_TRUE(CheckOutputPath("/dev/null", false).ok());
}

TEST_F(ResultWriterTest, ALinkStaysAndItsTargetIsReplaced) {
  ASSERT_TRUE(MakeDirectory(Path("there")).ok());
  std::filesystem::create_symlink("there/b.txt", Path("a.txt"));
  for (const char* text : {"made", "replaced"}) {
    EXPECT_TRUE(CheckOutputPath(Path("a.txt"), true).ok());
    EXPECT_TRUE(WriteTextOutput(Path("a.txt"), text).ok());
    EXPECT_TRUE(std::filesystem::is_symlink(Path("a.txt")));
    EXPECT_EQ(Contents("there/b.txt"), text);
  }
  EXPECT_EQ(CheckOutputPath(Path("a.txt"), false).code(), Code::kOutput);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(Path("there")), {}), 1);
}

TEST_F(ResultWriterTest, LinksToDescriptorsAreWrittenWhereTheyStand) {
  const StatusOr<File> file = File::Open(Path("open"), O_RDWR | O_CREAT);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->WriteAll(std::as_bytes(std::span("before", 6))).ok());
  std::filesystem::create_symlink(StrCat("/proc/self/fd/", file->fd()), Path("a.txt"));
  EXPECT_TRUE(CheckOutputPath(Path("a.txt"), false).ok());
  EXPECT_TRUE(WriteTextOutput(Path("a.txt"), ", and behind").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("a.txt")));
  EXPECT_EQ(Contents("open"), "before, and behind");
}

TEST_F(ResultWriterTest, NoNameIsTooLongForItsTemporaryFile) {
  for (size_t bytes = 225; bytes <= 256; ++bytes) {
    const std::string name(bytes, 'n');
    const bool fits = bytes <= 255;
    EXPECT_EQ(CheckOutputPath(Path(name), true).ok(), fits) << bytes;
    if (!fits) continue;
    EXPECT_TRUE(WriteTextOutput(Path(name), "text").ok()) << bytes;
    EXPECT_EQ(Contents(name), "text");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
    ASSERT_TRUE(RemoveFile(Path(name)).ok());
  }
}

TEST_F(ResultWriterTest, AnOpeningThatFailsLeavesNoTemporaryFile) {
  // A process that was killed left this file. It is emptied, or removed if that fails.
  ASSERT_TRUE(WriteTextOutput(Path("a.txt.edgemill-part"), "left").ok());
  fault::SetHook(
      [](fault::Op op, std::string_view) { return op == fault::Op::kTruncate ? EIO : 0; });
  EXPECT_FALSE(OutputFile::Open(Path("a.txt")).ok());
  fault::SetHook({});
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ResultWriterTest, NothingIsWrittenIntoAGraph) {
  ASSERT_TRUE(MakeDirectories(Path("g.mill/data/blocks")).ok());
  for (const char* text : {"edgemill graph 1\n", "edgemill data directory 1\n"}) {
    EXPECT_TRUE(CheckOutputPath(Path("g.mill/data/a.txt"), false).ok());
    ASSERT_TRUE(WriteTextOutput(Path("g.mill/IDENTITY"), text).ok());
    for (const char* place : {"g.mill/a.txt", "g.mill/data/a.txt", "g.mill/data/blocks/a.txt"}) {
      EXPECT_EQ(CheckOutputPath(Path(place), false).code(), Code::kOutput) << place;
    }
    ASSERT_TRUE(RemoveFile(Path("g.mill/IDENTITY")).ok());
  }
  ASSERT_TRUE(WriteTextOutput(Path("g.mill/IDENTITY"), "of somebody\n").ok());
  EXPECT_TRUE(CheckOutputPath(Path("g.mill/a.txt"), false).ok());
}

TEST_F(ResultWriterTest, NamesComeInThePlaceOfIds) {
  for (const char* name : {"a.txt", "a.tsv", "a.csv"}) {
    ResultOptions options = Options(name, ResultType::kId);
    options.write_names = true;
    StatusOr<ResultWriter> writer = ResultWriter::Create(options);
    ASSERT_TRUE(writer.ok());
    writer->NameNext("New \"York\"");
    ASSERT_TRUE(writer->Append(0, std::string_view("a,b")).ok());
    writer->NameNext("inf");
    ASSERT_TRUE(writer->AppendUnreachable(1).ok());
    ASSERT_TRUE(writer->Finish().ok());
  }
  EXPECT_EQ(Contents("a.txt"), "\"New \"\"York\"\"\" \"a,b\"\n\"inf\" inf\n");
  EXPECT_EQ(Contents("a.tsv"), "\"New \"\"York\"\"\"\t\"a,b\"\n\"inf\"\tinf\n");
  EXPECT_EQ(Contents("a.csv"), "id,level\n\"New \"\"York\"\"\",\"a,b\"\n\"inf\",inf\n");
}

TEST_F(ResultWriterTest, NamesGoBesideNumpyArraysAsTheyAre) {
  ResultOptions options = Options("a.npy", ResultType::kId);
  options.num_vertices = 30;
  options.write_names = true;
  StatusOr<ResultWriter> writer = ResultWriter::Create(options);
  ASSERT_TRUE(writer.ok());
  std::string names;
  for (uint64_t i = 0; i < 30; ++i) {
    const std::string name = StrCat(std::string(60'000, 'x'), " \"", i);  // larger than a buffer
    names += name + '\n';
    writer->NameNext(name);
    ASSERT_TRUE(writer->Append(i, uint64_t{29 - i}).ok());
  }
  EXPECT_FALSE(PathExists(Path("a.names"))) << "visible before it is whole";
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_TRUE(Contents("a.names") == names);
  EXPECT_EQ(Contents("a.npy").size(), 128u + 30 * 8);
  EXPECT_FALSE(PathExists(Path("a.ids.npy")));
}

}  // namespace
}  // namespace edgemill::cli
