#include <lzma.h>

#include "loaders/stream/decompressor.h"

namespace edgemill {
namespace {

/// What the decoder needs besides the window.
constexpr uint64_t kDecoderBytes = uint64_t{1} << 20;

class XzDecompressor final : public Decompressor {
 public:
  explicit XzDecompressor(int window_log_max) : window_log_max_(window_log_max) {}
  ~XzDecompressor() override { lzma_end(&stream_); }

  StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) override {
    if (state_ == State::kBetween) return Between(input);
    if (state_ == State::kStart) RETURN_IF_ERROR(Begin());
    stream_.next_in = reinterpret_cast<const uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(output.data());
    stream_.avail_out = output.size();
    const lzma_ret result = lzma_code(&stream_, LZMA_RUN);
    // LZMA_BUF_ERROR: a second call in a row without input or room, which is no error here.
    if (result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR) {
      return Explain(result);
    }
    if (result == LZMA_STREAM_END) state_ = State::kBetween;
    return Step{input.size() - stream_.avail_in, output.size() - stream_.avail_out};
  }

  bool AtBoundary() const override { return state_ == State::kBetween; }

 private:
  enum class State { kStart, kInside, kBetween };

  /// Begins a stream, with the memory of the one before it.
  Status Begin() {
    const uint64_t limit = (uint64_t{1} << window_log_max_) + kDecoderBytes;
    const lzma_ret result = lzma_stream_decoder(&stream_, limit, LZMA_TELL_UNSUPPORTED_CHECK);
    if (result != LZMA_OK) return BudgetError("xz: no memory for the decompressor");
    state_ = State::kInside;
    return OkStatus();
  }

  /// After a stream: zeros, another stream, or nothing.
  StatusOr<Step> Between(std::span<const std::byte> input) {
    size_t zeros = 0;
    while (zeros < input.size() && input[zeros] == std::byte{0}) ++zeros;
    if (zeros < input.size()) {
      if (input[zeros] != std::byte{0xfd}) {
        return BadDataError("bytes after the end of the xz data: remove them");
      }
      state_ = State::kStart;
    }
    return Step{zeros, 0};
  }

  Status Explain(lzma_ret result) const {
    switch (result) {
      case LZMA_MEM_ERROR:
        return BudgetError("xz: no memory for the window");
      case LZMA_MEMLIMIT_ERROR:
        return BudgetError(StrCat("the xz data needs a window above 2^", window_log_max_,
                                  " bytes: decompress it yourself (xz -dc) and pipe it in"));
      case LZMA_FORMAT_ERROR:
        return BadDataError(
            "bytes after the end of the xz data, or a damaged header: remove them, or compress or "
            "fetch the file again");
      case LZMA_OPTIONS_ERROR:
      case LZMA_UNSUPPORTED_CHECK:
        return BadDataError(
            "xz data with an unknown filter or checksum, or a damaged header: compress the file "
            "with xz, or fetch it again");
      default:
        return BadDataError("damaged xz data: compress or fetch the file again");
    }
  }

  const int window_log_max_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  State state_ = State::kStart;
};

}  // namespace

StatusOr<std::unique_ptr<Decompressor>> MakeXzDecompressor(int window_log_max) {
  return std::unique_ptr<Decompressor>(std::make_unique<XzDecompressor>(window_log_max));
}

}  // namespace edgemill
