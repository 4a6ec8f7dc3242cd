#include "storage/read/read_plan.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {
namespace {

constexpr uint64_t kSectorBytes = 4096;
constexpr uint64_t kScratchAlignment = 64;
/// Gaps may add this share to the bytes of the blocks wanted.
constexpr uint64_t kMaxGapDivisor = 4;

uint64_t RoundDown(uint64_t bytes, uint64_t unit) { return bytes / unit * unit; }
uint64_t RoundUp(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Memory for the decompressed payload of a block that may be stored compressed; 0 when it is not.
/// Compression of more than 1,024 bytes saves at least one unit of alignment, so the stored length
/// shows it.
uint64_t ScratchBytes(const BlockLocation& location) {
  const uint64_t plain =
      RoundUp(sizeof(BlockHeader) + uint64_t{location.payload_bytes}, kBlockAlignment);
  if (location.stored_bytes >= plain && location.payload_bytes > 1024) return 0;
  return RoundUp(location.payload_bytes + kDecodeSlackBytes, kScratchAlignment);
}

}  // namespace

uint64_t ReadPlanner::SingleReadBytes(const BlockLocation& location) {
  const uint64_t begin = RoundDown(location.offset(), kSectorBytes);
  const uint64_t end = RoundUp(location.offset() + location.stored_bytes, kSectorBytes);
  return RoundUp(end - begin + kDecodeSlackBytes + ScratchBytes(location), kSectorBytes);
}

ReadPlanner::ReadPlanner(const GraphStore& store, std::span<const ColumnKind> columns,
                         std::span<const uint64_t> blocks, std::span<const BlockSource> sources,
                         const ReadLimits& limits)
    : store_(store),
      num_columns_(static_cast<uint8_t>(columns.size())),
      blocks_(blocks),
      sources_(sources),
      limits_(limits) {
  CHECK(columns.size() == 1 || columns.size() == 2);
  CHECK_EQ(sources.size(), blocks.size() * columns.size());
  std::copy(columns.begin(), columns.end(), columns_.begin());
}

bool ReadPlanner::Joins(const PlannedRead& read, uint32_t segment, const BlockLocation& location,
                        uint64_t scratch) const {
  if (read.segment != segment || location.offset() < read.begin) return false;
  const uint64_t end = RoundUp(location.offset() + location.stored_bytes, kSectorBytes);
  if (end - read.begin > limits_.max_read_bytes ||
      end - read.begin + kDecodeSlackBytes + read.scratch_bytes + scratch >
          limits_.max_buffer_bytes) {
    return false;
  }
  const uint64_t gap = location.offset() > read.end ? location.offset() - read.end : 0;
  return gap == 0 || (gap <= limits_.max_gap_bytes &&
                      (read.gap_bytes + gap) * kMaxGapDivisor <= read.wanted_bytes);
}

void ReadPlanner::Add(uint32_t index, uint8_t column) {
  const BlockLocation& location = store_.blocks(columns_[column])[blocks_[index]];
  const uint32_t segment = store_.segment_file(columns_[column], location);
  const BlockSource source = sources_[size_t{index} * num_columns_ + column];
  const uint64_t scratch = source == BlockSource::kAdmit ? 0 : ScratchBytes(location);
  uint64_t& open = open_[column][location.directory];
  PlannedRead* read = open == 0 ? nullptr : &reads_[open - 1 - num_popped_];
  if (read != nullptr && !Joins(*read, segment, location, scratch)) {
    read->closed = true;
    read = nullptr;
  }
  if (read == nullptr) {
    read = &reads_.emplace_back();
    open = num_popped_ + reads_.size();
    read->segment = segment;
    read->directory = location.directory;
    read->begin = RoundDown(location.offset(), kSectorBytes);
    read->end = read->begin;
  }
  if (location.offset() > read->end) read->gap_bytes += location.offset() - read->end;
  read->end = std::max(read->end, RoundUp(location.offset() + location.stored_bytes, kSectorBytes));
  read->wanted_bytes += location.stored_bytes;
  read->parts.push_back({index, column, static_cast<uint32_t>(read->scratch_bytes)});
  read->scratch_bytes += scratch;
}

const PlannedRead* ReadPlanner::Front() {
  if (!returned_.empty()) return &returned_.front();
  while (reads_.empty() || !reads_.front().closed) {
    if (next_ == blocks_.size()) {
      if (reads_.empty()) return nullptr;
      for (PlannedRead& read : reads_) read.closed = true;
      break;
    }
    for (uint8_t column = 0; column < num_columns_; ++column) {
      const BlockSource source = sources_[size_t{next_} * num_columns_ + column];
      if (source == BlockSource::kDisk || source == BlockSource::kAdmit) Add(next_, column);
    }
    ++next_;
  }
  return &reads_.front();
}

PlannedRead ReadPlanner::Pop() {
  CHECK(Front() != nullptr);
  if (!returned_.empty()) {
    PlannedRead read = std::move(returned_.front());
    returned_.pop_front();
    return read;
  }
  PlannedRead read = std::move(reads_.front());
  reads_.pop_front();
  ++num_popped_;
  const uint8_t column = read.parts.front().column;
  if (open_[column][read.directory] == num_popped_) open_[column][read.directory] = 0;
  return read;
}

void ReadPlanner::Return(PlannedRead read) {
  const auto place = std::upper_bound(returned_.begin(), returned_.end(), read,
                                      [](const PlannedRead& a, const PlannedRead& b) {
                                        return a.parts.front().index < b.parts.front().index;
                                      });
  returned_.insert(place, std::move(read));
}

}  // namespace edgemill
