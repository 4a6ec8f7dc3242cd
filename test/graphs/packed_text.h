// Inputs that are compressed in memory.
#pragma once

#include <bzlib.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

namespace edgemill {

/// Compresses `text` by zlib. `window_bits` chooses the form: 15 + 16 gzip, -15 deflate alone.
inline std::string Deflate(const std::string& text, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// Compresses `text` as gzip does.
inline std::string Gzip(const std::string& text) { return Deflate(text, 15 + 16); }

/// Compresses `text` as zstd does, without the size of the contents. With `window_log` 0, zstd
/// chooses the window.
inline std::string Zstd(const std::string& text, int window_log = 0) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  if (window_log > 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  }
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  EXPECT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0u);
  ZSTD_freeCCtx(context);
  packed.resize(out.pos);
  return packed;
}

/// Compresses `text` as bzip2 does.
inline std::string Bzip2(const std::string& text) {
  std::string packed(text.size() + text.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(packed.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                     static_cast<unsigned>(text.size()), 9, 0, 0),
            BZ_OK);
  packed.resize(size);
  return packed;
}

/// Compresses `text` as xz does, with a window of `window_bytes`.
inline std::string Xz(const std::string& text, uint32_t window_bytes = uint32_t{1} << 20) {
  lzma_options_lzma options;
  EXPECT_FALSE(lzma_lzma_preset(&options, 1));
  options.dict_size = window_bytes;
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  size_t size = 0;
  EXPECT_EQ(
      lzma_stream_buffer_encode(const_cast<lzma_filter*>(filters), LZMA_CHECK_CRC64, nullptr,
                                reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                                reinterpret_cast<uint8_t*>(packed.data()), &size, packed.size()),
      LZMA_OK);
  packed.resize(size);
  return packed;
}

/// A suffix of file names, and the function that compresses to that format.
struct Packer {
  const char* suffix;
  std::string (*pack)(const std::string&);
};
inline const Packer kPackers[] = {{".gz", Gzip},
                                  {".bz2", Bzip2},
                                  {".xz", [](const std::string& t) { return Xz(t); }},
                                  {".zst", [](const std::string& t) { return Zstd(t); }}};

}  // namespace edgemill
