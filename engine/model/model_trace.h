// What a driver's arrays hold after each operator, so that two runs can be compared: which function
// makes them differ.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill {

class State;

namespace model {

class Trace {
 public:
  /// The arrays are those of `state`, which must outlive the run.
  void Follow(const State& state) { state_ = &state; }
  /// An operator on `function` has ended.
  void Add(std::string_view function);
  /// Where the arrays of two runs differ first, such as "the array width differs after call 3 of
  /// Widen". Empty where they never do.
  friend std::string FirstDifference(const Trace& a, const Trace& b);

 private:
  struct Step {
    std::string function;
    std::vector<uint64_t> hashes;  // of the arrays
  };
  const State* state_ = nullptr;  // null: nothing is kept
  std::vector<std::string> arrays_;
  std::vector<Step> steps_;
};

std::string FirstDifference(const Trace& a, const Trace& b);

}  // namespace model
}  // namespace edgemill
