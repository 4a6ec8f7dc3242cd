#include "engine/api/answer.h"

#include <algorithm>
#include <utility>

#include "common/units.h"

namespace edgemill {

void Answer::AddFact(std::string_view name, std::string text, std::variant<uint64_t, double> number,
                     std::string_view key) {
  std::string known(key.empty() ? name : key);
  std::replace(known.begin(), known.end(), ' ', '_');
  facts.push_back({std::string(name), std::move(text), {{std::move(known), number}}});
}

void Answer::AddCount(std::string_view name, uint64_t count, std::string_view key) {
  AddFact(name, FormatCount(count), count, key);
}

void Answer::CheckSettled(std::string_view values, double last_change, double tolerance) {
  converged = tolerance == 0 || last_change <= tolerance;
  if (converged) return;
  warnings.push_back(StrCat(values, " have not settled: the last change is ",
                            FormatSignificant(last_change), ", above the tolerance ",
                            FormatSignificant(tolerance), ": raise the number of iterations (-i)"));
}

void Answer::AddReached(uint64_t reached, uint64_t num_vertices, uint64_t not_reached) {
  counted = CountedEdges::kReached;
  unreached = not_reached;
  AddFact("reached", StrCat(FormatCount(reached), " of ", FormatCount(num_vertices)), reached,
          "reached_vertices");
  if (reached == 1 && num_vertices > 1) {
    warnings.push_back("no edge leads from the source to another vertex: give another one with -r");
  }
}

}  // namespace edgemill
