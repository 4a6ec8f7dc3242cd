#include "test/fuzz/targets.h"

#include <array>
#include <cstdio>

#include "test/fuzz/edge_formats.h"

namespace edgemill {
namespace {

struct Target {
  std::string_view name;
  void (*run)(FuzzInput data);
};

/// The edge reader, over files of one format.
template <EdgeFormat kFormat>
constexpr void FuzzFormat(FuzzInput data) {
  FuzzReader(kFormat, data);
}

constexpr std::array kTargets = {
    Target{"adjacency", FuzzFormat<EdgeFormat::kAdjacency>},
    Target{"block_decoder", FuzzBlockDecoder},
    Target{"bv_lists", FuzzBvLists},
    Target{"catalog_records", FuzzCatalogRecords},
    Target{"checkpoint", FuzzCheckpoint},
    Target{"csv", FuzzFormat<EdgeFormat::kCsv>},
    Target{"detect_format", FuzzFormat<EdgeFormat::kAuto>},
    Target{"dimacs", FuzzFormat<EdgeFormat::kDimacs>},
    Target{"edge_list", FuzzFormat<EdgeFormat::kEdgeList>},
    Target{"galois", FuzzFormat<EdgeFormat::kGalois>},
    Target{"graphml", FuzzFormat<EdgeFormat::kGraphml>},
    Target{"konect", FuzzFormat<EdgeFormat::kKonect>},
    Target{"ligra", FuzzFormat<EdgeFormat::kLigra>},
    Target{"matrix_market", FuzzFormat<EdgeFormat::kMatrixMarket>},
    Target{"metis", FuzzFormat<EdgeFormat::kMetis>},
    Target{"name_groups", FuzzNameGroups},
    Target{"npz", FuzzFormat<EdgeFormat::kNpz>},
    Target{"pairs32", FuzzFormat<EdgeFormat::kPairs32>},
    Target{"pairs64", FuzzFormat<EdgeFormat::kPairs64>},
    Target{"pajek", FuzzFormat<EdgeFormat::kPajek>},
    Target{"properties", FuzzProperties},
    Target{"serialized", FuzzFormat<EdgeFormat::kSerialized>},
    Target{"spill_page", FuzzSpillPage},
    Target{"triples", FuzzFormat<EdgeFormat::kTriples>},
    Target{"weighted_list", FuzzFormat<EdgeFormat::kWeightedList>},
    Target{"weighted_serialized", FuzzFormat<EdgeFormat::kSerializedWeighted>},
};

}  // namespace

bool RunFuzzTarget(std::string_view name, FuzzInput data) {
  for (const Target& target : kTargets) {
    if (target.name != name) continue;
    target.run(data);
    return true;
  }
  return false;
}

void PrintFuzzTargets() {
  for (const Target& target : kTargets) {
    std::printf("%.*s\n", static_cast<int>(target.name.size()), target.name.data());
  }
}

}  // namespace edgemill
