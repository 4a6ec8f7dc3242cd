// The main team of shared passes: a GPU, or a second team of CPU threads.
#pragma once

#include <cstddef>
#include <span>

#include "common/status.h"
#include "engine/program/arrays/on_device.h"
#include "engine/program/backend.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// Owns the sets of one operator, and one of the memories of the State's arrays. In a shared push
/// it owns all vertices. Sets cross as bitmaps: bit v % 64 of word v / 64. Sums are bytes, as the
/// program's Monoid::Value. One thread makes all calls but Receive. The order of a shared pass:
/// Begin; Work, with Receive beside it; Take; TouchedWords and AddActive; End. All calls wait until
/// their work is done.
class MainTeam {
 public:
  virtual ~MainTeam() = default;

  /// Runs passes alone, and keeps the sets: Begin, Advance, buckets and End are its.
  virtual OperatorPasses& alone() = 0;
  /// The memory with its copy of the arrays.
  virtual const OtherMemory& memory() const = 0;
  /// The mode that it would choose for the next pass.
  virtual Mode NextMode() const = 0;
  /// The vertices that emit in the next pass. `words`: room for all vertices. Returns the bytes
  /// that crossed.
  virtual StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) = 0;

  /// Begins a shared pass of `program`, a copy whose views show its memory, and which stays until
  /// End. Afterwards all vertices that emit have consumed, in programs that consume. The program's
  /// tallies count here alone.
  virtual Status Begin(const void* program, const SharedPass& pass) = 0;
  /// Visits its blocks, pass.main_share(), as a pass alone would. But sums that vertices collect in
  /// a pass where it owns all stay until Take. Notes touched vertices: for which Apply was called,
  /// or Relax (idempotent monoids: and was true). It need not for programs that apply to all.
  virtual Status Work() = 0;
  /// Takes, or collects, combined messages for vertices that it owns: as if they had come along
  /// edges. Does not test Cond before Relax: what the sender's copy took must not be refused here.
  /// Each vertex may come several times, but from one host team once where programs are first-wins
  /// or sums are sent (kSendsSums). `sums`: one for each. Thread-safe; from Begin on until Take.
  /// May wait until Work is done; must not wait for anything else.
  virtual Status Receive(std::span<const VertexId> vertices, const void* sums) = 0;
  /// Makes vertices take what they have collected. Where its share splits a list, the last vertex
  /// that it owns takes what that list brought here, combined with `border`. That is a sum, or
  /// empty where the other teams had nothing for it.
  virtual Status Take(std::span<const std::byte> border) = 0;
  /// The vertices that were touched. `words`: room for all vertices. Returns the bytes that
  /// crossed.
  virtual StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) = 0;
  /// Adds vertices that a host team has made active: those of its own that `active` has.
  virtual Status AddActive(const IndexSet& active) = 0;
  /// Ends the pass, tallies too. Values of vertices that host teams own have changed: nothing that
  /// was known of their Cond holds.
  virtual Status End() = 0;
};

}  // namespace edgemill
