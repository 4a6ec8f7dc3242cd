#include "cli/walks/walk_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/os/file_systems.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

constexpr uint64_t kTextBytes = uint64_t{1} << 18;  // that a thread writes at a time
constexpr uint64_t kTextsAThread = 4;

}  // namespace

StatusOr<ResultFormat> CheckTextOutput(std::string_view command, const std::string& path,
                                       bool may_exist) {
  ASSIGN_OR_RETURN(const ResultFormat format, ResultFormatOf(path));
  if (format == ResultFormat::kNumpy || format == ResultFormat::kParquet) {
    return UsageError(StrCat(command, ": --output ", path,
                             ": is written as text only: end the name in .txt, .tsv or .csv"));
  }
  if (path != "-") RETURN_IF_ERROR(CheckOutputPath(path, may_exist));
  return format;
}

char FieldEnd(ResultFormat format) {
  return format == ResultFormat::kText ? ' ' : format == ResultFormat::kTabs ? '\t' : ',';
}

Status CheckFreeSpace(const std::string& path, uint64_t least_bytes, std::string_view what) {
  if (path == "-" || IsDeviceName(path)) return OkStatus();
  ASSIGN_OR_RETURN(const std::vector<uint64_t> free, FreeBytesOfEach({path}));
  if (least_bytes <= free[0]) return OkStatus();
  return Status(Code::kIo,
                StrCat(path, ": ", FormatBytes(free[0]), " are free, and ", what, " take ",
                       FormatBytes(least_bytes), " or more: free some space, or ask for less"),
                ENOSPC);
}

uint64_t LineFile::MemoryBytes(int threads) {
  return 2 * kTextBytes * kTextsAThread * static_cast<uint64_t>(threads);
}

StatusOr<LineFile> LineFile::Open(const std::string& path, const Means& means) {
  LineFile file;
  file.threads_ = means.threads;
  ASSIGN_OR_RETURN(file.memory_, means.budget.Reserve(MemoryBytes(means.threads), "lines of text"));
  ASSIGN_OR_RETURN(file.file_, OutputFile::Open(path));
  return file;
}

Status LineFile::WriteLines(uint64_t count, uint64_t line_bytes,
                            const std::function<void(uint64_t i, std::string* text)>& append) {
  const uint64_t grain = std::max<uint64_t>(1, kTextBytes / std::max<uint64_t>(line_bytes, 1));
  const uint64_t texts = kTextsAThread * static_cast<uint64_t>(threads_);
  std::vector<std::string> written(texts);
  for (uint64_t first = 0; first < count; first += texts * grain) {
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t size = std::min(texts * grain, count - first);
    ForEachChunk(size, grain, threads_, [&](size_t begin, size_t end) {
      std::string& text = written[begin / grain];
      text.clear();
      for (size_t i = begin; i < end; ++i) append(first + i, &text);
    });
    for (uint64_t i = 0; i * grain < size; ++i) RETURN_IF_ERROR(file_.Write(written[i]));
    if (file_.reader_left()) return OkStatus();
  }
  return OkStatus();
}

}  // namespace edgemill::cli
