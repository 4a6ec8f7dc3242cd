#include "bench/io/io_grid_run.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bench/record/sample_statistics.h"
#include "common/buffer.h"
#include "common/random.h"
#include "common/units.h"

namespace edgemill::bench {
namespace {

/// An engine takes no more requests than this times kMaxIoDepth.
constexpr size_t kMaxDirectories = 16;
/// Points between two plain reads.
constexpr size_t kPlainEvery = 4;
constexpr double kDefaultTotalSeconds = 50;
constexpr double kUnevenBalance = 1.5;
constexpr double kUnsteadyPlain = 1.5;

/// Directories that are measured at once.
struct DirectorySet {
  std::string name;
  std::vector<ScratchDirectory*> directories;
};

class GridRun {
 public:
  GridRun(const IoGridRunOptions& options, MemoryBudget& budget, Progress& progress)
      : options_(options), budget_(budget), progress_(progress), points_(PointsOf(options.grid)) {}

  StatusOr<IoGridRunResult> Run();

 private:
  Status OpenDirectories();
  Status CheckSpace() const;
  Status AllocateMemory();
  Status FillFiles();
  Status MeasureSet(const DirectorySet& set, uint64_t trial, PlainMeasurement* plain,
                    std::span<IoMeasurement> measurements);
  Status MeasurePoint(const DirectorySet& set, uint64_t trial, IoMeasurement* measurement);
  void Remark(std::string text);
  void RemarkOnDevices();
  void RemarkOnSpreads();

  const IoGridRunOptions& options_;
  MemoryBudget& budget_;
  Progress& progress_;
  std::vector<IoPoint> points_;
  std::vector<ScratchDirectory> directories_;
  std::vector<DirectorySet> sets_;
  MemoryReservation reservation_;
  Buffer memory_;
  IoTrialOptions trial_options_;
  IoGridRunResult result_;
};

Status GridRun::OpenDirectories() {
  if (options_.directories.size() > kMaxDirectories) {
    return UsageError(StrCat("bench io: ", options_.directories.size(),
                             " directories are too many: give at most ", kMaxDirectories));
  }
  for (const std::string& path : options_.directories) {
    if (std::count(options_.directories.begin(), options_.directories.end(), path) > 1) {
      return UsageError(StrCat("bench io: ", path, " is given more than once: give it once"));
    }
    ASSIGN_OR_RETURN(ScratchDirectory directory, OpenScratchDirectory(path));
    directories_.push_back(std::move(directory));
  }
  for (ScratchDirectory& directory : directories_) {
    result_.direct = result_.direct && directory.direct;
    sets_.push_back({directory.path, {&directory}});
  }
  if (directories_.size() > 1) {
    DirectorySet all{"all", {}};
    for (ScratchDirectory& directory : directories_) all.directories.push_back(&directory);
    sets_.push_back(std::move(all));
  }
  return OkStatus();
}

Status GridRun::CheckSpace() const {
  std::map<uint64_t, uint64_t> needed;  // by device
  for (const ScratchDirectory& directory : directories_) {
    uint64_t& bytes = needed[directory.device];
    bytes += 2 * trial_options_.file_bytes;
    RETURN_IF_ERROR(CheckFreeDisk(
        directory.path, bytes + kDiskMarginBytes,
        StrCat("give a smaller --file-size (now ", FormatBytes(trial_options_.file_bytes), ")")));
  }
  return OkStatus();
}

Status GridRun::AllocateMemory() {
  const size_t num_directories = directories_.size();
  uint64_t bytes = PlainMemoryBytes(num_directories);
  std::string what =
      StrCat("plain reads at depth ", kPlainReadDepth, " of ", num_directories, " directories");
  for (const IoPoint& point : points_) {
    const uint64_t needed = TrialMemoryBytes(point, num_directories);
    if (needed <= bytes) continue;
    bytes = needed;
    what = StrCat("\"", point.Name(), "\" on ", num_directories, " directories");
  }
  const uint64_t results = sets_.size() * points_.size() * sizeof(IoMeasurement);
  ASSIGN_OR_RETURN(reservation_, budget_.Reserve(bytes + results, what));
  ASSIGN_OR_RETURN(memory_, Buffer::Allocate(bytes));
  return OkStatus();
}

Status GridRun::FillFiles() {
  progress_.StartStage("write the files", "bytes", trial_options_.file_bytes * directories_.size());
  for (const ScratchDirectory& directory : directories_) {
    RETURN_IF_ERROR(FillStamped(directory.read_file, trial_options_.file_bytes,
                                memory_.bytes().first(std::min(memory_.size(), kMaxIoSize)),
                                progress_));
  }
  return OkStatus();
}

void GridRun::Remark(std::string text) {
  progress_.Note(text);
  result_.remarks.push_back(std::move(text));
}

void GridRun::RemarkOnDevices() {
  for (size_t i = 0; i < directories_.size(); ++i) {
    const ScratchDirectory& directory = directories_[i];
    if (directory.in_memory) {
      Remark(StrCat(directory.path, " is in memory (tmpfs): the figures are not a disk's"));
    } else if (!directory.direct) {
      Remark(StrCat(directory.path,
                    " does not support O_DIRECT: the figures are those of the page cache"));
    }
    for (size_t j = 0; j < i; ++j) {
      if (directories_[j].device != directory.device) continue;
      Remark(StrCat(directory.path, " and ", directories_[j].path,
                    " are on one device: together they are no faster"));
      break;
    }
  }
}

Status GridRun::MeasurePoint(const DirectorySet& set, uint64_t trial, IoMeasurement* measurement) {
  trial_options_.seed = Mix64(trial_options_.seed);
  ASSIGN_OR_RETURN(const IoTrial result, RunIoTrial(measurement->point, set.directories,
                                                    memory_.bytes(), trial_options_, progress_));
  measurement->bytes_per_second.push_back(result.bytes_per_second);
  measurement->cpu_seconds_per_gb.push_back(result.cpu_seconds_per_gb);
  measurement->p50_seconds.push_back(result.latency.Quantile(0.5));
  measurement->p99_seconds.push_back(result.latency.Quantile(0.99));
  measurement->latency.Merge(result.latency);
  measurement->slowest_sync_seconds =
      std::max(measurement->slowest_sync_seconds, result.slowest_sync_seconds);
  const std::vector<double>& rates = result.directory_bytes_per_second;
  measurement->balance.push_back(*std::max_element(rates.begin(), rates.end()) /
                                 std::max(Mean(rates), 1.0));
  for (const IoTrial::Event& event : result.events) {
    Remark(StrCat(set.directories[event.directory]->path, ", ",
                  set.directories.size() > 1 ? "together with others, " : "",
                  measurement->point.Name(), ", trial ", trial + 1, ": ",
                  event.disturbance.Describe()));
  }
  progress_.Advance(1, result.bytes);
  return OkStatus();
}

Status GridRun::MeasureSet(const DirectorySet& set, uint64_t trial, PlainMeasurement* plain,
                           std::span<IoMeasurement> measurements) {
  const auto measure_plain = [&]() -> StatusOr<double> {
    ASSIGN_OR_RETURN(const double rate,
                     RunPlainReads(set.directories, memory_.bytes(), trial_options_));
    plain->bytes_per_second.push_back(rate);
    return rate;
  };
  ASSIGN_OR_RETURN(double before, measure_plain());
  for (size_t begin = 0; begin < measurements.size(); begin += kPlainEvery) {
    const auto group =
        measurements.subspan(begin, std::min(kPlainEvery, measurements.size() - begin));
    for (IoMeasurement& measurement : group) {
      RETURN_IF_ERROR(MeasurePoint(set, trial, &measurement));
    }
    ASSIGN_OR_RETURN(const double after, measure_plain());
    for (IoMeasurement& measurement : group) {
      measurement.plain_share.push_back(measurement.bytes_per_second.back() /
                                        ((before + after) / 2));
    }
    before = after;
  }
  return OkStatus();
}

void GridRun::RemarkOnSpreads() {
  for (const PlainMeasurement& plain : result_.plain) {
    const auto [least, most] =
        std::minmax_element(plain.bytes_per_second.begin(), plain.bytes_per_second.end());
    if (*most > kUnsteadyPlain * *least) {
      Remark(StrCat(plain.where, ": plain reads went from ", FormatFixed(*least / 1e9, 2), " to ",
                    FormatFixed(*most / 1e9, 2),
                    " GB/s during the run: the device is throttled, or others use it"));
    }
  }
  for (const IoMeasurement& measurement : result_.measurements) {
    const double balance = Median(measurement.balance);
    if (balance > kUnevenBalance) {
      Remark(StrCat(measurement.where, ", ", measurement.point.Name(),
                    ": the fastest directory is ", FormatFixed(balance, 1),
                    " times the mean: some are slower than others"));
    }
  }
}

StatusOr<IoGridRunResult> GridRun::Run() {
  trial_options_.engine = options_.engine;
  trial_options_.file_bytes =
      (std::max(options_.file_bytes, uint64_t{1}) + kMaxIoSize - 1) / kMaxIoSize * kMaxIoSize;
  RETURN_IF_ERROR(OpenDirectories());
  RETURN_IF_ERROR(CheckSpace());
  RETURN_IF_ERROR(AllocateMemory());
  ASSIGN_OR_RETURN(const std::unique_ptr<IoEngine> engine, MakeIoEngine(options_.engine, 1));
  result_.engine = engine->name();
  const size_t groups = (points_.size() + kPlainEvery - 1) / kPlainEvery;
  const double measurements =
      static_cast<double>(sets_.size() * (points_.size() + groups + 1) * options_.trials);
  trial_options_.seconds = options_.seconds > 0
                               ? options_.seconds
                               : std::clamp(kDefaultTotalSeconds / measurements, 0.1, 1.0);
  result_.seconds_per_trial = trial_options_.seconds;
  result_.file_bytes = trial_options_.file_bytes;
  RemarkOnDevices();
  RETURN_IF_ERROR(FillFiles());
  for (const DirectorySet& set : sets_) {
    result_.plain.push_back({set.name, {}});
    for (const IoPoint& point : points_) {
      result_.measurements.push_back({.where = set.name, .point = point});
    }
  }
  progress_.StartStage("measure", "trials", sets_.size() * points_.size() * options_.trials);
  for (uint64_t trial = 0; trial < options_.trials; ++trial) {
    for (size_t i = 0; i < sets_.size(); ++i) {
      RETURN_IF_ERROR(
          MeasureSet(sets_[i], trial, &result_.plain[i],
                     std::span(result_.measurements).subspan(i * points_.size(), points_.size())));
    }
  }
  RemarkOnSpreads();
  return std::move(result_);
}

}  // namespace

StatusOr<IoGridRunResult> RunIoGrid(const IoGridRunOptions& options, MemoryBudget& budget,
                                    Progress& progress) {
  return GridRun(options, budget, progress).Run();
}

}  // namespace edgemill::bench
