#include "bench/io/io_trial.h"

#include <sys/resource.h>

#include <algorithm>
#include <memory>

#include "common/cancel.h"
#include "common/check.h"
#include "common/clock.h"
#include "common/random.h"

namespace edgemill::bench {
namespace {

/// Bytes written to a directory between two syncs.
constexpr uint64_t kSyncBytes = uint64_t{64} << 20;
/// Requests of a write trial that are read back from each directory.
constexpr uint64_t kReadBack = 64;

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The time in which all queues are full. The rate of reads is measured over it.
class FullTime {
 public:
  /// Queues are full once `depth` requests have completed in total. Completions after `end` seconds
  /// do not count.
  FullTime(uint64_t depth, double end) : depth_(depth), end_(end) {}

  /// Records a completion at `now`. Returns whether all queues were full.
  bool Counts(double now) {
    ++completed_;
    if (completed_ == depth_) begin_ = now;
    if (completed_ <= depth_ || now > end_) return false;
    last_ = now;
    return true;
  }
  double seconds() const { return last_ - begin_; }

 private:
  const uint64_t depth_;
  const double end_;
  uint64_t completed_ = 0;
  double begin_ = 0;
  double last_ = 0;  // the last completion that counts
};

/// One trial under way.
class Trial {
 public:
  Trial(const IoPoint& point, std::span<ScratchDirectory* const> directories,
        std::span<std::byte> memory, const IoTrialOptions& options, Progress& progress)
      : point_(point),
        options_(options),
        progress_(progress),
        memory_(memory.first(TrialMemoryBytes(point, directories.size()))),
        random_(options.seed),
        full_time_(directories.size() * point.depth, options.seconds) {
    for (ScratchDirectory* const directory : directories) {
      queues_.push_back({directory, std::vector<uint64_t>(point.depth)});
    }
  }

  StatusOr<IoTrial> Run();

 private:
  struct Queue {
    ScratchDirectory* directory;
    std::vector<uint64_t> offsets;  // of its requests, by number
    uint64_t next = 0;              // where the next sequential request goes
    uint64_t length = 0;            // writes: bytes in the file
    uint64_t bytes = 0;             // completed in all
    uint64_t counted = 0;           // completed while the queues were full
    CompletionLog log = {};
  };
  struct Syncs {
    uint64_t waiting_bytes = 0;  // written since the last sync
    double slowest_seconds = 0;
  };

  bool writes() const { return point_.pattern == IoPattern::kWrite; }
  const File& FileOf(const Queue& queue) const {
    return writes() ? queue.directory->write_file : queue.directory->read_file;
  }
  /// The offset of the request in a slot. A slot is directory * depth + number.
  uint64_t& OffsetOf(size_t slot) {
    return queues_[slot / point_.depth].offsets[slot % point_.depth];
  }
  std::span<std::byte> MemoryOf(size_t slot) const {
    return memory_.subspan(slot * point_.size_bytes, point_.size_bytes);
  }
  bool TimeIsOver() const { return clock_.seconds() >= options_.seconds; }
  uint64_t NextOffset(Queue& queue);
  Status Submit(size_t slot);
  Status SubmitAll();
  /// Waits for completions and records them. If `more`, submits new requests in their slots.
  Status Reap(bool more);
  Status RecordCompletion(const IoCompletion& completion);
  Status Drain();
  Status SyncAll();
  Status StartOver();
  Status ReadBack();
  Status Measure();
  IoTrial Summary(double whole_seconds, double cpu_seconds) const;

  const IoPoint& point_;
  const IoTrialOptions& options_;
  Progress& progress_;
  const std::span<std::byte> memory_;
  Random random_;
  std::vector<Queue> queues_;
  std::vector<IoCompletion> completions_;
  Stopwatch clock_;
  FullTime full_time_;
  Syncs syncs_;
  double silent_since_ = 0;
  std::unique_ptr<IoEngine> engine_;  // last: its destructor waits for requests that use the above
};

uint64_t Trial::NextOffset(Queue& queue) {
  const uint64_t places = options_.file_bytes / point_.size_bytes;
  if (point_.pattern == IoPattern::kRandomRead) return random_.Below(places) * point_.size_bytes;
  if (queue.next + point_.size_bytes > options_.file_bytes) queue.next = 0;
  const uint64_t offset = queue.next;
  queue.next += point_.size_bytes;
  return offset;
}

Status Trial::Submit(size_t slot) {
  Queue& queue = queues_[slot / point_.depth];
  const uint64_t offset = NextOffset(queue);
  OffsetOf(slot) = offset;
  if (writes()) {
    Stamp(MemoryOf(slot), offset);
    queue.length = std::max(queue.length, offset + point_.size_bytes);
    syncs_.waiting_bytes += point_.size_bytes;
  }
  return engine_->Submit({.op = writes() ? IoRequest::Op::kWrite : IoRequest::Op::kRead,
                          .file = &FileOf(queue),
                          .offset = offset,
                          .memory = MemoryOf(slot),
                          .tag = slot});
}

Status Trial::SubmitAll() {
  // Directories take turns, so that none is ahead.
  for (size_t i = 0; i < point_.depth; ++i) {
    for (size_t d = 0; d < queues_.size(); ++d) RETURN_IF_ERROR(Submit(d * point_.depth + i));
  }
  return OkStatus();
}

Status Trial::RecordCompletion(const IoCompletion& completion) {
  RETURN_IF_ERROR(completion.status);
  Queue& queue = queues_[completion.tag / point_.depth];
  const uint64_t offset = OffsetOf(completion.tag);
  const double now = clock_.seconds();
  if (completion.bytes != point_.size_bytes) {
    return IoError(StrCat("read ", FileOf(queue).path(), " (offset ", offset, ", length ",
                          point_.size_bytes, "): the file ends after ", completion.bytes,
                          " bytes: something else changes it"));
  }
  if (!writes()) {
    RETURN_IF_ERROR(CheckStamps(MemoryOf(completion.tag), offset, FileOf(queue).path(), false));
  }
  queue.log.Add(now, completion.bytes, completion.seconds);
  queue.bytes += completion.bytes;
  if (full_time_.Counts(now)) queue.counted += completion.bytes;
  return OkStatus();
}

Status Trial::Reap(bool more) {
  constexpr double kTickSeconds = 0.2;
  RETURN_IF_ERROR(CheckCancelled());
  completions_.clear();
  RETURN_IF_ERROR(engine_->WaitFor(1, kTickSeconds, &completions_));
  const double now = clock_.seconds();
  if (!completions_.empty()) {
    silent_since_ = now;
  } else if (now - silent_since_ >= options_.silence_limit_seconds) {
    progress_.Note(StrCat(queues_[0].directory->path, queues_.size() > 1 ? " and others" : "", ": ",
                          point_.Name(), ": nothing completes for ",
                          FormatFixed(options_.silence_limit_seconds, 1), " s"));
    silent_since_ = now;
  }
  more = more && !TimeIsOver();
  for (const IoCompletion& completion : completions_) {
    RETURN_IF_ERROR(RecordCompletion(completion));
    if (more) RETURN_IF_ERROR(Submit(completion.tag));
  }
  return OkStatus();
}

Status Trial::Drain() {
  while (engine_->in_flight() > 0) RETURN_IF_ERROR(Reap(false));
  return OkStatus();
}

Status Trial::SyncAll() {
  const double begin = clock_.seconds();
  for (const Queue& queue : queues_) {
    const double sync_begin = clock_.seconds();
    RETURN_IF_ERROR(FileOf(queue).Sync());
    syncs_.slowest_seconds = std::max(syncs_.slowest_seconds, clock_.seconds() - sync_begin);
  }
  const double end = clock_.seconds();
  for (Queue& queue : queues_) queue.log.Excuse(begin, end);
  silent_since_ = end;
  syncs_.waiting_bytes = 0;
  return OkStatus();
}

Status Trial::StartOver() {
  for (Queue& queue : queues_) {
    RETURN_IF_ERROR(FileOf(queue).Truncate(0));
    queue.next = queue.length = 0;
  }
  return OkStatus();
}

Status Trial::Measure() {
  if (!writes()) {
    RETURN_IF_ERROR(SubmitAll());
    while (!TimeIsOver()) RETURN_IF_ERROR(Reap(true));
    return Drain();
  }
  const uint64_t sync_bytes = std::min(kSyncBytes, options_.file_bytes);
  while (!TimeIsOver()) {
    if (queues_[0].next + sync_bytes > options_.file_bytes) RETURN_IF_ERROR(StartOver());
    // Like the store, syncs what it has written before it writes more.
    RETURN_IF_ERROR(SubmitAll());
    while (!TimeIsOver() && syncs_.waiting_bytes < sync_bytes * queues_.size()) {
      RETURN_IF_ERROR(Reap(true));
    }
    RETURN_IF_ERROR(Drain());
    RETURN_IF_ERROR(SyncAll());
  }
  return OkStatus();
}

Status Trial::ReadBack() {
  const auto memory = memory_.first(point_.size_bytes);
  for (const Queue& queue : queues_) {
    const uint64_t places = queue.length / point_.size_bytes;
    for (uint64_t i = 0; i < std::min(kReadBack, places); ++i) {
      const uint64_t offset = random_.Below(places) * point_.size_bytes;
      ASSIGN_OR_RETURN(const size_t read, FileOf(queue).ReadAt(memory, offset));
      RETURN_IF_ERROR(CheckStamps(memory.first(read), offset, FileOf(queue).path(), true));
    }
  }
  return OkStatus();
}

IoTrial Trial::Summary(double whole_seconds, double cpu_seconds) const {
  IoTrial trial;
  uint64_t counted = 0;
  for (const Queue& queue : queues_) {
    trial.bytes += queue.bytes;
    counted += queue.counted;
  }
  // If devices are too slow to fill their queues twice, all of their requests count.
  const bool whole = writes() || counted < point_.depth * queues_.size() * point_.size_bytes;
  const double seconds = std::max(whole ? whole_seconds : full_time_.seconds(), 1e-9);
  const auto rate = [&](uint64_t bytes) { return static_cast<double>(bytes) / seconds; };
  trial.bytes_per_second = rate(whole ? trial.bytes : counted);
  trial.operations_per_second = trial.bytes_per_second / static_cast<double>(point_.size_bytes);
  trial.cpu_seconds_per_gb = cpu_seconds / (static_cast<double>(trial.bytes) / 1e9);
  trial.slowest_sync_seconds = syncs_.slowest_seconds;
  for (size_t i = 0; i < queues_.size(); ++i) {
    const Queue& queue = queues_[i];
    trial.directory_bytes_per_second.push_back(rate(whole ? queue.bytes : queue.counted));
    trial.latency.Merge(queue.log.latency());
    for (const Disturbance& event : queue.log.FindDisturbances()) {
      trial.events.push_back({i, event});
    }
  }
  return trial;
}

StatusOr<IoTrial> Trial::Run() {
  ASSIGN_OR_RETURN(engine_, MakeIoEngine(options_.engine, queues_.size() * point_.depth));
  engine_->RegisterMemory(memory_);
  if (writes()) {
    FillRandom(memory_);
    RETURN_IF_ERROR(StartOver());
  } else {  // sequential reads start at a new place in each trial
    for (Queue& queue : queues_) {
      queue.next = random_.Below(options_.file_bytes / point_.size_bytes) * point_.size_bytes;
    }
  }
  const double cpu_before = CpuSeconds();
  clock_.Restart();
  RETURN_IF_ERROR(Measure());
  const double seconds = clock_.seconds();
  const double cpu_seconds = CpuSeconds() - cpu_before;
  for (Queue& queue : queues_) queue.log.Finish(seconds);
  if (writes()) {
    RETURN_IF_ERROR(ReadBack());
    RETURN_IF_ERROR(StartOver());
  }
  return Summary(seconds, cpu_seconds);
}

}  // namespace

uint64_t TrialMemoryBytes(const IoPoint& point, size_t num_directories) {
  return point.size_bytes * point.depth * num_directories;
}

StatusOr<IoTrial> RunIoTrial(const IoPoint& point, std::span<ScratchDirectory* const> directories,
                             std::span<std::byte> memory, const IoTrialOptions& options,
                             Progress& progress) {
  CHECK(!directories.empty());
  CHECK_GE(options.file_bytes, point.size_bytes);
  const auto trial = std::make_unique<Trial>(point, directories, memory, options, progress);
  return trial->Run();
}

}  // namespace edgemill::bench
