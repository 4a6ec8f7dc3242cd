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

/// No program or function is larger.
inline constexpr size_t kMaxProgramBytes = 1024;

/// What the host does with the views and tallies of a program or function, given its bytes.
struct FieldCalls {
  /// FullTypeName: kernels are found by it.
  std::string_view type_name;
  /// OnHost.
  Status (*on_host)(const void* program);
  /// OnDevice: `device` gets the copy, of as many bytes.
  Status (*on_device)(const void* program, const OtherMemory& memory, bool writes, void* device);
  /// The totals of its tallies as they begin.
  void (*begin_tallies)(const void* program, TallySlots* slots);
  /// Adds what `totals`, as many slots, have to its tallies.
  void (*merge_tallies)(const void* program, std::span<const std::byte> totals);
};

/// What is compiled for each edge program.
struct ProgramCalls {
  FieldCalls fields;
  void (*next)(void* program);  // null: it has no Next
  const CpuProgramCalls* cpu;
  const TeamProgramCalls* team;  // null: its passes are not shared
};

/// The edge program of one operator, which the driver's thread owns: its views show the host's
/// memory.
struct ProgramRef {
  void* program = nullptr;
  ProgramTraits traits = {};
  const ProgramCalls* calls = nullptr;

  /// Does what the program does between two passes, `times` times.
  void Next(uint64_t times = 1) const {
    CHECK(program != nullptr && calls != nullptr);
    if (calls->next == nullptr) return;
    for (uint64_t i = 0; i < times; ++i) calls->next(program);
  }
};

/// How a function is called.
enum class FunctionUse : uint8_t { kMap, kFilter, kReduce, kVisit, kVisitSampled };

/// What is compiled for each function on vertices or edges, and use of it.
struct FunctionCalls {
  FieldCalls fields;
  FunctionUse use;
  bool weighted = false;
  const CpuFunctionCalls* cpu;  // null: the CPU does not call it
  // For Reduce: a sum of nothing, the bytes of a sum, and a function that combines `count` of them
  // with `total`.
  void (*clear)(void* total) = nullptr;
  uint32_t sum_bytes = 0;
  void (*combine)(const void* sums, uint64_t count, void* total) = nullptr;
};

/// A function that an operator calls. Its views show the host's memory.
struct FunctionRef {
  const void* function = nullptr;
  const FunctionCalls* calls = nullptr;
};

/// The copy of a program or function whose views lead to another memory.
class DeviceCopy {
 public:
  /// As FieldCalls::on_device. It stays where it is.
  StatusOr<const void*> Make(const FieldCalls& calls, const void* program,
                             const OtherMemory& memory, bool writes = true) {
    CHECK(program != nullptr && calls.on_device != nullptr);
    RETURN_IF_ERROR(calls.on_device(program, memory, writes, bytes_.data()));
    return static_cast<const void*>(bytes_.data());
  }
  /// Where it is, or will be.
  void* bytes() { return bytes_.data(); }

 private:
  alignas(64) std::array<std::byte, kMaxProgramBytes> bytes_;
};

/// The functions that are compiled for a type. Declared for all callers of operators, and defined
/// by the second part of the compilation of each such file (engine/compile/for_cpu.h).
template <typename P>
const ProgramCalls& ProgramCallsOf();
/// M: the monoid of Reduce, else void.
template <FunctionUse kUse, typename M, typename F>
const FunctionCalls& FunctionCallsOf();

}  // namespace edgemill
