// Steps whose programs collect.
#include "test/model/composed/composed_steps.h"
#include "test/model/composed/composed_sums.h"

namespace edgemill::model {
namespace {

struct CollectSumStep {
  static constexpr const char* kName = "CollectSum";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectSum program{s.x(p.a).read(), s.x(p.b).view(), s.state.total.view(), p.number};
    RETURN_IF_ERROR(s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program)));
    return s.ReadTotal();
  }
};
struct CollectSumsStep {
  static constexpr const char* kName = "CollectSum, several passes";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectSum program{s.x(p.a).read(), s.x(p.b).view(), s.state.total.view(), p.number};
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    RETURN_IF_ERROR(s.Record(
        p, s.engine.Fixpoint(p.directions, std::move(from), program, 1 + p.number % 4), true));
    return s.ReadTotal();
  }
};
struct CollectAllStep {
  static constexpr const char* kName = "CollectAll";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectAll program{s.x(p.a).read(), s.x(p.b).view(), s.state.total.view(), p.number};
    RETURN_IF_ERROR(s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program)));
    return s.ReadTotal();
  }
};
struct CollectPairsStep {
  static constexpr const char* kName = "CollectPairs";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectPairs program{s.x(p.a).read(), s.x(p.b).view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectWideStep {
  static constexpr const char* kName = "CollectWide";
  static constexpr bool kOnlyPulls = true;
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectWide program{s.x(p.a).read(), s.x(p.b).view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectEnoughStep {
  static constexpr const char* kName = "CollectEnough";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectEnough program{s.x(p.a).read(), s.x(p.b).view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectWeightedStep {
  static constexpr const char* kName = "CollectWeighted";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      const CollectWeighted<int32_t> program{s.x(p.a).read(), s.x(p.b).view()};
      return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
    }
    const CollectWeighted<double> program{s.x(p.a).read(), s.x(p.b).view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectSimpleStep {
  static constexpr const char* kName = "CollectSimple";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      return s.Record(p,
                      s.engine.EdgeMap(p.directions, s.from(p), CollectSimple{s.state.y.view()}));
    }
    const CollectSimpleAll program{s.x(p.a).read(), s.x(p.b).view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CollectFloatsStep {
  static constexpr const char* kName = "CollectFloats";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    if (p.number % 2 == 0) {
      const CollectFloats program{s.x(p.a).read(), s.state.z.view()};
      return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
    }
    const CollectFloatsOfAll program{s.x(p.a).read(), s.state.z.view(), s.state.total.view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct ConsumeAndCollectStep {
  static constexpr const char* kName = "ConsumeAndCollect";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const ConsumeAndCollect program{s.x(p.a).view(), s.x(p.b).view(), s.state.total.view()};
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    RETURN_IF_ERROR(s.Record(
        p, s.engine.Fixpoint(p.directions, std::move(from), program, 1 + p.number % 3), true));
    return s.ReadTotal();
  }
};
struct StepBuffersStep {
  static constexpr const char* kName = "StepBuffers";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const StepBuffers program{s.x(p.a).read(), s.x(p.b).view(), 1};
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program, 1 + p.number % 5),
                    true);
  }
};
struct CollectElsewhereStep {
  static constexpr const char* kName = "CollectElsewhere";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const CollectElsewhere program{s.engine.Degrees(kOut), s.x(p.a).anywhere(), s.x(p.b).view(),
                                   s.state.counts.view(), s.graph.num_vertices()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct ShortenSumsStep {
  static constexpr const char* kName = "ShortenSums";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.x(p.a).Fill(uint64_t{1} << 40);
    const PutHash<uint64_t> start{s.x(p.a).view(), p.number, 30, 0};
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), start));
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const ShortenSums program{s.x(p.a).view()};
    const Buckets buckets{.width = static_cast<double>(1 + p.number % 9)};
    return s.Record(p, s.engine.Bucketed(p.directions, std::move(from), program, buckets), true);
  }
};

}  // namespace

std::span<const Step> EM_STEPS_OF_FILE(SumSteps)() {
  static const std::array steps = {
      StepOf<CollectSumStep>(),        StepOf<CollectSumsStep>(),   StepOf<CollectAllStep>(),
      StepOf<CollectPairsStep>(),      StepOf<CollectWideStep>(),   StepOf<CollectEnoughStep>(),
      StepOf<CollectWeightedStep>(),   StepOf<CollectSimpleStep>(), StepOf<CollectFloatsStep>(),
      StepOf<ConsumeAndCollectStep>(), StepOf<StepBuffersStep>(),   StepOf<CollectElsewhereStep>(),
      StepOf<ShortenSumsStep>()};
  return steps;
}

}  // namespace edgemill::model
