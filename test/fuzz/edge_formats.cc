#include "test/fuzz/edge_formats.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/os/file.h"
#include "loaders/formats/format_detection.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

/// A file in memory that holds `data`.
std::string MemoryFile(FuzzInput data) {
  static const int fd = memfd_create("input", MFD_CLOEXEC);
  CHECK_GE(fd, 0);
  CHECK_EQ(ftruncate(fd, 0), 0);
  CHECK_EQ(pwrite(fd, data.data(), data.size(), 0), static_cast<ssize_t>(data.size()));
  return StrCat("/proc/self/fd/", fd);
}

void CheckSame(const ReadAll& a, const ReadAll& b, bool text) {
  CHECK_EQ(a.status.ok(), b.status.ok());
  if (!a.status.ok()) {
    // A file of rows may have two faults. Which one is found first depends on where the file is
    // cut.
    if (text) CHECK_EQ(a.status.message(), b.status.message());
    return;
  }
  CHECK_EQ(a.edges.size(), b.edges.size());
  CHECK(a.edges == b.edges);
  CHECK(a.vertices == b.vertices);
  CHECK(a.names == b.names);
  for (const ReadEdge& edge : a.edges) {
    CHECK(!a.info.named || (a.names.contains(edge.source) && a.names.contains(edge.target)));
  }
  CHECK_EQ(a.bad_lines, b.bad_lines);
  CHECK_EQ(a.info.symmetric, b.info.symmetric);
}

}  // namespace

void FuzzReader(EdgeFormat format, FuzzInput data) {
  if (data.empty()) return;
  const unsigned choice = data[0];
  const std::string path = MemoryFile(data.subspan(1));
  ReadOptions options;
  options.format = format;
  options.base = choice & 1;
  options.max_bad_lines = (choice & 2) != 0 ? 3 : 0;
  options.weights = (choice & 4) != 0 ? WeightMode::kInt : WeightMode::kAuto;
  if ((choice & 8) != 0) options.weights = WeightMode::kNone;
  if ((choice & 16) != 0) options.header = HeaderMode::kYes;
  options.window_log_max = 20;
  const ReadAll whole = Read({path}, options);
  const bool is_archive = data.size() > 2 && data[1] == 'P' && data[2] == 'K';
  const bool text = !IsBinaryFormat(format) && format != EdgeFormat::kLigra && !is_archive;
  options.chunk_bytes = 1 + (choice >> 5) * 13;
  const ReadAll parts = Read({path}, options);
  CheckSame(whole, parts, text);
  if (parts.status.ok() && parts.num_chunks > 1) {
    CheckSame(parts, ReadResumed({path}, options, (parts.num_chunks + 1) / 2, 1), text);
  }
  // A long line is read in parts, and only a part with a bad field is left out.
  if (format != EdgeFormat::kAdjacency && format != EdgeFormat::kMetis) return;
  options.max_line_bytes = 1 + (choice >> 3) % 16;
  const ReadAll cut = Read({path}, options);
  if (whole.status.ok() && whole.bad_lines == 0 && cut.status.ok()) CHECK(cut.edges == whole.edges);
}

/// The bytes are a .properties file beside a small .v and .e.
void FuzzProperties(FuzzInput data) {
  static const TemporaryDirectory directory;
  static const std::string edges = directory.Write("g.e", "1 2\n2 3\n");
  static const std::string vertices = directory.Write("g.v", "1\n2\n3\n");
  const std::string path = directory.Write(
      "g.properties", std::string_view(reinterpret_cast<const char*>(data.data()), data.size()));
  const ReadAll all = Read({path});
  if (all.status.ok()) CHECK_EQ(all.edges.size(), 2u);
}

}  // namespace edgemill
