// Steps with functions of vertices and of edges, and with sets.
#include "test/model/composed/composed_functions.h"
#include "test/model/composed/composed_steps.h"

namespace edgemill::model {
namespace {

struct MapStep {
  static constexpr const char* kName = "VertexMap";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const Mix mix{s.x(p.a).view(),       s.x(p.b).read(),      s.engine.Degrees(kOut),
                  s.state.counts.view(), s.state.total.view(), p.number};
    RETURN_IF_ERROR(s.engine.VertexMap(s.from(p), mix));
    return s.ReadTotal();
  }
};
struct FilterStep {
  static constexpr const char* kName = "VertexFilter";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const Sift sift{s.x(p.a).view(), s.x(p.b).read(), s.x(p.c).anywhere(), s.graph.num_vertices(),
                    p.number};
    return s.Record(p, s.engine.VertexFilter(s.from(p), sift));
  }
};
struct ReduceStep {
  static constexpr const char* kName = "Reduce";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const XorValue value{s.x(p.a).read(), s.state.total.view()};
    ASSIGN_OR_RETURN(const uint64_t sum,
                     (s.engine.template Reduce<Sum<uint64_t>>(s.from(p), value)));
    ASSIGN_OR_RETURN(const uint64_t least,
                     (s.engine.template Reduce<Min<uint64_t>>(s.from(p), value)));
    ASSIGN_OR_RETURN(const uint64_t most,
                     (s.engine.template Reduce<Max<uint64_t>>(s.from(p), value)));
    s.numbers.insert(s.numbers.end(), {sum, least, most});
    return s.ReadTotal();
  }
};

constexpr std::array kSlices = {Slice{},      Slice{0, 1},  Slice{1},     Slice{0, 2},
                                Slice{3, 20}, Slice{1, 1},  Slice{0, 16}, Slice{130, 50},
                                Slice{0, 17}, Slice{0, 300}};
struct VisitStep {
  static constexpr const char* kName = "EdgeVisit";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const AddAlong add{s.x(p.a).read(), s.x(p.b).shared(), s.state.counts.view(),
                       s.state.total.view()};
    RETURN_IF_ERROR(
        s.engine.EdgeVisit(p.directions, s.from(p), kSlices[p.number % kSlices.size()], add));
    return s.ReadTotal();
  }
};
struct WeightedVisitStep {
  static constexpr const char* kName = "EdgeVisit with weights";
  static constexpr bool kOrderCounts = true;
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const Slice slice = kSlices[p.number % kSlices.size()];
    auto least = s.x(p.b).template into<Min<uint64_t>>();
    if (p.number / 16 % 2 == 0) {
      const LeastAlong<int32_t> f{s.x(p.a).read(), least, s.state.total.view()};
      RETURN_IF_ERROR(s.engine.EdgeVisit(p.directions, s.from(p), slice, f));
    } else {
      const LeastAlong<double> f{s.x(p.a).read(), least, s.state.total.view()};
      RETURN_IF_ERROR(s.engine.EdgeVisit(p.directions, s.from(p), slice, f));
    }
    return s.ReadTotal();
  }
};

struct SetsStep {
  static constexpr const char* kName = "sets";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    auto& sets = s.engine.sets();
    const VertexSet& other = s.sets[(p.from + 1 + p.number / 8 % 3) % kComposedSets];
    const uint64_t n = s.graph.num_vertices();
    switch (p.number % 8) {
      case 0:
        return s.Record(p, sets.Union(s.from(p), other));
      case 1:
        return s.Record(p, sets.Difference(s.from(p), other));
      case 2:
        return s.Record(p, sets.Intersection(s.from(p), other));
      case 3:
        return s.Record(p, sets.Copy(s.from(p)));
      case 4:
        return s.Record(p, sets.All());
      case 5:
        return s.Record(p, p.number % 5 == 0 ? sets.None() : sets.All());
      default:
        break;
    }
    std::vector<VertexId> members;
    const uint64_t count = p.number % 8 == 6 ? 1 + p.number % 3 : 1 + n / 2;
    for (uint64_t i = 0; i < count; ++i) {
      members.push_back(static_cast<VertexId>(HashOf(static_cast<VertexId>(i), p.number) % n));
    }
    return s.Record(p, sets.Of(members));
  }
};
struct ArraysStep {
  static constexpr const char* kName = "arrays";
  template <typename E>
  static Status Run(Side<E>& s, const StepParameters& p) {
    const auto v = static_cast<VertexId>(p.number % s.graph.num_vertices());
    if (p.number % 2 == 0) {
      s.x(p.a).Swap(s.x(p.b));
    } else {
      const PutHash<uint64_t> put{s.x(p.a).view(), p.number, 1000, 0};
      RETURN_IF_ERROR(s.engine.VertexMap(s.engine.sets().All(), put));
    }
    s.x(p.c).Set(v, p.number);
    s.numbers.push_back(s.x(p.a).At(std::vector<VertexId>{v}).front());
    return OkStatus();
  }
};

}  // namespace

std::span<const Step> EM_STEPS_OF_FILE(VertexSteps)() {
  static const std::array steps = {StepOf<MapStep>(),           StepOf<FilterStep>(),
                                   StepOf<ReduceStep>(),        StepOf<VisitStep>(),
                                   StepOf<WeightedVisitStep>(), StepOf<SetsStep>(),
                                   StepOf<SetsStep>(),          StepOf<ArraysStep>()};
  return steps;
}

}  // namespace edgemill::model
