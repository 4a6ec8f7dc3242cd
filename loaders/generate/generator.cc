#include "loaders/generate/generator.h"

#include <utility>

#include "common/check.h"
#include "loaders/generate/generator_source.h"

namespace edgemill {
namespace {

/// GAP's kRandSeed.
constexpr uint64_t kGapSeed = 27491095;

constexpr std::pair<std::string_view, GeneratorKind> kKinds[] = {
    {"kron", GeneratorKind::kKron},       {"rmat", GeneratorKind::kRmat},
    {"uniform", GeneratorKind::kUniform}, {"web", GeneratorKind::kWeb},
    {"grid", GeneratorKind::kGrid},       {"road", GeneratorKind::kRoad},
    {"path", GeneratorKind::kPath},       {"star", GeneratorKind::kStar}};

std::string_view KindName(GeneratorKind kind) {
  for (const auto& [name, value] : kKinds) {
    if (value == kind) return name;
  }
  return "";
}

bool UsesScaleOnly(GeneratorKind kind) {
  return kind == GeneratorKind::kKron || kind == GeneratorKind::kRmat;
}

Status CheckOptions(const GeneratorOptions& options, uint64_t num_vertices, uint64_t num_edges) {
  if (options.scale < 0 || options.scale > 31) {
    return UsageError(StrCat("scale ", options.scale, ": give 0 to 31"));
  }
  if (num_vertices > kMaxVertices) {
    return UsageError(StrCat(num_vertices, " vertices: a graph has at most ", kMaxVertices));
  }
  if (num_edges > kMaxEdges) {
    return UsageError(StrCat(num_edges, " edges: a graph has at most 2^48"));
  }
  if (UsesScaleOnly(options.kind) && options.num_vertices != 0 &&
      options.num_vertices != uint64_t{1} << options.scale) {
    return UsageError(StrCat(KindName(options.kind), " graphs have 2^scale vertices"));
  }
  const double sum = options.a + options.b + options.c;
  if (!(options.a >= 0 && options.b >= 0 && options.c >= 0 && sum <= 1)) {
    return UsageError("the chances of rmat's quadrants must be at least 0, and at most 1 in all");
  }
  return OkStatus();
}

GeneratorPlan MakePlan(const GeneratorOptions& options, uint64_t num_vertices, uint64_t num_edges,
                       uint64_t seed) {
  switch (options.kind) {
    case GeneratorKind::kKron:
      return PlanRmat(options.scale, num_edges, {.57, .19, .19}, seed, true);
    case GeneratorKind::kRmat:
      return PlanRmat(options.scale, num_edges, {options.a, options.b, options.c}, seed, false);
    case GeneratorKind::kUniform:
      return PlanUniform(num_vertices, num_edges, seed);
    case GeneratorKind::kWeb:
      return PlanWeb(num_vertices, options.edge_factor, seed);
    case GeneratorKind::kGrid:
      return PlanGrid(num_vertices, false, seed);
    case GeneratorKind::kRoad:
      return PlanGrid(num_vertices, true, seed);
    case GeneratorKind::kPath:
      return PlanPath(num_vertices);
    case GeneratorKind::kStar:
      break;
  }
  return PlanStar(num_vertices);
}

}  // namespace

StatusOr<bool> GeneratorSource::Next(EdgeChunk* chunk) {
  chunk->Clear();
  const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  chunk->sequence = number;
  if (number >= num_chunks_) return false;
  CHECK(make_);
  make_(number, chunk);
  return true;
}

StatusOr<std::string> GeneratorSource::PositionAfter(uint64_t sequence) {
  return StrCat(sequence + 1);
}

Status GeneratorSource::Resume(const std::string& position) {
  uint64_t next = 0;
  if (!ParseNumber(position, &next) || next > num_chunks_) {
    return BadDataError(StrCat("the ingest was started with a graph other than ", info_.names[0]));
  }
  next_.store(next, std::memory_order_relaxed);
  return OkStatus();
}

std::vector<std::string> GeneratorKindNames() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kKinds) names.emplace_back(name);
  return names;
}

StatusOr<GeneratorKind> ParseGeneratorKind(std::string_view name) {
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return UsageError(StrCat("no kind of graph is called ", name,
                           ": use kron, rmat, uniform, web, grid, road, path or star"));
}

StatusOr<std::unique_ptr<EdgeSource>> MakeGenerator(const GeneratorOptions& options) {
  if (options.scale < 0 || options.scale > 31) {
    return UsageError(StrCat("scale ", options.scale, ": give 0 to 31"));
  }
  const uint64_t num_vertices = options.num_vertices != 0 && !UsesScaleOnly(options.kind)
                                    ? options.num_vertices
                                    : uint64_t{1} << options.scale;
  if (options.edge_factor > kMaxEdges / num_vertices) {
    return UsageError(StrCat("edge factor ", options.edge_factor, ": more than 2^48 edges"));
  }
  const uint64_t num_edges =
      options.num_edges != 0 ? options.num_edges : num_vertices * options.edge_factor;
  RETURN_IF_ERROR(CheckOptions(options, num_vertices, num_edges));
  const uint64_t seed = options.seed != 0 ? options.seed : kGapSeed;
  GeneratorPlan plan = MakePlan(options, num_vertices, num_edges, seed);
  if (plan.num_vertices > kMaxVertices) {
    return UsageError(StrCat(plan.num_vertices, " vertices: a graph has at most ", kMaxVertices));
  }
  EdgeSourceInfo info;
  info.names = {StrCat(KindName(options.kind), " of ", plan.num_vertices, " vertices")};
  info.weighted = plan.weighted;
  info.integer_weights = plan.weighted;
  info.undirected = plan.undirected;
  info.num_vertices = plan.num_vertices;
  info.expected_edges = plan.expected_edges;
  return std::unique_ptr<EdgeSource>(
      std::make_unique<GeneratorSource>(std::move(info), plan.num_chunks, std::move(plan.make)));
}

void SetIngestDefaults(GeneratorKind kind, IngestOptions* options) {
  const bool as_gap = kind == GeneratorKind::kKron || kind == GeneratorKind::kUniform;
  if (as_gap) options->keep_loops = false;
  if (as_gap || kind == GeneratorKind::kWeb) options->duplicates = DuplicateRule::kFirst;
}

}  // namespace edgemill
