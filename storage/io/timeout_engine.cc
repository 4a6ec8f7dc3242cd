#include "storage/io/timeout_engine.h"

#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"

namespace edgemill {
namespace {

/// Seconds after which a wait looks at the clock, and for a stop, again.
constexpr double kLookSeconds = 0.25;

/// "no answer for 30 s to a write (offset 0, length 4096)", after the file's name.
std::string NoAnswer(IoRequest::Op op, std::string_view path, uint64_t offset, uint64_t length,
                     double seconds) {
  return StrCat(path, ": no answer for ", seconds, " s to a ",
                op == IoRequest::Op::kRead ? "read" : "write", " (offset ", offset, ", length ",
                length, ")");
}

}  // namespace

Status StallError(IoRequest::Op op, std::string_view path, uint64_t offset, uint64_t length,
                  double seconds) {
  return IoError(StrCat(NoAnswer(op, path, offset, length, seconds),
                        ": the device hangs: check it, and the system's log"));
}

void KeepForKernel(std::shared_ptr<void> owner) {
  static Mutex& mutex = *new Mutex;  // never destroyed, like what it guards
  static auto& left = *new std::vector<std::shared_ptr<void>>;
  MutexLock lock(mutex);
  left.push_back(std::move(owner));
}

StatusOr<std::unique_ptr<TimeoutEngine>> TimeoutEngine::Create(size_t depth,
                                                               const IoPatience& patience) {
  ASSIGN_OR_RETURN(std::unique_ptr<IoEngine> engine, MakeIoEngine(IoEngineKind::kAuto, depth));
  return std::unique_ptr<TimeoutEngine>(new TimeoutEngine(std::move(engine), patience));
}

TimeoutEngine::~TimeoutEngine() {
  std::vector<IoCompletion> completions;
  if (!given_up_ && Wait(in_flight(), &completions).ok()) return;
  KeepForKernel(std::move(engine_));
}

Status TimeoutEngine::Submit(const IoRequest& request) {
  CHECK(!given_up_);
  RETURN_IF_ERROR(engine_->Submit(request));
  under_way_.push_back({request, clock_.Now()});
  return OkStatus();
}

Status TimeoutEngine::Wait(size_t least, std::vector<IoCompletion>* completions) {
  const size_t target = completions->size() + std::min(least, in_flight());
  do {
    const size_t before = completions->size();
    RETURN_IF_ERROR(engine_->WaitFor(target - before, kLookSeconds, completions));
    for (size_t i = before; i < completions->size(); ++i) {
      std::erase_if(under_way_, [tag = (*completions)[i].tag](const UnderWay& one) {
        return one.request.tag == tag;
      });
    }
    if (completions->size() >= target) return OkStatus();
    RETURN_IF_ERROR(CheckPatience());
  } while (true);
}

Status TimeoutEngine::CheckPatience() {
  const double now = clock_.Now();
  if (!CancelRequested()) {
    cancelled_.reset();
  } else if (!cancelled_.has_value()) {
    cancelled_ = now;
  }
  for (const auto& [request, start] : under_way_) {
    const std::string_view path = request.file->path();
    if (now - start >= patience_.stall_seconds) {
      given_up_ = true;
      return StallError(request.op, path, request.offset, request.memory.size(),
                        patience_.stall_seconds);
    }
    if (cancelled_.has_value() && now - std::max(start, *cancelled_) >= patience_.cancel_seconds) {
      given_up_ = true;
      return CancelledError(StrCat("interrupted: ",
                                   NoAnswer(request.op, path, request.offset, request.memory.size(),
                                            patience_.cancel_seconds),
                                   ", which was not waited for"));
    }
  }
  return OkStatus();
}

StatusOr<size_t> TransferPool::Transfer(const IoRequest& request) {
  std::unique_ptr<TimeoutEngine> engine;
  {
    MutexLock lock(mutex_);
    if (!idle_.empty()) {
      engine = std::move(idle_.back());
      idle_.pop_back();
      CHECK_EQ(engine->in_flight(), 0u);  // an idle engine's transfer has ended
    }
  }
  if (engine == nullptr) {
    ASSIGN_OR_RETURN(engine, TimeoutEngine::Create(1, patience_));
  }
  RETURN_IF_ERROR(engine->Submit(request));
  std::vector<IoCompletion> completions;
  RETURN_IF_ERROR(engine->Wait(1, &completions));
  CHECK_EQ(completions.size(), 1u);
  {
    MutexLock lock(mutex_);
    idle_.push_back(std::move(engine));
  }
  RETURN_IF_ERROR(completions[0].status);
  return completions[0].bytes;
}

}  // namespace edgemill
