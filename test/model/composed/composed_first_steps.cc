// Steps with programs that take the first message.
#include "test/model/composed/composed_firsts.h"
#include "test/model/composed/composed_steps.h"

namespace edgemill::model {
namespace {

struct TakeAnyStep {
  static constexpr const char* kName = "TakeAny";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const TakeAny program{s.state.any.view(), s.x(p.a).view()};
    ASSIGN_OR_RETURN(VertexSet next, s.engine.EdgeMap(p.directions, s.from(p), program));
    RETURN_IF_ERROR(s.CheckFirsts(p, [&](VertexId u, VertexId) { return s.from(p).Has(u); }));
    return s.Record(p, std::move(next));
  }
};
struct TakeAnySimpleStep {
  static constexpr const char* kName = "TakeAnySimple";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const TakeAnySimple program{s.state.any.view(), s.x(p.a).view()};
    ASSIGN_OR_RETURN(VertexSet next, s.engine.EdgeMap(p.directions, s.from(p), program));
    RETURN_IF_ERROR(
        s.CheckFirsts(p, [&](VertexId u, VertexId v) { return u != v && s.from(p).Has(u); }));
    return s.Record(p, std::move(next));
  }
};
struct TakeAnyWideStep {
  static constexpr const char* kName = "TakeAnyWide";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const TakeAnyWide program{s.state.any.view(), s.state.any_weight.view(), s.x(p.a).view()};
    ASSIGN_OR_RETURN(VertexSet next, s.engine.EdgeMap(p.directions, s.from(p), program));
    RETURN_IF_ERROR(s.CheckFirsts(p, [&](VertexId u, VertexId) { return s.from(p).Has(u); }));
    return s.Record(p, std::move(next));
  }
};
struct SearchStep {
  static constexpr const char* kName = "Search";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.y.Fill(~uint32_t{0});
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), PutHash<uint32_t>{s.state.y.view(), 0, 0, 0}));
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const SearchFrom program{s.state.y.view(), s.state.any.view(), 1};
    const uint64_t most = p.number % 2 == 0 ? ~uint64_t{0} : 1 + p.number % 5;
    auto totals = s.engine.Fixpoint(p.directions, std::move(from), program, most);
    RETURN_IF_ERROR(s.CheckFirsts(
        p, [&](VertexId u, VertexId v) { return s.state.y.Get(u) + 1 == s.state.y.Get(v); }));
    return s.Record(p, std::move(totals), true);
  }
};
struct ReachSomeStep {
  static constexpr const char* kName = "ReachSome";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.y.Fill(0);
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const ReachSome program{s.state.y.view(), s.state.any.view(), s.x(p.a).read()};
    auto totals = s.engine.Fixpoint(p.directions, std::move(from), program);
    RETURN_IF_ERROR(s.CheckFirsts(p, [&](VertexId u, VertexId) {
      return s.from(p).Has(u) || (s.state.y.Get(u) == 1 && s.x(p.a).Get(u) % 4 != 0);
    }));
    return s.Record(p, std::move(totals), false);
  }
};
struct ReachInOrderStep {
  static constexpr const char* kName = "ReachInOrder";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    s.state.y.Fill(0);
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const ReachInOrder program{s.state.y.view(), s.state.any.view(), s.x(p.a).read()};
    const Buckets buckets{.width = static_cast<double>(1 + p.number % 4)};
    auto totals = s.engine.Bucketed(p.directions, std::move(from), program, buckets);
    RETURN_IF_ERROR(s.CheckFirsts(
        p, [&](VertexId u, VertexId) { return s.from(p).Has(u) || s.state.y.Get(u) == 1; }));
    return s.Record(p, std::move(totals), false);
  }
};
struct TakeInEachPassStep {
  static constexpr const char* kName = "TakeInEachPass";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const TakeInEachPass program{s.x(p.a).view(), s.x(p.b).read(), 1};
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program, 1 + p.number % 6),
                    true);
  }
};
struct TakeFreelyStep {
  static constexpr const char* kName = "TakeFreely";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    ASSIGN_OR_RETURN(VertexSet from, s.CopyOfFrom(p));
    const TakeFreely program{s.x(p.a).view(), s.x(p.b).read(), 1};
    return s.Record(p, s.engine.Fixpoint(p.directions, std::move(from), program, 1 + p.number % 6),
                    true);
  }
};

}  // namespace

std::span<const Step> EM_STEPS_OF_FILE(FirstSteps)() {
  static const std::array steps = {StepOf<TakeAnyStep>(),        StepOf<TakeAnySimpleStep>(),
                                   StepOf<TakeAnyWideStep>(),    StepOf<SearchStep>(),
                                   StepOf<ReachSomeStep>(),      StepOf<ReachInOrderStep>(),
                                   StepOf<TakeInEachPassStep>(), StepOf<TakeFreelyStep>()};
  return steps;
}

}  // namespace edgemill::model
