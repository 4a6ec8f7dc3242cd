// Sparse matrices of SciPy: files that it wrote, all types and formats, damage, lies.
#include <gtest/gtest.h>

#include <cmath>

#include "common/random.h"
#include "test/npz_writing.h"
#include "test/ordered_reading.h"

namespace edgemill {
namespace {

/// The members of an archive, which tests change.
struct Matrix {
  std::string format = "csr";
  std::string shape = Npy<int64_t>("<i8", {3, 3});
  std::string first = Npy<int32_t>("<i4", {0, 2, 2, 3});
  std::string second = Npy<int32_t>("<i4", {1, 2, 0});
  std::string data = Npy<double>("<f8", {5, 6, 7});

  std::string File(ZipForm form = {}) const {
    const bool coo = format == "coo";
    return Zip({{coo ? "row.npy" : "indices.npy", coo ? first : second},
                {coo ? "col.npy" : "indptr.npy", coo ? second : first},
                {"format.npy", NpyText(format)},
                {"shape.npy", shape},
                {"data.npy", data},
                {"_is_array.npy", Npy<char>("|b1", {1}, "()")}},
               form);
  }
};
const std::vector<ReadEdge> kMatrixEdges = {{0, 1, 5}, {0, 2, 6}, {2, 0, 7}};

class NpzTest : public testing::Test {
 protected:
  ReadAll Good(const std::string& bytes, const ReadOptions& options = {}) {
    const ReadAll all = Read({directory_.Write("a.npz", bytes)}, options);
    EXPECT_TRUE(all.status.ok()) << all.status.message();
    return all;
  }
  void ExpectBad(const std::string& bytes, std::string_view said, Code code = Code::kBadData,
                 const ReadOptions& options = {}) {
    const std::string path = directory_.Write("a.npz", bytes);
    const ReadAll all = Read({path}, options);
    EXPECT_EQ(all.status.code(), code) << said << all.status.message();
    EXPECT_EQ(all.status.message().find(path), 0u) << all.status.message();
    EXPECT_NE(all.status.message().find(said), std::string_view::npos) << all.status.message();
  }

  TemporaryDirectory directory_;
};

TEST_F(NpzTest, ReadsWhatScipyWrites) {
  for (const char* name : {"coo", "csr"}) {
    const ReadAll all = Read({TestFile(StrCat("scipy/", name, ".npz"))});
    EXPECT_EQ(all.edges, kSampleEdges) << all.status.message();
    EXPECT_EQ(all.info.num_vertices, 6u);
    EXPECT_FALSE(all.info.integer_weights);
  }
  ReadAll columns = Read({TestFile("scipy/csc.npz")});
  std::sort(columns.edges.begin(), columns.edges.end());
  EXPECT_EQ(columns.edges, kSampleEdges) << columns.status.message();
  for (const char* name : {"bool", "ones"}) {
    const ReadAll all = Read({TestFile(StrCat("scipy/", name, ".npz"))});
    EXPECT_EQ(all.edges.size(), 6u) << all.status.message();
    EXPECT_FALSE(all.info.weighted);
  }
  const ReadAll ones = Read({TestFile("scipy/ones.npz")}, {.weights = WeightMode::kInt});
  EXPECT_TRUE(ones.info.weighted && ones.info.integer_weights);
  EXPECT_TRUE(HasNote(Read({TestFile("scipy/ones.npz")}).info, "all values are 1"));
  const ReadAll wide = Read({TestFile("scipy/wide.npz")});
  EXPECT_EQ(wide.edges.front(), (ReadEdge{0, 6 + 2, 2})) << wide.status.message();
  EXPECT_EQ(wide.info.num_vertices, 15u);
  EXPECT_TRUE(HasNote(wide.info, "column j is vertex 6 + j"));
  const Status blocks = Read({TestFile("scipy/bsr.npz")}).status;
  EXPECT_EQ(blocks.code(), Code::kUsage);
  EXPECT_NE(blocks.message().find("matrix.tocsr()"), std::string_view::npos) << blocks.message();
}

TEST_F(NpzTest, EveryFormOfArchiveIsRead) {
  for (const bool deflated : {false, true}) {
    for (const bool zip64 : {false, true}) {
      const std::string bytes = Matrix().File({deflated, zip64});
      EXPECT_EQ(Good(bytes).edges, kMatrixEdges);
      EXPECT_EQ(Read({directory_.Write("nosuffix", bytes)}).edges, kMatrixEdges);
    }
  }
  ExpectBad(Gzip(Matrix().File()), "no directory at the end");
  EXPECT_EQ(Read({directory_.Write("b.npz.gz", Gzip(Matrix().File()))}).status.code(),
            Code::kUsage);
  ExpectBad(Zip({{"notes.txt", "text"}}), "has no format.npy, so it is not a sparse matrix");
}

TEST_F(NpzTest, EveryTypeIsRead) {
  const auto with = [](const std::string& first, const std::string& second,
                       const std::string& data) {
    Matrix matrix;
    matrix.first = first;
    matrix.second = second;
    matrix.data = data;
    return matrix.File();
  };
  const auto check = [&]<typename T>(const std::string& type, T) {
    const std::string first = Npy<T>(type, {0, 2, 2, 3}), second = Npy<T>(type, {1, 2, 0});
    EXPECT_EQ(Good(with(first, second, Npy<T>(type, {5, 6, 7}))).edges, kMatrixEdges) << type;
    EXPECT_TRUE(Good(with(first, second, Npy<T>(type, {5, 6, 7}))).info.integer_weights);
  };
  check("|i1", int8_t{});
  check("|u1", uint8_t{});
  check("<i2", int16_t{});
  check(">u2", uint16_t{});
  check("<u4", uint32_t{});
  check(">i4", int32_t{});
  check("<i8", int64_t{});
  check(">i8", int64_t{});
  check("=u8", uint64_t{});
  Matrix matrix;
  matrix.data = Npy<float>(">f4", {5, 6, 7});
  EXPECT_EQ(Good(matrix.File()).edges, kMatrixEdges);
  matrix.data = Npy<double>(">f8", {5, 6, 7});
  EXPECT_EQ(Good(matrix.File()).edges, kMatrixEdges);
  matrix.data = Npy<int64_t>("<i8", {5, -6, (int64_t{1} << 53) + 1});
  ExpectBad(matrix.File(), "data.npy: element 2: an integer weight beyond 2^53");
  EXPECT_TRUE(Good(matrix.File(), {.weights = WeightMode::kFloat}).info.weighted);
  matrix.data = Npy<double>("<f8", {5, HUGE_VAL, 7});
  ExpectBad(matrix.File(), "element 1: a weight that is infinite");
  EXPECT_EQ(Good(matrix.File(), {.weights = WeightMode::kNone}).edges.size(), 3u);
  matrix.data = Npy<double>("<f8", {5, 5.5, 7});
  ExpectBad(matrix.File(), "element 1: a weight that is not an integer", Code::kBadData,
            {.weights = WeightMode::kInt});
  matrix.data = Npy<double>("<c8", {5, 6, 7});
  ExpectBad(matrix.File(), "elements of type \"'<c8'\"");
  EXPECT_EQ(Good(matrix.File(), {.weights = WeightMode::kNone}).edges.size(), 3u);
  matrix.data = Npy<int64_t>("|O", {5, 6, 7});
  ExpectBad(matrix.File(), "elements of type \"'|O'\"");
}

TEST_F(NpzTest, LiesAreFound) {
  const auto expect = [&](auto change, std::string_view said, Code code = Code::kBadData) {
    Matrix matrix;
    change(&matrix);
    ExpectBad(matrix.File(), said, code);
  };
  using M = Matrix*;
  expect(
      [](M m) {
        m->second = Npy<int32_t>("<i4", {1, 3, 0});
      },
      "indices.npy: element 1: a neighbour (3) that is not a vertex");
  expect([](M m) { m->second = Npy<int32_t>("<i4", {1, -1, 0}); }, "element 1: a negative number");
  expect(
      [](M m) {
        m->second = Npy<int64_t>("<i8", {1, int64_t{1} << 40, 0});
      },
      "element 1: a neighbour (4294967295) that is not");
  expect(
      [](M m) {
        m->first = Npy<int32_t>("<i4", {1, 2, 2, 3});
      },
      "indptr.npy: element 0: a first offset that is not 0");
  expect([](M m) { m->first = Npy<int32_t>("<i4", {0, 2, 1, 3}); }, "indptr.npy: element 2: an ");
  expect([](M m) { m->first = Npy<int32_t>("<i4", {0, 2, 2, 9}); }, "indptr.npy: element 3: an ");
  expect([](M m) { m->first = Npy<int32_t>("<i4", {0, 2, 2, 2}); }, "a last offset that is not");
  expect([](M m) { m->first = Npy<int32_t>("<i4", {0, 2, 3}); }, "has 3 elements where");
  expect([](M m) { m->data = Npy<double>("<f8", {5, 6}); }, "does not have one value for each");
  expect([](M m) { m->shape = Npy<int64_t>("<i8", {3}); }, "has 1 elements where");
  expect([](M m) { m->shape = Npy<int64_t>("<i8", {int64_t{1} << 60, 3}); }, "more than 2^48 rows");
  expect([](M m) { m->shape = Npy<int64_t>("<i8", {-1, 3}); }, "a negative number");
  expect([](M m) { m->format = "dia"; }, "tocsr", Code::kUsage);
  expect([](M m) { m->first = Npy<double>("<f8", {0, 2, 2, 3}); }, "no list of integers");
  expect(
      [](M m) {
        m->second = Npy<int32_t>("<i4", {1, 2, 0}, "(1000000000000000,)");
      },
      "a header that does not fit the size");
  expect(
      [](M m) {
        m->second = Npy<int32_t>("<i4", {1, 2, 0}, "(18446744073709551615,)");
      },
      "a header that does not fit");
  expect([](M m) { m->data = "no array at all"; }, "data.npy: no array of NumPy");
  Matrix coo;
  coo.format = "coo";
  coo.first = Npy<int32_t>("<i4", {0, 0, 3});
  ExpectBad(coo.File(), "row.npy: element 2: the index 3 is outside the matrix of 3 rows");
  coo.first = Npy<int32_t>("<i4", {0, 0, 2});
  coo.second = Npy<int64_t>("<i8", {1, 2, INT64_MAX});
  ExpectBad(coo.File(), "col.npy: element 2: the index 9223372036854775807");
  // A matrix with few rows and as many columns as fit takes no time.
  Matrix wide;
  wide.shape = Npy<int64_t>("<i8", {3, int64_t{1} << 48});
  EXPECT_EQ(Good(wide.File()).edges.size(), 3u);
}

TEST_F(NpzTest, NoIndexIsInsideAnEmptySide) {
  for (const char* format : {"csr", "csc", "coo"}) {
    Matrix matrix;
    matrix.format = format;
    const bool by_column = matrix.format == "csc";
    matrix.shape = by_column ? Npy<int64_t>("<i8", {0, 3}) : Npy<int64_t>("<i8", {3, 0});
    if (matrix.format == "coo") matrix.first = Npy<int32_t>("<i4", {0, 0, 1});
    ExpectBad(matrix.File(), ".npy: element 0: ");
    // Without entries, all is well.
    matrix.first =
        matrix.format == "coo" ? Npy<int32_t>("<i4", {}) : Npy<int32_t>("<i4", {0, 0, 0, 0});
    matrix.second = Npy<int32_t>("<i4", {});
    matrix.data = Npy<double>("<f8", {});
    EXPECT_EQ(Good(matrix.File()).info.num_vertices, 3u) << format;
  }
}

TEST_F(NpzTest, TheChecksumOfOnesCounts) {
  Matrix matrix;
  matrix.data = Npy<double>("<f8", {1, 1, 1});
  EXPECT_FALSE(Good(matrix.File()).info.weighted);
  std::string bytes = matrix.File();
  const auto sum =
      static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(matrix.data.data()),
                                  static_cast<uInt>(matrix.data.size())));
  const std::string stored(reinterpret_cast<const char*>(&sum), sizeof(sum));
  const size_t at = bytes.rfind(stored);  // in the directory
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  ExpectBad(bytes, "data.npy: its checksum does not match");
}

TEST_F(NpzTest, TwoMembersOfOneNameAreRefused) {
  const Matrix matrix;
  ExpectBad(
      Zip({{"format.npy", NpyText("csr")}, {"data.npy", matrix.data}, {"data.npy", matrix.data}}),
      "two members called \"data.npy\"");
}

TEST_F(NpzTest, RandomMatricesAreReadInParts) {
  Random random(8);
  const uint64_t rows = 700, columns = 900;
  std::vector<ReadEdge> edges;
  for (int i = 0; i < 30'000; ++i) {
    edges.push_back({random.Below(rows), random.Below(columns), double(random.Below(50)) / 4});
  }
  std::sort(edges.begin(), edges.end());
  Matrix by_row, by_column, coo;
  by_column.format = "csc";
  coo.format = "coo";
  by_row.shape = by_column.shape = coo.shape = Npy<int64_t>("<i8", {rows, columns});
  const auto lists = [&](Matrix* matrix, std::vector<ReadEdge> sorted, bool columns_first) {
    std::vector<int64_t> first(columns_first ? columns + 1 : rows + 1);
    std::vector<int32_t> second;
    std::vector<double> data;
    for (const ReadEdge& edge : sorted) {
      ++first[(columns_first ? edge.target : edge.source) + 1];
      second.push_back(static_cast<int32_t>(columns_first ? edge.source : edge.target));
      data.push_back(edge.weight);
    }
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    matrix->first = Npy("<i8", first);
    matrix->second = Npy("<i4", second);
    matrix->data = Npy("<f8", data);
  };
  lists(&by_row, edges, false);
  std::vector<ReadEdge> turned = edges;
  std::stable_sort(turned.begin(), turned.end(), [](const ReadEdge& a, const ReadEdge& b) {
    return std::pair(a.target, a.source) < std::pair(b.target, b.source);
  });
  lists(&by_column, turned, true);
  std::vector<uint32_t> row, column;
  std::vector<double> data;
  for (const ReadEdge& edge : edges) {
    row.push_back(static_cast<uint32_t>(edge.source));
    column.push_back(static_cast<uint32_t>(edge.target));
    data.push_back(edge.weight);
  }
  coo.first = Npy("<u4", row);
  coo.second = Npy("<u4", column);
  coo.data = Npy("<f8", data);
  std::vector<ReadEdge> want = edges;
  for (ReadEdge& edge : want) edge.target += rows;
  std::sort(want.begin(), want.end());
  for (const Matrix& matrix : {by_row, by_column, coo}) {
    SCOPED_TRACE(matrix.format);
    for (const bool deflated : {false, true}) {
      const std::string path = directory_.Write("m.npz", matrix.File({deflated, false}));
      for (const size_t chunk : {size_t{100}, size_t{5000}, size_t{4} << 20}) {
        ReadOptions options;
        options.chunk_bytes = chunk;
        ReadAll all = Read({path}, options, 3);
        std::sort(all.edges.begin(), all.edges.end());
        EXPECT_EQ(all.edges, want) << all.status.message();
        if (all.num_chunks < 9) continue;
        ReadAll resumed = ReadResumed({path}, options, 7, 2);
        std::sort(resumed.edges.begin(), resumed.edges.end());
        EXPECT_EQ(resumed.edges, want) << resumed.status.message();
      }
    }
  }
}

TEST_F(NpzTest, DamageAnywhereIsFound) {
  for (const char* format : {"csr", "coo"}) {
    Matrix matrix;
    matrix.format = format;
    if (matrix.format == "coo") matrix.first = Npy<int32_t>("<i4", {0, 0, 2});
    for (const bool deflated : {false, true}) {
      const std::string bytes = matrix.File({deflated, false});
      for (size_t size = 0; size < bytes.size(); ++size) {
        const ReadAll cut = Read({directory_.Write("c.npz", bytes.substr(0, size))});
        EXPECT_EQ(cut.status.code(), Code::kBadData) << size << cut.status.message();
      }
      const size_t step = matrix.format == "csr" && deflated ? 3 : 17;
      int refused = 0;
      for (size_t bit = 0; bit < 8 * bytes.size(); bit += step) {
        std::string damaged = bytes;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
        const ReadAll all = Read({directory_.Write("d.npz", damaged)});
        refused += !all.status.ok();
        // Times, versions and attributes have no effect here.
        EXPECT_TRUE(!all.status.ok() || all.edges == kMatrixEdges) << bit / 8;
      }
      EXPECT_GT(refused, static_cast<int>(4 * bytes.size() / step));
    }
  }
}

}  // namespace
}  // namespace edgemill
