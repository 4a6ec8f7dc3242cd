#include "bench/conformance/tested_answer.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include "common/strings.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::bench {
namespace {

std::string ValueText(const VertexValue& value, ResultType type) {
  if (!value.reached) return "none";
  return type == ResultType::kReal ? StrCat(value.real) : StrCat(value.integer);
}

bool SameValue(const VertexValue& a, const VertexValue& b, ResultType type, double difference) {
  if (a.id != b.id || a.reached != b.reached) return false;
  if (!a.reached) return true;
  if (type != ResultType::kReal) return a.integer == b.integer;
  if (a.real == b.real) return true;
  const double larger = std::max(std::abs(a.real), std::abs(b.real));
  return std::abs(a.real - b.real) <= difference * larger;
}

}  // namespace

StatusOr<TestedAnswer> AnswerOf(RunResult& result) {
  TestedAnswer answer{.type = result.type(), .values = {}};
  RETURN_IF_ERROR(result.Visit([&](std::span<const VertexValue> values) {
    answer.values.insert(answer.values.end(), values.begin(), values.end());
    return OkStatus();
  }));
  return answer;
}

std::string Difference(const TestedAnswer& answer, const TestedAnswer& by, std::string_view way,
                       double difference) {
  if (answer.values.size() != by.values.size()) {
    return StrCat(answer.values.size(), " values, and ", by.values.size(), " with ", way);
  }
  for (size_t i = 0; i < by.values.size(); ++i) {
    const VertexValue& value = by.values[i];
    if (SameValue(value, answer.values[i], by.type, difference)) continue;
    return StrCat("vertex ", value.id, " has ", ValueText(answer.values[i], by.type), ", and ",
                  ValueText(value, by.type), " with ", way);
  }
  return {};
}

std::vector<RunOptions> RunsOn(uint64_t vertices, const RunOptions& options) {
  const AlgorithmHelp help = *AlgorithmCalled(options.algorithm);
  // A sample is in place of sources.
  if (!help.needs_source() || options.values.Has("--sample")) return {options};
  std::vector<OptionValue> sources = {InputVertex{0}};
  if (vertices > 1) sources.emplace_back(InputVertex{vertices - 1});
  if (vertices > 2 && help.Find("--source")->kind == OptionKind::kVertices) {
    // In two orders: which source comes first must not depend on the way.
    sources.emplace_back(InputVertices{{0, vertices / 2, vertices - 1}});
    sources.emplace_back(InputVertices{{vertices - 1, vertices / 2, 0}});
  }
  RunOptions run = options;
  for (const OptionDeclaration& option : help.options) {
    if (!option.required || option.kind != OptionKind::kVertex) continue;
    if (option.long_name() != "--source") {
      run.values.Set(option.long_name(), InputVertex{vertices / 2});
    }
  }
  std::vector<RunOptions> runs;
  for (OptionValue& source : sources) {
    runs.push_back(run);
    runs.back().values.Set("--source", std::move(source));
  }
  return runs;
}

std::string CommandOf(const RunOptions& run, const std::vector<std::string>& plugins) {
  std::string command = StrCat("edgemill run ", run.algorithm, " g.mill --verify");
  for (const std::string& plugin : plugins) command += StrCat(" --plugin ", plugin);
  for (const auto& [name, value] : run.values.entries()) {
    const auto* const several = std::get_if<std::vector<ExternalId>>(&value.variant());
    if (several != nullptr) {
      for (const ExternalId id : *several) command += StrCat(" ", name, " ", id);
    } else if (std::holds_alternative<bool>(value.variant())) {
      command += StrCat(" ", name);
    } else {
      command += StrCat(" ", name, " ", value.Text());
    }
  }
  return command;
}

}  // namespace edgemill::bench
