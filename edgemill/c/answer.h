// An answer of the C interface.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "edgemill/c/graph.h"
#include "edgemill/c_api.h"
#include "edgemill/edgemill.h"
#include "engine/run/run_result.h"

namespace edgemill::c {

/// An answer, and what C callers read of it. Immutable.
class HeldAnswer {
 public:
  HeldAnswer(std::shared_ptr<OpenedGraph> graph, RunAnswer answer);

  const RunAnswer& answer() const { return answer_; }
  const edgemill_answer_info& info() const { return info_; }
  OpenedGraph& graph() const { return *graph_; }

 private:
  const std::shared_ptr<OpenedGraph> graph_;
  const RunAnswer answer_;
  std::vector<const char*> headings_;
  std::deque<std::vector<edgemill_number>> numbers_;
  std::vector<edgemill_fact> facts_;
  std::vector<const char*> warnings_;
  edgemill_answer_info info_;
};

/// The `most` vertices of greatest value, by the first heading, or the largest components.
/// UsageError where values have no order.
StatusOr<std::vector<TopEntry>> TopOf(const RunAnswer& answer, uint64_t most);

}  // namespace edgemill::c

struct edgemill_answer {
  std::shared_ptr<const edgemill::c::HeldAnswer> held;  // shared with what was exported
};
