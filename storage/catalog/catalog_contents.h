// All of a catalog's records, read in one pass and checked against each other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/status.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_records.h"

namespace edgemill {

/// The records except the pages, which are passed to the caller one by one.
struct CatalogContents {
  HeaderRecord header;
  std::string header_bytes;  // as stored
  std::vector<DirectoryRecord> directories;
  std::map<SegmentKey, uint64_t> segments;     // lengths
  std::map<std::string, std::string> journal;  // unfinished graphs
};

/// The header record alone, its version checked. MissingError when there is none, because creation
/// was stopped before.
StatusOr<HeaderRecord> ReadHeader(Catalog& catalog);

/// Reads every record once. Calls `on_header` first and then `on_page` for each page, columns and
/// pages rising. BadDataError unless the root hash fits. Pages must be numbered without holes, and
/// be full except the last of a column. Blocks must lie one after the other in segments that are
/// exactly as long. Their counts and bytes must add up to the header's and, in a whole graph, to
/// its vertices and edges. Cost: reads the whole catalog.
Status ReadCatalog(Catalog& catalog, CatalogContents* contents,
                   const std::function<Status(const HeaderRecord& header)>& on_header,
                   const std::function<Status(ColumnKind column, const PageRecord& page)>& on_page);

}  // namespace edgemill
