// Steps with programs on values of all sizes.
#include <cmath>

#include "test/model/composed/composed_steps.h"
#include "test/model/composed/composed_values.h"

namespace edgemill::model {
namespace {

struct FallStep {
  static constexpr const char* kName = "Fall";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      s.state.byte.Fill(250);
      const FallTo<uint8_t> program{s.x(p.a).read(), s.state.byte.view()};
      return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
    }
    s.state.half.Fill(static_cast<int16_t>(p.number % 90) - 45);
    const FallTo<int16_t> program{s.x(p.a).read(), s.state.half.view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct RiseStep {
  static constexpr const char* kName = "Rise";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      s.state.word.Fill(static_cast<int32_t>(p.number % 90) - 45);
      const RiseTo<int32_t> program{s.x(p.a).read(), s.state.word.view()};
      return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
    }
    s.state.real.Fill(-49.5);
    const RiseTo<float> program{s.x(p.a).read(), s.state.real.view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectSmallStep {
  static constexpr const char* kName = "CollectSmall";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      const CollectSmall<uint8_t> program{s.x(p.a).read(), s.state.byte.view()};
      return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
    }
    const CollectSmall<int16_t> program{s.x(p.a).read(), s.state.half.view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectOwnStep {
  static constexpr const char* kName = "monoids of its own";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      const CollectDivisor program{s.x(p.a).read(), s.state.y.view()};
      return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
    }
    const CollectXor program{s.x(p.a).read(), s.state.half.view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectHalvesStep {
  static constexpr const char* kName = "CollectHalves";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      const CollectSpan program{s.x(p.a).read(), s.state.word.view()};
      return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
    }
    const CollectHalves program{s.x(p.a).read(), s.state.word.view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
/// Records all tallies except `total`, and resets them.
template <typename E>
Status ReadTallies(Side<E>& s) {
  ASSIGN_OR_RETURN(const double real, s.state.real_total.Take());
  ASSIGN_OR_RETURN(const uint64_t most, s.state.most.Take());
  ASSIGN_OR_RETURN(const Ends::Value ends, s.state.ends.Take());
  s.numbers.insert(s.numbers.end(),
                   {static_cast<uint64_t>(std::llround(real)), most, ends.first, ends.second});
  return OkStatus();
}
struct CollectTalliesStep {
  static constexpr const char* kName = "CollectTallies";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectTallies program{s.x(p.a).read(),           s.x(p.b).view(),
                                 s.state.real_total.view(), s.state.total.view(),
                                 s.state.most.view(),       s.state.ends.view()};
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    RETURN_IF_ERROR(s.Record(
        p, s.engine.Fixpoint(p.directions, std::move(from), program, 1 + p.number % 2), true));
    RETURN_IF_ERROR(s.ReadTotal());
    return ReadTallies(s);
  }
};
struct TallyValuesStep {
  static constexpr const char* kName = "VertexMap to tallies";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const TallyValues tally{s.x(p.a).read(), s.state.real_total.view(), s.state.most.view(),
                            s.state.ends.view()};
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), tally));
    return ReadTallies(s);
  }
};
struct SpreadSharedStep {
  static constexpr const char* kName = "SpreadShared";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const SpreadShared program{s.x(p.a).read(), s.x(p.b).shared(), s.graph.num_vertices()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct ReduceWideStep {
  static constexpr const char* kName = "Reduce to reals and pairs";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const RealValue real{s.x(p.a).read()};
    ASSIGN_OR_RETURN(const double sum, (s.engine.template Reduce<Sum<double>>(s.from(p), real)));
    ASSIGN_OR_RETURN(const auto ends,
                     (s.engine.template Reduce<Ends>(s.from(p), EndsValue{s.x(p.b).read()})));
    s.numbers.insert(s.numbers.end(),
                     {static_cast<uint64_t>(std::llround(sum)), ends.first, ends.second});
    return OkStatus();
  }
};

}  // namespace

std::span<const Step> EM_STEPS_OF_FILE(ValueSteps)() {
  static const std::array steps = {
      StepOf<FallStep>(),        StepOf<RiseStep>(),          StepOf<CollectSmallStep>(),
      StepOf<CollectOwnStep>(),  StepOf<CollectHalvesStep>(), StepOf<CollectTalliesStep>(),
      StepOf<TallyValuesStep>(), StepOf<SpreadSharedStep>(),  StepOf<ReduceWideStep>()};
  return steps;
}

}  // namespace edgemill::model
