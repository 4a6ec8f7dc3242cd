#include "engine/run/run.h"

#include <numeric>
#include <utility>

#include "edgemill/edgemill.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "engine/cost/calibration_file.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/names/vertex_called.h"
#include "engine/run/algorithm_help.h"

namespace edgemill {
namespace {

Device DeviceOf(RunDevice device) {
  switch (device) {
    case RunDevice::kCpu:
      return Device::kCpu;
    case RunDevice::kGpu:
      return Device::kGpu;
    case RunDevice::kHybrid:
      return Device::kHybrid;
    case RunDevice::kAuto:
      break;
  }
  return Device::kAuto;
}

/// Puts ranks in the place of vertices' names among the values.
Status FindNames(const GraphStore& store, const std::string& algorithm, Operation& operation,
                 OptionValues* values) {
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(algorithm);
  const OptionDeclaration* const source = help.has_value() ? help->Find("--source") : nullptr;
  const OptionValue* const given = values->Find("--source");
  if (source == nullptr || given == nullptr) return OkStatus();
  const std::string* const name = std::get_if<std::string>(&given->variant());
  if (name == nullptr) return OkStatus();
  ASSIGN_OR_RETURN(const ExternalId id,
                   VertexCalled(*name, store, operation.threads, operation.budget));
  values->Set("--source", InputVertex{id});
  return OkStatus();
}

Status CopyColumn(RunResult& result, RunAnswer* answer) {
  const uint64_t num_vertices = result.num_vertices();
  const bool real = result.type() == ResultType::kReal;
  answer->column = result.value_name();
  real ? answer->reals.reserve(num_vertices) : answer->integers.reserve(num_vertices);
  uint64_t next = 0;  // the id of the next vertex while ids are 0, 1, 2, and so on
  return result.Visit([&](std::span<const VertexValue> values) {
    for (const VertexValue& value : values) {
      if (answer->ids.empty() && value.id != next) {
        answer->ids.reserve(num_vertices);
        answer->ids.resize(next);
        std::iota(answer->ids.begin(), answer->ids.end(), ExternalId{0});
      }
      if (value.id != next || !answer->ids.empty()) answer->ids.push_back(value.id);
      ++next;
      if (real) {
        answer->reals.push_back(value.reached ? value.real
                                              : std::numeric_limits<double>::infinity());
      } else {
        answer->integers.push_back(value.reached ? value.integer : kUnreachedInteger);
      }
    }
    return OkStatus();
  });
}

}  // namespace

StatusOr<RunAnswer> Run(const Graph& graph, const std::string& algorithm,
                        const OptionValues& values, const RunSettings& settings) {
  Operation operation(settings.resources);
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store, OpenForRun(graph, operation.budget));
  RunOptions options;
  options.algorithm = algorithm;
  options.values = values;
  RETURN_IF_ERROR(FindNames(*store, algorithm, operation, &options.values));
  options.device = DeviceOf(settings.device);
  options.threads = operation.threads;
  options.verify = settings.verify;
  ASSIGN_OR_RETURN(options.gpu.calibration, CalibrationForRun(""));
  // A value and an id, of 8 bytes each.
  options.writing_bytes = graph.info().num_vertices * 2 * sizeof(uint64_t);
  ASSIGN_OR_RETURN(const std::unique_ptr<RunResult> result,
                   Run(*store, options, operation.budget, operation.progress));
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   operation.budget.Reserve(options.writing_bytes, "the answer"));
  RunAnswer answer;
  RETURN_IF_ERROR(CopyColumn(*result, &answer));
  answer.facts = result->facts();
  answer.warnings = result->warnings();
  answer.iterations = result->report().num_iterations;
  answer.seconds = result->report().run_seconds;
  answer.bytes_read = result->report().bytes_read;
  return answer;
}

StatusOr<std::vector<std::string>> ReadNames(const Graph& graph, const Resources& resources) {
  std::vector<std::string> names;
  if (!graph.has_names()) return names;
  Operation operation(resources);
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store, OpenForRun(graph, operation.budget));
  ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                   LookUpReader(*store, operation.threads, operation.budget));
  NameCursor cursor(*store, *reader);
  cursor.Seek(0);
  names.reserve(graph.info().num_vertices);
  while (names.size() < graph.info().num_vertices) {
    ASSIGN_OR_RETURN(const std::string_view name, cursor.Next());
    names.emplace_back(name);
  }
  return names;
}

std::string_view Version() { return EDGEMILL_VERSION; }

}  // namespace edgemill
