// A small store of seeded random blocks on disk, without a catalog. Tests of block readers use it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/os/file.h"
#include "common/random.h"
#include "storage/format/block_format.h"
#include "storage/io/io_engine.h"
#include "storage/read/graph_store.h"
#include "storage/read/read_plan.h"

namespace edgemill::testing_store {

/// The size and kind of the blocks of a RandomStore.
struct Shape {
  std::vector<ColumnKind> columns = {ColumnKind::kOutNeighbors};
  uint64_t num_blocks = 64;
  uint32_t payload_bytes = 4000;  // of most blocks; they vary by up to a quarter
  int directories = 1;
  bool compressible = false;  // and stored through Zstandard
  bool direct = true;
  uint64_t seed = 1;
};

/// A GraphStore over plain segment files in a temporary directory, which it removes.
class RandomStore : public GraphStore {
 public:
  explicit RandomStore(const Shape& shape) : shape_(shape) {
    std::string pattern = (std::filesystem::current_path() / "block_store.XXXXXX").string();
    CHECK(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
    info_.uuid = Uuid::Generate();
    info_.block_edges = 1u << 15;
    info_.page_blocks = 16;
    for (int d = 0; d < shape.directories; ++d) {
      data_directories_.push_back({Uuid::Generate(), path_ + "/data" + std::to_string(d), 0});
      CHECK(MakeDirectory(data_directories_.back().path).ok());
    }
    segment_bases_.resize(size_t{kNumColumns} * shape.directories);
    for (const ColumnKind column : shape.columns) WriteColumn(column);
  }
  ~RandomStore() override { std::filesystem::remove_all(path_); }

  const std::vector<std::byte>& payload(ColumnKind column, uint64_t block) const {
    return payloads_[static_cast<size_t>(column)][block];
  }
  /// Flips one bit of a segment file behind the store's back.
  void FlipBit(ColumnKind column, uint64_t block, uint64_t bit) {
    const BlockLocation& location = blocks(column)[block];
    const SegmentFile& segment = segments_[segment_file(column, location)];
    const File file = File::Open(segment.file.path(), O_RDWR).value();
    std::byte byte;
    const uint64_t offset = location.offset() + bit / 8;
    CHECK(file.ReadAt({&byte, 1}, offset).ok());
    byte ^= std::byte{1} << (bit % 8);
    CHECK(file.WriteAt({&byte, 1}, offset).ok());
    CHECK(file.Sync().ok());
  }

 private:
  std::vector<std::byte> RandomPayload(ColumnKind column, uint64_t block) const {
    Random random(Mix64(shape_.seed * 1000 + static_cast<uint64_t>(column)) + block);
    std::vector<std::byte> bytes(shape_.payload_bytes - random.Below(shape_.payload_bytes / 4 + 1));
    for (std::byte& b : bytes) {
      b = static_cast<std::byte>(shape_.compressible ? random.Below(3) : random());
    }
    return bytes;
  }

  void WriteColumn(ColumnKind column) {
    const size_t c = static_cast<size_t>(column);
    std::vector<std::vector<std::byte>> images(shape_.directories);
    codecs_[c] = Codec::kRaw32;
    BlockSealer sealer;
    for (uint64_t block = 0; block < shape_.num_blocks; ++block) {
      columns_[c].num_values = (block + 1) * info_.block_edges;
      payloads_[c].push_back(RandomPayload(column, block));
      const size_t directory = Mix64(block + c) % images.size();
      std::vector<std::byte>& image = images[directory];
      const uint64_t offset = image.size();
      BlockLocation location = sealer.Seal(
          identity(column, block), {Codec::kRaw32, info_.block_edges}, payloads_[c].back(),
          shape_.compressible ? CompressionPolicy::kWhereItPays : CompressionPolicy::kNever,
          &image);
      location.set_offset(offset);
      location.directory = static_cast<uint8_t>(directory);
      locations_[c].push_back(location);
      largest_read_bytes_ = std::max(largest_read_bytes_, ReadPlanner::SingleReadBytes(location));
      ++columns_[c].num_blocks;
      columns_[c].stored_bytes += location.stored_bytes;
      columns_[c].payload_bytes += location.payload_bytes;
    }
    for (int d = 0; d < shape_.directories; ++d) {
      const std::string name = std::string(ColumnName(column)) + ".0000";
      const uint64_t length = images[d].size();
      images[d].resize((length + 4095) / 4096 * 4096);
      const File parent = File::Open(data_directories_[d].path, O_RDONLY | O_DIRECTORY).value();
      const File out = File::OpenBeneath(parent, name, O_WRONLY | O_CREAT).value();
      CHECK(out.WriteAt(images[d], 0).ok() && out.Sync().ok());
      SegmentFile segment{column, static_cast<uint8_t>(d), 0, length, false, File()};
      segment.file = shape_.direct
                         ? std::move(OpenDirect(parent, name, O_RDONLY, &segment.direct).value())
                         : std::move(File::OpenBeneath(parent, name, O_RDONLY).value());
      segment_bases_[c * shape_.directories + d] = static_cast<uint32_t>(segments_.size());
      segments_.push_back(std::move(segment));
    }
  }

  const Shape shape_;
  std::array<std::vector<std::vector<std::byte>>, kNumColumns> payloads_;
};

}  // namespace edgemill::testing_store
