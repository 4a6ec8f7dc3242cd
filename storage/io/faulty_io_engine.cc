#include "storage/io/faulty_io_engine.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "common/thread_annotations.h"

namespace edgemill {
namespace {

using Clock = std::chrono::steady_clock;
/// What a disk writes whole or not at all.
constexpr uint64_t kWholeBytes = 512;
constexpr std::byte kSpoilt{0xee};

class FaultyBackend final : public IoBackend {
 public:
  FaultyBackend(std::unique_ptr<IoBackend> inner, std::shared_ptr<IoFaultPlan> plan)
      : inner_(std::move(inner)), plan_(std::move(plan)) {}

  void Start(const IoAttempt& attempt) override;
  Status Wait(size_t least, double seconds, std::vector<IoResult>* results) override;
  void Wake() override { inner_->Wake(); }
  void RegisterMemory(std::span<std::byte> memory) override { inner_->RegisterMemory(memory); }
  std::string_view name() const override { return inner_->name(); }

 private:
  struct Marked {
    IoAttempt attempt;
    IoFault fault;
  };
  /// A result kept back.
  struct Held {
    IoResult result;
    Clock::time_point due;  // kDelay
    uint64_t others = 0;    // kReorder: results still to come before it
  };

  void FlipBit(const Marked& marked);
  void Deliver(IoResult result, std::vector<IoResult>* results);
  void Apply(const Marked& marked, IoResult result, std::vector<IoResult>* results);
  /// Delivers held results that are due.
  void Release(std::vector<IoResult>* results);

  std::unique_ptr<IoBackend> inner_;
  std::shared_ptr<IoFaultPlan> plan_;
  std::unordered_map<uint64_t, Marked> marked_;
  std::vector<IoResult> ready_;  // decided without the inner backend
  std::vector<Held> held_;
  size_t inner_under_way_ = 0;
};

void FaultyBackend::FlipBit(const Marked& marked) {
  const std::span<std::byte> memory = marked.attempt.memory;
  const uint64_t bit = marked.fault.value % (memory.size() * 8);
  memory[bit / 8] ^= std::byte{1} << (bit % 8);
}

void FaultyBackend::Start(const IoAttempt& attempt) {
  const std::optional<IoFault> fault = plan_->Decide(attempt);
  const bool write = attempt.op == IoRequest::Op::kWrite;
  IoAttempt actual = attempt;
  if (fault.has_value()) {
    if (fault->kind == IoFault::Kind::kErrno) {
      ready_.push_back({attempt.id, -static_cast<int64_t>(fault->value)});
      return;
    }
    const Marked& marked = marked_[attempt.id] = {attempt, *fault};
    if (write && fault->kind == IoFault::Kind::kCorrupt) FlipBit(marked);
    if (write && (fault->kind == IoFault::Kind::kShort || fault->kind == IoFault::Kind::kTorn)) {
      const uint64_t moved = std::min<uint64_t>(fault->value, attempt.memory.size());
      actual.memory = attempt.memory.first(moved / kWholeBytes * kWholeBytes);
    }
  }
  ++inner_under_way_;
  inner_->Start(actual);
}

void FaultyBackend::Apply(const Marked& marked, IoResult result, std::vector<IoResult>* results) {
  const std::span<std::byte> memory = marked.attempt.memory;
  const bool write = marked.attempt.op == IoRequest::Op::kWrite;
  switch (marked.fault.kind) {
    case IoFault::Kind::kShort:
      if (!write && result.result > static_cast<int64_t>(marked.fault.value)) {
        std::fill(memory.begin() + static_cast<ptrdiff_t>(marked.fault.value),
                  memory.begin() + result.result, kSpoilt);
      }
      if (result.result >= 0) {
        result.result = static_cast<int64_t>(std::min<uint64_t>(
            marked.fault.value, write ? memory.size() : static_cast<uint64_t>(result.result)));
      }
      break;
    case IoFault::Kind::kTorn:
      if (write && result.result >= 0) result.result = static_cast<int64_t>(memory.size());
      break;
    case IoFault::Kind::kCorrupt:
      FlipBit(marked);
      break;
    case IoFault::Kind::kDelay:
      held_.push_back({result, Clock::now() + std::chrono::milliseconds(marked.fault.value), 0});
      return;
    case IoFault::Kind::kReorder:
      held_.push_back({result, Clock::time_point::min(), marked.fault.value});
      return;
    case IoFault::Kind::kNever:
      return;
    case IoFault::Kind::kDuplicate:
      results->push_back(result);
      break;
    case IoFault::Kind::kErrno:
      break;
  }
  Deliver(result, results);
}

void FaultyBackend::Deliver(IoResult result, std::vector<IoResult>* results) {
  results->push_back(result);
  for (Held& held : held_) held.others -= std::min<uint64_t>(held.others, 1);
}

void FaultyBackend::Release(std::vector<IoResult>* results) {
  const bool alone = inner_under_way_ == 0 && ready_.empty();
  const Clock::time_point now = Clock::now();
  std::erase_if(held_, [&](const Held& held) {
    const bool due = held.due <= now && (held.others == 0 || alone);
    if (due) results->push_back(held.result);
    return due;
  });
}

Status FaultyBackend::Wait(size_t least, double seconds, std::vector<IoResult>* results) {
  constexpr double kTickSeconds = 0.002;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  const size_t before = results->size();
  while (true) {
    for (const IoResult& result : std::exchange(ready_, {})) Deliver(result, results);
    Release(results);
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    const bool enough = results->size() - before >= least || left <= 0;
    std::vector<IoResult> inner;
    const Clock::time_point start = Clock::now();
    const double patience =
        held_.empty() ? std::max(left, 0.0) : std::clamp(left, 0.0, kTickSeconds);
    RETURN_IF_ERROR(inner_->Wait(enough ? 0 : 1, patience, &inner));
    inner_under_way_ -= inner.size();
    for (const IoResult& result : inner) {
      const auto mark = marked_.extract(result.id);
      if (mark.empty())
        Deliver(result, results);
      else
        Apply(mark.mapped(), result, results);
    }
    if (enough) return OkStatus();
    // Wake ended the wait: it returned no result before its time was over.
    const std::chrono::duration<double> waited = Clock::now() - start;
    if (inner.empty() && waited.count() < patience * 0.9) return OkStatus();
  }
}

struct Installed {
  Mutex mutex;
  std::shared_ptr<IoFaultPlan> plan GUARDED_BY(mutex);
};

Installed& TheInstalled() {
  static Installed& installed = *new Installed;  // never destroyed: threads may still ask at exit
  return installed;
}

}  // namespace

std::shared_ptr<IoFaultPlan> IoFaultPlan::At(uint64_t index, IoFault fault, bool sticky) {
  return std::make_shared<IoFaultPlan>(
      [=](const IoAttempt&, uint64_t now) -> std::optional<IoFault> {
        if (now == index || (sticky && now > index)) return fault;
        return std::nullopt;
      });
}

void InstallIoFaults(std::shared_ptr<IoFaultPlan> plan) {
  Installed& installed = TheInstalled();
  MutexLock lock(installed.mutex);
  installed.plan = std::move(plan);
}

std::unique_ptr<IoBackend> WithInstalledIoFaults(std::unique_ptr<IoBackend> backend) {
  Installed& installed = TheInstalled();
  MutexLock lock(installed.mutex);
  if (installed.plan == nullptr) return backend;
  return std::make_unique<FaultyBackend>(std::move(backend), installed.plan);
}

}  // namespace edgemill
