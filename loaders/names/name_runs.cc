#include "loaders/names/name_runs.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <string>

#include "common/check.h"
#include "common/threads/parallel_sort.h"

namespace edgemill {
namespace {

/// The most runs that are merged at once. All runs that fit a disk are then merged in one pass.
constexpr uint64_t kMaxMerged = 512;
constexpr uint64_t kMinMerged = 2;

/// The first 8 bytes as a number in the order of names; zeros follow a shorter one.
uint64_t PrefixOf(std::string_view name) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, name.data(), std::min(name.size(), sizeof(bytes)));
  return __builtin_bswap64(bytes);
}

}  // namespace

StatusOr<NameRuns> NameRuns::Create(uint64_t bytes, int threads, MemoryBudget& budget) {
  NameRuns runs;
  runs.threads_ = threads;
  // An entry has the place of its name in 32 bits.
  bytes = std::clamp(bytes, kMinBytes, uint64_t{1} << 32) / sizeof(Entry) * sizeof(Entry);
  ASSIGN_OR_RETURN(runs.reservation_, budget.Reserve(bytes, "names of vertices"));
  ASSIGN_OR_RETURN(runs.memory_, Buffer::Allocate(bytes));
  return runs;
}

std::span<NameRuns::Entry> NameRuns::entries() {
  const std::span<Entry> all = memory_.as<Entry>();
  return all.last(num_entries_);
}

void NameRuns::AddName(std::string_view name) {
  std::memcpy(memory_.data() + bytes_used_, name.data(), name.size());
  ++num_entries_;
  entries().front() = {PrefixOf(name), static_cast<uint32_t>(bytes_used_),
                       static_cast<uint32_t>(name.size())};
  bytes_used_ += name.size();
}

Status NameRuns::Add(const NameList& names, SpillSpace& space) {
  for (const NameList::Entry& entry : names.entries()) {
    const std::string_view name = names.TextOf(entry);
    if (!HasRoom(name.size())) {
      RETURN_IF_ERROR(WriteRun(space));
      CHECK(HasRoom(name.size()));  // kMinBytes hold the longest name
    }
    AddName(name);
  }
  return OkStatus();
}

void NameRuns::Sort() {
  ParallelSort(entries(), threads_, [this](const Entry& a, const Entry& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : TextOf(a) < TextOf(b);
  });
}

/// Calls `visit` once for each name of `runs` and, with `memory_too`, of the memory, in rising
/// order.
template <typename Visit>
Status NameRuns::MergeAll(std::span<const std::unique_ptr<SpillStream>> runs, bool memory_too,
                          Visit visit) {
  /// One rising sequence: a run, or the memory.
  struct Sequence {
    std::optional<NameRunReader> reader;
    std::span<const Entry> entries;
  };
  struct Head {
    uint64_t prefix;
    std::string_view name;
    Sequence* sequence;
  };
  std::deque<Sequence> sequences;
  for (const auto& run : runs) sequences.emplace_back().reader.emplace(*run);
  if (memory_too) {
    Sort();
    sequences.emplace_back().entries = entries();
  }
  const auto next = [this](Head* head) -> StatusOr<bool> {
    Sequence& sequence = *head->sequence;
    if (sequence.reader.has_value()) {
      ASSIGN_OR_RETURN(const bool more, sequence.reader->Next(&head->name));
      if (more) head->prefix = PrefixOf(head->name);
      return more;
    }
    if (sequence.entries.empty()) return false;
    head->name = TextOf(sequence.entries.front());
    head->prefix = sequence.entries.front().prefix;
    sequence.entries = sequence.entries.subspan(1);
    return true;
  };
  const auto after = [](const Head& a, const Head& b) {
    return a.prefix != b.prefix ? a.prefix > b.prefix : a.name > b.name;
  };
  std::vector<Head> heap;  // the least in front
  for (Sequence& sequence : sequences) {
    Head head{.sequence = &sequence};
    ASSIGN_OR_RETURN(const bool more, next(&head));
    if (more) heap.push_back(head);
  }
  std::make_heap(heap.begin(), heap.end(), after);
  std::string last;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), after);
    Head& head = heap.back();
    if (head.name != last) {  // a name is never empty
      last = head.name;
      RETURN_IF_ERROR(visit(head.name));
    }
    ASSIGN_OR_RETURN(const bool more, next(&head));
    if (more) {
      std::push_heap(heap.begin(), heap.end(), after);
    } else {
      heap.pop_back();
    }
  }
  return OkStatus();
}

Status NameRuns::WriteRun(SpillSpace& space) {
  if (num_entries_ == 0) return OkStatus();
  NameRunWriter writer(space);
  RETURN_IF_ERROR(
      MergeAll({}, true, [&writer](std::string_view name) { return writer.Append(name); }));
  ASSIGN_OR_RETURN(NameRun run, writer.Finish());
  runs_.push_back(std::move(run.stream));
  bytes_used_ = num_entries_ = 0;
  return OkStatus();
}

StatusOr<NameRun> NameRuns::Merge(SpillSpace& space, MemoryBudget& budget) {
  const uint64_t most =
      std::clamp(budget.available_bytes() / 2 / NameRunReader::kBytes, kMinMerged, kMaxMerged);
  ASSIGN_OR_RETURN(const MemoryReservation readers,
                   budget.Reserve(std::min<uint64_t>(most, runs_.size()) * NameRunReader::kBytes,
                                  "merging names of vertices"));
  std::span<const std::unique_ptr<SpillStream>> left = runs_;
  std::vector<std::unique_ptr<SpillStream>> merged;
  const auto merge = [&](std::span<const std::unique_ptr<SpillStream>> some,
                         bool memory_too) -> StatusOr<NameRun> {
    NameRunWriter writer(space);
    RETURN_IF_ERROR(
        MergeAll(some, memory_too, [&](std::string_view name) { return writer.Append(name); }));
    return writer.Finish();
  };
  while (left.size() > most) {
    std::vector<std::unique_ptr<SpillStream>> fewer;
    for (size_t at = 0; at < left.size(); at += most) {
      const auto some = left.subspan(at, std::min<size_t>(most, left.size() - at));
      ASSIGN_OR_RETURN(NameRun sorted, merge(some, false));
      fewer.push_back(std::move(sorted.stream));
    }
    merged = std::move(fewer);
    left = merged;
  }
  CHECK_LE(left.size(), most);
  ASSIGN_OR_RETURN(NameRun sorted, merge(left, true));
  memory_ = Buffer();
  reservation_ = MemoryReservation();
  bytes_used_ = num_entries_ = 0;
  return sorted;
}

void NameRuns::Clear() {
  runs_.clear();
  memory_ = Buffer();
  reservation_ = MemoryReservation();
  bytes_used_ = num_entries_ = 0;
}

}  // namespace edgemill
