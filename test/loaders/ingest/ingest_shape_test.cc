// What an ingest is to make, by what the input says and what the user wants.
#include "loaders/context/ingest_shape.h"

#include <gtest/gtest.h>

namespace edgemill {
namespace {

IngestShape ShapeOf(const EdgeSourceInfo& info, const IngestOptions& options) {
  const StatusOr<IngestShape> shape = DecideShape(info, options);
  EXPECT_TRUE(shape.ok()) << shape.status().message();
  return *shape;
}

TEST(IngestShapeTest, TheInputDecidesTheDirectionUnlessTheUserDoes) {
  EXPECT_TRUE(ShapeOf({}, {}).directed);
  const IngestShape both = ShapeOf({.undirected = true}, {});
  EXPECT_FALSE(both.directed);
  EXPECT_TRUE(both.both_ways);
  EXPECT_TRUE(ShapeOf({.symmetric = true}, {}).check_symmetry);
  IngestOptions options;
  options.direction = EdgeDirection::kSymmetrize;
  const IngestShape symmetrized = ShapeOf({.undirected = true}, options);
  EXPECT_FALSE(symmetrized.both_ways);
  EXPECT_TRUE(symmetrized.symmetrize);
  EXPECT_TRUE(symmetrized.directions().reversed);
}

TEST(IngestShapeTest, OnlyDirectedGraphsHaveInColumns) {
  for (const ColumnChoice columns : {ColumnChoice::kBoth, ColumnChoice::kOut, ColumnChoice::kIn}) {
    IngestOptions options;
    options.columns = columns;
    const IngestShape directed = ShapeOf({}, options);
    EXPECT_EQ(directed.write_out, columns != ColumnChoice::kIn);
    EXPECT_EQ(directed.write_in, columns != ColumnChoice::kOut);
    EXPECT_EQ(directed.directions().reversed, directed.write_in);
    const IngestShape undirected = ShapeOf({.undirected = true}, options);
    EXPECT_TRUE(undirected.write_out);
    EXPECT_FALSE(undirected.write_in);
  }
}

TEST(IngestShapeTest, WeightsMustBeThereOrRandom) {
  IngestOptions options;
  options.weights.kind = WeightChoice::Kind::kInt32;
  EXPECT_EQ(DecideShape({}, options).status().code(), Code::kUsage);
  EXPECT_EQ(ShapeOf({.weighted = true}, options).spilled_weight, SpilledWeight::kInt32);
  options.weights.kind = WeightChoice::Kind::kNone;
  EXPECT_FALSE(ShapeOf({.weighted = true}, options).weighted);
  options.weights.kind = WeightChoice::Kind::kRandom;
  EXPECT_TRUE(ShapeOf({}, options).weighted);
  options.weights.low = 9;
  options.weights.high = 8;
  EXPECT_EQ(DecideShape({}, options).status().code(), Code::kUsage);
}

TEST(IngestShapeTest, WeightsGetTheSmallestTypeThatHoldsThem) {
  IngestShape shape = ShapeOf({.weighted = true}, {});
  IntakeStats stats;
  EXPECT_EQ(DecideWeightType(shape, stats), WeightType::kInt32);
  stats.weights_fit_int32 = false;
  EXPECT_EQ(DecideWeightType(shape, stats), WeightType::kFloat32);
  shape.duplicates = DuplicateRule::kSum;
  EXPECT_EQ(DecideWeightType(shape, stats), WeightType::kFloat64);
  shape.duplicates = DuplicateRule::kKeep;
  stats.weights_fit_float32 = false;
  EXPECT_EQ(DecideWeightType(shape, stats), WeightType::kFloat64);
  shape.weights.kind = WeightChoice::Kind::kFloat32;
  EXPECT_EQ(DecideWeightType(shape, stats), WeightType::kFloat32);
  shape.weighted = false;
  EXPECT_EQ(DecideWeightType(shape, stats), WeightType::kNone);
}

}  // namespace
}  // namespace edgemill
