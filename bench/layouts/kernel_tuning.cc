#include "bench/layouts/kernel_tuning.h"

#include <bit>
#include <vector>

#include "common/strings.h"
#include "common/units.h"

namespace edgemill::bench {
namespace {

constexpr uint32_t kLanesOfWarp = 32;
constexpr uint32_t kMaxThreads = 1024;

/// The parts of `text` between slashes.
std::vector<std::string_view> PartsOf(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = text;;) {
    const size_t slash = rest.find('/');
    parts.push_back(rest.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    rest.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string SparseBounds::Name() const {
  return StrCat(lanes, "/", warp_edges, "/", block_edges, "/", vertices, "/", in_degree);
}

StatusOr<SparseBounds> SparseBounds::Parse(std::string_view text) {
  const std::vector<std::string_view> parts = PartsOf(text);
  SparseBounds bounds;
  uint32_t* const numbers[] = {&bounds.lanes, &bounds.warp_edges, &bounds.block_edges,
                               &bounds.vertices, &bounds.in_degree};
  bool valid = parts.size() == std::size(numbers);
  for (size_t i = 0; valid && i < parts.size(); ++i) valid = ParseNumber(parts[i], numbers[i]);
  for (size_t i = 0; valid && i + 1 < std::size(numbers); ++i) {
    valid = std::has_single_bit(*numbers[i]) && *numbers[i] <= kMaxThreads;
  }
  valid = valid && bounds.lanes <= kLanesOfWarp && bounds.threads() >= kLanesOfWarp &&
          bounds.threads() <= kMaxThreads && bounds.warp_edges <= bounds.block_edges;
  if (valid) return bounds;
  return UsageError(StrCat("bounds of multigraph-sparse: \"", text,
                           "\" is not valid: give lanes, edges of a warp, edges of a block, "
                           "vertices of a block, all powers of two, and the in-degree of targets "
                           "in segments, such as ",
                           SparseBounds().Name()));
}

std::string ShardTuning::Name() const {
  std::string name = copies == 0 ? "custom" : StrCat(copies);
  const bool is_cut_as_usual = part_edges == kShardPartEdges;
  if (by_target || !is_cut_as_usual) name += by_target ? "/target" : "/source";
  return is_cut_as_usual ? name : StrCat(name, "/", part_edges);
}

StatusOr<ShardTuning> ShardTuning::Parse(std::string_view text) {
  const std::vector<std::string_view> parts = PartsOf(text);
  ShardTuning tuning;
  bool valid = parts.size() <= 3;
  if (valid && parts[0] != "custom") {
    valid = ParseNumber(parts[0], &tuning.copies) && std::has_single_bit(tuning.copies) &&
            tuning.copies <= kMaxCopies;
  }
  if (valid && parts.size() > 1) {
    tuning.by_target = parts[1] == "target";
    valid = tuning.by_target || parts[1] == "source";
  }
  if (valid && parts.size() > 2) valid = ParseNumber(parts[2], &tuning.part_edges);
  if (valid) return tuning;
  return UsageError(StrCat("shards of garaph-shards: \"", text,
                           "\" is not valid: give custom or the copies of a value (1, 2, 4 to ",
                           kMaxCopies,
                           "), then source or target, then the edges of a part, such as "
                           "custom/source/",
                           kShardPartEdges));
}

Status CheckSharedMemory(std::string_view run, const SharedMemoryNeed& need,
                         uint64_t shared_bytes) {
  if (need.bytes() <= shared_bytes) return OkStatus();
  return UsageError(StrCat(run, ": ", FormatCount(need.values), " values of ", need.value_bytes,
                           " bytes take ", FormatBytes(need.bytes()),
                           " of shared memory a thread block, and this GPU has ",
                           FormatBytes(shared_bytes)));
}

}  // namespace edgemill::bench
