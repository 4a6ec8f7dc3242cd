// Arrays that have a row of words for each vertex: see engine/program/lanes.h.
#pragma once

#include <cstdint>

#include "engine/program/arrays/lane_view.h"
#include "engine/state/state.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// A row of `words` numbers for each vertex.
template <typename T>
class LaneArray : public Values<T> {
 public:
  /// A Lanes takes rows of 1, 2, 4 or 8 words.
  LaneArray(State& state, const char* name, uint32_t words, ArrayUse use = ArrayUse::kWork)
      : Values<T>(state, name, state.num_vertices() * words, use), words_(words) {}
  uint32_t words() const { return words_; }
  LaneView<T> lanes() {
    const View<T> all = this->view();
    return {all.data(), all.array(), words_};
  }
  LaneView<const T> read_lanes() const {
    const View<const T> all = this->read();
    return {all.data(), all.array(), words_};
  }

 private:
  const uint32_t words_;
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
