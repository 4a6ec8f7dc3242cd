#include "engine/checkpoint/checkpoints.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill {
namespace {

/// What the journal takes at least, beside the buffers of a writer or reader.
constexpr uint64_t kMinJournalBytes = uint64_t{4} << 20;
/// Within this time launches return where no interval is given, so that a halt is noticed.
constexpr double kUsualSeconds = 60;

/// An operator that was under way, as its section has it.
struct StoredOperator {
  uint64_t call = 0;
  uint64_t passes = 0;
  uint64_t emitted = 0;
  BucketBound bucket;
  uint64_t tallies = 0;
  std::array<std::byte, kMaxTallies* kTallySlot> slots = {};
};

/// A call as the journal knows it: the kind, and some bits of the program's name.
uint64_t NumberOf(const OperatorCall& call) {
  constexpr uint64_t kNameBits = (uint64_t{1} << 20) - 1;
  const uint64_t name = Checksum64(std::as_bytes(std::span(call.fields.type_name))) & kNameBits;
  return name << 4 | static_cast<uint64_t>(call.kind);
}

/// Adds the words of a bitmap of `set`, in parts.
Status AddSet(CheckpointWriter& writer, const VertexSet& set, uint64_t num_vertices) {
  if (set.frontier() != nullptr) return writer.Add(std::as_bytes(set.frontier()->words()));
  CHECK(set.is_all());  // an operator that pauses has vertices left
  constexpr uint64_t kWords = 4096;
  std::vector<uint64_t> words;
  const uint64_t count = (num_vertices + 63) / 64;
  for (uint64_t begin = 0; begin < count; begin += kWords) {
    words.assign(std::min(kWords, count - begin), ~uint64_t{0});
    if (begin + words.size() == count) words.back() = BitsWithin(count - 1, 0, num_vertices);
    RETURN_IF_ERROR(writer.Add(std::as_bytes(std::span(words))));
  }
  return OkStatus();
}

Status DriverDiffers(const std::string& path) {
  return BadDataError(StrCat(
      path,
      ": the algorithm makes other calls than those of the checkpoint: it was written by "
      "another version of the algorithm, or the algorithm breaks a rule (edgemill help test)"));
}

}  // namespace

Checkpoints::Checkpoints(Setup setup)
    : setup_(std::move(setup)),
      store_(setup_.options.directory.empty() ? OwnCheckpointDirectory(setup_.graph_path)
                                              : setup_.options.directory,
             setup_.identity),
      budget_(MemoryBudget::kProcessBytes + setup_.memory.bytes() -
              CheckpointWriter::MemoryBytes(workers())) {}

Checkpoints::~Checkpoints() { WaitForCommit(); }

int Checkpoints::workers() const {
  int workers = 1;
  while (workers < setup_.threads &&
         CheckpointWriter::MemoryBytes(workers + 1) + kMinJournalBytes <= setup_.memory.bytes()) {
    if (CheckpointWriter::MemoryBytes(workers + 1) == CheckpointWriter::MemoryBytes(workers)) break;
    ++workers;
  }
  return workers;
}

StatusOr<std::unique_ptr<Checkpoints>> Checkpoints::Open(Setup setup) {
  CHECK_GE(setup.memory.bytes(), kMinMemoryBytes);
  std::unique_ptr<Checkpoints> checkpoints(new Checkpoints(std::move(setup)));
  RETURN_IF_ERROR(checkpoints->Load());
  return checkpoints;
}

Status Checkpoints::Load() {
  const CheckpointOptions& options = setup_.options;
  if (options.resume) {
    std::vector<std::string> said;
    ASSIGN_OR_RETURN(CheckpointReader reader, store_.OpenNewest(workers(), &said));
    for (const std::string& line : said) setup_.progress.Note(line);
    const CheckpointSection* const journal = reader.Find(SectionKind::kJournal);
    if (journal == nullptr) return DriverDiffers(reader.path());
    journal_.Load({});
    RETURN_IF_ERROR(reader.Visit(*journal, 1, [&](uint64_t, std::span<const std::byte> bytes) {
      journal_.Load(bytes);
      return OkStatus();
    }));
    if (journal_.lost()) {
      return BudgetError(StrCat("the journal of ", reader.path(), " takes ",
                                FormatBytes(journal->bytes), ": give a larger --memory"));
    }
    counts_ = {.sequence = reader.table().sequence, .passes = 0};
    resumption_.from = std::move(reader);
  }
  RETURN_IF_ERROR(store_.Prepare());
  if (options.directory.empty()) return OkStatus();
  const Status noted = NoteCheckpointDirectory(setup_.graph_path, options.directory);
  if (!noted.ok()) {
    setup_.progress.Note(StrCat("edgemill remove will not find the checkpoints in ",
                                options.directory, ": ", noted.message()));
  }
  return OkStatus();
}

void Checkpoints::Start(State& state, SetPool& sets) {
  CHECK(!started_.has_value());
  started_.emplace(Started{state, sets});
  state.Keep(&journal_);
  sets.Follow(&held_);
  since_saved_.Restart();
}

Status Checkpoints::Finish() {
  WaitForCommit();
  if (!started_.has_value()) return OkStatus();
  started_->state.Keep(nullptr);
  started_->sets.Follow(nullptr);
  started_.reset();
  return journal_.answers() ? DriverDiffers(resumption_.from->path()) : OkStatus();
}

bool Checkpoints::Halts(uint64_t passes) const {
  const uint64_t after = setup_.options.halts_after;
  return HaltRequested() || (after > 0 && passes >= after);
}

bool Checkpoints::Due(uint64_t passes) const {
  const CheckpointOptions& options = setup_.options;
  if (Halts(passes)) return true;
  if (journal_.lost()) return false;
  if (options.every_passes > 0 && passes - counts_.saved_passes >= options.every_passes) {
    return true;
  }
  return options.every_seconds > 0 && since_saved_.seconds() >= options.every_seconds;
}

uint64_t Checkpoints::Left(uint64_t done) {
  const CheckpointOptions& options = setup_.options;
  const uint64_t passes = counts_.passes + done;
  if (Due(passes)) return 0;
  const double seconds = options.every_seconds > 0 ? options.every_seconds : kUsualSeconds;
  if (passes != pace_.asked_at) {
    const double took = pace_.since_asked.seconds();
    const bool whole = passes - pace_.asked_at >= pace_.passes;
    if (whole && took < seconds / 8) pace_.passes *= 2;
    if (took > seconds / 2) pace_.passes = std::max<uint64_t>(1, pace_.passes / 4);
  }
  pace_.asked_at = passes;
  pace_.since_asked.Restart();
  if (options.every_passes == 0) return pace_.passes;
  return std::min(pace_.passes, options.every_passes - (passes - counts_.saved_passes));
}

StatusOr<bool> Checkpoints::Begin(const OperatorCall& call) {
  CHECK(started_.has_value());
  if (journal_.differs()) return DriverDiffers(resumption_.from->path());
  if (journal_.answers() && !journal_.at_end()) {
    uint64_t number = 0;
    journal_.PassNumber(JournalTag::kOperator, &number);
    if (journal_.differs() || number != NumberOf(call))
      return DriverDiffers(resumption_.from->path());
    return true;
  }
  if (journal_.answers()) {
    RETURN_IF_ERROR(Restore(call));
    if (!HaltRequested()) return false;
    return CancelledError("interrupted");
  }
  RETURN_IF_ERROR(SaveIfDue(call, nullptr));
  return false;
}

Status Checkpoints::End(const OperatorCall& call) {
  const bool answers = journal_.answers();
  if (!answers) {
    uint64_t number = NumberOf(call);
    journal_.PassNumber(JournalTag::kOperator, &number);
  }
  TallySlots slots;
  call.fields.save_tallies(call.function, &slots);
  if (slots.count() == 0) return OkStatus();
  journal_.Pass(JournalTag::kTallies, slots.bytes());
  if (!answers) return OkStatus();
  if (journal_.differs()) return DriverDiffers(resumption_.from->path());
  call.fields.load_tallies(call.function, slots);
  return OkStatus();
}

OpenOperator Checkpoints::TakeOpen() { return std::exchange(resumption_.open, OpenOperator{}); }

Status Checkpoints::Pause(const OperatorCall& call, const OpenOperator& open) {
  return SaveIfDue(call, &open);
}

Status Checkpoints::SaveIfDue(const OperatorCall& call, const OpenOperator* open) {
  if (!Due(counts_.passes)) return OkStatus();
  const bool halts = Halts(counts_.passes);
  const uint64_t before = report_.written;
  if (!journal_.lost()) RETURN_IF_ERROR(Save(call, open));
  if (journal_.lost()) {
    NoteFailure(BudgetError("the journal of the run's operators has no more memory"));
  }
  if (!halts) return OkStatus();
  WaitForCommit();
  if (report_.written == before) return CancelledError("interrupted; the last checkpoint failed");
  return CancelledError(StrCat("interrupted after ", counts_.passes, " passes, with a checkpoint"));
}

Status Checkpoints::Save(const OperatorCall& call, const OpenOperator* open) {
  const Stopwatch watch;
  WaitForCommit();
  const uint64_t sequence = counts_.sequence + 1;
  auto file = store_.Create();
  Status status = file.ok() ? OkStatus() : file.status();
  if (status.ok()) {
    CheckpointTable table{.identity = setup_.identity, .sequence = sequence};
    table.passes = counts_.passes;
    committing_.writer =
        std::make_unique<CheckpointWriter>(*std::move(file), std::move(table), workers());
    status = Write(*committing_.writer, call, open);
    if (!status.ok()) store_.Abandon();
  }
  RETURN_IF_ERROR(started_->state.status());
  if (status.ok()) {
    fault::KillPoint("checkpoint.boundary");
    const auto commit = [this, sequence] {
      committing_.status = store_.Commit(committing_.writer->file(), sequence);
    };
    auto thread = StartThread(commit);
    if (thread.ok()) {
      committing_.thread = *std::move(thread);
    } else {
      commit();
      EndCommit();
    }
  } else {
    committing_.writer.reset();
    NoteFailure(status);
  }
  counts_.saved_passes = counts_.passes;
  since_saved_.Restart();
  report_.seconds += watch.seconds();
  return OkStatus();
}

Status Checkpoints::Write(CheckpointWriter& writer, const OperatorCall& call,
                          const OpenOperator* open) {
  writer.Begin(SectionKind::kJournal, 0);
  Status status;
  journal_.ForEachPart([&](std::span<const std::byte> part) {
    if (status.ok()) status = writer.Add(part);
  });
  RETURN_IF_ERROR(status);
  const State& state = started_->state;
  for (size_t i = 0; i < state.arrays().size(); ++i) {
    const StateArray& array = *state.arrays()[i];
    if (array.size() == 0) continue;
    const std::span<const std::byte> bytes = array.CurrentBytes();
    RETURN_IF_ERROR(state.status());
    writer.Begin(SectionKind::kArray, i, array.name());
    RETURN_IF_ERROR(writer.Add(bytes));
  }
  for (const auto& [number, members] : held_.Held()) {
    writer.Begin(SectionKind::kSet, number);
    RETURN_IF_ERROR(writer.Add(std::as_bytes(members->words())));
  }
  if (open != nullptr) {
    StoredOperator stored{.call = NumberOf(call), .passes = open->passes};
    stored.emitted = open->emitted;
    stored.bucket = open->bucket;
    TallySlots slots;
    call.fields.save_tallies(call.function, &slots);
    stored.tallies = slots.count();
    std::memcpy(stored.slots.data(), slots.bytes().data(), slots.bytes().size());
    writer.Begin(SectionKind::kOperator, 0);
    RETURN_IF_ERROR(writer.Add(std::as_bytes(std::span(&stored, 1))));
    writer.Begin(SectionKind::kLeft, 0);
    RETURN_IF_ERROR(AddSet(writer, open->left, started_->sets.num_vertices()));
  }
  return writer.Finish();
}

void Checkpoints::WaitForCommit() {
  if (!committing_.thread.joinable()) return;
  committing_.thread.join();
  EndCommit();
}

void Checkpoints::EndCommit() {
  if (committing_.status.ok()) {
    ++counts_.sequence;
    ++report_.written;
    report_.bytes += committing_.writer->bytes_written();
  } else {
    NoteFailure(committing_.status);
  }
  committing_.writer.reset();
}

void Checkpoints::NoteFailure(const Status& status) {
  if (std::exchange(counts_.failed, true)) return;
  setup_.progress.Note(StrCat("a checkpoint failed, and the run goes on",
                              counts_.sequence > 0 ? " with the one before: " : ": ",
                              status.message()));
}

Status Checkpoints::Restore(const OperatorCall& call) {
  const Stopwatch watch;
  CHECK(resumption_.from.has_value());
  auto& [state, sets] = *started_;
  uint64_t found = 0;
  for (const CheckpointSection& section : resumption_.from->table().sections) {
    found += section.kind == SectionKind::kArray ? 1 : 0;
  }
  for (size_t i = 0; i < state.arrays().size(); ++i) {
    StateArray& array = *state.arrays()[i];
    if (array.size() == 0) continue;
    const CheckpointSection* const section = resumption_.from->Find(SectionKind::kArray, i);
    if (section == nullptr || section->name != array.name() || found-- == 0) {
      return DriverDiffers(resumption_.from->path());
    }
    RETURN_IF_ERROR(resumption_.from->Read(*section, workers(), array.ReplacedBytes()));
  }
  if (found != 0) return DriverDiffers(resumption_.from->path());
  RETURN_IF_ERROR(state.status());
  for (const CheckpointSection& section : resumption_.from->table().sections) {
    if (section.kind != SectionKind::kSet) continue;
    ASSIGN_OR_RETURN(const bool exists,
                     held_.Restore(section.number, setup_.threads, [&](std::span<uint64_t> words) {
                       return resumption_.from->Read(section, workers(),
                                                     std::as_writable_bytes(words));
                     }));
    if (!exists) return DriverDiffers(resumption_.from->path());
  }
  RETURN_IF_ERROR(RestoreOpen(call));
  // An operator that goes on does not need the set with which it began.
  if (held_.num_empty() > (resumption_.open.passes > 0 ? 1u : 0u))
    return DriverDiffers(resumption_.from->path());
  counts_.passes = counts_.saved_passes = report_.resumed_passes = resumption_.from->table().passes;
  journal_.EndAnswers();
  resumption_.from.reset();
  since_saved_.Restart();
  report_.restore_seconds = watch.seconds();
  return OkStatus();
}

Status Checkpoints::RestoreOpen(const OperatorCall& call) {
  const CheckpointSection* const section = resumption_.from->Find(SectionKind::kOperator);
  if (section == nullptr) return OkStatus();
  const CheckpointSection* const left = resumption_.from->Find(SectionKind::kLeft);
  StoredOperator stored;
  RETURN_IF_ERROR(
      resumption_.from->Read(*section, 1, std::as_writable_bytes(std::span(&stored, 1))));
  TallySlots slots;
  call.fields.save_tallies(call.function, &slots);
  if (left == nullptr || stored.call != NumberOf(call) || stored.tallies != slots.count() ||
      stored.passes == 0) {
    return DriverDiffers(resumption_.from->path());
  }
  std::memcpy(slots.bytes().data(), stored.slots.data(), slots.bytes().size());
  call.fields.load_tallies(call.function, slots);
  resumption_.open.passes = stored.passes;
  resumption_.open.emitted = stored.emitted;
  resumption_.open.bucket = stored.bucket;
  SetPool& sets = started_->sets;
  ASSIGN_OR_RETURN(std::unique_ptr<Frontier> members, sets.Acquire());
  const Status read =
      resumption_.from->Read(*left, workers(), std::as_writable_bytes(members->BeginAssign()));
  if (!read.ok()) {
    sets.Return(std::move(members));
    return read;
  }
  members->EndAssign(setup_.threads);
  resumption_.open.left = sets.Seal(std::move(members));
  return OkStatus();
}

}  // namespace edgemill
