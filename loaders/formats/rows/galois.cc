// Galois's binary graphs (.gr): uint64 version (1 or 2), bytes of an edge's data, vertices, edges;
// uint64 ends[vertices]; targets of 32 (version 1) or 64 bits; then the edges' data. If the number
// of edges is odd, padding of one target's size may come before the data.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "loaders/formats/rows/csr_input.h"
#include "loaders/formats/rows/row_formats.h"

namespace edgemill {
namespace {

constexpr std::string_view kGaloisKind = "a binary graph of Galois";
constexpr size_t kGaloisHeaderBytes = 32;

/// The type as which edges' data is read. The file does not say it. Galois's programs use integers.
StatusOr<CsrWeight> DataTypeOf(const ReopeningStream& stream, uint64_t bytes, WeightMode mode) {
  const bool real = mode == WeightMode::kFloat;
  if (bytes == 0 || mode == WeightMode::kNone) return CsrWeight::kNone;
  if (bytes == 4) return real ? CsrWeight::kFloat32 : CsrWeight::kUint32;
  if (bytes == 8) return real ? CsrWeight::kFloat64 : CsrWeight::kInt64;
  return ByteError(stream.name(), 8,
                   StrCat("edges with data of ", bytes,
                          " bytes, which is not a weight: --weights none leaves it out"));
}

/// Reads and checks the header at the front of the file.
Status ReadGaloisHeader(const ReopeningStream& stream, std::string_view head, WeightMode weights,
                        CsrShape* shape, CsrPlaces* places) {
  const auto refuse = [&](uint64_t offset, std::string_view reason) {
    return RefuseByte(stream, offset, reason, kGaloisKind);
  };
  if (head.size() < kGaloisHeaderBytes) return refuse(head.size(), "a header cut short");
  std::array<uint64_t, 4> words;
  std::memcpy(words.data(), head.data(), kGaloisHeaderBytes);
  const auto [version, data_bytes, vertices, edges] = words;
  if (version != 1 && version != 2) return refuse(0, "a version that is neither 1 nor 2");
  if (data_bytes > 1024) return refuse(8, "an impossible size of an edge's data");
  if (vertices > kMaxCsrNumbers) return refuse(16, "an impossible number of vertices");
  if (edges > kMaxCsrNumbers) return refuse(24, "an impossible number of edges");
  ASSIGN_OR_RETURN(shape->weight, DataTypeOf(stream, data_bytes, weights));
  shape->keeps_weights = shape->weight != CsrWeight::kNone;
  shape->weights_apart = true;
  shape->num_vertices = vertices;
  shape->num_edges = edges;
  shape->target_bytes = version == 1 ? 4 : 8;
  shape->stored_edge_bytes = shape->edge_bytes();
  places->ends = kGaloisHeaderBytes;
  places->targets = kGaloisHeaderBytes + 8 * vertices;
  places->weights = places->targets + shape->target_bytes * edges;
  const uint64_t padding = edges % 2 * shape->target_bytes;
  const uint64_t min_bytes = places->weights + data_bytes * edges;
  const uint64_t stored = stream.stored_bytes();
  if (!stream.seekable()) {  // the size is unknown: assumes padding only in version 1
    places->weights += version == 1 ? padding : 0;
    places->file_bytes = min_bytes + (version == 1 ? padding : 0);
    return OkStatus();
  }
  places->weights += stored - min_bytes == padding ? padding : 0;
  places->file_bytes = stored;
  if (stored == min_bytes || stored == min_bytes + padding) return OkStatus();
  return refuse(std::min(stored, min_bytes),
                StrCat("a file of ", stored, " bytes where ", vertices, " vertices and ", edges,
                       " edges take ", min_bytes + padding));
}

}  // namespace

bool IsGalois(std::string_view head) {
  if (head.size() < 8) return false;
  uint64_t version;
  std::memcpy(&version, head.data(), sizeof(version));
  return version == 1 || version == 2;
}

StatusOr<std::unique_ptr<Input>> MakeGaloisInput(ReopeningStream stream, InputSpec spec,
                                                 const ReadOptions& options) {
  RETURN_IF_ERROR(RefusePipe(stream, kGaloisKind));
  CsrShape shape{.kind = kGaloisKind};
  CsrPlaces places;
  ASSIGN_OR_RETURN(const InputStream* const opened, stream.EnsureOpen());
  RETURN_IF_ERROR(ReadGaloisHeader(stream, opened->head(), options.weights, &shape, &places));
  ASSIGN_OR_RETURN(auto lists, OpenBinaryCsrLists(std::move(stream), spec, shape, places));
  std::vector<std::string> notes;
  if (options.weights == WeightMode::kAuto && shape.keeps_weights) {
    notes.push_back(StrCat(lists->stream().name(), ": the edges' data, of ", shape.weight_bytes(),
                           " bytes, is read as integers: --weights float reads it as floating "
                           "point"));
  }
  return MakeCsrInput(std::move(lists), options, std::move(notes));
}

}  // namespace edgemill
