// Graphs that benchmarks make for themselves.
#pragma once

#include <string>

#include "common/os/memory_budget.h"
#include "common/os/uuid.h"
#include "common/progress.h"
#include "common/status.h"
#include "loaders/generate/generator.h"

namespace edgemill::bench {

/// What to make.
struct GeneratedGraphOptions {
  GeneratorOptions generator;
  bool weighted = false;  // random weights, 1 to 255
  bool by_degree = false;
  int threads = 1;
  uint64_t memory_bytes = 0;  // for making it
  Uuid uuid = Uuid::Generate();
};

/// Makes a graph at `path`, which must not exist. Returns the errors of Ingest. The caller removes
/// the graph, and also what remains after an error.
Status MakeGeneratedGraph(const GeneratedGraphOptions& options, const std::string& path,
                          Progress& progress);

}  // namespace edgemill::bench
