// What an algorithm's file declares: its name and help, its options and results, its state, driver
// and verifier. The file registers the algorithm, and the build finds the file; nothing else knows
// the algorithm.
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "engine/api/answer.h"
#include "engine/api/engine.h"
#include "engine/api/levels.h"
#include "engine/api/options.h"
#include "engine/state/state.h"
#include "storage/format/graph_info.h"

namespace edgemill {

class LoadedGraph;
class Progress;

/// What is known about a run before anything is read. A State is made from it.
struct RunSetup {
  const GraphInfo& info;
  const OptionValues& values;
  int threads = 1;
  /// Whether the graph stores its edges by target too. An undirected graph always does.
  bool has_in_lists = true;
  /// The lists whose weights EdgeVisit can read: kOut, unless only in-lists have weights.
  Directions weighted_lists = kOut;

  template <typename T>
  T Get(const Option<T>& option) const {
    return values.Get(option);
  }
};

/// What algorithms are for, in the order in which help lists them.
enum class AlgorithmGroup : uint8_t { kPaths, kStructure, kCentrality, kSimulations };

/// The state of a driver or verifier, with the values of the algorithm's options.
class RunState : public State {
 public:
  explicit RunState(const RunSetup& setup)
      : State(setup.info.num_vertices, setup.threads),
        values_(setup.values),
        weights_(setup.info.weights),
        directed_(setup.info.directed),
        has_in_lists_(setup.has_in_lists),
        weighted_lists_(setup.weighted_lists) {}

  /// What was given, or the default.
  template <typename T>
  T Get(const Option<T>& option) const {
    return values_.Get(option);
  }
  template <typename T>
  T GetOr(const Option<T>& option, T otherwise) const {
    return Given(option) ? Get(option) : otherwise;
  }
  template <typename T>
  bool Given(const Option<T>& option) const {
    return values_.Given(option);
  }
  /// The values from an option's file; null where no file was given.
  const InputValues* Find(const Option<VertexValues>& option) const { return values_.Find(option); }
  /// The input ids given for kSource or kSources.
  std::vector<ExternalId> SourceIds() const { return values_.sources(); }
  WeightType weights() const { return weights_; }
  bool directed() const { return directed_; }
  bool has_in_lists() const { return has_in_lists_; }
  Directions weighted_lists() const { return weighted_lists_; }

 private:
  const OptionValues values_;
  const WeightType weights_;
  const bool directed_, has_in_lists_;
  const Directions weighted_lists_;
};

/// `use` for an array in runs that need it. In other runs the array has no elements.
constexpr ArrayUse UseIf(bool needed, ArrayUse use) { return needed ? use : ArrayUse::kNone; }

/// What a driver knows about its run.
struct RunContext {
  VertexId source;     // internal; kInvalidVertex for algorithms without one
  bool fits_in_cache;  // blocks stay in memory; else each pass reads them again
  Progress& progress;
  std::span<const VertexId> sources = {};  // for algorithms with kSources: each once
};

/// A driver, and the function that makes its state. kDriver<Search> makes one from a function
/// `Status Search(Engine&, BfsState&, const RunContext&, Answer*)`.
struct Driver {
  std::unique_ptr<State> (*make_state)(const RunSetup& setup);
  Status (*run)(Engine& engine, State& state, const RunContext& context, Answer* answer);
};
/// Adds the facts that need a pass over the answer, after the run's time has been taken. It has
/// arrays of its own. kDescription<Describe> makes one from `Status Describe(Engine&, CcState&,
/// CcSizes&, Answer*)`.
struct Description {
  std::unique_ptr<State> (*make_state)(const RunSetup& setup) = nullptr;
  Status (*run)(Engine& engine, State& state, State& own, Answer* answer) = nullptr;
};
/// Checks the answer by the definition, edge by edge. It uses only PlainVisit and arrays of its
/// own. Its InternalError says what is wrong, and where. kVerifier<Verify> makes one from `Status
/// Verify(LoadedGraph&, BfsState&, BfsCheck&, const RunContext&)`.
struct Verifier {
  std::unique_ptr<State> (*make_state)(const RunSetup& setup);
  Status (*run)(LoadedGraph& graph, State& state, State& check, const RunContext& context);
};

/// What users must know about an algorithm. Each fact is a phrase without a full stop. Formulas
/// write (u, v) for an edge from u to v, w(u, v) for its weight, and s for the source.
struct AlgorithmFacts {
  std::string_view formula = {};     // "level[s] = 0; level[v] = 1 + the least level[u] over ..."
  std::string_view direction = {};   // the way that messages go: "out-edges"
  std::string_view duplicates = {};  // effect of duplicate edges and loops: "change nothing"
  std::string_view weights = {};     // which weights are taken, and their effect: "ignored"
  std::string_view ends = {};        // "when a pass discovers no vertex"
  std::string_view passes = {};      // how many rounds of messages
};

/// An algorithm: its description, and functions.
struct Algorithm {
  std::string_view name;  // "bfs"
  AlgorithmGroup group = AlgorithmGroup::kPaths;
  std::vector<std::string_view> aliases = {};  // other names that people type
  std::string_view summary;                    // one line
  AlgorithmFacts facts = {};
  /// Every special case, in sentences. Facts, options, results and memory are not repeated here.
  /// Lines have at most 100 columns.
  std::string_view text;
  std::string_view paper;
  std::vector<OptionDeclaration> options = {};
  std::vector<ResultColumn> results;  // the driver fills one of them
  /// A note on runs on a graph with weights, or without, for effects that may surprise the user.
  std::string_view note_with_weights = {};
  std::string_view note_without_weights = {};
  bool refuses_negative_weights = false;
  /// Refuses values of options that do not go together; null: none. UsageError.
  Status (*check)(const RunSetup& setup) = nullptr;
  Driver driver;
  Description description = {};
  Verifier verifier;

  bool Has(std::string_view long_name) const;
  bool needs_source() const { return Has("--source"); }
};

namespace internal {

template <typename S>
std::unique_ptr<State> MakeState(const RunSetup& setup) {
  constexpr bool kIsRunState = std::constructible_from<S, const RunSetup&>;
  static_assert(kIsRunState,
                "State: a registered one derives from RunState, and has its constructor");
  if constexpr (kIsRunState) return std::make_unique<S>(setup);
  return nullptr;
}

/// The case of a function with none of the signatures below.
template <auto kFunction>
struct Typed {
  static_assert(kFunction == nullptr,
                "kDriver needs `Status F(Engine&, S&, const RunContext&, Answer*)`, kVerifier "
                "`Status F(LoadedGraph&, S&, C&, const RunContext&)`, kDescription "
                "`Status F(Engine&, S&, D&, Answer*)`");
  static constexpr Driver kDriver = {};
  static constexpr Description kDescription = {};
  static constexpr Verifier kVerifier = {};
};
template <typename S, Status (*kFunction)(Engine&, S&, const RunContext&, Answer*)>
struct Typed<kFunction> {
  static Status Call(Engine& engine, State& state, const RunContext& context, Answer* answer) {
    return kFunction(engine, static_cast<S&>(state), context, answer);
  }
  static constexpr Driver kDriver = {MakeState<S>, Call};
};
template <typename S, typename C, Status (*kFunction)(LoadedGraph&, S&, C&, const RunContext&)>
struct Typed<kFunction> {
  static Status Call(LoadedGraph& graph, State& state, State& check, const RunContext& context) {
    return kFunction(graph, static_cast<S&>(state), static_cast<C&>(check), context);
  }
  static constexpr Verifier kVerifier = {MakeState<C>, Call};
};
template <typename S, typename D, Status (*kFunction)(Engine&, S&, D&, Answer*)>
requires std::derived_from<D, State>
struct Typed<kFunction> {
  static Status Call(Engine& engine, State& state, State& own, Answer* answer) {
    return kFunction(engine, static_cast<S&>(state), static_cast<D&>(own), answer);
  }
  static constexpr Description kDescription = {MakeState<D>, Call};
};

}  // namespace internal

template <auto kFunction>
inline constexpr Driver kDriver = internal::Typed<kFunction>::kDriver;
template <auto kFunction>
inline constexpr Description kDescription = internal::Typed<kFunction>::kDescription;
template <auto kFunction>
inline constexpr Verifier kVerifier = internal::Typed<kFunction>::kVerifier;

/// Puts an algorithm, which need not be initialised yet, into the registry.
class Registration {
 public:
  /// `file` is the name of its file. The engine finds kernels of its programs by this name.
  Registration(const Algorithm& algorithm, std::string_view file);
};

/// Declares and registers the algorithm of a file: `file` is the file's name without ".cc".
///   EDGEMILL_ALGORITHM(bfs) = {.name = "bfs", ...};
#if !defined(EDGEMILL_ALGORITHM)  // else the file is compiled for another engine: see engine.h
#define EDGEMILL_ALGORITHM(file)                                   \
  extern const Algorithm algorithm_##file;                         \
  extern const Registration registration_##file;                   \
  const Registration registration_##file(algorithm_##file, #file); \
  const Algorithm algorithm_##file
#endif

/// The name of the file that registered `algorithm`.
std::string_view FileOf(const Algorithm& algorithm);
/// The registry, by name; nullptr when there is no such algorithm.
const Algorithm* FindAlgorithm(std::string_view name);
const std::vector<const Algorithm*>& AllAlgorithms();

/// What a run of `algorithm` with these values can do, according to its declarations.
struct PassChoices {
  bool mode = false;   // it runs edge programs: --mode says how, and both processors can share them
  bool async = false;  // vertices may send in the pass in which they become active
};
PassChoices PassChoicesOf(const Algorithm& algorithm, const OptionValues& values);

/// The column that a run with these values fills.
const ResultColumn& ColumnOf(const Algorithm& algorithm, const OptionValues& values);

}  // namespace edgemill
