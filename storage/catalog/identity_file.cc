#include "storage/catalog/identity_file.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>

#include "storage/catalog/catalog_records.h"
#include "storage/format/block_format.h"

namespace edgemill {
namespace {

constexpr std::string_view kGraphTitle = "edgemill graph ";
constexpr std::string_view kDirectoryTitle = "edgemill data directory ";
/// 256 paths of 4,096 bytes and their lines fit.
constexpr size_t kMaxIdentityBytes = size_t{2} << 20;

uint64_t TextChecksum(std::string_view text) { return Checksum64(std::as_bytes(std::span(text))); }

std::string Hex(uint64_t value) {
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[value >> shift & 15];
  return digits;
}

std::string WithChecksum(std::string text) {
  const std::string digits = Hex(TextChecksum(text));
  return text.append("checksum ").append(digits).append("\n");
}

/// Reads lines with a known start from a text.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// The rest of the next line, which must start with `start`.
  std::optional<std::string_view> Read(std::string_view start) {
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos || !rest_.starts_with(start)) return std::nullopt;
    const std::string_view value = rest_.substr(0, end).substr(std::min(start.size(), end));
    rest_.remove_prefix(end + 1);
    return value;
  }
  template <typename T>
  bool ReadNumber(std::string_view start, T* value) {
    const auto text = Read(start);
    return text && ParseNumber(*text, value);
  }
  bool ReadUuid(std::string_view start, Uuid* uuid) {
    const auto text = Read(start);
    if (!text) return false;
    const StatusOr<Uuid> parsed = Uuid::Parse(*text);
    if (parsed.ok()) *uuid = *parsed;
    return parsed.ok();
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

Status Malformed(std::string_view path) {
  return BadDataError(StrCat(path, ": not an identity file, or damaged"));
}

/// Checks checksum and version; returns the lines between them.
StatusOr<std::string_view> Body(std::string_view text, std::string_view title,
                                std::string_view path) {
  constexpr size_t kChecksumLine = 9 + 16 + 1;
  if (text.size() < kChecksumLine || !text.starts_with("edgemill ")) return Malformed(path);
  const std::string_view lines = text.substr(0, text.size() - kChecksumLine);
  if (WithChecksum(std::string(lines)) != text) {
    return BadDataError(StrCat(path, ": checksum mismatch: the file has changed"));
  }
  LineReader reader(lines);
  const auto version_text = reader.Read(title);
  if (!version_text) return BadDataError(StrCat(path, ": is another kind of identity file"));
  uint32_t version = 0;
  if (!ParseNumber(*version_text, &version) || version != kIdentityVersion) {
    return BadDataError(StrCat(path, ": identity version ", *version_text,
                               ", this program reads version ", kIdentityVersion));
  }
  return lines.substr(title.size() + version_text->size() + 1);
}

}  // namespace

std::string SpillNameOf(const Uuid& graph) { return StrCat(graph.ToString(), ".spill"); }

std::string EncodeIdentity(const GraphIdentity& identity) {
  std::string text = StrCat(kGraphTitle, kIdentityVersion, "\ngraph ", identity.graph.ToString(),
                            "\ncount ", identity.directories.size(), "\n");
  for (const GraphIdentity::Directory& directory : identity.directories) {
    text += StrCat(directory.made ? "made " : "found ", directory.path, "\n");
  }
  for (const std::string& spill : identity.spills) text += StrCat("spill ", spill, "\n");
  for (const std::string& made : identity.made_for_spills) {
    text += StrCat("made-for-spill ", made, "\n");
  }
  return WithChecksum(std::move(text));
}

std::string EncodeIdentity(const DirectoryIdentity& identity) {
  const std::string home = identity.home.empty() ? "" : StrCat("home ", identity.home, "\n");
  return WithChecksum(StrCat(kDirectoryTitle, kIdentityVersion, "\ngraph ",
                             identity.graph.ToString(), "\ndirectory ",
                             identity.directory.ToString(), "\nindex ", identity.index, "\ncount ",
                             identity.count, "\n", home));
}

StatusOr<GraphIdentity> DecodeGraphIdentity(std::string_view text, std::string_view path) {
  ASSIGN_OR_RETURN(const std::string_view body, Body(text, kGraphTitle, path));
  LineReader reader(body);
  GraphIdentity identity;
  uint32_t count = 0;
  if (!reader.ReadUuid("graph ", &identity.graph) || !reader.ReadNumber("count ", &count) ||
      count == 0 || count > kMaxDataDirectories) {
    return Malformed(path);
  }
  for (uint32_t i = 0; i < count; ++i) {
    auto directory = reader.Read("made ");
    const bool made = directory.has_value();
    if (!made) directory = reader.Read("found ");
    if (!directory || !IsHint(*directory)) return Malformed(path);
    identity.directories.push_back({std::string(*directory), made});
  }
  while (const auto spill = reader.Read("spill ")) {
    // Only directories with the graph's own name may be removed with the graph.
    if (!spill->starts_with('/') || !spill->ends_with(StrCat("/", SpillNameOf(identity.graph)))) {
      return Malformed(path);
    }
    identity.spills.emplace_back(*spill);
  }
  while (const auto made = reader.Read("made-for-spill ")) {
    const bool is_theirs =
        std::any_of(identity.spills.begin(), identity.spills.end(),
                    [&](const std::string& spill) { return ParentDirectory(spill) == *made; });
    if (!is_theirs) return Malformed(path);
    identity.made_for_spills.emplace_back(*made);
  }
  if (!reader.done()) return Malformed(path);
  return identity;
}

StatusOr<DirectoryIdentity> DecodeDirectoryIdentity(std::string_view text, std::string_view path) {
  ASSIGN_OR_RETURN(const std::string_view body, Body(text, kDirectoryTitle, path));
  LineReader reader(body);
  DirectoryIdentity identity;
  if (!reader.ReadUuid("graph ", &identity.graph) ||
      !reader.ReadUuid("directory ", &identity.directory) ||
      !reader.ReadNumber("index ", &identity.index) ||
      !reader.ReadNumber("count ", &identity.count)) {
    return Malformed(path);
  }
  if (const auto home = reader.Read("home ")) {
    identity.home = *home;
    if (!identity.home.starts_with('/')) return Malformed(path);
  }
  if (!reader.done()) return Malformed(path);
  return identity;
}

StatusOr<std::string> ReadIdentity(const File& directory) {
  ASSIGN_OR_RETURN(const File file,
                   File::OpenBeneath(directory, std::string(kIdentityName), O_RDONLY | O_NONBLOCK));
  ASSIGN_OR_RETURN(const uint64_t size, file.Size());
  if (size > kMaxIdentityBytes) return Malformed(file.path());
  std::string text(size, '\0');
  ASSIGN_OR_RETURN(const size_t read, file.ReadAt(std::as_writable_bytes(std::span(text)), 0));
  text.resize(read);
  return text;
}

std::string GraphAround(const std::string& path) {
  std::error_code error;
  std::filesystem::path directory = std::filesystem::canonical(path, error);
  for (; !error && directory.has_relative_path(); directory = directory.parent_path()) {
    if (!PathExists(directory / kIdentityName)) continue;
    const StatusOr<File> opened = File::Open(directory, O_RDONLY | O_DIRECTORY);
    const StatusOr<std::string> text = opened.ok() ? ReadIdentity(*opened) : opened.status();
    const bool is_graph =
        text.ok() && (text->starts_with(kGraphTitle) || text->starts_with(kDirectoryTitle));
    if (is_graph) return directory;
  }
  return "";
}

}  // namespace edgemill
