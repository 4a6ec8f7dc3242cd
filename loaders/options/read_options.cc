#include "loaders/options/read_options.h"

#include <array>
#include <utility>

namespace edgemill {
namespace {

constexpr std::array<std::pair<std::string_view, EdgeFormat>, 16> kNames = {{
    {"auto", EdgeFormat::kAuto},
    {"el", EdgeFormat::kEdgeList},
    {"wel", EdgeFormat::kWeightedList},
    {"konect", EdgeFormat::kKonect},
    {"csv", EdgeFormat::kCsv},
    {"mtx", EdgeFormat::kMatrixMarket},
    {"gr", EdgeFormat::kDimacs},
    {"metis", EdgeFormat::kMetis},
    {"sg", EdgeFormat::kSerialized},
    {"wsg", EdgeFormat::kSerializedWeighted},
    {"graphalytics", EdgeFormat::kGraphalytics},
    {"bin32", EdgeFormat::kPairs32},
    {"bin64", EdgeFormat::kPairs64},
    {"adj", EdgeFormat::kAdjacency},
    {"galois", EdgeFormat::kGalois},
    {"ligra", EdgeFormat::kLigra},
}};

}  // namespace

StatusOr<EdgeFormat> ParseEdgeFormat(std::string_view name) {
  for (const auto& [known, format] : kNames) {
    if (known == name) return format;
  }
  return UsageError(StrCat("unknown format '", name, "': give one of ", EdgeFormatNames()));
}

std::string_view EdgeFormatName(EdgeFormat format) {
  for (const auto& [name, known] : kNames) {
    if (known == format) return name;
  }
  return "unknown";
}

std::string EdgeFormatNames() {
  std::string names;
  for (const auto& [name, format] : kNames) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

}  // namespace edgemill
