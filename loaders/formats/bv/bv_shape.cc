#include "loaders/formats/bv/bv_shape.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "common/os/file.h"
#include "common/strings.h"

namespace edgemill {
namespace {

constexpr size_t kMaxPropertiesBytes = size_t{1} << 20;
constexpr uint64_t kMaxBvNumbers = uint64_t{1} << 48;
constexpr std::string_view kGraphClass = "BVGraph";

/// A value, and the number of its line.
struct Property {
  std::string_view value;
  uint64_t line = 0;
};
using Properties = std::map<std::string_view, Property>;

/// The lines "key = value" and "key: value" of Java's properties. Escapes are left as they are.
Properties PropertiesOf(std::string_view text) {
  Properties properties;
  uint64_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = StripSpace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const size_t separator = line.find_first_of("=:");
    if (line.empty() || line[0] == '#' || line[0] == '!' || separator == line.npos) continue;
    properties[StripSpace(line.substr(0, separator))] = {StripSpace(line.substr(separator + 1)),
                                                         number};
  }
  return properties;
}

bool IsBv(const Properties& properties) {
  const auto found = properties.find("graphclass");
  return found != properties.end() && found->second.value.ends_with(kGraphClass);
}

/// A name in "compressionflags", and what it sets.
struct Flag {
  std::string_view name;
  BvCode BvShape::*code;
  BvCode value;
};
constexpr std::array<Flag, 14> kFlags = {{
    {"OUTDEGREES_GAMMA", &BvShape::outdegrees, BvCode::kGamma},
    {"OUTDEGREES_DELTA", &BvShape::outdegrees, BvCode::kDelta},
    {"BLOCKS_GAMMA", &BvShape::blocks, BvCode::kGamma},
    {"BLOCKS_DELTA", &BvShape::blocks, BvCode::kDelta},
    {"RESIDUALS_GAMMA", &BvShape::residuals, BvCode::kGamma},
    {"RESIDUALS_DELTA", &BvShape::residuals, BvCode::kDelta},
    {"RESIDUALS_ZETA", &BvShape::residuals, BvCode::kZeta},
    {"REFERENCES_GAMMA", &BvShape::references, BvCode::kGamma},
    {"REFERENCES_DELTA", &BvShape::references, BvCode::kDelta},
    {"REFERENCES_UNARY", &BvShape::references, BvCode::kUnary},
    {"BLOCK_COUNT_GAMMA", &BvShape::block_counts, BvCode::kGamma},
    {"BLOCK_COUNT_DELTA", &BvShape::block_counts, BvCode::kDelta},
    {"BLOCK_COUNT_UNARY", &BvShape::block_counts, BvCode::kUnary},
    {"OFFSETS_DELTA", &BvShape::offsets, BvCode::kDelta},
}};

class ShapeReader {
 public:
  ShapeReader(const std::string& path, const Properties& properties)
      : path_(path), properties_(properties) {}

  StatusOr<BvShape> Read() {
    if (!IsBv(properties_)) {
      return Refuse(1, "describes no BV graph: its graphclass is not BVGraph");
    }
    uint64_t version = 0, zeta_k = shape_.zeta_k;
    RETURN_IF_ERROR(Number("version", &version, 0, false));
    RETURN_IF_ERROR(Number("nodes", &shape_.num_vertices, kMaxBvNumbers, true));
    RETURN_IF_ERROR(Number("arcs", &shape_.num_edges, kMaxBvNumbers, true));
    RETURN_IF_ERROR(Number("windowsize", &shape_.window, 1 << 16, false));
    RETURN_IF_ERROR(MaxChain());
    RETURN_IF_ERROR(Number("minintervallength", &shape_.min_interval, 1 << 20, false));
    RETURN_IF_ERROR(Number("zetak", &zeta_k, 20, false));
    if (zeta_k == 0) return Refuse(properties_.at("zetak").line, "zetak is 0");
    shape_.zeta_k = static_cast<uint32_t>(zeta_k);
    const auto order = properties_.find("endianness");
    if (order != properties_.end() && order->second.value != "big") {
      return Refuse(order->second.line,
                    "the bits are in the order of little-endian words, which "
                    "is not read: recompress the graph in big-endian order");
    }
    RETURN_IF_ERROR(Flags());
    return shape_;
  }

 private:
  Status Refuse(uint64_t line, std::string_view what) const {
    return BadDataError(StrCat(path_, ":", line, ": ", what)).At({.file = path_, .line = line});
  }

  Status Number(std::string_view key, uint64_t* value, uint64_t most, bool required) const {
    const auto found = properties_.find(key);
    if (found == properties_.end()) {
      return required ? Refuse(1, StrCat("has no '", key, "'")) : OkStatus();
    }
    const auto [text, line] = found->second;
    if (ParseNumber(text, value) && *value <= most) return OkStatus();
    return Refuse(line, StrCat("'", key, "' is ", text, ", and should be a number up to ", most));
  }

  /// Where chains have no bound, it is -1, or the largest number of 31 or of 64 bits.
  Status MaxChain() {
    const auto found = properties_.find("maxrefcount");
    uint64_t most = shape_.max_chain;
    if (found != properties_.end() && found->second.value == "-1")
      most = INT32_MAX;
    else
      RETURN_IF_ERROR(Number("maxrefcount", &most, UINT64_MAX, false));
    shape_.max_chain = most >= INT32_MAX ? UINT64_MAX : most;
    return OkStatus();
  }

  /// "OUTDEGREES_DELTA | BLOCKS_DELTA"; those that are missing are WebGraph's own.
  Status Flags() {
    const auto found = properties_.find("compressionflags");
    if (found == properties_.end()) return OkStatus();
    std::string_view rest = found->second.value;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('|'), rest.size());
      const std::string_view name = StripSpace(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (name.empty() || name == "OFFSETS_GAMMA") continue;
      const auto flag = std::find_if(kFlags.begin(), kFlags.end(),
                                     [&](const Flag& known) { return known.name == name; });
      if (flag == kFlags.end()) {
        return Refuse(found->second.line, StrCat("the coding '", name, "' is not read"));
      }
      shape_.*flag->code = flag->value;
    }
    return OkStatus();
  }

  const std::string& path_;
  const Properties& properties_;
  BvShape shape_;
};

}  // namespace

bool DescribesBvGraph(const std::string& properties_path) {
  const auto text = ReadWholeFile(properties_path, kMaxPropertiesBytes);
  return text.ok() && IsBv(PropertiesOf(*text));
}

StatusOr<BvShape> ReadBvShape(const std::string& properties_path) {
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(properties_path, kMaxPropertiesBytes));
  const Properties properties = PropertiesOf(text);
  return ShapeReader(properties_path, properties).Read();
}

}  // namespace edgemill
