// Files with pairs of vertices, a pair a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/session.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/output/pairs/pair_similarity.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Pairs in the order of a file.
struct InputPairs {
  std::vector<std::pair<ExternalId, ExternalId>> ids;  // where vertices have names, their ranks
  std::vector<VertexPair> vertices;
  /// Where vertices have names: those of a pair, one after the other, without marks between them.
  /// Name i, two for each pair, ends at name_ends[i].
  std::string names;
  std::vector<uint64_t> name_ends;
  MemoryReservation memory;

  std::string_view NameOf(size_t i) const {
    const uint64_t begin = i == 0 ? 0 : name_ends[i - 1];
    return std::string_view(names).substr(begin, name_ends[i] - begin);
  }
};

/// Reads lines of two vertices from `path`, with blanks, a tab or a comma between. "-" is standard
/// input. The file may be compressed (InputStream). A vertex is an id, or a name as it is or in
/// quotes, as AppendNameField writes it. Leaves out empty lines, lines that begin with # or %, and
/// a byte-order mark. If the first line is a header, leaves it out with a note: neither of its
/// columns is a vertex.
///
/// Returns BadDataError, with the line, for any other line, and for one with an id or a name that
/// no vertex has. Also returns BudgetError, and the errors of InputStream, NameDictionary and
/// IdMap.
StatusOr<InputPairs> ReadPairs(const std::string& path, const GraphStore& store,
                               BlockReader& reader, const Means& means);

}  // namespace edgemill::cli
