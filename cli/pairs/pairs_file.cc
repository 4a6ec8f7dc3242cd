#include "cli/pairs/pairs_file.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "common/buffer.h"
#include "common/strings.h"
#include "common/threads/parallel_sort.h"
#include "common/units.h"
#include "engine/graph/id_map.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/names/named_lines.h"
#include "loaders/stream/input_stream.h"
#include "loaders/stream/stream_lines.h"

namespace edgemill::cli {
namespace {

constexpr std::string_view kBetweenVertices = " \t\r,";
constexpr int kWindowLogOfPairs = 27;
constexpr uint64_t kMostPairs = std::numeric_limits<uint32_t>::max();

/// Takes the first field off `text`: up to a blank, tab or comma, or in quotes. Nullopt where there
/// is none, or a quote does not end.
std::optional<std::string> TakeField(std::string_view* text) {
  const size_t begin = text->find_first_not_of(kBetweenVertices);
  if (begin == std::string_view::npos) return std::nullopt;
  text->remove_prefix(begin);
  if (!text->starts_with('"')) {
    const size_t end = std::min(text->find_first_of(kBetweenVertices), text->size());
    std::string field(text->substr(0, end));
    text->remove_prefix(end);
    return field;
  }
  std::string field;
  for (size_t at = 1; at < text->size(); ++at) {
    if ((*text)[at] == '"') {
      if (!text->substr(at + 1).starts_with('"')) {
        text->remove_prefix(at + 1);
        return field;
      }
      ++at;
    }
    field += (*text)[at];
  }
  return std::nullopt;
}

class PairsReader {
 public:
  PairsReader(std::string name, const GraphStore& store, BlockReader& reader, const Means& means)
      : name_(std::move(name)), store_(store), reader_(reader), means_(means) {}

  Status Read(InputStream& input) {
    if (HasNames(store_)) {
      ASSIGN_OR_RETURN(named_, NamedLines<uint64_t>::Create(means_.budget));
    }
    RETURN_IF_ERROR(ForEachLine(input, "give two vertices a line",
                                [this](uint64_t number, std::string_view line) {
                                  number_ = number;
                                  return ParseLine(line);
                                }));
    RETURN_IF_ERROR(FindNames());
    if (pairs_.ids.empty()) return BadDataError(StrCat(name_, ": no pairs of vertices"));
    return FindVertices();
  }
  InputPairs TakePairs() { return std::move(pairs_); }

 private:
  Status Bad(uint64_t number, std::string_view what) const {
    return BadDataError(StrCat(name_, ":", number, ": ", what));
  }

  /// Makes space for one pair more, with names of `name_bytes`.
  Status Grow(size_t name_bytes) {
    const size_t count = pairs_.ids.size();
    const size_t bytes = pairs_.names.size() + name_bytes;
    if (count == kMostPairs) {
      return Bad(number_, StrCat("more than ", FormatCount(kMostPairs), " pairs"));
    }
    if (count < lines_.capacity() && bytes <= pairs_.names.capacity()) return OkStatus();
    const size_t most =
        count < lines_.capacity() ? lines_.capacity() : std::max<size_t>(1024, 2 * count);
    const size_t most_bytes = bytes <= pairs_.names.capacity() ? pairs_.names.capacity()
                                                               : std::max<size_t>(4096, 2 * bytes);
    const size_t pair_bytes = sizeof(pairs_.ids[0]) + sizeof(VertexPair) + sizeof(uint64_t) +
                              (named_.has_value() ? 2 * sizeof(uint64_t) : 0);
    ASSIGN_OR_RETURN(MemoryReservation larger,
                     means_.budget.Reserve(most * pair_bytes + most_bytes, "pairs of vertices"));
    pairs_.ids.reserve(most);
    lines_.reserve(most);
    if (named_.has_value()) {
      pairs_.name_ends.reserve(2 * most);
      pairs_.names.reserve(most_bytes);
    }
    pairs_.memory = std::move(larger);
    return OkStatus();
  }

  Status ParseLine(std::string_view line) {
    const size_t begin = line.find_first_not_of(kBetweenVertices);
    if (begin == std::string_view::npos || line[begin] == '#' || line[begin] == '%') {
      return OkStatus();
    }
    const std::optional<std::string> one = TakeField(&line);
    const std::optional<std::string> other = TakeField(&line);
    if (!one.has_value() || !other.has_value() ||
        line.find_first_not_of(kBetweenVertices) != std::string_view::npos) {
      return Bad(number_, "give two vertices a line, names with blanks in quotes");
    }
    const bool is_first = std::exchange(is_first_, false);
    if (is_first) {
      ASSIGN_OR_RETURN(const bool one_is, IsVertex(*one));
      ASSIGN_OR_RETURN(const bool other_is, IsVertex(*other));
      if (!one_is && !other_is) {
        means_.progress.Note(StrCat(name_, ":", number_, ": is left out as a header, because ",
                                    QuotedText(*one), " and ", QuotedText(*other),
                                    " are not vertices"));
        return OkStatus();
      }
    }
    RETURN_IF_ERROR(Grow(one->size() + other->size()));
    lines_.push_back(number_);
    pairs_.ids.emplace_back();
    uint64_t place = 2 * (pairs_.ids.size() - 1);
    for (const std::string* const vertex : {&*one, &*other}) {
      if (named_.has_value()) {
        if (!named_->Fits(*vertex)) RETURN_IF_ERROR(FindNames());
        named_->Add(*vertex, number_, place);
        pairs_.names += *vertex;
        pairs_.name_ends.push_back(pairs_.names.size());
      } else if (!ParseNumber(*vertex, IdAt(place))) {
        return Bad(number_,
                   StrCat(QuotedText(*vertex), " is not an id: vertices have whole numbers"));
      }
      ++place;
    }
    return OkStatus();
  }

  ExternalId* IdAt(uint64_t place) {
    auto& pair = pairs_.ids[place / 2];
    return place % 2 == 0 ? &pair.first : &pair.second;
  }

  /// Whether `text` is a vertex. If vertices have no names, any number may be one.
  StatusOr<bool> IsVertex(const std::string& text) const {
    ExternalId id = 0;
    if (!named_.has_value()) return ParseNumber(text, &id);
    ASSIGN_OR_RETURN(const auto rank, NameDictionary(store_, reader_).Find(text));
    return rank.has_value();
  }

  Status FindNames() {
    if (!named_.has_value()) return OkStatus();
    return named_->Find(NameDictionary(store_, reader_), name_, means_.threads,
                        [&](const auto& line, uint64_t rank) {
                          *IdAt(line.value) = rank;
                          return OkStatus();
                        });
  }

  /// Finds the internal vertices of all ids, which are visited in their order.
  Status FindVertices() {
    struct Wanted {
      ExternalId id;
      uint64_t place;
    };
    const size_t count = 2 * pairs_.ids.size();
    ASSIGN_OR_RETURN(const MemoryReservation memory,
                     means_.budget.Reserve(count * sizeof(Wanted), "the order of ids"));
    ASSIGN_OR_RETURN(Array<Wanted> wanted, Array<Wanted>::Allocate(count));
    for (uint64_t place = 0; place < count; ++place) wanted[place] = {*IdAt(place), place};
    ParallelSort(wanted.span(), means_.threads, [](const Wanted& a, const Wanted& b) {
      return std::pair(a.id, a.place) < std::pair(b.id, b.place);
    });
    pairs_.vertices.resize(pairs_.ids.size());
    const Wanted* next = wanted.begin();
    uint64_t missing = count;  // the first place with an id that no vertex has
    IdMap ids(store_, reader_);
    RETURN_IF_ERROR(ids.Visit(
        [&](uint64_t, std::span<const ExternalId> some, std::span<const VertexId> vertices) {
          for (auto id = some.begin(); next != wanted.end();) {
            id = std::lower_bound(id, some.end(), next->id);
            if (id == some.end()) break;
            if (*id == next->id) {
              VertexPair& pair = pairs_.vertices[next->place / 2];
              (next->place % 2 == 0 ? pair.one : pair.other) =
                  vertices[static_cast<size_t>(id - some.begin())];
            } else {
              missing = std::min(missing, next->place);
            }
            ++next;
          }
          return OkStatus();
        }));
    for (; next != wanted.end(); ++next) missing = std::min(missing, next->place);
    if (missing == count) return OkStatus();
    const Status status = ids.Find(*IdAt(missing)).status();
    return status.code() == Code::kUsage ? Bad(lines_[missing / 2], status.message()) : status;
  }

  const std::string name_;
  const GraphStore& store_;
  BlockReader& reader_;
  const Means& means_;
  std::optional<NamedLines<uint64_t>> named_;
  InputPairs pairs_;
  std::vector<uint64_t> lines_;  // the number of each pair's line
  uint64_t number_ = 0;
  bool is_first_ = true;
};

}  // namespace

StatusOr<InputPairs> ReadPairs(const std::string& path, const GraphStore& store,
                               BlockReader& reader, const Means& means) {
  means.progress.StartStage("reading pairs", "pairs", 0);
  ASSIGN_OR_RETURN(const std::unique_ptr<InputStream> input,
                   InputStream::Open(path, /*trust_suffix=*/false, kWindowLogOfPairs));
  PairsReader pairs(input->name(), store, reader, means);
  RETURN_IF_ERROR(pairs.Read(*input));
  return pairs.TakePairs();
}

}  // namespace edgemill::cli
