#include "edgemill/c/answer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/command.h"
#include "common/strings.h"
#include "edgemill/c/arguments.h"
#include "edgemill/c/caller.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "edgemill/run_on.h"
#include "engine/api/top_list.h"

namespace edgemill::c {
namespace {

static_assert(static_cast<int>(ResultType::kCount) == EDGEMILL_COUNT);
static_assert(static_cast<int>(ResultType::kLongCount) == EDGEMILL_LONG_COUNT);
static_assert(static_cast<int>(ResultType::kId) == EDGEMILL_VERTEX);
static_assert(static_cast<int>(ResultType::kReal) == EDGEMILL_REAL);

/// How many vertices have each vertex as their value, by place in the answer.
std::vector<uint64_t> GroupSizes(const RunAnswer& answer) {
  std::vector<uint64_t> sizes(answer.num_vertices);
  for (const uint64_t id : answer.integers) {
    const auto& ids = answer.ids;
    const uint64_t at =
        ids.empty() ? id : std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
    if (id != kUnreachedInteger) ++sizes[at];
  }
  return sizes;
}

template <typename T, typename Has>
std::vector<TopEntry> Greatest(const RunAnswer& answer, const std::vector<T>& values, uint64_t most,
                               const Has& has_value) {
  TopList<T> top(std::min(most, answer.num_vertices));
  for (uint64_t i = 0; i < answer.num_vertices; ++i) {
    if (has_value(values[i])) top.Add({values[i], answer.ids.empty() ? i : answer.ids[i]});
  }
  std::vector<TopEntry> entries;
  for (const auto& [value, id] : top.Sorted()) entries.push_back({id, value});
  return entries;
}

Status RunForC(OpenedGraph& graph, const AlgorithmHelp& help, RunArguments& arguments,
               Caller& caller, RunAnswer* answer) {
  const cli::SharedOptions shared = graph.With(arguments.shared);
  const Resources resources = caller.ResourcesOf(shared.memory_bytes, shared.threads);
  Operation operation(resources);
  ASSIGN_OR_RETURN(RunOptions options, arguments.algorithm.Parse(arguments.set, operation.threads));
  options.algorithm = help.name;
  options.verify = arguments.verify;
  if (arguments.set.Given("--unreachable")) {
    RETURN_IF_ERROR(arguments.answer.CheckUnreachable(help));
  }
  ASSIGN_OR_RETURN(const auto open, graph.graph());
  ASSIGN_OR_RETURN(const StoreOfRun opened, StoreOfRun::Open(*open, operation));
  RETURN_IF_ERROR(arguments.algorithm.ReadInputs(
      opened.store(), {operation.budget, operation.progress, operation.threads}, options.algorithm,
      &options.values));
  ASSIGN_OR_RETURN(*answer, RunOn(opened, std::move(options), arguments.answer, operation));
  return OkStatus();
}

}  // namespace

HeldAnswer::HeldAnswer(std::shared_ptr<OpenedGraph> graph, RunAnswer answer)
    : graph_(std::move(graph)),
      answer_(std::move(answer)),
      headings_(Pointers(answer_.headings)),
      warnings_(Pointers(answer_.warnings)) {
  for (const ResultFact& fact : answer_.facts) {
    std::vector<edgemill_number>& numbers = numbers_.emplace_back();
    for (const auto& [name, value] : fact.numbers) {
      const auto* const real = std::get_if<double>(&value);
      const auto* const whole = std::get_if<uint64_t>(&value);
      numbers.push_back({.name = name.c_str(),
                         .is_real = real != nullptr,
                         .whole = whole == nullptr ? 0 : *whole,
                         .real = real == nullptr ? 0 : *real});
    }
    facts_.push_back({fact.name.c_str(), fact.text.c_str(), numbers.data(), numbers.size()});
  }
  const bool is_real = answer_.type == ResultType::kReal;
  info_ = {.column = answer_.column.c_str(),
           .type = static_cast<int32_t>(answer_.type),
           .num_vertices = answer_.num_vertices,
           .ids = answer_.ids.empty() ? nullptr : answer_.ids.data(),
           .headings = headings_.data(),
           .num_headings = headings_.size(),
           .values = is_real ? static_cast<const void*>(answer_.reals.data())
                             : static_cast<const void*>(answer_.integers.data()),
           .facts = facts_.data(),
           .num_facts = facts_.size(),
           .warnings = warnings_.data(),
           .num_warnings = warnings_.size(),
           .iterations = answer_.iterations,
           .seconds = answer_.seconds,
           .bytes_read = answer_.bytes_read};
}

StatusOr<std::vector<TopEntry>> TopOf(const RunAnswer& answer, uint64_t most) {
  const auto is_reached = [](uint64_t value) { return value != kUnreachedInteger; };
  switch (answer.top) {
    case TopKind::kGroups:
    case TopKind::kLabels:
      return Greatest(answer, GroupSizes(answer), most, [](uint64_t size) { return size > 0; });
    case TopKind::kValues:
      if (answer.type != ResultType::kReal) {
        return Greatest(answer, answer.integers, most, is_reached);
      }
      return Greatest(answer, answer.reals, most, [](double value) { return !std::isinf(value); });
    case TopKind::kNone:
      break;
  }
  return UsageError(StrCat(answer.column, "s have no order, and so there are no greatest ones: ",
                           "take the values themselves"));
}

}  // namespace edgemill::c

using edgemill::Status;
using edgemill::c::Guarded;

edgemill_error* edgemill_run(const edgemill_graph* graph, const char* algorithm,
                             const edgemill_call* call, edgemill_answer** answer) {
  return Guarded([&]() -> Status {
    const auto help = edgemill::AlgorithmCalled(algorithm);
    if (!help.has_value()) {
      return edgemill::cli::AlgorithmHelpText(algorithm).status();
    }
    edgemill::c::Caller caller(call);
    edgemill::c::RunArguments arguments(*help);
    RETURN_IF_ERROR(arguments.set.Parse(caller.arguments()));
    edgemill::RunAnswer result;
    RETURN_IF_ERROR(caller.Serve(
        [&] { return edgemill::c::RunForC(*graph->opened, *help, arguments, caller, &result); }));
    const auto held =
        std::make_shared<const edgemill::c::HeldAnswer>(graph->opened, std::move(result));
    *answer = std::make_unique<edgemill_answer>(edgemill_answer{held}).release();
    return edgemill::OkStatus();
  });
}

void edgemill_answer_free(edgemill_answer* answer) {
  if (edgemill::c::IsForked()) return;
  const std::unique_ptr<edgemill_answer> owned(answer);
}

const edgemill_answer_info* edgemill_answer_describe(const edgemill_answer* answer) {
  return &answer->held->info();
}

edgemill_error* edgemill_answer_top(const edgemill_answer* answer, edgemill_top* top,
                                    uint64_t* count) {
  return Guarded([&]() -> Status {
    ASSIGN_OR_RETURN(const std::vector<edgemill::TopEntry> entries,
                     edgemill::c::TopOf(answer->held->answer(), *count));
    *count = 0;
    for (const auto& [id, value] : entries) {
      const auto* const real = std::get_if<double>(&value);
      top[(*count)++] = {.id = id,
                         .whole = real == nullptr ? std::get<uint64_t>(value) : 0,
                         .real = real == nullptr ? 0 : *real};
    }
    return edgemill::OkStatus();
  });
}
