// The second part of the compilation of a file that calls operators: the functions of each program
// type that the engine calls, compiled for the CPU. The build adds this header to every algorithm's
// file. Other files that call operators include it.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "common/type_name.h"
#include "engine/cpu/cpu_loops.h"
#if defined(EDGEMILL_TEST_TEAMS)
#include "engine/hybrid/cpu_main_team.h"
#endif
#include "engine/hybrid/cpu_team.h"
#include "engine/hybrid/team_calls.h"
#include "engine/program/arrays/on_device.h"
#include "engine/program/program_ref.h"

namespace edgemill {
namespace internal {

template <typename P>
const P& ProgramOf(const void* bytes) {
  static_assert(sizeof(P) <= kMaxProgramBytes);
  return *static_cast<const P*>(bytes);
}

/// `name`: the name by which kernels are found.
template <typename P>
FieldCalls FieldCallsFor(std::string_view name) {
  return {.type_name = name,
          .on_host = [](const void* bytes) { return OnHost(ProgramOf<P>(bytes)); },
          .on_device = [](const void* bytes, const OtherMemory& memory, bool writes,
                          void* device) -> Status {
            ASSIGN_OR_RETURN(const P copy, OnDevice(ProgramOf<P>(bytes), memory, writes));
            std::memcpy(device, &copy, sizeof(copy));
            return OkStatus();
          },
          .begin_tallies = [](const void* bytes,
                              TallySlots* slots) { slots->Begin(ProgramOf<P>(bytes)); },
          .merge_tallies =
              [](const void* bytes, std::span<const std::byte> totals) {
                TallySlots::Merge(ProgramOf<P>(bytes), totals);
              },
          .save_tallies = [](const void* bytes,
                             TallySlots* slots) { slots->Save(ProgramOf<P>(bytes)); },
          .load_tallies = [](const void* bytes,
                             const TallySlots& slots) { slots.Load(ProgramOf<P>(bytes)); }};
}

template <typename P>
TeamProgramCalls TeamCallsFor() {
  TeamProgramCalls calls = {
      .own_elements = [](const void* bytes) { return OwnElementsOf(ProgramOf<P>(bytes)); },
      .align = [](const void* bytes,
                  TeamMemories memories) { return Align(ProgramOf<P>(bytes), memories); },
      .show =
          [](const void* bytes, const OtherMemory& memory, void* copy) {
            const P shown = ShownIn(ProgramOf<P>(bytes), memory);
            std::memcpy(copy, &shown, sizeof(shown));
          },
      .combine =
          [](void* total, const void* sum) {
            SumOfProgram<P> both[2];
            std::memcpy(static_cast<void*>(&both[0]), total, sizeof(both[0]));
            std::memcpy(static_cast<void*>(&both[1]), sum, sizeof(both[1]));
            both[0] = P::Monoid::Combine(both[0], both[1]);
            std::memcpy(total, static_cast<const void*>(&both[0]), sizeof(both[0]));
          },
      .begin_into = nullptr,
      .end_into = nullptr,
      .make_host_team = [](HostTeamResources& resources,
                           const ProgramRef& program) -> std::unique_ptr<HelperTeam> {
        return std::make_unique<CpuTeam<P>>(resources, program);
      },
      .make_cpu_main_team = nullptr};
#if defined(EDGEMILL_TEST_TEAMS)
  calls.make_cpu_main_team = [](LoadedGraph& graph, Workspace& workspace, Recorder& recorder,
                                const ProgramRef& program,
                                const OtherMemory& memory) -> std::unique_ptr<MainTeam> {
    return std::make_unique<CpuMainTeam<P>>(graph, workspace, recorder, program, memory);
  };
#endif
  if constexpr (kHasInto<P>) {
    calls.begin_into = [](const void* bytes, TeamMemories memories, int threads) {
      return BeginInto(ProgramOf<P>(bytes), memories, threads);
    };
    calls.end_into = [](const void* bytes, TeamMemories memories) {
      return EndInto(ProgramOf<P>(bytes), memories);
    };
  }
  return calls;
}

/// Null where teams do not share its passes. A build without GPUs has teams only in tests.
template <typename P>
const TeamProgramCalls* TeamCallsOf() {
#if defined(EDGEMILL_WITH_CUDA) || defined(EDGEMILL_TEST_TEAMS)
  if constexpr (kMayShare<P>) {
    static const TeamProgramCalls calls = TeamCallsFor<P>();
    return &calls;
  }
#endif
  return nullptr;
}

}  // namespace internal

template <typename P>
const ProgramCalls& ProgramCallsOf() {
  static const ProgramCalls calls = [] {
    ProgramCalls made = {.fields = internal::FieldCallsFor<P>(FullTypeName<P>()),
                         .next = nullptr,
                         .cpu = &kCpuProgramCalls<P>,
                         .team = internal::TeamCallsOf<P>()};
    if constexpr (HasNext<P>) {
      made.next = [](void* bytes) { static_cast<P*>(bytes)->Next(); };
    }
    return made;
  }();
  return calls;
}

template <FunctionUse kUse, typename M, typename F>
const FunctionCalls& FunctionCallsOf() {
  static const FunctionCalls calls = [] {
    FunctionCalls made = {.fields = internal::FieldCallsFor<F>(FullTypeName<F>()),
                          .use = kUse,
                          .cpu = &kCpuFunctionCalls<kUse, M, F>};
    if constexpr (kUse == FunctionUse::kVisit || kUse == FunctionUse::kVisitSampled) {
      made.weighted = !std::is_same_v<WeightOfEdges<F>, NoWeight>;
    }
    if constexpr (kUse == FunctionUse::kReduce) {
      using Value = typename M::Value;
      made.fields.type_name = FullTypeName<ReduceOf<M, F>>();
      made.clear = [](void* total) { *static_cast<Value*>(total) = M::identity(); };
      made.sum_bytes = sizeof(Value);
      made.combine = [](const void* sums, uint64_t count, void* total) {
        Value& combined = *static_cast<Value*>(total);
        for (uint64_t i = 0; i < count; ++i) {
          combined = M::Combine(combined, static_cast<const Value*>(sums)[i]);
        }
      };
    }
    return made;
  }();
  return calls;
}

}  // namespace edgemill
