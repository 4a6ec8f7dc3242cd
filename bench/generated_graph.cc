#include "bench/generated_graph.h"

#include <memory>

#include "loaders/ingest/ingest.h"

namespace edgemill::bench {

Status MakeGeneratedGraph(const GeneratedGraphOptions& options, const std::string& path,
                          Progress& progress) {
  IngestOptions ingest;
  SetIngestDefaults(options.generator.kind, &ingest);
  if (options.weighted) ingest.weights.kind = WeightChoice::Kind::kRandom;
  if (options.by_degree) ingest.renumbering = Renumbering::kDegree;
  ingest.threads = options.threads;
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, MakeGenerator(options.generator));
  MemoryBudget budget(options.memory_bytes);
  const Status made = Ingest(*source, path, ingest, budget, progress).status();
  // Its maker removes it: nobody can resume.
  return made.code() == Code::kCancelled ? CancelledError("interrupted") : made;
}

}  // namespace edgemill::bench
