#include "engine/graph/names/name_dictionary.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "engine/graph/names/nearest_names.h"
#include "engine/graph/vertex_index.h"

namespace edgemill {
namespace {

constexpr std::string_view kNotCoded = "its names are not coded as names are, or do not rise";
constexpr std::string_view kTooShort = "its payload is too short";

/// The number of names in the group, where there are `num_names` in all.
uint64_t NamesOf(uint64_t group, uint64_t num_names) {
  return std::min(kNamesPerGroup, num_names - group * kNamesPerGroup);
}

/// Decodes block `block` of the groups' ends into `ends`, one for each of its values.
Status ReadEnds(const GraphStore& store, uint64_t block, std::span<const std::byte> payload,
                std::span<uint64_t> ends) {
  const auto damaged = [&](std::string_view what) {
    return DamagedBlock(store, ColumnKind::kNameGroups, block, what);
  };
  if (payload.size() < ends.size_bytes()) return damaged(kTooShort);
  std::memcpy(ends.data(), payload.data(), ends.size_bytes());
  for (size_t i = 0; i < ends.size(); ++i) {
    const uint64_t before = i == 0 ? 0 : ends[i - 1];
    ends[i] += before;
    if (ends[i] <= before || ends[i] > store.info().name_bytes) {
      return damaged(StrCat("group ", i, " ends where none may"));
    }
  }
  const bool is_last = block + 1 == store.column(ColumnKind::kNameGroups).num_blocks;
  if (is_last && ends.back() != store.info().name_bytes) {
    return damaged("its last group does not end where the names do");
  }
  return OkStatus();
}

/// Ok when [begin, end) can be the extent of a group's bytes.
Status CheckExtent(const GraphStore& store, uint64_t group, uint64_t begin, uint64_t end) {
  if (begin < end && end - begin <= kMaxNameGroupBytes) return OkStatus();
  const uint32_t block_edges = store.info().block_edges;
  return DamagedBlock(store, ColumnKind::kNameGroups, group / block_edges,
                      StrCat("group ", group % block_edges, " does not have the length of one"));
}

}  // namespace

void NameCursor::Seek(uint64_t rank) {
  rank_ = rank;
  decoder_.reset();
  previous_.clear();
}

Status NameCursor::Damaged(std::string_view what) const {
  return DamagedBlock(store_, ColumnKind::kNames, block_, what);
}

StatusOr<uint64_t> NameCursor::EndOf(uint64_t group) {
  const uint64_t block = group / store_.info().block_edges;
  if (ends_block_ != block) {
    ends_block_.reset();
    ASSIGN_OR_RETURN(const BlockLease lease, reader_.ReadOne(ColumnKind::kNameGroups, block));
    ends_.resize(store_.block_values(ColumnKind::kNameGroups, block));
    RETURN_IF_ERROR(ReadEnds(store_, block, lease.payload(), ends_));
    ends_block_ = block;
  }
  return ends_[group % store_.info().block_edges];
}

Status NameCursor::ReadNames(uint64_t block) {
  if (names_block_ == block) return OkStatus();
  RETURN_IF_ERROR(CheckCancelled());
  names_block_.reset();
  ASSIGN_OR_RETURN(const BlockLease lease, reader_.ReadOne(ColumnKind::kNames, block));
  const uint32_t size = store_.block_values(ColumnKind::kNames, block);
  if (lease.payload().size() < size) {
    return DamagedBlock(store_, ColumnKind::kNames, block, kTooShort);
  }
  names_.assign(reinterpret_cast<const char*>(lease.payload().data()), size);
  names_block_ = block;
  return OkStatus();
}

Status NameCursor::OpenGroup(uint64_t group) {
  const uint32_t block_edges = store_.info().block_edges;
  uint64_t begin = 0;
  if (group > 0) {
    ASSIGN_OR_RETURN(begin, EndOf(group - 1));
  }
  ASSIGN_OR_RETURN(const uint64_t end, EndOf(group));
  RETURN_IF_ERROR(CheckExtent(store_, group, begin, end));
  block_ = begin / block_edges;
  group_.clear();
  for (uint64_t block = block_; block * block_edges < end; ++block) {
    RETURN_IF_ERROR(ReadNames(block));
    const uint64_t first = block * block_edges;
    const uint64_t from = std::max(begin, first);
    const uint64_t to = std::min(end, first + block_edges);
    const auto part = std::string_view(names_).substr(from - first, to - from);
    if (to - from == end - begin) {
      decoder_.emplace(part);
      return OkStatus();
    }
    group_ += part;
  }
  decoder_.emplace(group_);
  return OkStatus();
}

StatusOr<std::string_view> NameCursor::Decode() {
  std::string_view name;
  if (!decoder_->Next(&name)) return Damaged(kNotCoded);
  if (rank_ % kNamesPerGroup == 0 && name <= previous_) {
    return Damaged(StrCat(QuotedText(name), " follows on ", QuotedText(previous_)));
  }
  ++rank_;
  const bool is_last = rank_ % kNamesPerGroup == 0 || rank_ == store_.info().num_vertices;
  if (is_last && !decoder_->rest().empty()) return Damaged("a group ends before its bytes do");
  return name;
}

StatusOr<std::string_view> NameCursor::Next() {
  CHECK_LT(rank_, store_.info().num_vertices);
  if (decoder_.has_value() && rank_ % kNamesPerGroup == 0) {
    decoder_.reset();
  }
  if (!decoder_.has_value()) {
    const uint64_t rank = rank_;
    RETURN_IF_ERROR(OpenGroup(rank / kNamesPerGroup));
    rank_ -= rank % kNamesPerGroup;
    while (rank_ < rank) RETURN_IF_ERROR(Decode().status());
  }
  ASSIGN_OR_RETURN(const std::string_view name, Decode());
  if (rank_ % kNamesPerGroup == 0) previous_ = name;
  return name;
}

StatusOr<std::optional<uint64_t>> NameDictionary::Find(std::string_view name) const {
  std::optional<uint64_t> rank;
  RETURN_IF_ERROR(FindAll({&name, 1}, {&rank, 1}));
  return rank;
}

Status NameDictionary::FindAll(std::span<const std::string_view> names,
                               std::span<std::optional<uint64_t>> ranks) const {
  // Reading this few groups is faster than another step of the search.
  constexpr uint64_t kReadAtOnce = 4;
  struct Part {  // names that can be in no other groups
    size_t begin, end;
    uint64_t first_group, end_group;
  };
  NameCursor cursor(store_, reader_);
  std::vector<Part> waiting = {{0, names.size(), 0, NumNameGroups(store_.info().num_vertices)}};
  while (!waiting.empty()) {
    const Part part = waiting.back();
    waiting.pop_back();
    if (part.begin == part.end) continue;
    const auto wanted = names.subspan(part.begin, part.end - part.begin);
    if (part.end_group - part.first_group <= kReadAtOnce * wanted.size()) {
      const uint64_t first = part.first_group * kNamesPerGroup;
      const uint64_t end = std::min(part.end_group * kNamesPerGroup, store_.info().num_vertices);
      RETURN_IF_ERROR(
          FindAmong(first, end, wanted, ranks.subspan(part.begin, wanted.size()), &cursor));
      continue;
    }
    const uint64_t middle = part.first_group + (part.end_group - part.first_group) / 2;
    cursor.Seek(middle * kNamesPerGroup);
    ASSIGN_OR_RETURN(const std::string_view first, cursor.Next());
    const size_t cut =
        part.begin +
        static_cast<size_t>(std::lower_bound(wanted.begin(), wanted.end(), first) - wanted.begin());
    waiting.push_back({cut, part.end, middle, part.end_group});
    waiting.push_back({part.begin, cut, part.first_group, middle});
  }
  return OkStatus();
}

Status NameDictionary::FindAmong(uint64_t first, uint64_t end,
                                 std::span<const std::string_view> names,
                                 std::span<std::optional<uint64_t>> ranks, NameCursor* cursor) {
  std::fill(ranks.begin(), ranks.end(), std::nullopt);
  if (cursor->rank() != first) cursor->Seek(first);
  size_t at = 0;
  for (uint64_t rank = first; rank < end && at < names.size(); ++rank) {
    ASSIGN_OR_RETURN(const std::string_view known, cursor->Next());
    while (at < names.size() && names[at] < known) ++at;
    while (at < names.size() && names[at] == known) ranks[at++] = rank;
  }
  return OkStatus();
}

StatusOr<uint64_t> NameDictionary::FindOrSuggest(std::string_view name, int threads) const {
  ASSIGN_OR_RETURN(const std::optional<uint64_t> rank, Find(name));
  if (rank.has_value()) return *rank;
  std::string text = StrCat("vertex ", QuotedText(name), " is not in ", store_.path(), ": ");
  ASSIGN_OR_RETURN(const std::vector<std::string> nearest,
                   NearestNames(store_, reader_, name, threads));
  const uint64_t num_names = store_.info().num_vertices;
  if (nearest.empty()) {
    ASSIGN_OR_RETURN(const std::string first, At(0));
    ASSIGN_OR_RETURN(const std::string last, At(num_names - 1));
    return UsageError(StrCat(text, "its ", FormatCount(num_names), " names run from ",
                             QuotedText(first), " to ", QuotedText(last)));
  }
  text += "did you mean ";
  for (size_t i = 0; i < nearest.size(); ++i) {
    const bool is_last = i + 1 == nearest.size();
    text += StrCat(i == 0 ? "" : is_last ? " or " : ", ", QuotedText(nearest[i]));
  }
  return UsageError(text + "?");
}

StatusOr<std::string> NameDictionary::At(uint64_t rank) const {
  NameCursor cursor(store_, reader_);
  cursor.Seek(rank);
  ASSIGN_OR_RETURN(const std::string_view name, cursor.Next());
  return std::string(name);
}

uint64_t LoadedNames::SizeBytes(const GraphStore& store) {
  if (!HasNames(store)) return 0;
  return store.info().name_bytes + NumNameGroups(store.info().num_vertices) * sizeof(uint64_t);
}

StatusOr<LoadedNames> LoadedNames::Load(const GraphStore& store, BlockReader& reader, int threads,
                                        MemoryBudget& budget) {
  LoadedNames names;
  if (!HasNames(store)) return names;
  const uint64_t num_groups = NumNameGroups(store.info().num_vertices);
  ASSIGN_OR_RETURN(names.reservation_, budget.Reserve(SizeBytes(store), "the names of vertices"));
  ASSIGN_OR_RETURN(names.bytes_, Array<char>::Allocate(store.info().name_bytes));
  ASSIGN_OR_RETURN(names.ends_, Array<uint64_t>::Allocate(num_groups));
  for (const ColumnKind column : {ColumnKind::kNames, ColumnKind::kNameGroups}) {
    std::vector<uint64_t> blocks(store.column(column).num_blocks);
    std::iota(blocks.begin(), blocks.end(), uint64_t{0});
    const auto stream = reader.Start(std::span(&column, 1), std::move(blocks));
    RETURN_IF_ERROR(RunThreads(threads, [&](int /*thread*/) -> Status {
      while (true) {
        ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, stream->Next());
        if (!lease.has_value()) return OkStatus();
        const uint64_t first = lease->block() * store.info().block_edges;
        const uint32_t count = store.block_values(column, lease->block());
        if (column == ColumnKind::kNameGroups) {
          RETURN_IF_ERROR(ReadEnds(store, lease->block(), lease->payload(),
                                   names.ends_.span().subspan(first, count)));
        } else if (lease->payload().size() < count) {
          return DamagedBlock(store, column, lease->block(), kTooShort);
        } else {
          std::memcpy(names.bytes_.data() + first, lease->payload().data(), count);
        }
      }
    }));
  }
  RETURN_IF_ERROR(names.Check(store, threads));
  return names;
}

std::string_view LoadedNames::Group(uint64_t group) const {
  CHECK_LT(group, ends_.size());
  const uint64_t begin = group == 0 ? 0 : ends_[group - 1];
  return {bytes_.data() + begin, ends_[group] - begin};
}

Status LoadedNames::Check(const GraphStore& store, int threads) const {
  constexpr size_t kChunk = 4096;
  return ParallelFor(ends_.size(), kChunk, threads, [&](size_t begin, size_t end) -> Status {
    for (uint64_t group = begin; group < end; ++group) {
      const uint64_t start = group == 0 ? 0 : ends_[group - 1];
      RETURN_IF_ERROR(CheckExtent(store, group, start, ends_[group]));
      const uint64_t count = NamesOf(group, store.info().num_vertices);
      const Status sound =
          DecodeNameGroup(Group(group), count, [](std::string_view) { return OkStatus(); });
      if (sound.ok()) continue;
      return DamagedBlock(store, ColumnKind::kNames, start / store.info().block_edges,
                          sound.message());
    }
    return OkStatus();
  });
}

std::string LoadedNames::Of(uint64_t rank) const {
  NameDecoder decoder(Group(rank / kNamesPerGroup));
  std::string_view name;
  for (uint64_t i = rank % kNamesPerGroup + 1; i > 0; --i) CHECK(decoder.Next(&name));
  return std::string(name);
}

}  // namespace edgemill
