#include "cli/top_names.h"

#include <string>
#include <utility>

#include "cli/vertex_label.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

/// Labels, their JSON as a document and as texts, and those of a report.
constexpr uint64_t kCopies = 6;
/// Names of so many bytes in all are in what a process takes anyway.
constexpr uint64_t kUnreserved = uint64_t{1} << 20;

uint64_t NameBytes(const VertexLabel& label) {
  const std::string* const name = std::get_if<std::string>(&label);
  return name == nullptr ? 0 : name->size();
}

}  // namespace

StatusOr<std::vector<MemoryReservation>> DescribeTop(RunResult& result, const GraphStore& store,
                                                     MemoryBudget& budget,
                                                     RunDescription* description) {
  std::vector<MemoryReservation> taken;
  uint64_t unreserved = kUnreserved;
  for (const TopEntry& entry : result.top()) {
    ASSIGN_OR_RETURN(VertexLabel vertex, LabelOf(store, result.reader(), entry.id));
    const uint64_t bytes = NameBytes(vertex);
    if (bytes <= unreserved) {
      unreserved -= bytes;
    } else {
      StatusOr<MemoryReservation> memory = budget.Reserve(bytes * kCopies, "the names of --top");
      if (!memory.ok()) {
        description->warnings.push_back(StrCat("--top shows ", description->top.size(), " of ",
                                               result.top().size(),
                                               " vertices: the names of more do not fit --memory"));
        break;
      }
      taken.push_back(std::move(*memory));
    }
    description->top.push_back({std::move(vertex), entry.value});
  }
  return taken;
}

}  // namespace edgemill::cli
