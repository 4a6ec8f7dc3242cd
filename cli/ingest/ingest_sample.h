// The first edges of an input, and what they take packed: for estimates.
#pragma once

#include <cstdint>
#include <vector>

#include "common/status.h"
#include "loaders/context/graph_schema.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// What a graph of some edges takes, as an ingest stores it.
struct PackedSample {
  double edges = 0;
  double vertices = 0;
  // Bits in all its columns:
  double neighbor_bits = 0;  // an edge
  double weight_bits = 0;    // an edge
  double offset_bits = 0;    // a vertex
};

struct IngestSample {
  double edges = 0;
  double input_bytes = 0;       // uncompressed
  double stored_bytes = 0;      // the same as stored
  double last_edges = 0;        // of the last chunk
  double last_input_bytes = 0;  // of it
  double seconds = 0;
  ExternalId max_id = 0;
  bool whole = false;            // the sample is all there is
  std::vector<uint64_t> keys;    // of its edges, in their order, by ids as read; wide ids are cut
  double sort_seconds = 0;       // sorting and packing them
  PackedSample packed;           // as a graph of them alone
  PackedSample half;             // as one of the first half of them
  double quarter_vertices = 0;   // different ends of the first quarter of them
  ExternalId half_max_id = 0;    // the largest of the first half
  double names = 0;              // how many name_bytes is of
  double name_bytes = 0;         // of a name, coded
  double half_name_bytes = 0;    // of one of every second name
  double stored_name_share = 1;  // of coded bytes, as stored
  double id_bits = 0;            // of an id as read, stored, where some do not occur
  double half_id_bits = 0;       // of one of every second id
  std::vector<InputLook> looks;
};

/// Reads the first chunks of `source`, some hundred thousand edges. Decides by them what `schema`
/// leaves open, as an ingest does, and packs them as it says.
StatusOr<IngestSample> DrawSample(EdgeSource& source, GraphSchema* schema);

}  // namespace edgemill::cli
