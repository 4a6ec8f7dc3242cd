#include "loaders/stages/id_stage.h"

#include "common/check.h"
#include "common/units.h"
#include "loaders/stages/wide_stage.h"

namespace edgemill {
namespace {

/// In a format that usually has a range of ids, the range is kept if it has at most this many ids
/// for each id that occurs.
constexpr uint64_t kMaxIdsPerDistinct = 1024;

/// The ids of a range that is declared, by the input or by `choice`.
StatusOr<DecidedIds> DeclaredIds(const EdgeSourceInfo& info, const IdChoice& choice,
                                 const IntakeStats& stats, const EdgeErrorLocator& places) {
  const std::string_view by = choice.num_vertices.has_value() ? "--vertices" : "the input";
  const uint64_t num_vertices = choice.num_vertices.value_or(info.num_vertices.value_or(0));
  if (num_vertices > kMaxVertices) {
    return BadDataError(
        StrCat(by, " declares ", num_vertices, " vertices; a graph has at most ", kMaxVertices));
  }
  const bool may_be_from_1 = info.least_id == 1 || stats.max_id == num_vertices;
  const bool from_1 = stats.any_id() && stats.min_id > 0 && may_be_from_1;
  const uint64_t first = info.num_vertices.has_value() ? info.first_id : uint64_t{from_1};
  if (stats.any_id() && (stats.max_id >= first + num_vertices || stats.min_id < first)) {
    const uint64_t bad = stats.min_id < first ? stats.min_id : stats.max_id;
    return places.At(
        [bad](const LocatedEdge& edge) { return edge.source == bad || edge.target == bad; },
        BadDataError(StrCat("vertex id ", bad, " is outside the ", num_vertices, " vertices that ",
                            by, " declares")));
  }
  return DecidedIds{IdRanks::Dense(static_cast<uint32_t>(first), num_vertices),
                    StrCat("dense: ", by, " declares the vertices")};
}

/// The ids of an input whose ids are all in `sets`.
StatusOr<DecidedIds> SeenAsChosen(const EdgeSourceInfo& info, const IdChoice& choice,
                                  const IntakeStats& stats, IdSets& sets, MemoryBudget& budget) {
  const uint32_t base = stats.min_id == 0 ? 0 : 1;
  const uint64_t dense_vertices = stats.max_id + 1 - base;
  const uint64_t distinct = sets.seen.has_value() ? sets.seen->Count(stats.max_id) : 0;
  bool dense = choice.mode == IdMode::kDense;
  DecidedIds decided;
  if (choice.mode == IdMode::kAuto) {
    const bool keeps_range = info.usually_dense && !info.has_vertex_list &&
                             dense_vertices <= kMaxIdsPerDistinct * distinct;
    dense = dense_vertices == distinct || keeps_range;
    decided.reason = StrCat(dense ? "dense" : "sparse", ": ", FormatCount(distinct),
                            " distinct ids, the largest ", stats.max_id);
  } else {
    decided.reason = dense ? "dense: as asked for" : "sparse: as asked for";
  }
  if (choice.mode == IdMode::kDense && info.has_vertex_list && dense_vertices != distinct) {
    decided.reason = "dense: as asked for; ids that the vertex list leaves out are vertices too";
  }
  if (dense) {
    decided.ids = IdRanks::Dense(base, dense_vertices);
  } else {
    CHECK(sets.seen.has_value());  // unset only for a range
    ASSIGN_OR_RETURN(decided.ids, IdRanks::Sparse(std::move(*sets.seen), stats.max_id, budget));
  }
  sets.seen.reset();
  return decided;
}

}  // namespace

StatusOr<DecidedIds> DecideIds(const IngestContext& context, const GraphSchema& schema,
                               const IdChoice& choice, const ReadEdges& read) {
  const auto& [stats, sets, edges] = read;
  const EdgeSourceInfo& info = context.source.info();
  if (choice.FollowsRange(info)) return DeclaredIds(info, choice, stats, context.places);
  if (!stats.any_id()) return DecidedIds{IdRanks::Dense(0, 0), "dense: there are no vertices"};
  if (edges.wide.has_value()) {
    DecidedIds decided{{}, StrCat("sparse: ids up to ", stats.max_id)};
    ASSIGN_OR_RETURN(decided.ids, ResolveWideIds(context, schema, read));
    return decided;
  }
  if (sets.listed.has_value()) {
    CHECK(sets.seen.has_value());
    const uint64_t missing = sets.seen->FirstMissing(*sets.listed, stats.max_id);
    if (missing < sets.seen->limit()) {
      return ExplainUnlisted(context.places, *edges.forward, missing);
    }
    sets.MarkListedAsSeen();
  }
  return SeenAsChosen(info, choice, stats, sets, context.budget);
}

}  // namespace edgemill
