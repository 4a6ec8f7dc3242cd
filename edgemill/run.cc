#include "engine/run/run.h"

#include <numeric>
#include <utility>

#include "edgemill/edgemill.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "edgemill/run_on.h"
#include "engine/cost/calibration_file.h"
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
Status FindVertices(const GraphStore& store, const std::string& algorithm, Operation& operation,
                    OptionValues* values) {
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(algorithm);
  if (!help.has_value()) return OkStatus();
  for (const OptionDeclaration& option : help->options) {
    if (option.kind != OptionKind::kVertex && option.kind != OptionKind::kVertices) continue;
    const OptionValue* const given = values->Find(option.long_name());
    if (given == nullptr) continue;
    const std::string* const name = std::get_if<std::string>(&given->variant());
    if (name == nullptr) continue;
    ASSIGN_OR_RETURN(const ExternalId id,
                     VertexCalled(*name, store, operation.threads, operation.budget));
    values->Set(option.long_name(), InputVertex{id});
  }
  return OkStatus();
}

/// Copies the vertices' ids and values to an answer.
class ColumnCopy {
 public:
  ColumnCopy(uint64_t num_vertices, RunAnswer* answer)
      : is_real_(answer->type == ResultType::kReal), answer_(*answer) {
    answer_.num_vertices = num_vertices;
    const uint64_t num_values = answer_.num_vertices * answer_.headings.size();
    is_real_ ? answer_.reals.resize(num_values) : answer_.integers.resize(num_values);
  }

  /// What it takes of the memory: the values, and an id for each vertex.
  static uint64_t SizeBytes(uint64_t num_vertices, uint64_t num_headings) {
    return num_vertices * (1 + num_headings) * sizeof(uint64_t);
  }

  void Add(const VertexValue& value) {
    if (heading_ == 0) AddId(value.id);
    const uint64_t at = heading_ * answer_.num_vertices + vertex_;
    if (is_real_) {
      answer_.reals[at] = value.reached ? value.real : std::numeric_limits<double>::infinity();
    } else {
      answer_.integers[at] = value.reached ? value.integer : kUnreachedInteger;
    }
    if (++heading_ < answer_.headings.size()) return;
    heading_ = 0;
    ++vertex_;
  }

 private:
  void AddId(ExternalId id) {
    std::vector<ExternalId>& ids = answer_.ids;
    if (ids.empty() && id != vertex_) {
      ids.reserve(answer_.num_vertices);
      ids.resize(vertex_);
      std::iota(ids.begin(), ids.end(), ExternalId{0});
    }
    if (id != vertex_ || !ids.empty()) ids.push_back(id);
  }

  const bool is_real_;
  RunAnswer& answer_;
  uint64_t vertex_ = 0;   // of the next value
  uint64_t heading_ = 0;  // of the next value
};

Status CopyColumns(RunResult& result, MemoryBudget& budget, RunAnswer* answer) {
  const uint64_t num_vertices = result.num_vertices();
  const uint64_t bytes = ColumnCopy::SizeBytes(num_vertices, answer->headings.size());
  ASSIGN_OR_RETURN(const MemoryReservation memory, budget.Reserve(bytes, "the answer"));
  ColumnCopy copy(num_vertices, answer);
  return result.Visit([&](std::span<const VertexValue> values) {
    for (const VertexValue& value : values) copy.Add(value);
    return OkStatus();
  });
}

}  // namespace

StatusOr<RunAnswer> RunOn(const StoreOfRun& opened, RunOptions options, const cli::AnswerFile& file,
                          Operation& operation) {
  const GraphStore& store = opened.store();
  options.shared_reader = opened.reader();
  if (!file.wanted()) {
    options.writing_bytes = ColumnCopy::SizeBytes(store.info().num_vertices, 1);
  } else if (!file.is_file()) {
    return UsageError("--output -: standard output is the program's: name a file");
  } else {
    RETURN_IF_ERROR(file.CheckPath());
    RETURN_IF_ERROR(file.CheckNamesPath(store));
    if (const auto help = AlgorithmCalled(options.algorithm)) {
      options.writing_bytes = file.MemoryBytes(store, help->Column(options.values));
    }
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<RunResult> result,
                   Run(store, options, operation.budget, operation.progress));
  RunAnswer answer;
  answer.column = result->value_name();
  answer.type = result->type();
  answer.top = result->top_kind();
  answer.headings = result->headings();
  if (file.wanted()) {
    RETURN_IF_ERROR(
        file.Write(*result, store, {operation.budget, operation.progress, operation.threads}));
  } else {
    RETURN_IF_ERROR(CopyColumns(*result, operation.budget, &answer));
  }
  answer.facts = result->facts();
  answer.warnings = result->warnings();
  answer.iterations = result->report().num_iterations;
  answer.seconds = result->report().run_seconds;
  answer.bytes_read = result->report().bytes_read;
  return answer;
}

StatusOr<RunAnswer> Run(const Graph& graph, const std::string& algorithm,
                        const OptionValues& values, const RunSettings& settings) {
  Operation operation(settings.resources);
  ASSIGN_OR_RETURN(const StoreOfRun opened, StoreOfRun::Open(graph, operation));
  RunOptions options;
  options.algorithm = algorithm;
  options.values = values;
  RETURN_IF_ERROR(FindVertices(opened.store(), algorithm, operation, &options.values));
  options.device = DeviceOf(settings.device);
  options.threads = operation.threads;
  options.verify = settings.verify;
  ASSIGN_OR_RETURN(options.gpu.calibration, CalibrationForRun(""));
  return RunOn(opened, std::move(options), cli::AnswerFile(settings.output), operation);
}

std::string_view Version() { return EDGEMILL_VERSION; }

}  // namespace edgemill
