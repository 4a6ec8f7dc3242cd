#include "cli/walks/vertex_list.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/os/file_place.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/graph/id_map.h"
#include "engine/graph/names/name_text.h"
#include "engine/graph/names/named_lines.h"
#include "engine/output/find_vertices.h"
#include "loaders/stream/input_stream.h"
#include "loaders/stream/stream_lines.h"

namespace edgemill::cli {
namespace {

constexpr int kWindowLogOfLists = 27;
constexpr std::string_view kBlanksAround = " \t\r";
constexpr std::string_view kAdviceOnLists = "give a vertex a line";

/// A name in quotes without them, or the text as it is. Nullopt for quotes that do not end.
std::optional<std::string> Unquoted(std::string_view text) {
  if (!text.starts_with('"')) return std::string(text);
  std::string name;
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '"') {
      if (at + 1 == text.size()) return name;
      if (text[++at] != '"') return std::nullopt;
    }
    name += text[at];
  }
  return std::nullopt;
}

/// A vertex in a list.
struct Entry {
  ExternalId id;
  uint64_t line;
  uint64_t place;
};
constexpr uint64_t kFewEntries = 1024;  // for which space is made first

/// Whether a line has no vertex. If it has one, leaves out the blanks around it.
bool IsEmptyLine(std::string_view* line) {
  const size_t begin = line->find_first_not_of(kBlanksAround);
  if (begin == std::string_view::npos || (*line)[begin] == '#' || (*line)[begin] == '%') {
    return true;
  }
  *line = line->substr(begin, line->find_last_not_of(kBlanksAround) - begin + 1);
  return false;
}

/// How many vertices `path` has, if it is a regular file, which can be read twice; else 0.
StatusOr<uint64_t> CountVertices(const std::string& path) {
  if (path == "-") return 0;
  const StatusOr<FilePlace> place = PlaceOf(path);
  if (!place.ok() || place->descriptor >= 0 || !place->regular()) return 0;
  ASSIGN_OR_RETURN(const std::unique_ptr<InputStream> input,
                   InputStream::Open(path, /*trust_suffix=*/false, kWindowLogOfLists));
  uint64_t count = 0;
  RETURN_IF_ERROR(ForEachLine(*input, kAdviceOnLists, [&](uint64_t, std::string_view line) {
    if (!IsEmptyLine(&line)) ++count;
    return OkStatus();
  }));
  return count;
}

/// Reads a list of vertices: first their ids, and then which vertices have them.
class ListReader {
 public:
  ListReader(std::string name, const GraphStore& store, BlockReader& reader, const Means& means)
      : name_(std::move(name)), store_(store), reader_(reader), means_(means) {}

  StatusOr<VertexList> Read(InputStream& input) {
    if (HasNames(store_)) {
      ASSIGN_OR_RETURN(named_, NamedLines<uint64_t>::Create(means_.budget));
    }
    RETURN_IF_ERROR(ForEachLine(
        input, kAdviceOnLists,
        [this](uint64_t number, std::string_view line) { return ParseLine(number, line); }));
    RETURN_IF_ERROR(FindNames());
    if (size_ == 0) return BadDataError(StrCat(name_, ": no vertices"));
    return FindEntries();
  }

 private:
  Status Bad(uint64_t number, std::string_view what) const {
    return BadDataError(StrCat(name_, ":", number, ": ", what));
  }

  Status Grow() {
    if (size_ < entries_.size()) return OkStatus();
    const size_t most = std::max<size_t>(kFewEntries, 2 * size_);
    ASSIGN_OR_RETURN(MemoryReservation memory,
                     means_.budget.Reserve(most * sizeof(Entry), "a list of vertices"));
    ASSIGN_OR_RETURN(Array<Entry> larger, Array<Entry>::Allocate(most));
    std::copy_n(entries_.begin(), size_, larger.begin());
    entries_ = std::move(larger);
    memory_ = std::move(memory);
    return OkStatus();
  }

  Status ParseLine(uint64_t number, std::string_view line) {
    if (IsEmptyLine(&line)) return OkStatus();
    RETURN_IF_ERROR(Grow());
    entries_[size_] = {0, number, size_};
    ++size_;
    if (!named_.has_value()) {
      if (ParseNumber(line, &entries_[size_ - 1].id)) return OkStatus();
      return Bad(number, StrCat(QuotedText(line), " is not an id: give one a line"));
    }
    const std::optional<std::string> vertex = Unquoted(line);
    if (!vertex.has_value()) return Bad(number, "the quote of a name does not end with the line");
    if (!named_->Fits(*vertex)) RETURN_IF_ERROR(FindNames());
    named_->Add(*vertex, number, size_ - 1);
    return OkStatus();
  }

  Status FindNames() {
    if (!named_.has_value()) return OkStatus();
    return named_->Find(NameDictionary(store_, reader_), name_, means_.threads,
                        [&](const auto& line, uint64_t rank) {
                          entries_[line.value].id = rank;
                          return OkStatus();
                        });
  }

  StatusOr<VertexList> FindEntries() {
    VertexList list;
    ASSIGN_OR_RETURN(list.memory,
                     means_.budget.Reserve(size_ * sizeof(VertexId), "a list of vertices"));
    ASSIGN_OR_RETURN(list.vertices, Array<VertexId>::Allocate(size_));
    IdMap ids(store_, reader_);
    ASSIGN_OR_RETURN(
        const Entry* const missing,
        FindVertices(ids, entries_.span().first(size_), means_.threads, list.vertices.span()));
    if (missing == nullptr) return list;
    const Status status = ids.Find(missing->id).status();
    return status.code() == Code::kUsage ? Bad(missing->line, status.message()) : status;
  }

  const std::string name_;
  const GraphStore& store_;
  BlockReader& reader_;
  const Means& means_;
  std::optional<NamedLines<uint64_t>> named_;
  MemoryReservation memory_;
  Array<Entry> entries_;
  size_t size_ = 0;
};

}  // namespace

StatusOr<VertexList> AllVertices(const GraphStore& store, BlockReader& reader, const Means& means) {
  const uint64_t count = store.info().num_vertices;
  VertexList list;
  ASSIGN_OR_RETURN(list.memory,
                   means.budget.Reserve(count * sizeof(VertexId), "a list of vertices"));
  ASSIGN_OR_RETURN(list.vertices, Array<VertexId>::Allocate(count));
  IdMap ids(store, reader);
  RETURN_IF_ERROR(ids.Visit(
      [&](uint64_t first_rank, std::span<const ExternalId>, std::span<const VertexId> vertices) {
        std::copy(vertices.begin(), vertices.end(), list.vertices.data() + first_rank);
        return OkStatus();
      }));
  return list;
}

StatusOr<VertexList> ReadVertexList(const std::string& path, const GraphStore& store,
                                    BlockReader& reader, const Means& means) {
  means.progress.StartStage("reading vertices", "vertices", 0);
  ASSIGN_OR_RETURN(const std::unique_ptr<InputStream> input,
                   InputStream::Open(path, /*trust_suffix=*/false, kWindowLogOfLists));
  return ListReader(input->name(), store, reader, means).Read(*input);
}

StatusOr<uint64_t> BytesWithStarts(const std::string& path, const GraphStore& store,
                                   uint64_t work_bytes) {
  if (path.empty()) return store.info().num_vertices * sizeof(VertexId) + work_bytes;
  ASSIGN_OR_RETURN(const uint64_t count, CountVertices(path));
  // The space doubles, and while it does, half of it is there a second time. Later the vertices,
  // which remain, stand beside it.
  uint64_t entries = kFewEntries;
  while (entries < count) entries *= 2;
  const uint64_t vertex_bytes = std::max(count, kFewEntries) * sizeof(VertexId);
  uint64_t reading =
      entries * sizeof(Entry) +
      std::max(entries > kFewEntries ? entries / 2 * sizeof(Entry) : 0, vertex_bytes);
  if (HasNames(store)) reading += NamedLines<uint64_t>::BytesBeside(reading);
  return std::max(reading, vertex_bytes + work_bytes);
}

StatusOr<VertexText> VertexText::Load(const GraphStore& store, BlockReader& reader,
                                      const Means& means) {
  VertexText text;
  ASSIGN_OR_RETURN(text.ids_, ExternalIds::Load(store, reader, means.threads, means.budget));
  if (HasNames(store)) {
    ASSIGN_OR_RETURN(text.names_, LoadedNames::Load(store, reader, means.threads, means.budget));
  }
  return text;
}

void VertexText::AppendId(ExternalId id, std::string* text) const {
  if (are_names()) return AppendNameField(NameOf(id), text);
  char digits[24];
  text->append(digits, std::to_chars(digits, digits + sizeof(digits), id).ptr);
}

}  // namespace edgemill::cli
