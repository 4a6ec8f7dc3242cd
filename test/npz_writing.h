// Writes .npz archives for tests: arrays of NumPy in a ZIP archive.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/strings.h"
#include "test/graphs/packed_text.h"

namespace edgemill {

/// An array as a .npy file. `type` is such as "<i4"; ">" gives big-endian elements of T.
template <typename T>
std::string Npy(const std::string& type, const std::vector<T>& values, std::string shape = "",
                const std::string& order = "False") {
  if (shape.empty()) shape = StrCat("(", values.size(), ",)");
  std::string header =
      StrCat("{'descr': '", type, "', 'fortran_order': ", order, ", 'shape': ", shape, ", }");
  header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');
  header.back() = '\n';
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  for (const T value : values) {
    std::string element(reinterpret_cast<const char*>(&value), sizeof(value));
    if (type[0] == '>') std::reverse(element.begin(), element.end());
    bytes += element;
  }
  return bytes;
}

/// A text as save_npz writes the format of a matrix.
inline std::string NpyText(const std::string& text) {
  return Npy(StrCat("|S", text.size()), std::vector<char>(text.begin(), text.end()), "()");
}

/// The form of an archive.
struct ZipForm {
  bool deflated = true;
  bool zip64 = false;
};
using ZipFiles = std::vector<std::pair<std::string, std::string>>;  // names and contents

inline std::string Zip(const ZipFiles& files, ZipForm form = {}) {
  std::string all, directory;
  const auto put = [](std::string* out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i, value >>= 8) *out += static_cast<char>(value & 255);
  };
  for (const auto& [name, contents] : files) {
    const std::string packed = form.deflated ? Deflate(contents, -15) : contents;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(contents.data()),
                           static_cast<uInt>(contents.size()));
    const uint64_t offset = all.size();
    std::string facts;  // that both headers have
    put(&facts, form.zip64 ? 45 : 20, 2);
    put(&facts, 0, 2);
    put(&facts, form.deflated ? 8 : 0, 2);
    put(&facts, 0, 4);  // time
    put(&facts, sum, 4);
    put(&facts, form.zip64 ? UINT32_MAX : packed.size(), 4);
    put(&facts, form.zip64 ? UINT32_MAX : contents.size(), 4);
    put(&facts, name.size(), 2);
    std::string extra;
    if (form.zip64) {
      put(&extra, 1, 2);
      put(&extra, 16, 2);
      put(&extra, contents.size(), 8);
      put(&extra, packed.size(), 8);
    }
    all += "PK\x03\x04" + facts;
    put(&all, extra.size(), 2);
    all += name + extra + packed;
    directory += "PK\x01\x02";
    put(&directory, 20, 2);
    directory += facts;
    if (form.zip64) {
      extra[2] = 24;
      put(&extra, offset, 8);
    }
    put(&directory, extra.size(), 2);
    put(&directory, 0, 10);  // comment, disk, attributes
    put(&directory, form.zip64 ? UINT32_MAX : offset, 4);
    directory += name + extra;
  }
  const uint64_t start = all.size();
  all += directory;
  if (form.zip64) {
    const uint64_t end64 = all.size();
    all += "PK\x06\x06";
    put(&all, 44, 8);
    put(&all, 45, 2);
    put(&all, 45, 2);
    put(&all, 0, 8);
    put(&all, files.size(), 8);
    put(&all, files.size(), 8);
    put(&all, directory.size(), 8);
    put(&all, start, 8);
    all += "PK\x06\x07";
    put(&all, 0, 4);
    put(&all, end64, 8);
    put(&all, 1, 4);
  }
  all += "PK\x05\x06";
  put(&all, 0, 4);
  put(&all, form.zip64 ? UINT16_MAX : files.size(), 2);
  put(&all, form.zip64 ? UINT16_MAX : files.size(), 2);
  put(&all, form.zip64 ? UINT32_MAX : directory.size(), 4);
  put(&all, form.zip64 ? UINT32_MAX : start, 4);
  put(&all, 0, 2);
  return all;
}

}  // namespace edgemill
