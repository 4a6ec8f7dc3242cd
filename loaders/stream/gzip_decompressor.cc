#include <isa-l/igzip_lib.h>

#include <algorithm>

#include "loaders/stream/decompressor.h"

namespace edgemill {
namespace {

/// What one of ISA-L's errors says about the data.
std::string_view CauseOf(int error) {
  switch (error) {
    case ISAL_INVALID_BLOCK:
      return "invalid block";
    case ISAL_INVALID_SYMBOL:
      return "invalid symbol";
    case ISAL_INVALID_LOOKBACK:
      return "invalid distance";
    case ISAL_INVALID_WRAPPER:
    case ISAL_UNSUPPORTED_METHOD:
      return "incorrect header";
    case ISAL_INCORRECT_CHECKSUM:
      return "incorrect checksum";
    default:
      return "unknown cause";
  }
}

class GzipDecompressor final : public Decompressor {
 public:
  GzipDecompressor() {
    isal_inflate_init(&stream_);
    stream_.crc_flag = ISAL_GZIP;  // with header, and the checksum checked
  }

  StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) override {
    if (state_ == State::kBetween) return Between(input);
    stream_.next_in = reinterpret_cast<uint8_t*>(const_cast<std::byte*>(input.data()));
    stream_.avail_in = Clamp(input.size());
    stream_.next_out = reinterpret_cast<uint8_t*>(output.data());
    stream_.avail_out = Clamp(output.size());
    const uint32_t in_before = stream_.avail_in;
    const uint32_t out_before = stream_.avail_out;
    const int result = isal_inflate(&stream_);
    if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) {
      return BadDataError(
          StrCat("damaged gzip data (", CauseOf(result), "): compress or fetch the file again"));
    }
    if (stream_.block_state == ISAL_BLOCK_FINISH) {
      state_ = State::kBetween;
      padding_ = false;
    }
    return Step{in_before - stream_.avail_in, out_before - stream_.avail_out};
  }

  bool AtBoundary() const override { return state_ == State::kBetween; }

 private:
  enum class State { kInside, kBetween };

  static uint32_t Clamp(size_t size) {
    return static_cast<uint32_t>(std::min<size_t>(size, size_t{1} << 30));
  }

  /// After a member: another one, zeros to the end (as tar pads), or nothing.
  StatusOr<Step> Between(std::span<const std::byte> input) {
    size_t zeros = 0;
    while (zeros < input.size() && input[zeros] == std::byte{0}) ++zeros;
    padding_ = padding_ || zeros > 0;
    if (zeros == input.size()) return Step{zeros, 0};
    if (padding_ || input[0] != std::byte{0x1f}) {
      return BadDataError("bytes after the end of the gzip data: remove them");
    }
    isal_inflate_reset(&stream_);
    state_ = State::kInside;
    return Step{};
  }

  inflate_state stream_;  // some 90 KiB, its window included
  bool padding_ = false;
  State state_ = State::kInside;
};

}  // namespace

StatusOr<std::unique_ptr<Decompressor>> MakeGzipDecompressor() {
  return std::unique_ptr<Decompressor>(std::make_unique<GzipDecompressor>());
}

}  // namespace edgemill
