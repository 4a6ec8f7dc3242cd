// Edge programs and functions as bytes: the link between code that is compiled once and code that
// an algorithm's file has for each type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/check.h"
#include "common/status.h"
#include "engine/program/arrays/tally_slots.h"
#include "engine/program/program_traits.h"

namespace edgemill {

struct OtherMemory;
struct CpuProgramCalls;   // engine/cpu
struct TeamProgramCalls;  // engine/hybrid
struct CpuFunctionCalls;  // engine/cpu

/// The most bytes of a program or function.
inline constexpr size_t kMaxProgramBytes = 1024;

/// Calls for the views and tallies of a program or function, which is given by its bytes.
struct FieldCalls {
  /// FullTypeName of the type, by which kernels are found.
  std::string_view type_name;
  /// Calls OnHost.
  Status (*on_host)(const void* program);
  /// Calls OnDevice, and writes the copy to `device`. The copy has as many bytes as the program.
  Status (*on_device)(const void* program, const OtherMemory& memory, bool writes, void* device);
  /// Sets `slots` to the initial totals of its tallies.
  void (*begin_tallies)(const void* program, TallySlots* slots);
  /// Adds `totals`, one slot for each tally, to its tallies.
  void (*merge_tallies)(const void* program, std::span<const std::byte> totals);
  /// Sets `slots` to the present totals of its tallies, or these totals to `slots`.
  void (*save_tallies)(const void* program, TallySlots* slots);
  void (*load_tallies)(const void* program, const TallySlots& slots);
};

/// The functions that are compiled for each edge program.
struct ProgramCalls {
  FieldCalls fields;
  void (*next)(void* program);  // null: it has no Next
  const CpuProgramCalls* cpu;
  const TeamProgramCalls* team;  // null: its passes are not shared
};

/// The edge program of one operator. The driver's thread owns it, and its views show the host's
/// memory.
struct ProgramRef {
  void* program = nullptr;
  ProgramTraits traits = {};
  const ProgramCalls* calls = nullptr;

  /// Calls the program's Next `times` times. Does nothing if the program has no Next.
  void Next(uint64_t times = 1) const {
    CHECK(program != nullptr && calls != nullptr);
    if (calls->next == nullptr) return;
    for (uint64_t i = 0; i < times; ++i) calls->next(program);
  }
};

/// How a function is called.
enum class FunctionUse : uint8_t { kMap, kFilter, kReduce, kVisit, kVisitSampled, kIntersect };

/// The functions that are compiled for each function on vertices, edges or triangles, and each use
/// of it.
struct FunctionCalls {
  FieldCalls fields;
  FunctionUse use;
  bool weighted = false;
  const CpuFunctionCalls* cpu;  // null: the CPU does not call it
  // For Reduce: a function that sets `total` to the identity, the bytes of a sum, and a function
  // that combines `count` sums with `total`.
  void (*clear)(void* total) = nullptr;
  uint32_t sum_bytes = 0;
  void (*combine)(const void* sums, uint64_t count, void* total) = nullptr;
};

/// A function that an operator calls. Its views show the host's memory.
struct FunctionRef {
  const void* function = nullptr;
  const FunctionCalls* calls = nullptr;
};

/// A copy of a program or function, whose views show another memory.
class DeviceCopy {
 public:
  /// Makes the copy by FieldCalls::on_device, and returns its address, which is bytes().
  StatusOr<const void*> Make(const FieldCalls& calls, const void* program,
                             const OtherMemory& memory, bool writes = true) {
    CHECK(program != nullptr && calls.on_device != nullptr);
    RETURN_IF_ERROR(calls.on_device(program, memory, writes, bytes_.data()));
    return static_cast<const void*>(bytes_.data());
  }
  /// The memory of the copy, also before Make.
  void* bytes() { return bytes_.data(); }

 private:
  alignas(64) std::array<std::byte, kMaxProgramBytes> bytes_;
};

/// The functions that are compiled for a type. All files that call operators use this declaration.
/// Each of them also compiles engine/compile/for_cpu.h, which has the definition.
template <typename P>
const ProgramCalls& ProgramCallsOf();
/// M is the monoid of Reduce, and void for other uses.
template <FunctionUse kUse, typename M, typename F>
const FunctionCalls& FunctionCallsOf();

}  // namespace edgemill
