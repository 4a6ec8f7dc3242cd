// GAPBS's serialized graphs (.sg, .wsg): bool directed; int64 edges, vertices; int64
// offsets[vertices + 1]; int32 neighbours (with int32 weights in .wsg). In directed graphs, offsets
// and neighbours of the in-lists follow.
#include <algorithm>
#include <cstring>
#include <utility>

#include "loaders/formats/rows/csr_input.h"
#include "loaders/formats/rows/row_formats.h"

namespace edgemill {
namespace {

constexpr std::string_view kSerializedKind = "a serialized graph of GAPBS";
constexpr size_t kSerializedHeaderBytes = 1 + 8 + 8;

/// Reads and checks the header at the front of the file.
Status ReadSerializedHeader(const ReopeningStream& stream, std::string_view head, CsrShape* shape,
                            CsrPlaces* places) {
  const auto refuse = [&](uint64_t offset, std::string_view reason) {
    return RefuseByte(stream, offset, reason, kSerializedKind);
  };
  if (head.size() < kSerializedHeaderBytes) return refuse(head.size(), "a header cut short");
  const unsigned char directed = static_cast<unsigned char>(head[0]);
  int64_t edges;
  int64_t vertices;
  std::memcpy(&edges, &head[1], sizeof(edges));
  std::memcpy(&vertices, &head[9], sizeof(vertices));
  if (directed > 1) return refuse(0, "a 'directed' flag that is neither 0 nor 1");
  if (edges < 0 || edges > int64_t{1} << 48) return refuse(1, "an impossible number of edges");
  if (vertices < 0 || vertices > int64_t{1} << 31) {
    return refuse(9, "an impossible number of vertices");
  }
  shape->num_edges = static_cast<uint64_t>(edges);
  shape->num_vertices = static_cast<uint64_t>(vertices);
  shape->symmetric = directed == 0;
  const uint64_t offsets_bytes = 8 * (shape->num_vertices + 1);
  const uint64_t part = offsets_bytes + shape->num_edges * shape->edge_bytes();
  places->starts_at_0 = true;
  places->ends = kSerializedHeaderBytes + 8;
  places->targets = kSerializedHeaderBytes + offsets_bytes;
  places->file_bytes = kSerializedHeaderBytes + part * (1 + directed);
  const uint64_t stored = stream.stored_bytes();
  if (!stream.seekable() || stored == places->file_bytes) return OkStatus();
  return refuse(std::min(stored, places->file_bytes),
                StrCat("a file of ", stored, " bytes where ", shape->num_vertices, " vertices and ",
                       shape->num_edges, " edges take ", places->file_bytes));
}

}  // namespace

StatusOr<std::unique_ptr<Input>> MakeSerializedInput(ReopeningStream stream, InputSpec spec,
                                                     const ReadOptions& options, bool weighted) {
  RETURN_IF_ERROR(RefusePipe(stream, kSerializedKind));
  CsrShape shape{.kind = kSerializedKind};
  if (weighted) shape.weight = CsrWeight::kInt32;
  shape.keeps_weights = weighted && options.weights != WeightMode::kNone;
  shape.stored_edge_bytes = shape.edge_bytes();
  CsrPlaces places;
  ASSIGN_OR_RETURN(const InputStream* const opened, stream.EnsureOpen());
  RETURN_IF_ERROR(ReadSerializedHeader(stream, opened->head(), &shape, &places));
  ASSIGN_OR_RETURN(auto lists, OpenBinaryCsrLists(std::move(stream), spec, shape, places));
  return MakeCsrInput(std::move(lists), options);
}

}  // namespace edgemill
