// An error about an edge gets the place of this edge.
#include "loaders/context/edge_error_locator.h"

#include <gtest/gtest.h>

#include <vector>

namespace edgemill {
namespace {

/// Edges with the place "line N".
class PlacedSource : public EdgeSource {
 public:
  explicit PlacedSource(std::vector<LocatedEdge> edges) : edges_(std::move(edges)) {
    for (size_t i = 0; i < edges_.size(); ++i) edges_[i].where = StrCat("line ", i + 1);
  }
  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk*) override { return false; }
  StatusOr<std::string> PositionAfter(uint64_t) override { return std::string(); }
  Status Resume(const std::string&) override { return OkStatus(); }
  StatusOr<LocatedEdge> Locate(const EdgeMatch& match) const override {
    if (broken_) return IoError("the input is gone");
    for (const LocatedEdge& edge : edges_) {
      if (match(edge)) return edge;
    }
    return LocatedEdge{};
  }
  void Break() { broken_ = true; }

 private:
  EdgeSourceInfo info_;
  std::vector<LocatedEdge> edges_;
  bool broken_ = false;
};

std::vector<LocatedEdge> FourEdges() {
  return {{.source = 1, .target = 2},
          {.source = 5, .target = 900},
          {.source = 1, .target = 2},
          {.source = 5, .target = 7000}};
}

TEST(EdgeErrorLocatorTest, NamesTheFirstEdgeThatMatches) {
  const PlacedSource source(FourEdges());
  const EdgeErrorLocator places(source);
  EXPECT_EQ(places.AtEdge(1, 2, BadDataError("bad")).message(), "line 1: bad");
  const Status found =
      places.At([](const LocatedEdge& edge) { return edge.source == 5; }, BadDataError("bad"));
  EXPECT_EQ(found.message(), "line 2: bad");
  EXPECT_EQ(found.code(), Code::kBadData);
}

TEST(EdgeErrorLocatorTest, LeavesTheErrorWhereNoPlaceIsKnown) {
  PlacedSource source(FourEdges());
  const EdgeErrorLocator places(source);
  EXPECT_EQ(places.AtEdge(8, 8, BadDataError("bad")).message(), "bad");
  source.Break();
  EXPECT_EQ(places.AtEdge(1, 2, BadDataError("bad")).message(), "bad");
}

TEST(EdgeErrorLocatorTest, ExplainsTheFirstRefusedEdgeOnce) {
  PlacedSource source(FourEdges());
  EdgeErrorLocator places(source);
  EdgeRules rules;
  rules.id_limit = 100;
  const Status first = places.LocateFirstError(rules, BadDataError("7000 is too large"));
  EXPECT_TRUE(first.message().starts_with("line 2: ")) << first.message();
  EXPECT_NE(first.message().find("900"), std::string::npos) << first.message();
  source.Break();
  EXPECT_EQ(places.LocateFirstError(rules, BadDataError("another")).message(), first.message());
}

}  // namespace
}  // namespace edgemill
