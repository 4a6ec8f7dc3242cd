// The journal of a run: the small results that a driver got from operators and accessors, in the
// order of its calls. A driver is deterministic, and learns of state only so. So a driver that is
// started again, and is answered from the journal, takes the same way without any work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"

namespace edgemill {

/// What an entry of the journal is about. The values are stored: never renumber.
enum class JournalTag : uint8_t {
  kOperator = 1,  // an operator has ended: its kind, and a hash of the program's name
  kTallies = 2,   // the sums of the program's tallies
  kNumber = 3,    // a number that an operator returned
  kSet = 4,       // the size of a set
  kValue = 5,     // elements of an array, or members of a set, that the driver read
  kFact = 6,      // what the driver asked of the engine
};

/// Records results, or answers calls with recorded ones. One thread uses it. Memory is reserved in
/// the budget as the journal grows; without memory it keeps nothing any more.
class Journal {
 public:
  explicit Journal(MemoryBudget& budget) : budget_(budget) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Whether calls are answered from what was recorded.
  bool answers() const { return answers_; }
  /// Whether it answers, and all entries have been taken.
  bool at_end() const { return answers_ && place_ == size_; }
  /// Whether the driver made another call than the recorded one, or an entry is not valid.
  bool differs() const { return differs_; }
  /// Whether entries are missing, because there was no memory for them.
  bool lost() const { return lost_; }
  uint64_t size() const { return size_; }

  /// Records `value`. While answering: sets `value` to the recorded one, which must have the same
  /// tag and size. Otherwise differs() becomes true, and `value` becomes zeros.
  void Pass(JournalTag tag, std::span<std::byte> value);
  template <typename T>
  void Pass(JournalTag tag, T* value) {
    static_assert(std::is_trivially_copyable_v<T>);
    Pass(tag, std::as_writable_bytes(std::span(value, 1)));
  }
  /// The same for a number, which takes few bytes if it is small.
  void PassNumber(JournalTag tag, uint64_t* number);

  /// Appends bytes of a recorded journal, and answers from its start.
  void Load(std::span<const std::byte> bytes);
  /// Ends answering: from here on the journal records.
  void EndAnswers() { answers_ = false; }
  /// Calls `visit(bytes)` for the parts of the journal, in order.
  template <typename Visit>
  void ForEachPart(Visit visit) const {
    for (uint64_t begin = 0; begin < size_; begin += kPartBytes) {
      const auto& part = *parts_[begin / kPartBytes].bytes;
      visit(std::span(part).first(size_ - begin < kPartBytes ? size_ - begin : kPartBytes));
    }
  }

 private:
  static constexpr uint64_t kPartBytes = uint64_t{256} << 10;
  struct Part {
    std::unique_ptr<std::array<std::byte, kPartBytes>> bytes;
    MemoryReservation reservation;
  };

  void Append(std::span<const std::byte> bytes);
  /// Sets differs() unless so many bytes are left.
  bool Take(std::span<std::byte> bytes);
  void AppendVarint(uint64_t number);
  uint64_t TakeVarint();

  MemoryBudget& budget_;
  std::vector<Part> parts_;
  uint64_t size_ = 0;
  uint64_t place_ = 0;  // of the next entry to answer with
  bool answers_ = false;
  bool differs_ = false;
  bool lost_ = false;
};

}  // namespace edgemill
