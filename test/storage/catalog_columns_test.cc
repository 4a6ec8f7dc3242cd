// Edge columns in the catalog's header.
#include <gtest/gtest.h>

#include <set>

#include "storage/catalog/catalog_records.h"
#include "test/graphs/written_graph.h"

namespace edgemill {
namespace {

/// A whole directed graph of 300 edges with three edge columns.
HeaderRecord ColumnsHeader() {
  HeaderRecord header;
  header.whole = true;
  header.info.uuid = TestUuid();
  header.info.num_vertices = 10;
  header.info.num_edges = 300;
  header.info.weights = WeightType::kNone;
  header.num_directories = 1;
  header.info.edge_columns = {
      {.name = "amount", .type = WeightType::kFloat64, .has_negative = true},
      {.name = "day", .kind = ValueKind::kTime, .type = WeightType::kFloat64},
      {.name = "kind", .kind = ValueKind::kText, .texts = {"", "card", "cash"}}};
  for (const ColumnKind kind : {ColumnKind::kOutNeighbors, ColumnKind::kInNeighbors}) {
    header.columns[static_cast<size_t>(kind)] = {300, 1200, 1300, 1};
  }
  for (size_t i = 0; i < header.info.edge_columns.size(); ++i) {
    for (const bool incoming : {false, true}) {
      header.columns[static_cast<size_t>(ValuesColumn(i, incoming))] = {300, 2400 + i, 2500, 1};
    }
  }
  return header;
}

TEST(CatalogColumns, HeadersKeepEdgeColumns) {
  const HeaderRecord header = ColumnsHeader();
  const std::string bytes = EncodeHeader(header);
  EXPECT_EQ(bytes[12], kEdgeColumnsFeature);
  const StatusOr<HeaderRecord> back = DecodeHeader(bytes);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->info.edge_columns, header.info.edge_columns);
  EXPECT_EQ(EncodeHeader(*back), bytes);
  EXPECT_EQ(back->columns[static_cast<size_t>(ValuesColumn(2, true))].stored_bytes, 2402u);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeHeader(bytes.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(DecodeHeader(bytes + 'x').ok());
}

TEST(CatalogColumns, ColumnsThatContradictTheRestAreRefused) {
  const auto refused = [](auto change) {
    HeaderRecord header = ColumnsHeader();
    change(header);
    return DecodeHeader(EncodeHeader(header)).status().code() == Code::kBadData;
  };
  const auto values = [](HeaderRecord& header, size_t i, bool incoming) -> ColumnInfo& {
    return header.columns[static_cast<size_t>(ValuesColumn(i, incoming))];
  };
  EXPECT_FALSE(refused([](HeaderRecord&) {}));
  EXPECT_TRUE(refused([](HeaderRecord& header) { header.info.edge_columns[1].name = "amount"; }));
  EXPECT_TRUE(refused([](HeaderRecord& header) { header.info.edge_columns[1].name.clear(); }));
  EXPECT_TRUE(refused([](HeaderRecord& header) {
    header.info.edge_columns[1].name.assign(kMaxEdgeColumnName + 1, 'x');
  }));
  EXPECT_TRUE(
      refused([](HeaderRecord& header) { header.info.edge_columns[0].type = WeightType::kNone; }));
  EXPECT_TRUE(refused(
      [](HeaderRecord& header) { header.info.edge_columns[2].type = WeightType::kFloat32; }));
  EXPECT_TRUE(refused([](HeaderRecord& header) { header.info.edge_columns[0].texts = {"x"}; }));
  EXPECT_TRUE(refused([](HeaderRecord& header) {
    header.info.edge_columns[2].texts = {"b", "a"};
  }));
  EXPECT_TRUE(refused([](HeaderRecord& header) {
    header.info.edge_columns[2].texts = {"a", "a"};
  }));
  EXPECT_TRUE(refused([](HeaderRecord& header) { header.info.edge_columns.pop_back(); }))
      << "blocks of a column that is not described";
  EXPECT_TRUE(refused([&](HeaderRecord& header) {
    values(header, 1, false) = values(header, 1, true) = {};
  })) << "a column without blocks";
  EXPECT_FALSE(refused([&](HeaderRecord& header) { values(header, 1, true) = {}; }))
      << "values of one direction are enough";
  EXPECT_TRUE(refused([](HeaderRecord& header) {
    header.columns[static_cast<size_t>(ColumnKind::kInNeighbors)] = {};
  })) << "values of in-edges that are not there";
  // An unfinished graph has blocks of columns, which are described once it is whole.
  EXPECT_FALSE(refused([](HeaderRecord& header) {
    header.whole = false;
    header.info.edge_columns.clear();
  }));
}

TEST(CatalogColumns, GraphsWithoutEdgesMayHaveColumns) {
  HeaderRecord header = ColumnsHeader();
  header.info.num_edges = 0;
  header.columns = {};
  EXPECT_TRUE(DecodeHeader(EncodeHeader(header)).ok());
}

TEST(CatalogColumns, ColumnsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (int column = 0; column < kNumColumns; ++column) {
    EXPECT_TRUE(names.insert(ColumnName(static_cast<ColumnKind>(column))).second);
  }
  EXPECT_EQ(ColumnName(ValuesColumn(0, false)), "out-column-1");
  EXPECT_EQ(ColumnName(ValuesColumn(kMaxEdgeColumns - 1, true)), "in-column-16");
  EXPECT_EQ(EdgeColumnOf(ColumnKind::kNameGroups), std::nullopt);
  EXPECT_EQ(EdgeColumnOf(ValuesColumn(7, true)), 7u);
}

}  // namespace
}  // namespace edgemill
