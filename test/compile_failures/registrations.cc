// Drivers and verifiers with wrong parameters or types. fails_once.sh compiles each case
// separately, with its name defined. The text after the name must be in the only error.
#include "engine/api/algorithm.h"

namespace edgemill {

struct SomeState : RunState {
  using RunState::RunState;
};

#if defined(right_registration)
//! right_registration: compiles
Status Search(Engine&, SomeState&, const RunContext&, Answer*) { return OkStatus(); }
Status Verify(LoadedGraph&, SomeState&, SomeState&, const RunContext&) { return OkStatus(); }
constexpr Verifier kVerifies = kVerifier<Verify>;

#elif defined(driver_of_a_source)
//! driver_of_a_source: kDriver needs `Status F(Engine&, S&, const RunContext&, Answer*)`
Status Search(Engine&, SomeState&, VertexId, Answer*) { return OkStatus(); }

#elif defined(verifier_without_context)
//! verifier_without_context: kVerifier `Status F(LoadedGraph&, S&, C&, const RunContext&)`
Status Search(Engine&, SomeState&, const RunContext&, Answer*) { return OkStatus(); }
Status Verify(LoadedGraph&, SomeState&, SomeState&) { return OkStatus(); }
constexpr Verifier kVerifies = kVerifier<Verify>;

#elif defined(state_that_is_no_run_state)
//! state_that_is_no_run_state: State: a registered one derives from RunState
struct PlainState : State {
  using State::State;
};
Status Search(Engine&, PlainState&, const RunContext&, Answer*) { return OkStatus(); }
#endif

constexpr Driver kSearches = kDriver<Search>;

}  // namespace edgemill
