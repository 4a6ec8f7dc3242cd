#include <zstd.h>
#include <zstd_errors.h>

#include "loaders/stream/decompressor.h"

namespace edgemill {
namespace {

class ZstdDecompressor final : public Decompressor {
 public:
  ~ZstdDecompressor() override { ZSTD_freeDCtx(context_); }

  Status Start(int window_log_max) {
    window_log_max_ = window_log_max;
    context_ = ZSTD_createDCtx();
    if (context_ == nullptr) return BudgetError("Zstandard: no memory for the decompressor");
    const size_t result = ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, window_log_max);
    if (ZSTD_isError(result)) return UsageError("the Zstandard window limit must be 2^10 to 2^31");
    return OkStatus();
  }

  StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const size_t result = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_isError(result)) return Explain(result);
    if (in.pos > 0 || out.pos > 0) pending_ = result;
    return Step{in.pos, out.pos};
  }

  bool AtBoundary() const override { return pending_ == 0; }

 private:
  Status Explain(size_t result) const {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        return BudgetError("Zstandard: no memory for the window");
      case ZSTD_error_frameParameter_windowTooLarge:
        return BudgetError(StrCat("the Zstandard frame needs a window above 2^", window_log_max_,
                                  " bytes: give a larger --memory, or decompress it yourself "
                                  "(zstd -dc --long=31) and pipe it in"));
      case ZSTD_error_prefix_unknown:
        return BadDataError(
            "bytes after the end of the Zstandard data, or a damaged frame header: "
            "remove them, or compress or fetch the file again");
      default:
        return BadDataError(StrCat("damaged Zstandard data (", ZSTD_getErrorName(result),
                                   "): compress or fetch the file again"));
    }
  }

  ZSTD_DCtx* context_ = nullptr;
  int window_log_max_ = 0;
  size_t pending_ = 1;  // the hint of the last call: 0 exactly after a whole, flushed frame
};

}  // namespace

StatusOr<std::unique_ptr<Decompressor>> MakeZstdDecompressor(int window_log_max) {
  auto decompressor = std::make_unique<ZstdDecompressor>();
  RETURN_IF_ERROR(decompressor->Start(window_log_max));
  return std::unique_ptr<Decompressor>(std::move(decompressor));
}

}  // namespace edgemill
