// Counts, in checked builds, of the cases that programs must handle: tests check by these counts
// that the cases have occurred.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/program/arrays/access_guard.h"

#if EDGEMILL_CHECK_VIEWS
#define EM_COVER(counter, times) \
  PassCoverage::OfAll().counter.fetch_add(times, std::memory_order_relaxed)
#else
#define EM_COVER(counter, times) static_cast<void>(0)
#endif

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

struct PassCoverage {
  static PassCoverage& OfAll() {
    static PassCoverage coverage;
    return coverage;
  }

  /// Lists whose messages came in parts, from several blocks.
  std::atomic<uint64_t> split_lists{0};
  /// Lists of several edges of which the rest was skipped, because one message was enough.
  std::atomic<uint64_t> early_exits{0};
  /// Vertices that emitted in the pass that they became active in.
  std::atomic<uint64_t> taken_in_pass{0};
  /// Messages that a push delivered after others, although it had called Cond before these others.
  std::atomic<uint64_t> not_asked_cond{0};
  /// Messages that Cond refuses by the time when a push delivers them.
  std::atomic<uint64_t> refused_late{0};
  /// Lists that a push took from SubCSRs.
  std::atomic<uint64_t> sub_csr_lists{0};
  // The next counts are for passes that teams share.
  /// Messages that went to their vertex's owner.
  std::atomic<uint64_t> sent_to_owner{0};
  /// Messages for which Relax was tried on a copy whose values the owner may have changed.
  std::atomic<uint64_t> relaxed_stale{0};
  /// Messages that changed nothing in that trial, and were not sent.
  std::atomic<uint64_t> dropped{0};
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
