// Files that a test makes.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace edgemill {

/// A new directory in `parent` for one test. The destructor deletes the directory.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = parent / "edgemill-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TemporaryDirectory() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  /// Makes a file with these contents. Returns its path.
  std::string Write(const std::string& name, std::string_view contents) const {
    std::ofstream file(*this / name, std::ios::binary);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    return *this / name;
  }
  /// Deletes everything in the directory, so that another run can use the same path.
  void Empty() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      std::filesystem::remove_all(entry);
    }
  }

 private:
  std::string path_;
};

/// Flips the bits of `mask` in the byte at `offset` of a file.
inline void FlipBits(const std::string& path, uint64_t offset, char mask) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const char byte = static_cast<char>(file.get() ^ mask);
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(byte);
}

}  // namespace edgemill
