#include "engine/output/tables/table_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/os/file.h"
#include "common/strings.h"
#include "loaders/read/edge_reader.h"
#include "loaders/tables/duckdb_api.h"

namespace edgemill {
namespace {

using Type = OutputColumn::Type;

class TableWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + StrCat("table_writer_", getpid());
    ASSERT_TRUE(MakeDirectory(folder_).ok());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Contents(const std::string& name) const {
    const StatusOr<std::string> text = ReadWholeFile(Path(name), 1 << 26);
    EXPECT_TRUE(text.ok());
    return text.ok() ? *text : "";
  }
  /// A table of ids and levels.
  TableOptions Options(const std::string& name, Type type, uint64_t num_rows) const {
    return {.path = Path(name),
            .format = *TableFormatOf(name),
            .columns = {{"id", Type::kUint64}, {"level", type}},
            .num_rows = num_rows};
  }
  /// Writes a table, and returns its writer before Finish.
  StatusOr<TableWriter> Write(const TableOptions& options, const TableWriter::Fill& fill,
                              int threads = 1) {
    ASSIGN_OR_RETURN(TableWriter writer, TableWriter::Create(options));
    RETURN_IF_ERROR(writer.Write({threads, budget_, progress_}, fill));
    return writer;
  }
  /// Writes a whole table.
  Status WriteWhole(const TableOptions& options, const TableWriter::Fill& fill, int threads = 1) {
    ASSIGN_OR_RETURN(TableWriter writer, Write(options, fill, threads));
    return writer.Finish();
  }

  std::string folder_;
  MemoryBudget budget_{uint64_t{1} << 30};
  Progress progress_;
};

constexpr uint64_t kMissing = ~uint64_t{0};

/// Sets numbers: the id of each row, and its value, which may be missing.
TableWriter::Fill Numbers(std::vector<std::pair<uint64_t, uint64_t>> numbers) {
  return [numbers = std::move(numbers)](int, uint64_t first, uint64_t count, OutputRows* rows) {
    rows->SetRows(count);
    for (uint64_t i = 0; i < count; ++i) {
      std::tie(rows->Words(0)[i], rows->Words(1)[i]) = numbers[first + i];
    }
    rows->SetMissing(1, kMissing);
    return OkStatus();
  };
}

/// Sets ids 0, 1, 2, ... and values.
TableWriter::Fill Values(const std::function<uint64_t(uint64_t id)>& value) {
  return [value](int, uint64_t first, uint64_t count, OutputRows* rows) {
    rows->SetRows(count);
    const std::span<uint64_t> ids = rows->Words(0), values = rows->Words(1);
    for (uint64_t i = 0; i < count; ++i) {
      ids[i] = first + i;
      values[i] = value(first + i);
    }
    rows->SetMissing(1, kMissing);
    return OkStatus();
  };
}

/// Sets two texts a row; an empty second one is missing.
TableWriter::Fill Texts(std::vector<std::pair<std::string, std::string>> texts) {
  return [texts = std::move(texts)](int, uint64_t first, uint64_t count, OutputRows* rows) {
    uint64_t row = 0;
    for (; row < count && !rows->is_full(); ++row) {
      const auto& [name, value] = texts[first + row];
      rows->AddText(0, name);
      value.empty() ? rows->AddMissingText(1) : rows->AddText(1, value);
    }
    rows->SetRows(row);
    return OkStatus();
  };
}

TEST_F(TableWriterTest, WritesIntegersAsText) {
  StatusOr<TableWriter> writer =
      Write(Options("a.txt", Type::kInt64, 2), Numbers({{0, 7}, {~uint64_t{0}, kMissing}}));
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE(PathExists(Path("a.txt"))) << "visible before it is whole";
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(Contents("a.txt"), "0 7\n18446744073709551615 inf\n");
}

/// Several row groups, with values that are missing. DuckDB reads the file back where it is there;
/// the frame of the file is checked anyway.
TEST_F(TableWriterTest, WritesParquet) {
  constexpr uint64_t kRows = 300'000;
  ASSERT_TRUE(WriteWhole(Options("a.parquet", Type::kInt64, kRows),
                         Values([](uint64_t id) { return id % 7 == 3 ? kMissing : id * id; }), 3)
                  .ok());
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

/// The bytes of each format are the same for any number of threads, also if texts fill a part
/// before its rows end.
TEST_F(TableWriterTest, ThreadsDoNotChangeTheFile) {
  constexpr uint64_t kRows = 300'000;
  const auto numbers =
      Values([](uint64_t id) { return id / 1000 % 3 == 1 ? kMissing : id * 977 % 100'000; });
  std::vector<std::pair<std::string, std::string>> texts;
  for (uint64_t i = 0; i < 70'000; ++i) {
    texts.push_back({StrCat(std::string(i / 300, 'x'), i), i % 3 == 0 ? "" : StrCat(i / 7)});
  }
  for (const char* suffix : {"txt", "tsv", "csv", "npy", "parquet", "arrow"}) {
    std::vector<std::string> files;
    for (const int threads : {1, 2, 7}) {
      const std::string name = StrCat("a", threads, ".", suffix);
      TableOptions options = Options(name, Type::kInt64, kRows);
      options.numpy_labels = options.format == TableFormat::kNumpy;
      ASSERT_TRUE(WriteWhole(options, numbers, threads).ok());
      files.push_back(Contents(name));
      if (options.numpy_labels) {
        files.back() += Contents(StrCat("a", threads, ".ids.npy"));
        continue;
      }
      options.columns = {{"name", Type::kText}, {"component", Type::kText}};
      options.num_rows = texts.size();
      ASSERT_TRUE(WriteWhole(options, Texts(texts), threads).ok());
      files.back() += Contents(name);
    }
    EXPECT_GT(files[0].size(), kRows * 4) << suffix;
    EXPECT_TRUE(files[1] == files[0]) << suffix;
    EXPECT_TRUE(files[2] == files[0]) << suffix;
  }
}

/// Where the budget has no memory for more threads, one writes.
TEST_F(TableWriterTest, ThreadsNeedMemory) {
  std::atomic<int> greatest{0};
  const auto fill = [&](int thread, uint64_t first, uint64_t count, OutputRows* rows) {
    if (thread > greatest) greatest = thread;
    return Values([](uint64_t id) { return id; })(thread, first, count, rows);
  };
  MemoryBudget small(MemoryBudget::kProcessBytes + (uint64_t{1} << 20));
  StatusOr<TableWriter> writer =
      TableWriter::Create(Options("a.parquet", Type::kInt64, uint64_t{1} << 21));
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->Write({8, small, progress_}, fill).ok());
  EXPECT_EQ(greatest, 0);
  EXPECT_EQ(small.available_bytes(), uint64_t{1} << 20);
}

TEST_F(TableWriterTest, AnErrorEndsAllThreads) {
  for (const int threads : {1, 4}) {
    std::atomic<uint64_t> calls{0};
    const Status status = WriteWhole(
        Options("a.parquet", Type::kInt64, uint64_t{1} << 25),
        [&](int, uint64_t first, uint64_t count, OutputRows* rows) -> Status {
          ++calls;
          if (first >= uint64_t{1} << 18) return IoError("no more");
          return Values([](uint64_t id) { return id; })(0, first, count, rows);
        },
        threads);
    EXPECT_EQ(status.code(), Code::kIo);
    EXPECT_LE(calls, 2u + 2 * static_cast<uint64_t>(threads));
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }
}

TEST_F(TableWriterTest, RealsReadBackTheSame) {
  const double values[] = {0.1, 1e-300, 5e-324, 1.0 / 3, 1e22, 12345678.9};
  std::vector<std::pair<uint64_t, uint64_t>> rows;
  for (const double value : values) rows.push_back({1, std::bit_cast<uint64_t>(value)});
  rows.push_back({2, kMissing});
  ASSERT_TRUE(WriteWhole(Options("a.csv", Type::kReal, rows.size()), Numbers(rows)).ok());
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

TEST_F(TableWriterTest, MissingValuesHaveTheTextOfTheOptions) {
  TableOptions options = Options("a.tsv", Type::kReal, 1);
  options.missing_number = "Infinity";
  ASSERT_TRUE(WriteWhole(options, Numbers({{3, kMissing}})).ok());
  EXPECT_EQ(Contents("a.tsv"), "3\tInfinity\n");
}

TEST_F(TableWriterTest, NumpyArraysAreAlignedAndTyped) {
  TableOptions options = Options("a.npy", Type::kReal, 3);
  options.numpy_labels = true;
  ASSERT_TRUE(WriteWhole(options, Numbers({{10, std::bit_cast<uint64_t>(0.25)},
                                           {20, kMissing},
                                           {30, std::bit_cast<uint64_t>(4.0)}}))
                  .ok());
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

TEST_F(TableWriterTest, LongCountsAreUnsigned) {
  for (const std::string name : {"a.npy", "a.tsv"}) {
    ASSERT_TRUE(WriteWhole(Options(name, Type::kUint64, 1), Numbers({{4, ~uint64_t{1}}})).ok());
  }
  EXPECT_NE(Contents("a.npy").find("'descr': '<u8'"), std::string::npos);
  EXPECT_EQ(Contents("a.npy").substr(128), "\xfe\xff\xff\xff\xff\xff\xff\xff");
  EXPECT_EQ(Contents("a.tsv"), "4\t18446744073709551614\n");
}

TEST_F(TableWriterTest, ManyValuesAreInOrder) {
  std::string expected;
  for (uint64_t id = 0; id < 300'000; ++id) expected += StrCat(id, " ", id * 3, "\n");
  ASSERT_TRUE(WriteWhole(Options("a.txt", Type::kInt64, 300'000),
                         Values([](uint64_t id) { return id * 3; }), 4)
                  .ok());
  EXPECT_TRUE(Contents("a.txt") == expected);
}

TEST_F(TableWriterTest, NothingStaysWithoutFinish) {
  {
    StatusOr<TableWriter> writer = Write(Options("a.txt", Type::kInt64, 1), Numbers({{0, 1}}));
    ASSERT_TRUE(writer.ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(TableWriterTest, RefusesUnknownSuffixesAndMissingFolders) {
  const Status unknown = TableFormatOf("a.xls").status();
  EXPECT_EQ(unknown.code(), Code::kUsage);
  EXPECT_NE(unknown.message().find(kTableSuffixes), std::string::npos);
  for (std::string_view left = kTableSuffixes; left.find('.') != std::string_view::npos;) {
    left.remove_prefix(left.find('.'));
    const std::string suffix(left.substr(0, left.find_first_of(", ")));
    EXPECT_TRUE(TableFormatOf("a" + suffix).ok()) << suffix;
    left.remove_prefix(suffix.size());
  }
  TableOptions options = Options("a.txt", Type::kInt64, 0);
  options.path = folder_ + "/none/a.txt";
  EXPECT_FALSE(TableWriter::Create(options).ok());
  EXPECT_EQ(CheckOutputPath(options.path, false).code(), Code::kOutput);
  EXPECT_EQ(CheckOutputPath(folder_, true).code(), Code::kOutput);
  EXPECT_TRUE(CheckOutputPath("/dev/null", false).ok());
}

TEST_F(TableWriterTest, ALinkStaysAndItsTargetIsReplaced) {
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

TEST_F(TableWriterTest, LinksToDescriptorsAreWrittenWhereTheyStand) {
  const StatusOr<File> file = File::Open(Path("open"), O_RDWR | O_CREAT);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->WriteAll(std::as_bytes(std::span("before", 6))).ok());
  std::filesystem::create_symlink(StrCat("/proc/self/fd/", file->fd()), Path("a.txt"));
  EXPECT_TRUE(CheckOutputPath(Path("a.txt"), false).ok());
  EXPECT_TRUE(WriteTextOutput(Path("a.txt"), ", and behind").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("a.txt")));
  EXPECT_EQ(Contents("open"), "before, and behind");
}

TEST_F(TableWriterTest, NoNameIsTooLongForItsTemporaryFile) {
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

TEST_F(TableWriterTest, AnOpeningThatFailsLeavesNoTemporaryFile) {
  // A process that was killed left this file. It is emptied, or removed if that fails.
  ASSERT_TRUE(WriteTextOutput(Path("a.txt.edgemill-part"), "left").ok());
  fault::SetHook(
      [](fault::Op op, std::string_view) { return op == fault::Op::kTruncate ? EIO : 0; });
  EXPECT_FALSE(OutputFile::Open(Path("a.txt")).ok());
  fault::SetHook({});
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(TableWriterTest, NothingIsWrittenIntoAGraph) {
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

TEST_F(TableWriterTest, TextsAreQuotedInLines) {
  for (const char* name : {"a.txt", "a.tsv", "a.csv"}) {
    TableOptions options = Options(name, Type::kText, 2);
    options.columns[0].type = Type::kText;
    ASSERT_TRUE(WriteWhole(options, Texts({{"New \"York\"", "a,b"}, {"inf", ""}})).ok());
  }
  EXPECT_EQ(Contents("a.txt"), "\"New \"\"York\"\"\" \"a,b\"\n\"inf\" inf\n");
  EXPECT_EQ(Contents("a.tsv"), "\"New \"\"York\"\"\"\t\"a,b\"\n\"inf\"\tinf\n");
  EXPECT_EQ(Contents("a.csv"), "id,level\n\"New \"\"York\"\"\",\"a,b\"\n\"inf\",inf\n");
}

TEST_F(TableWriterTest, NamesGoBesideNumpyArraysAsTheyAre) {
  TableOptions options = Options("a.npy", Type::kUint64, 200);
  options.columns[0].type = Type::kText;
  options.numpy_labels = true;
  std::string names;
  const auto name_of = [](uint64_t i) {
    return StrCat(std::string(60'000, 'x'), " \"", i);  // all together are more than a part
  };
  for (uint64_t i = 0; i < 200; ++i) names += name_of(i) + '\n';
  StatusOr<TableWriter> writer =
      Write(options, [&](int, uint64_t first, uint64_t count, OutputRows* rows) {
        uint64_t row = 0;
        for (; row < count && !rows->is_full(); ++row) rows->AddText(0, name_of(first + row));
        rows->SetRows(row);
        for (uint64_t i = 0; i < row; ++i) rows->Words(1)[i] = 199 - first - i;
        return OkStatus();
      });
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE(PathExists(Path("a.names"))) << "visible before it is whole";
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_TRUE(Contents("a.names") == names);
  const std::string values = Contents("a.npy");
  ASSERT_EQ(values.size(), 128u + 200 * 8);
  uint64_t last = 1;
  std::memcpy(&last, values.data() + values.size() - 8, sizeof(last));
  EXPECT_EQ(last, 0u);
  EXPECT_FALSE(PathExists(Path("a.ids.npy")));
}

}  // namespace
}  // namespace edgemill
