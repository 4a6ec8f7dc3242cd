// The executor that leads a run shared by two processors: what HybridExecutor asks of a GPU's.
//
// The leader keeps state and frontiers; the helper, the CPU's executor, has a copy. An iteration
// that both work on is begun by both, each sweeps blocks of its own, and then what that changed
// crosses over: the leader ends the iteration.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>

#include "engine/old/program/program_executor.h"

namespace edgemill {

/// Programs whose changes are told to another copy of the state by messages that it receives.
template <typename P>
concept SharedByMessages = P::kTraits.order_independent&& requires(const P program,
                                                                   VertexId vertex) {
  { program.Echo(vertex) } -> std::same_as<typename P::Message>;
};
/// Programs where all vertices are active: the helper adds up what lists receive, for the leader to
/// apply. In pull alone.
template <typename P>
concept SharedBySums = P::kTraits.all_active&& P::kTraits.apply_to_all;

/// Memory that both processors reach, for messages on their way: as many ids as messages.
template <typename Message>
struct Exchange {
  std::span<VertexId> ids;
  std::span<Message> messages;
};

/// Room for so many messages serves graphs of any size: changes are told vertex range by range.
inline constexpr uint64_t kMostExchanged = uint64_t{1} << 20;

/// The host's memory that sharing `P`'s iterations takes.
template <typename P>
constexpr uint64_t ExchangeBytes(uint64_t num_vertices) {
  if (SharedBySums<P>) return num_vertices * sizeof(typename P::Message);
  if (!SharedByMessages<P>) return 0;
  return std::min(num_vertices, kMostExchanged) * (sizeof(VertexId) + sizeof(typename P::Message));
}

/// Which vertices a processor tells the other of: those that are active next, or, asynchronous,
/// those that have sent in this iteration what they became active with.
enum class Told : uint8_t { kActive, kSent };

/// What the helper has of a pull in which all take part: blocks from `first_block` on.
struct HelperPart {
  uint64_t first_block = ~uint64_t{0};
  /// The first vertex whose list starts there. The list before may go on there.
  VertexId first_vertex = kInvalidVertex;
};

template <VertexProgram P>
class LeadingExecutor : public ProgramExecutor<P> {
 public:
  using Message = typename P::Message;
  using Aggregate = typename P::Aggregate;
  using Totals = typename ProgramExecutor<P>::Totals;

  virtual IterationProgress progress() const = 0;
  /// The mode of the next iteration.
  virtual Mode ChooseMode() const = 0;
  /// Runs many iterations of few vertices at once, where that may be; whether it did.
  virtual StatusOr<bool> Loop(P* program, Totals* totals) = 0;

  /// Of the host's memory, for PrepareSharing to pin: none once it has.
  virtual uint64_t unprepared_bytes() const = 0;
  /// Makes ready what crosses over: once, before the first of what follows. Pins the host's arrays,
  /// so that it takes about as long as copying them; what they held is lost. Waits.
  virtual Status PrepareSharing() = 0;

  // An iteration of which the helper has a part.
  virtual Status BeginShared(P* program, Mode mode) = 0;
  /// Sweeps the lists in `blocks` that the iteration wants; waits.
  virtual Status SweepBlocks(BlockRange blocks) = 0;
  /// Ends it. Programs shared by sums: `part` is in sums(), by vertex.
  virtual StatusOr<Aggregate> EndShared(P* program, const HelperPart& part) = 0;

  // What crosses over. Both wait.
  virtual Exchange<Message> exchange() = 0;
  virtual std::span<Message> sums() = 0;
  /// Takes the first `count` messages in exchange(); kActive: their vertices are active next.
  virtual Status Receive(Told told, uint32_t count) = 0;
  /// Writes to exchange() what has become of the vertices of [begin, end) that `told` says, at most
  /// as many as there is room for; `begin` is a multiple of 64. Returns how many.
  virtual StatusOr<uint32_t> Tell(Told told, VertexId begin, VertexId end) = 0;

  // The whole state. The host's arrays are those of the program given to Initialise. All wait.
  virtual uint64_t state_bytes() const = 0;
  virtual Status StateToHost() = 0;
  /// The arrays that `program` reads of senders alone (StateUse::kSent); returns their bytes.
  virtual StatusOr<uint64_t> SentToHost(const P& program) = 0;
  /// A bit a vertex; `waiting` is empty unless the program is prioritised.
  virtual Status FrontierToHost(std::span<uint64_t> current, std::span<uint64_t> waiting) = 0;
  virtual Status FromHost(const IterationProgress& progress, std::span<const uint64_t> current,
                          std::span<const uint64_t> waiting) = 0;
};

}  // namespace edgemill
