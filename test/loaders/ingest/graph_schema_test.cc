// The graph that an ingest will make, by the input's declarations and the user's options.
#include "loaders/context/graph_schema.h"

#include <gtest/gtest.h>

namespace edgemill {
namespace {

GraphSchema ShapeOf(const EdgeSourceInfo& info, const IngestOptions& options) {
  const StatusOr<GraphSchema> schema = DecideSchema(info, options);
  EXPECT_TRUE(schema.ok()) << schema.status().message();
  return *schema;
}

TEST(GraphSchemaTest, TheInputDecidesTheDirectionUnlessTheUserDoes) {
  EXPECT_TRUE(ShapeOf({}, {}).directed);
  const GraphSchema both = ShapeOf({.undirected = true}, {});
  EXPECT_FALSE(both.directed);
  EXPECT_TRUE(both.both_ways);
  EXPECT_TRUE(ShapeOf({.symmetric = true}, {}).check_symmetry);
  IngestOptions options;
  options.direction = EdgeDirection::kSymmetrize;
  const GraphSchema symmetrized = ShapeOf({.undirected = true}, options);
  EXPECT_FALSE(symmetrized.both_ways);
  EXPECT_TRUE(symmetrized.symmetrize);
  EXPECT_TRUE(symmetrized.directions().reversed);
}

TEST(GraphSchemaTest, OnlyDirectedGraphsHaveInColumns) {
  for (const ColumnChoice columns : {ColumnChoice::kBoth, ColumnChoice::kOut, ColumnChoice::kIn}) {
    IngestOptions options;
    options.columns = columns;
    const GraphSchema directed = ShapeOf({}, options);
    EXPECT_EQ(directed.columns.out, columns != ColumnChoice::kIn);
    EXPECT_EQ(directed.columns.in, columns != ColumnChoice::kOut);
    EXPECT_EQ(directed.directions().reversed, directed.columns.in);
    const GraphSchema undirected = ShapeOf({.undirected = true}, options);
    EXPECT_TRUE(undirected.columns.out);
    EXPECT_FALSE(undirected.columns.in);
  }
}

TEST(GraphSchemaTest, WeightsMustBeThereOrRandom) {
  IngestOptions options;
  options.weights.kind = WeightChoice::Kind::kInt32;
  EXPECT_EQ(DecideSchema({}, options).status().code(), Code::kUsage);
  EXPECT_EQ(ShapeOf({.weighted = true}, options).spilled_weight, SpilledWeight::kInt32);
  options.weights.kind = WeightChoice::Kind::kNone;
  EXPECT_FALSE(ShapeOf({.weighted = true}, options).weighted);
  options.weights.kind = WeightChoice::Kind::kRandom;
  EXPECT_TRUE(ShapeOf({}, options).weighted);
  options.weights.low = 9;
  options.weights.high = 8;
  EXPECT_EQ(DecideSchema({}, options).status().code(), Code::kUsage);
}

TEST(GraphSchemaTest, OnlyListsOfBothDirectionsMayLackWeights) {
  constexpr ColumnChoice kAll[] = {ColumnChoice::kBoth, ColumnChoice::kOut, ColumnChoice::kIn};
  for (const ColumnChoice columns : kAll) {
    for (const ColumnChoice weights_in : kAll) {
      IngestOptions options;
      options.columns = columns;
      options.weights_in = weights_in;
      const GraphSchema directed = ShapeOf({.weighted = true}, options);
      const bool both = columns == ColumnChoice::kBoth;
      EXPECT_EQ(directed.columns.out_weights,
                directed.columns.out && (!both || weights_in != ColumnChoice::kIn));
      EXPECT_EQ(directed.columns.in_weights,
                directed.columns.in && (!both || weights_in != ColumnChoice::kOut));
      EXPECT_TRUE(directed.columns.out_weights || directed.columns.in_weights);
      const GraphSchema undirected = ShapeOf({.weighted = true, .undirected = true}, options);
      EXPECT_TRUE(undirected.columns.out_weights);
      EXPECT_FALSE(undirected.columns.in_weights);
      const GraphSchema unweighted = ShapeOf({}, options);
      EXPECT_FALSE(unweighted.columns.out_weights || unweighted.columns.in_weights);
    }
  }
}

TEST(GraphSchemaTest, WeightsGetTheSmallestTypeThatHoldsThem) {
  GraphSchema schema = ShapeOf({.weighted = true}, {});
  IntakeStats stats;
  EXPECT_EQ(DecideWeightType(schema, stats), WeightType::kInt32);
  stats.weights_fit_int32 = false;
  EXPECT_EQ(DecideWeightType(schema, stats), WeightType::kFloat32);
  schema.duplicates = DuplicateRule::kSum;
  EXPECT_EQ(DecideWeightType(schema, stats), WeightType::kFloat64);
  schema.duplicates = DuplicateRule::kKeep;
  stats.weights_fit_float32 = false;
  EXPECT_EQ(DecideWeightType(schema, stats), WeightType::kFloat64);
  schema.weights.kind = WeightChoice::Kind::kFloat32;
  EXPECT_EQ(DecideWeightType(schema, stats), WeightType::kFloat32);
  schema.weighted = false;
  EXPECT_EQ(DecideWeightType(schema, stats), WeightType::kNone);
}

}  // namespace
}  // namespace edgemill
