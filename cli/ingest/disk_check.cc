#include "cli/ingest/disk_check.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <numeric>

#include "cli/ingest/ingest_forecast.h"
#include "common/os/file_systems.h"
#include "common/strings.h"
#include "common/units.h"
#include "loaders/read/edge_reader.h"
#include "loaders/stream/input_stream.h"
#include "storage/write/placement.h"

namespace edgemill::cli {
namespace {

/// A byte of input never takes more bytes on disk than this, in the graph or in temporary files.
constexpr double kMaxBytesAByte = 16;
/// The greatest usual ratio of an input's length to its compressed length.
constexpr double kMaxCompression = 32;

/// The most bytes that the inputs may take on disk; 0 if one of them is not a file.
double MostBytes(const std::vector<std::string>& inputs) {
  double bytes = 0;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(input, error)) return 0;
    InputCompression compression;
    StripCompression(input, &compression);
    const bool compressed = compression != InputCompression::kNone || input.ends_with(".parquet") ||
                            input.ends_with(".npz");
    bytes += static_cast<double>(std::filesystem::file_size(input, error)) * kMaxBytesAByte *
             (compressed ? kMaxCompression : 1);
  }
  return bytes;
}

/// Directories for blocks, with the free bytes of each, and its share of the blocks.
struct Disks {
  std::vector<std::string> places;
  std::vector<uint64_t> free_bytes;
  std::vector<double> shares;

  double total_free_bytes() const {
    return std::accumulate(free_bytes.begin(), free_bytes.end(), 0.0);
  }
  /// The first place without enough space for its share of `bytes`; places.size(): none.
  size_t FirstTooSmall(double bytes) const {
    size_t i = 0;
    while (i < places.size() && bytes * shares[i] <= static_cast<double>(free_bytes[i])) ++i;
    return i;
  }
};

StatusOr<Disks> DisksOf(std::vector<std::string> places) {
  Disks disks{.places = std::move(places)};
  ASSIGN_OR_RETURN(disks.free_bytes, FreeBytesOfEach(disks.places));
  const std::vector<uint32_t> weights = PlacementWeights(disks.free_bytes);
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (const uint32_t weight : weights) disks.shares.push_back(weight / all);
  return disks;
}

std::string Bytes(double bytes) { return FormatBytes(static_cast<uint64_t>(bytes)); }

}  // namespace

Status CheckDisks(const std::vector<std::string>& inputs, const ReadOptions& read,
                  const std::string& out, const IngestOptions& options, Session& session) {
  const bool inside = options.data_directories.empty();
  ASSIGN_OR_RETURN(const Disks blocks,
                   DisksOf(inside ? std::vector{out} : options.data_directories));
  ASSIGN_OR_RETURN(
      const Disks spills,
      DisksOf(options.spill_directories.empty() ? blocks.places : options.spill_directories));
  const double most = MostBytes(inputs);
  if (blocks.FirstTooSmall(most) == blocks.places.size() && most <= spills.total_free_bytes()) {
    return OkStatus();
  }
  ReadOptions sampled = read;
  sampled.bad_lines_file.clear();
  const auto source = OpenEdgeReader(inputs, sampled);
  if (!source.ok()) return OkStatus();  // the ingest itself says what is wrong
  const StatusOr<IngestForecast> forecast = ForecastIngest(**source, options, session.budget());
  if (!forecast.ok()) return OkStatus();
  const double stored = forecast->stored_bytes / kMaxOverestimate;
  if (const size_t place = blocks.FirstTooSmall(stored); place < blocks.places.size()) {
    return Status(Code::kIo,
                  StrCat(blocks.places[place], ": ", FormatBytes(blocks.free_bytes[place]),
                         " are free, and the graph takes ", Bytes(stored), " or more, of which ",
                         Bytes(stored * blocks.shares[place]),
                         " go here: free some space, or give other --data directories"),
                  ENOSPC);
  }
  const double temporary = forecast->temporary_bytes / kMaxOverestimate;
  if (temporary <= spills.total_free_bytes()) return OkStatus();
  return Status(Code::kIo,
                StrCat(spills.places[0], ": ", Bytes(spills.total_free_bytes()),
                       " are free, and temporary files take ", Bytes(temporary),
                       " or more: give a larger --memory (from about ",
                       FormatMebibytesUp(static_cast<uint64_t>(forecast->ample_memory)),
                       " on there are few or none), or --spill directories with more room"),
                ENOSPC);
}

}  // namespace edgemill::cli
