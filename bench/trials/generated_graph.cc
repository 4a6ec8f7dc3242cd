#include "bench/trials/generated_graph.h"

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
  CreateOptions create;
  create.uuid = options.uuid;
  create.block_edges = ingest.block_edges;
  create.page_blocks = ingest.page_blocks;
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphWriter> writer, GraphWriter::Create(path, create));
  MemoryBudget budget(options.memory_bytes);
  return IngestInto(*source, *writer, ingest, budget, progress).status();
}

}  // namespace edgemill::bench
