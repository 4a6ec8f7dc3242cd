#include "cli/walks/walk_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/os/file_place.h"
#include "common/os/file_systems.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

constexpr uint64_t kTextsAThread = 4;
constexpr double kFilledShare = .75;  // of a text, in the mean

}  // namespace

StatusOr<TableFormat> CheckTextOutput(std::string_view command, const std::string& path,
                                      bool may_exist) {
  ASSIGN_OR_RETURN(const TableFormat format, TableFormatOf(path));
  if (!IsText(format)) {
    return UsageError(StrCat(command, ": --output ", path,
                             ": is written as text only: end the name in .txt, .tsv or .csv"));
  }
  if (path != "-") RETURN_IF_ERROR(CheckOutputPath(path, may_exist));
  return format;
}

Status CheckFreeSpace(const std::string& path, uint64_t least_bytes, std::string_view what) {
  if (path == "-") return OkStatus();
  ASSIGN_OR_RETURN(const FilePlace place, PlaceOf(path));
  const bool in_place = place.descriptor >= 0 || (place.exists() && !place.regular());
  if (in_place) return OkStatus();
  ASSIGN_OR_RETURN(const std::vector<uint64_t> free, FreeBytesOfEach({place.path}));
  if (least_bytes <= free[0]) return OkStatus();
  return Status(Code::kIo,
                StrCat(path, ": ", FormatBytes(free[0]), " are free, and ", what, " take ",
                       FormatBytes(least_bytes), " or more: free some space, or ask for less"),
                ENOSPC);
}

uint64_t LineFile::MemoryBytes(int threads) {
  return (kTextBytes + kMostPartBytes) * kTextsAThread * static_cast<uint64_t>(threads);
}

StatusOr<LineFile> LineFile::Open(const std::string& path, const Means& means) {
  LineFile file;
  file.threads_ = means.threads;
  ASSIGN_OR_RETURN(file.memory_, means.budget.Reserve(MemoryBytes(means.threads), "lines of text"));
  ASSIGN_OR_RETURN(file.file_, OutputFile::Open(path));
  file.pieces_.resize(kTextsAThread * static_cast<size_t>(means.threads));
  for (Piece& piece : file.pieces_) piece.text.reserve(kTextBytes + kMostPartBytes);
  return file;
}

uint64_t LineFile::Skip(const LinePieces& lines, uint64_t parts, Place* place) {
  uint64_t left = parts;
  while (left > 0 && place->item < lines.count) {
    const uint64_t of_item = lines.num_parts(place->item) - place->part;
    if (of_item > left) {
      place->part += left;
      return parts;
    }
    left -= of_item;
    *place = {place->item + 1, 0};
  }
  return parts - left;
}

void LineFile::Fill(const LinePieces& lines, Piece* piece) {
  piece->text.clear();
  while (piece->parts > 0 && !IsFull(piece->text)) {
    Place& next = piece->next;
    const uint64_t of_item = lines.num_parts(next.item);
    const uint64_t end = std::min(of_item, next.part + piece->parts);
    const uint64_t begin = next.part;
    if (begin < end) next.part = lines.append(next.item, begin, end, &piece->text);
    piece->parts -= next.part - begin;
    if (next.part == of_item) next = {next.item + 1, 0};
  }
}

Status LineFile::WriteLines(const LinePieces& lines) {
  for (Place at; at.item < lines.count;) {
    RETURN_IF_ERROR(CheckCancelled());
    // Most pieces fill their text in part, so that few need a second one.
    const auto most_parts = static_cast<uint64_t>(kFilledShare * kTextBytes / part_bytes_) + 1;
    uint64_t parts = 0;
    for (Piece& piece : pieces_) {
      piece.next = at;
      piece.parts = Skip(lines, most_parts, &at);
      parts += piece.parts;
    }
    ForEachChunk(pieces_.size(), 1, threads_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) Fill(lines, &pieces_[i]);
    });
    uint64_t bytes = 0;
    for (Piece& piece : pieces_) {
      while (true) {
        RETURN_IF_ERROR(file_.Write(piece.text));
        if (file_.reader_left()) return OkStatus();
        bytes += piece.text.size();
        if (piece.parts == 0) break;
        RETURN_IF_ERROR(CheckCancelled());
        Fill(lines, &piece);
      }
    }
    if (parts > 0) part_bytes_ = static_cast<double>(bytes) / static_cast<double>(parts);
  }
  return OkStatus();
}

}  // namespace edgemill::cli
