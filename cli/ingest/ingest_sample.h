// The first edges of an input, and their size when packed, for estimates.
#pragma once

#include <cstdint>
#include <vector>

#include "common/status.h"
#include "loaders/context/graph_schema.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// The size of a graph of some edges, as an ingest stores it.
struct PackedSample {
  double edges = 0;
  double vertices = 0;
  // Bits in all its columns:
  double neighbor_bits = 0;  // of an edge
  double weight_bits = 0;    // of an edge
  double offset_bits = 0;    // of a vertex
};

struct IngestSample {
  double edges = 0;
  double input_bytes = 0;       // uncompressed
  double stored_bytes = 0;      // the same bytes as stored, perhaps compressed
  double last_edges = 0;        // of the last chunk
  double last_input_bytes = 0;  // of the last chunk
  double seconds = 0;
  ExternalId max_id = 0;
  bool whole = false;            // the sample is the whole input
  std::vector<uint64_t> keys;    // of its edges, in their order, by ids as read; wide ids are cut
  double sort_seconds = 0;       // of sorting and packing the edges
  PackedSample packed;           // a graph of all of the edges
  PackedSample half;             // a graph of their first half
  double quarter_vertices = 0;   // different ends of their first quarter
  ExternalId half_max_id = 0;    // the largest id in their first half
  double names = 0;              // the number of names that name_bytes is measured on
  double name_bytes = 0;         // mean of a coded name
  double half_name_bytes = 0;    // the same, of every second name
  double stored_name_share = 1;  // bytes of names as stored / coded bytes
  double id_bits = 0;            // mean of an id as read, when stored because ids have gaps
  double half_id_bits = 0;       // the same, of every second id
  std::vector<InputPreview> previews;
};

/// Reads the first chunks of `source`, some hundred thousand edges. Decides by them what `schema`
/// leaves open, as an ingest does, and packs them as it says.
StatusOr<IngestSample> DrawSample(EdgeSource& source, GraphSchema* schema);

}  // namespace edgemill::cli
