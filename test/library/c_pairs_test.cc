// The C interface's similarities of pairs: by their definition, over orders of ids; errors.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "common/random.h"
#include "edgemill/c_api.h"
#include "test/library/c_api_fixture.h"

namespace edgemill {
namespace {

class CPairsTest : public CApiTest {
 protected:
  void IngestRandom(std::vector<const char*> arguments) {
    Random random(3);
    std::vector<uint64_t> sources, targets;
    for (int i = 0; i < 2000; ++i) {
      sources.push_back(7 * random.Below(100));
      targets.push_back(7 * random.Below(100));
      if (sources.back() != targets.back()) lists_[sources.back()].insert(targets.back());
    }
    ExpectOk(Ingest(sources, targets, {}, Given(std::move(arguments))));
    for (int i = 0; i < 500; ++i) {
      ones_.push_back(sources[random.Below(sources.size())]);
      others_.push_back(targets[random.Below(targets.size())]);
    }
  }

  std::map<uint64_t, std::set<uint64_t>> lists_;
  std::vector<uint64_t> ones_, others_;
};

TEST_F(CPairsTest, CountsCommonNeighboursAndTheirShare) {
  IngestRandom({"--renumber=degree", "--block-edges=256"});
  const auto graph = Open();
  const edgemill_pair_list pairs = {ones_.size(), ones_.data(), others_.data()};
  std::vector<double> common(ones_.size(), -1), jaccard(ones_.size(), -1);
  ExpectOk(edgemill_pairs(graph.get(), &pairs, Given({"--measure=common"}), common.data()));
  ExpectOk(edgemill_pairs(graph.get(), &pairs, Given(), jaccard.data()));
  for (size_t i = 0; i < ones_.size(); ++i) {
    const std::set<uint64_t>&one = lists_[ones_[i]], &other = lists_[others_[i]];
    const auto shared = static_cast<double>(std::count_if(
        one.begin(), one.end(), [&](uint64_t vertex) { return other.contains(vertex); }));
    EXPECT_EQ(common[i], shared);
    const double either = static_cast<double>(one.size() + other.size()) - shared;
    EXPECT_DOUBLE_EQ(jaccard[i], either > 0 ? shared / either : 0);
  }
}

TEST_F(CPairsTest, MistakesAreErrors) {
  IngestRandom({});
  const auto graph = Open();
  double value = -1;
  const uint64_t vertex = ones_[0], stranger = 3;
  const edgemill_pair_list strange = {1, &vertex, &stranger}, same = {1, &vertex, &vertex};
  ExpectError(edgemill_pairs(graph.get(), &strange, Given(), &value), EDGEMILL_USAGE, "3");
  ExpectError(edgemill_pairs(graph.get(), &same, Given({"--measure=near"}), &value), EDGEMILL_USAGE,
              "--measure");
  EXPECT_EQ(value, -1);
  const edgemill_pair_list none = {};
  ExpectOk(edgemill_pairs(graph.get(), &none, Given(), nullptr));
}

}  // namespace
}  // namespace edgemill
