#include "engine/model/model_trace.h"

#include <algorithm>
#include <functional>
#include <span>

#include "common/strings.h"
#include "engine/state/state.h"

namespace edgemill::model {

void Trace::Add(std::string_view function) {
  if (state_ == nullptr) return;
  Step& step = steps_.emplace_back(Step{std::string(function), {}});
  arrays_.clear();
  for (const StateArray* const array : state_->arrays()) {
    const std::span<const std::byte> bytes = array->CurrentBytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    step.hashes.push_back(std::hash<std::string_view>()(text));
    arrays_.emplace_back(array->name());
  }
}

std::string FirstDifference(const Trace& a, const Trace& b) {
  for (size_t i = 0; i < std::min(a.steps_.size(), b.steps_.size()); ++i) {
    const Trace::Step& one = a.steps_[i];
    const Trace::Step& other = b.steps_[i];
    if (one.function != other.function) {
      return StrCat("the driver calls ", one.function, " once, and ", other.function,
                    " in its place the other time");
    }
    for (size_t array = 0; array < std::min(one.hashes.size(), other.hashes.size()); ++array) {
      if (one.hashes[array] == other.hashes[array]) continue;
      const auto call =
          std::count_if(a.steps_.begin(), a.steps_.begin() + static_cast<ptrdiff_t>(i) + 1,
                        [&](const Trace::Step& step) { return step.function == one.function; });
      return StrCat("the array ", a.arrays_[array], " differs after call ", call, " of ",
                    one.function);
    }
  }
  return {};
}

}  // namespace edgemill::model
