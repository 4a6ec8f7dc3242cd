#include <isa-l/crc.h>
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

uint32_t ClampSize(size_t size) {
  return static_cast<uint32_t>(std::min<size_t>(size, size_t{1} << 30));
}

/// Decompresses as much as possible. `format` names the data in messages.
StatusOr<Decompressor::Step> Inflate(inflate_state* stream, std::string_view format,
                                     std::span<const std::byte> input,
                                     std::span<std::byte> output) {
  stream->next_in = reinterpret_cast<uint8_t*>(const_cast<std::byte*>(input.data()));
  stream->avail_in = ClampSize(input.size());
  stream->next_out = reinterpret_cast<uint8_t*>(output.data());
  stream->avail_out = ClampSize(output.size());
  const uint32_t in_before = stream->avail_in;
  const uint32_t out_before = stream->avail_out;
  const int result = isal_inflate(stream);
  if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) {
    return BadDataError(StrCat("damaged ", format, " data (", CauseOf(result),
                               "): compress or fetch the file again"));
  }
  return Decompressor::Step{in_before - stream->avail_in, out_before - stream->avail_out};
}

class DeflateDecompressor final : public Decompressor {
 public:
  DeflateDecompressor() {
    isal_inflate_init(&stream_);
    stream_.crc_flag = ISAL_DEFLATE;
  }
  StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) override {
    if (AtBoundary()) return Step{};
    return Inflate(&stream_, "deflate", input, output);
  }
  bool AtBoundary() const override { return stream_.block_state == ISAL_BLOCK_FINISH; }

 private:
  inflate_state stream_;
};

class GzipDecompressor final : public Decompressor {
 public:
  GzipDecompressor() {
    isal_inflate_init(&stream_);
    stream_.crc_flag = ISAL_GZIP;  // with header, and the checksum checked
  }

  StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) override {
    if (state_ == State::kBetween) return Between(input);
    ASSIGN_OR_RETURN(const Step step, Inflate(&stream_, "gzip", input, output));
    if (stream_.block_state == ISAL_BLOCK_FINISH) {
      state_ = State::kBetween;
      padding_ = false;
    }
    return step;
  }

  bool AtBoundary() const override { return state_ == State::kBetween; }

 private:
  enum class State { kInside, kBetween };

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

StatusOr<std::unique_ptr<Decompressor>> MakeDeflateDecompressor() {
  return std::unique_ptr<Decompressor>(std::make_unique<DeflateDecompressor>());
}

uint32_t Crc32(uint32_t crc, std::span<const std::byte> bytes) {
  return crc32_gzip_refl(crc, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

StatusOr<std::unique_ptr<Decompressor>> MakeGzipDecompressor() {
  return std::unique_ptr<Decompressor>(std::make_unique<GzipDecompressor>());
}

}  // namespace edgemill
