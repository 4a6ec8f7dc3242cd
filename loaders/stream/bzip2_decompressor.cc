#include <bzlib.h>

#include <algorithm>

#include "loaders/stream/decompressor.h"

namespace edgemill {
namespace {

/// What one of libbz2's errors says about the data.
std::string_view CauseOfBzip2(int error) {
  switch (error) {
    case BZ_DATA_ERROR_MAGIC:
      return "incorrect header";
    case BZ_DATA_ERROR:
      return "invalid block or incorrect checksum";
    default:
      return "unknown cause";
  }
}

class Bzip2Decompressor final : public Decompressor {
 public:
  ~Bzip2Decompressor() override { End(); }

  StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) override {
    if (!open_) {
      if (input.empty()) return Step{};
      if (input[0] != std::byte{'B'}) {
        return BadDataError("bytes after the end of the bzip2 data: remove them");
      }
      stream_ = {};
      const int begun = BZ2_bzDecompressInit(&stream_, /*verbosity=*/0, /*small=*/0);
      if (begun != BZ_OK) return BudgetError("bzip2: no memory for the decompressor");
      open_ = true;
    }
    stream_.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(input.data()));
    stream_.avail_in = Clamp(input.size());
    stream_.next_out = reinterpret_cast<char*>(output.data());
    stream_.avail_out = Clamp(output.size());
    const unsigned in_before = stream_.avail_in;
    const unsigned out_before = stream_.avail_out;
    const int result = BZ2_bzDecompress(&stream_);
    if (result == BZ_MEM_ERROR) return BudgetError("bzip2: no memory for a block");
    if (result != BZ_OK && result != BZ_STREAM_END) {
      return BadDataError(StrCat("damaged bzip2 data (", CauseOfBzip2(result),
                                 "): compress or fetch the file again"));
    }
    const Step step{in_before - stream_.avail_in, out_before - stream_.avail_out};
    if (result == BZ_STREAM_END) {
      End();
      ended_one_ = true;
    }
    return step;
  }

  bool AtBoundary() const override { return !open_ && ended_one_; }

 private:
  static unsigned Clamp(size_t size) {
    return static_cast<unsigned>(std::min<size_t>(size, size_t{1} << 30));
  }
  void End() {
    if (open_) BZ2_bzDecompressEnd(&stream_);
    open_ = false;
  }

  bz_stream stream_{};
  bool open_ = false;  // inside a stream
  bool ended_one_ = false;
};

}  // namespace

StatusOr<std::unique_ptr<Decompressor>> MakeBzip2Decompressor() {
  return std::unique_ptr<Decompressor>(std::make_unique<Bzip2Decompressor>());
}

}  // namespace edgemill
