#include "engine/gpu/probes/link_probe.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "common/clock.h"
#include "engine/device/device_arena.h"
#include "kernels/gpu/link_kernels.h"

namespace edgemill {
namespace {

constexpr uint64_t kKi = 1024;
constexpr uint64_t kMi = kKi * 1024;
constexpr uint64_t kCopySizes[] = {4 * kKi, 16 * kKi, 64 * kKi, 256 * kKi,
                                   kMi,     4 * kMi,  16 * kMi, 64 * kMi};
constexpr uint32_t kRunBytes[] = {32, 64, 128, 512, 2048};
/// GPU memory that copies go to.
constexpr uint64_t kDeviceBytes = 64 * kMi;
constexpr uint64_t kBytesOfPoint = 256 * kMi;
constexpr uint64_t kMaxCopies = 2000;
constexpr uint64_t kManagedBytes = 256 * kMi;

class LinkProber {
 public:
  LinkProber(Gpu& gpu, const LinkProbeOptions& options) : gpu_(gpu), options_(options) {}

  Status Prepare() {
    const Stopwatch watch;
    ASSIGN_OR_RETURN(host_, PinnedBuffer::Allocate(gpu_, options_.max_bytes, options_.threads));
    Add(LinkPath::kPinning, host_.size(), host_.size(), host_.size(), watch.seconds());
    arena_.Plan(&device_, kDeviceBytes);
    arena_.Plan(&sum_, 1);
    RETURN_IF_ERROR(arena_.Allocate(gpu_, 0, "measuring the link"));
    for (GpuStream& stream : streams_) {
      ASSIGN_OR_RETURN(stream, GpuStream::Create(gpu_));
    }
    for (GpuEvent* const event : {&begun_, &ended_}) {
      ASSIGN_OR_RETURN(*event, GpuEvent::Create(gpu_, true));
    }
    return OkStatus();
  }

  Status Copies() {
    for (const uint64_t size : kCopySizes) {
      if (size > host_.size()) break;
      const uint64_t count = std::clamp(kBytesOfPoint / size, uint64_t{4}, kMaxCopies);
      for (const LinkPath path : {LinkPath::kCopyTo, LinkPath::kCopyFrom}) {
        RETURN_IF_ERROR(Queue(path, size, 8, streams_[0]));  // warms up
        RETURN_IF_ERROR(streams_[0].Record(begun_));
        RETURN_IF_ERROR(Queue(path, size, count, streams_[0]));
        RETURN_IF_ERROR(EndPoint(path, size, size, size * count));
      }
      if (size < kMi) continue;
      const Stopwatch watch;
      RETURN_IF_ERROR(Queue(LinkPath::kCopyTo, size, count, streams_[0]));
      RETURN_IF_ERROR(Queue(LinkPath::kCopyFrom, size, count, streams_[1]));
      for (GpuStream& stream : streams_) RETURN_IF_ERROR(stream.Synchronize());
      Add(LinkPath::kCopyBoth, size, size, 2 * size * count, watch.seconds());
    }
    return OkStatus();
  }

  Status Reads() {
    for (const uint32_t run : kRunBytes) {
      RETURN_IF_ERROR(Read(LinkPath::kReadInOrder, run, std::min(host_.size(), kBytesOfPoint)));
    }
    for (uint64_t span = 256 * kMi; span <= host_.size(); span *= 2) {
      for (const uint32_t run : kRunBytes) RETURN_IF_ERROR(Read(LinkPath::kReadRandom, run, span));
    }
    return OkStatus();
  }

  Status Managed() {
    if (gpu_.memory_bytes() < gpu_.used_bytes() + kManagedBytes) return OkStatus();
    ASSIGN_OR_RETURN(const DeviceBuffer memory,
                     DeviceBuffer::AllocateManaged(gpu_, kManagedBytes, "measuring the link"));
    std::memset(memory.data(), 1, kManagedBytes);
    const ReadPattern pattern{memory.data(), kManagedBytes, 2048, kManagedBytes / 2048, false};
    return Launch(LinkPath::kManaged, pattern);
  }

  std::vector<LinkPoint> ReleasePoints() { return std::move(points_); }

 private:
  void Add(LinkPath path, uint64_t size, uint64_t span, uint64_t bytes, double seconds) {
    points_.push_back({path, size, span, static_cast<double>(bytes) / std::max(seconds, 1e-9)});
  }

  Status Queue(LinkPath path, uint64_t size, uint64_t count, GpuStream& stream) {
    const uint64_t places = std::min(kDeviceBytes, host_.size()) / size;
    CHECK_GT(places, 0u);
    for (uint64_t i = 0; i < count; ++i) {
      std::byte* const host = host_.data() + i % places * size;
      std::byte* const device = device_ + i % places * size;
      RETURN_IF_ERROR(path == LinkPath::kCopyTo ? stream.CopyToDevice(device, host, size)
                                                : stream.CopyToHost(host, device, size));
    }
    return OkStatus();
  }

  Status EndPoint(LinkPath path, uint64_t size, uint64_t span, uint64_t bytes) {
    RETURN_IF_ERROR(streams_[0].Record(ended_));
    RETURN_IF_ERROR(streams_[0].Synchronize());
    ASSIGN_OR_RETURN(const double seconds, ended_.SecondsSince(begun_));
    Add(path, size, span, bytes, seconds);
    return OkStatus();
  }

  Status Read(LinkPath path, uint32_t run, uint64_t span) {
    CHECK_LE(span, host_.size());
    // Short reads beyond TLB coverage are slow. Fewer bytes are read for them, so that a point
    // takes about a tenth of a second.
    const uint64_t bytes = kBytesOfPoint / (2048 / std::max(run, 128u));
    const bool at_random = path == LinkPath::kReadRandom;
    const ReadPattern pattern{host_.data(), span / run * run, run, bytes / run, at_random};
    return Launch(path, pattern);
  }

  Status Launch(LinkPath path, const ReadPattern& pattern) {
    const uint32_t grid = 16 * static_cast<uint32_t>(gpu_.properties().multiprocessors);
    RETURN_IF_ERROR(streams_[0].Record(begun_));
    LaunchReadPattern(pattern, sum_, grid, streams_[0].handle());
    RETURN_IF_ERROR(gpu_.AfterLaunch("read a pattern"));
    return EndPoint(path, pattern.run_bytes, pattern.span_bytes,
                    pattern.num_runs * pattern.run_bytes);
  }

  Gpu& gpu_;
  const LinkProbeOptions options_;
  PinnedBuffer host_;
  DeviceArena arena_;
  std::byte* device_ = nullptr;
  uint32_t* sum_ = nullptr;
  GpuStream streams_[2];
  GpuEvent begun_, ended_;
  std::vector<LinkPoint> points_;
};

}  // namespace

StatusOr<std::vector<LinkPoint>> ProbeLink(Gpu& gpu, const LinkProbeOptions& options,
                                           MemoryBudget& budget) {
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   budget.Reserve(options.max_bytes, "memory to pin"));
  LinkProber probe(gpu, options);
  RETURN_IF_ERROR(probe.Prepare());
  RETURN_IF_ERROR(probe.Copies());
  RETURN_IF_ERROR(probe.Reads());
  RETURN_IF_ERROR(probe.Managed());
  return probe.ReleasePoints();
}

}  // namespace edgemill
