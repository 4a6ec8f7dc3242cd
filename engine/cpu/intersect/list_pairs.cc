#include "engine/cpu/intersect/list_pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/check.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/cpu/intersect/marked_list.h"

namespace edgemill {
namespace {

/// A larger stage reads no faster.
constexpr uint64_t kAmpleStage = uint64_t{4} << 20;  // entries
/// The share of the memory for lists that lists which pass by get.
constexpr uint64_t kPassingShare = 8;
/// The least share of all lists that are kept at a time: all others pass by so often.
constexpr uint64_t kMostRereads = 64;

/// At most so many neighbours have lower rank, in an order by degrees that are right but for a
/// sixteenth: each of them has as many neighbours itself.
uint64_t LongestByDegrees(const GraphInfo& info) {
  const double ends = static_cast<double>(info.num_edges) * (info.directed ? 2 : 1);
  return std::min<uint64_t>(info.num_vertices, static_cast<uint64_t>(std::sqrt(ends * 1.07)) + 1);
}

uint64_t MostEntries(const GraphInfo& info) {
  return info.directed ? info.num_edges : info.num_edges / 2;
}

uint32_t MostHubs(const GraphInfo& info) {
  return static_cast<uint32_t>(std::min<uint64_t>(info.num_vertices, HubRows::kMostHubs));
}

/// How memory is shared out.
struct Shares {
  uint64_t stage_entries = 0;
  uint32_t num_hubs = 0;
  uint64_t fixed = 0;    // bytes beside lists
  uint64_t kept = 0;     // bytes of lists
  uint64_t passing = 0;  // likewise; 0: all lists are kept
};

/// What is used beside lists.
uint64_t FixedBytes(const GraphInfo& info, int threads, uint64_t longest, const Shares& shares,
                    bool arcs) {
  return VertexOrder::SizeBytes(info) +
         ListLoader::SizeBytes(info, threads, {longest, shares.stage_entries}) +
         HubRows::SizeBytes(shares.num_hubs, arcs) +
         static_cast<uint64_t>(threads) * MarkedListBytes(longest, shares.num_hubs);
}

uint64_t StageBytes(uint64_t entries, bool arcs) {
  return OrientedLists::SizeBytes(entries, entries, arcs);
}

uint64_t AllLists(const GraphInfo& info, bool arcs) {
  return OrientedLists::SizeBytes(info.num_vertices, MostEntries(info), arcs);
}

Shares LeastShares(const GraphInfo& info, int threads, uint64_t longest, bool arcs) {
  Shares shares{.stage_entries = ListLoader::LeastStage(info, longest),
                .num_hubs = std::min(MostHubs(info), 1024u)};
  shares.fixed = FixedBytes(info, threads, longest, shares, arcs);
  shares.passing = StageBytes(shares.stage_entries, arcs);
  shares.kept = std::max(shares.passing, AllLists(info, arcs) / kMostRereads);
  return shares;
}

Shares AmpleShares(const GraphInfo& info, int threads, uint64_t longest, bool arcs) {
  const uint64_t least = ListLoader::LeastStage(info, longest);
  const uint64_t all = std::max<uint64_t>(info.num_edges, info.num_vertices);
  Shares shares{.stage_entries = std::max(least, std::min(kAmpleStage, all)),
                .num_hubs = MostHubs(info)};
  shares.fixed = FixedBytes(info, threads, longest, shares, arcs);
  shares.kept = std::max(AllLists(info, arcs), StageBytes(shares.stage_entries, arcs));
  return shares;
}

/// Shares out `bytes`. BudgetError.
StatusOr<Shares> ShareOut(const GraphInfo& info, int threads, uint64_t longest, bool arcs,
                          uint64_t bytes) {
  const Shares ample = AmpleShares(info, threads, longest, arcs);
  if (ample.fixed + ample.kept <= bytes) return ample;
  Shares shares = LeastShares(info, threads, longest, arcs);
  const uint64_t least = shares.fixed + shares.kept + shares.passing;
  if (least > bytes) {
    return BudgetError(StrCat("lists of up to ", longest, " neighbours to intersect take ",
                              FormatBytes(least), ", and ", FormatBytes(bytes), " are left"));
  }
  // A share of what is left makes fewer and larger stages, and rows for more hubs.
  while (shares.stage_entries < ample.stage_entries || shares.num_hubs < ample.num_hubs) {
    Shares more = shares;
    more.stage_entries = std::min(shares.stage_entries * 2, ample.stage_entries);
    more.num_hubs = std::min(shares.num_hubs * 2, ample.num_hubs);
    more.fixed = FixedBytes(info, threads, longest, more, arcs);
    more.passing = StageBytes(more.stage_entries, arcs);
    if (more.fixed + 2 * more.passing > bytes / 4) break;
    shares = more;
  }
  const uint64_t left = bytes - shares.fixed;
  shares.passing = std::max(shares.passing, left / kPassingShare);
  shares.kept = left - shares.passing;
  CHECK_GE(shares.kept, StageBytes(shares.stage_entries, arcs));
  return shares;
}

}  // namespace

ListMemory ListMemoryOf(const GraphInfo& info, int threads, bool arcs) {
  arcs &= info.directed;
  const uint64_t longest = LongestByDegrees(info);
  const Shares least = LeastShares(info, threads, longest, arcs);
  const Shares ample = AmpleShares(info, threads, longest, arcs);
  const uint64_t least_bytes = least.fixed + least.kept + least.passing;
  return {least_bytes, std::max(least_bytes, ample.fixed + ample.kept)};
}

StatusOr<ListPairs> ListPairs::Create(LoadedGraph& graph, uint64_t bytes, bool arcs) {
  ListPairs pairs(graph);
  MemoryBudget& budget = graph.budget();
  ASSIGN_OR_RETURN(VertexOrder order, VertexOrder::Of(graph));
  pairs.order_ = std::make_unique<VertexOrder>(std::move(order));
  pairs.longest_ = ListLoader::LongestList(graph, *pairs.order_);
  ASSIGN_OR_RETURN(const Shares shares,
                   ShareOut(graph.info(), graph.threads(), pairs.longest_, arcs, bytes));
  ASSIGN_OR_RETURN(ListLoader loader, ListLoader::Create(graph, *pairs.order_, arcs,
                                                         {pairs.longest_, shares.stage_entries}));
  pairs.loader_.emplace(std::move(loader));
  ASSIGN_OR_RETURN(pairs.rows_, HubRows::Create(shares.num_hubs, arcs, budget));
  const uint64_t num_vertices = graph.num_vertices();
  ASSIGN_OR_RETURN(OrientedLists kept,
                   OrientedLists::Create(shares.kept, num_vertices, arcs, budget));
  pairs.kept_.emplace(std::move(kept));
  if (shares.passing > 0) {
    ASSIGN_OR_RETURN(OrientedLists passing,
                     OrientedLists::Create(shares.passing, num_vertices, arcs, budget));
    pairs.passing_.emplace(std::move(passing));
  }
  return pairs;
}

void ListPairs::StartPass() {
  const GraphInfo& info = graph_.info();
  const uint64_t edges = info.num_edges * (info.directed ? 2 : 1);
  const uint64_t lists = MostEntries(info);  // advance again where they meet others
  if (!passing_.has_value()) return graph_.progress().StartPass(edges + lists);
  const uint64_t parts = AllLists(info, false) / std::max<uint64_t>(1, kept_->bytes()) + 1;
  const uint64_t passes = order_->is_by_id() ? parts / 2 + 1 : parts;
  graph_.progress().StartPass(edges + passes * (edges + lists));
}

Status ListPairs::ForEach(Recorder& recorder,
                          const std::function<Status(const ListPair& pair)>& visit) {
  const uint64_t num_vertices = graph_.num_vertices();
  StartPass();
  for (VertexId begin = 0; begin < num_vertices; begin = kept_->end()) {
    kept_->Clear(begin);
    RETURN_IF_ERROR(loader_->Fill(*kept_, recorder));
    rows_->Build(*kept_, *order_);
    if (kept_->begin() == 0 && kept_->end() == num_vertices) {
      return visit({*kept_, *kept_, *rows_, /*is_first=*/true});
    }
    if (!passing_.has_value()) {  // half of the edges fit, by their number
      return BadDataError(
          StrCat(graph_.store().path(), ": some edges are stored in one direction alone"));
    }
    // Where ranks are ids, lists of vertices before `begin` have no neighbour in `kept_`.
    const bool is_first = begin == 0;
    passing_->Clear(order_->is_by_id() ? begin : 0);
    while (passing_->begin() < num_vertices) {
      RETURN_IF_ERROR(loader_->Fill(*passing_, recorder));
      RETURN_IF_ERROR(visit({*passing_, *kept_, *rows_, is_first}));
      passing_->Clear(passing_->end());
    }
  }
  return OkStatus();
}

}  // namespace edgemill
