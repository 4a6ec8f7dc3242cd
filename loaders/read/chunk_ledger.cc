#include "loaders/read/chunk_ledger.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

/// Some reasons have numbers in them, so there may be many.
constexpr size_t kMaxReasons = 32;

}  // namespace

ChunkLedger::ChunkLedger(uint64_t max_bad_lines, std::string bad_lines_file,
                         std::vector<std::string> names, CheckEnd check_end)
    : max_bad_lines_(max_bad_lines),
      bad_lines_path_(std::move(bad_lines_file)),
      names_(std::move(names)),
      check_end_(std::move(check_end)) {}

void ChunkLedger::Start(const ReaderPosition& position) {
  MutexLock lock(mutex_);
  now_ = position;
}

Status ChunkLedger::Add(uint64_t sequence, LedgerEntry entry, uint64_t* error_sequence) {
  MutexLock lock(mutex_);
  Status own = entry.error;
  const std::vector<BadLine>& bad = entry.result.bad;
  if (own.ok() && bad.size() > max_bad_lines_) {
    own = LineError(names_[entry.input], bad[max_bad_lines_]);
  }
  CHECK(!error_.ok() || sequence >= now_.next_sequence);
  CHECK(waiting_.emplace(sequence, std::move(entry)).second);  // a raw chunk is parsed once
  while (error_.ok()) {
    const auto next = waiting_.find(now_.next_sequence);
    if (next == waiting_.end()) break;
    error_ = Process(next->second);
    error_sequence_ = next->first;
    waiting_.erase(next);
    ++now_.next_sequence;
    positions_.push_back(now_);
  }
  *error_sequence = error_.ok() ? sequence : error_sequence_;
  return error_.ok() ? own : error_;
}

Status ChunkLedger::Process(const LedgerEntry& entry) {
  CHECK_GE(entry.input, now_.input);  // inputs follow each other
  now_.input = entry.input;
  now_.in_input = entry.end;
  now_.totals.Add(entry.result.totals);
  const std::string& name = names_[entry.input];
  for (const BadLine& bad : entry.result.bad) {
    if (++now_.bad_lines > max_bad_lines_) return LineError(name, bad);
    ++now_.reasons[now_.reasons.size() < kMaxReasons ? bad.reason : "another reason"];
    RETURN_IF_ERROR(WriteBadLine(name, bad));
  }
  RETURN_IF_ERROR(entry.error);
  if (!entry.ends_input) return OkStatus();
  RETURN_IF_ERROR(check_end_(entry.input, &now_));
  now_.totals = {};
  now_.input = entry.input + 1;
  now_.in_input = {};
  return OkStatus();
}

Status ChunkLedger::WriteBadLine(const std::string& name, const BadLine& bad) {
  if (bad_lines_path_.empty()) return OkStatus();
  if (!bad_lines_.valid()) {
    ASSIGN_OR_RETURN(bad_lines_, File::Open(bad_lines_path_, O_WRONLY | O_CREAT));
    RETURN_IF_ERROR(bad_lines_.Truncate(now_.bad_file_bytes));
  }
  std::string text = bad.text;
  std::replace(text.begin(), text.end(), '\n', ' ');  // inside quotes
  const std::string line = StrCat(name, PlaceText(bad), ": ", bad.reason, ": ", text, "\n");
  RETURN_IF_ERROR(bad_lines_.WriteAt(std::as_bytes(std::span(line)), now_.bad_file_bytes));
  now_.bad_file_bytes += line.size();
  return OkStatus();
}

ReaderPosition ChunkLedger::PositionAfter(uint64_t sequence) {
  MutexLock lock(mutex_);
  CHECK_LT(sequence, now_.next_sequence);
  while (positions_.size() > 1 && positions_.front().next_sequence <= sequence) {
    positions_.pop_front();
  }
  CHECK_EQ(positions_.front().next_sequence, sequence + 1);
  return positions_.front();
}

uint64_t ChunkLedger::bad_lines() const {
  MutexLock lock(mutex_);
  return now_.bad_lines;
}

}  // namespace edgemill
