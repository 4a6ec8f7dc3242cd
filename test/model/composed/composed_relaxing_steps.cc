// Steps whose programs have Relax.
#include "test/model/composed/composed_relaxing.h"
#include "test/model/composed/composed_steps.h"

namespace edgemill::model {
namespace {

constexpr uint64_t kHuge = uint64_t{1} << 40;

struct RelaxLeastStep {
  static constexpr const char* kName = "RelaxLeast";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const RelaxLeast program{s.x(p.a).read(), s.x(p.b).view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct SpreadOpenStep {
  static constexpr const char* kName = "SpreadOpen";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const PutHash<uint64_t> start{s.x(p.a).view(), p.number, 1000, 0};
    RETURN_IF_ERROR(s.engine.VertexMap(s.engine.sets().All(), start));
    const SpreadOpen program{s.x(p.a).view(), s.x(p.b).read(), p.number % 700};
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program), false);
  }
};
struct ShortenStep {
  static constexpr const char* kName = "Shorten in buckets";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    constexpr std::array kWidths = {1.0, 3.0, 0.5, 1e9};
    s.x(p.a).Fill(kHuge);
    const PutHash<uint64_t> start{s.x(p.a).view(), p.number, 30, 0};
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), start));
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const ShortenFrom<uint64_t, int32_t> program{s.x(p.a).view()};
    const Buckets buckets{.width = kWidths[p.number % 4], .adaptive = p.number % 3 == 0};
    return s.Record(p, s.engine.Bucketed(p.directions, std::move(from), program, buckets), false);
  }
};
struct ShortenAtOnceStep {
  static constexpr const char* kName = "Shorten at once";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.z.Fill(1e12);
    const PutHash<double> start{s.state.z.view(), p.number, 30, 0};
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), start));
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const ShortenFrom<double, double> program{s.state.z.view()};
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program), false);
  }
};
struct WidenStep {
  static constexpr const char* kName = "Widen";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.z.Fill(-1);
    const PutHash<double> start{s.state.z.view(), p.number, 9, 0};
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), start));
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const WidenFrom program{s.state.z.view()};
    const Buckets buckets{.width = static_cast<double>(1 + p.number % 3)};
    return s.Record(p, s.engine.Bucketed(p.directions, std::move(from), program, buckets), false);
  }
};
struct RelaxSumStep {
  static constexpr const char* kName = "RelaxSum";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const RelaxSum program{s.x(p.a).read(), s.x(p.b).view(), s.x(p.c).read(), s.state.total.view()};
    RETURN_IF_ERROR(s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program)));
    return s.ReadTotal();
  }
};
struct RelaxFloatsStep {
  static constexpr const char* kName = "RelaxFloats";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.z.Fill(1);
    const RelaxFloats program{s.x(p.a).read(), s.state.z.view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct PercolateStep {
  static constexpr const char* kName = "Percolate";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const VertexSet all = s.engine.sets().All();
    const PutHash<uint64_t> stock{s.x(p.a).view(), p.number, 50, 0};
    RETURN_IF_ERROR(s.engine.VertexMap(all, stock));
    const PutHash<uint64_t> heat{s.x(p.b).view(), p.number + 1, 60, 0};
    RETURN_IF_ERROR(s.engine.VertexMap(all, heat));
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const Percolate program{s.x(p.a).view(), s.x(p.b).view(), 40 + p.number % 60};
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program), false);
  }
};
struct RelaxExtremesStep {
  static constexpr const char* kName = "RelaxExtremes";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const RelaxExtremes program{s.x(p.a).read(), s.x(p.b).view(), s.x(p.c).view()};
    return s.Record(p, s.engine.EdgeMap(p.directions, s.from(p), program));
  }
};
struct CountWaysStep {
  static constexpr const char* kName = "CountWays";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.y.Fill(~uint32_t{0});
    s.x(p.a).Fill(0);
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), PutHash<uint32_t>{s.state.y.view(), 0, 0, 0}));
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), PutHash<uint64_t>{s.x(p.a).view(), 0, 0, 1}));
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const CountWays program{s.state.y.view(), s.x(p.a).view(), 1};
    const uint64_t most = p.number % 2 == 0 ? ~uint64_t{0} : 1 + p.number % 5;
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program, most), true);
  }
};
struct PeelStep {
  static constexpr const char* kName = "Peel";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.y.Fill(0);
    const VertexSet all = s.engine.sets().All();
    RETURN_IF_ERROR(s.engine.EdgeMap(p.directions, all, CountSimple{s.state.y.view()}).status());
    const PeelSimple program{s.state.y.view()};
    return s.Record(p, s.engine.Bucketed(p.directions, s.engine.sets().All(), program, 1), false);
  }
};
struct LeastByBothStep {
  static constexpr const char* kName = "LeastByBoth";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const LeastByBoth program{s.x(p.a).view()};
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program), false);
  }
};

}  // namespace

std::span<const Step> EM_STEPS_OF_FILE(RelaxingSteps)() {
  static const std::array steps = {
      StepOf<RelaxLeastStep>(),    StepOf<SpreadOpenStep>(), StepOf<ShortenStep>(),
      StepOf<ShortenAtOnceStep>(), StepOf<WidenStep>(),      StepOf<RelaxSumStep>(),
      StepOf<RelaxFloatsStep>(),   StepOf<PercolateStep>(),  StepOf<RelaxExtremesStep>(),
      StepOf<CountWaysStep>(),     StepOf<PeelStep>(),       StepOf<LeastByBothStep>()};
  return steps;
}

}  // namespace edgemill::model
