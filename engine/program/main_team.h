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
/// it owns all vertices. Sets cross as bitmaps: bit v % 64 of word v / 64. Sums are the bytes of
/// the program's Monoid::Value. One thread makes all calls except Receive. The order of a shared
/// pass is: Begin; Work, with Receive at the same time; Take; TouchedWords and AddActive; End. All
/// calls wait until their work is done.
class MainTeam {
 public:
  virtual ~MainTeam() = default;

  /// The passes that the team runs without others. They also keep the sets of shared passes: Begin,
  /// Advance, buckets and End.
  virtual OperatorPasses& alone() = 0;
  /// The memory with its copy of the arrays.
  virtual const OtherMemory& memory() const = 0;
  /// The mode that it would choose for the next pass.
  virtual Mode NextMode() const = 0;
  /// Whether it may do many pulls in one launch, which it does alone.
  virtual bool Searches() const { return false; }
  /// Writes the vertices that emit in the next pass to `words`, a bit for each vertex of the graph.
  /// Returns the bytes that crossed.
  virtual StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) = 0;

  /// Begins a shared pass of `program`, a copy whose views show this team's memory. It must live
  /// until End. Where the program consumes, all vertices that emit have consumed afterwards. Only
  /// this team counts what they add to tallies.
  virtual Status Begin(const void* program, const SharedPass& pass) = 0;
  /// Visits its blocks, pass.main_share(), as a pass without other teams would. Where this team
  /// owns all vertices, collected sums stay until Take. Notes touched vertices: those for which
  /// Apply was called, or Relax (and was true, with idempotent monoids). For programs that apply to
  /// all, it need not note them.
  virtual Status Work() = 0;
  /// Takes or collects combined messages for vertices that it owns, as if they had come along
  /// edges. Does not test Cond before Relax: messages that the sender's copy took must not be
  /// refused here. A vertex may come several times; but where programs are first-wins or sums are
  /// sent (kSendsSums), each host team sends it once. `sums`: one for each vertex. Thread-safe,
  /// from Begin until Take. May wait only until Work is done.
  virtual Status Receive(std::span<const VertexId> vertices, const void* sums) = 0;
  /// Makes vertices take the sums that they have collected. Where its share splits a list, the last
  /// vertex that it owns takes the list's sum here, combined with `border`: the sum of the other
  /// teams, or empty where they had no message for the vertex.
  virtual Status Take(std::span<const std::byte> border) = 0;
  /// Writes the touched vertices to `words`, a bit for each vertex of the graph. Returns the bytes
  /// that crossed.
  virtual StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) = 0;
  /// The same as a set in this team's own memory. Null: it has none, and all may have been touched.
  virtual const uint32_t* TouchedThere() const { return nullptr; }
  /// Adds vertices that a host team owns and has activated: the members of `active`.
  virtual Status AddActive(const IndexSet& active) = 0;
  /// Ends the pass and its tallies. Values of vertices that host teams own have changed, so nothing
  /// that was known of their Cond holds any more.
  virtual Status End() = 0;
};

}  // namespace edgemill
