#include <zlib.h>

#include <algorithm>

#include "loaders/stream/decompressor.h"

namespace edgemill {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // the largest window; +16: gzip headers only

class GzipDecompressor final : public Decompressor {
 public:
  ~GzipDecompressor() override {
    if (ready_) inflateEnd(&stream_);
  }

  Status Start() {
    const int result = inflateInit2(&stream_, kGzipWindowBits);
    if (result != Z_OK) return BudgetError("gzip: no memory for the decompressor");
    ready_ = true;
    return OkStatus();
  }

  StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) override {
    if (state_ == State::kBetween) return Between(input);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
    stream_.avail_in = Clamp(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = Clamp(output.size());
    const uInt in_before = stream_.avail_in;
    const uInt out_before = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      state_ = State::kBetween;
      padding_ = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return BadDataError(StrCat("damaged gzip data (",
                                 stream_.msg != nullptr ? stream_.msg : "unknown cause",
                                 "): compress or fetch the file again"));
    }
    return Step{in_before - stream_.avail_in, out_before - stream_.avail_out};
  }

  bool AtBoundary() const override { return state_ == State::kBetween; }

 private:
  enum class State { kInside, kBetween };

  static uInt Clamp(size_t size) {
    return static_cast<uInt>(std::min<size_t>(size, size_t{1} << 30));
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
    inflateReset(&stream_);
    state_ = State::kInside;
    return Step{};
  }

  z_stream stream_{};
  bool ready_ = false;
  bool padding_ = false;
  State state_ = State::kInside;
};

}  // namespace

StatusOr<std::unique_ptr<Decompressor>> MakeGzipDecompressor() {
  auto decompressor = std::make_unique<GzipDecompressor>();
  RETURN_IF_ERROR(decompressor->Start());
  return std::unique_ptr<Decompressor>(std::move(decompressor));
}

}  // namespace edgemill
