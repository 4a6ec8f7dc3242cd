// Where ingest takes edges from: files (loaders/read/edge_reader.h) or a generator
// (loaders/generate/generator.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "loaders/source/input_look.h"
#include "loaders/source/name_hash.h"

namespace edgemill {

struct NarrowEdge {
  uint32_t source;
  uint32_t target;
};
struct WideEdge {
  uint64_t source;
  uint64_t target;
};

/// Names of vertices, with their bytes.
class NameList {
 public:
  struct Entry {
    uint64_t id;  // HashName's
    uint32_t offset;
    uint32_t length;
  };

  const Entry& Add(uint64_t id, std::string_view name) {
    entries_.push_back({id, static_cast<uint32_t>(bytes_.size()), uint32_t(name.size())});
    bytes_ += name;
    return entries_.back();
  }
  const std::vector<Entry>& entries() const { return entries_; }
  std::string_view TextOf(const Entry& entry) const {
    return std::string_view(bytes_).substr(entry.offset, entry.length);
  }
  /// The name with this id; empty when there is none. Slow.
  std::string_view Find(uint64_t id) const;
  /// Removes those that `drops` selects.
  template <typename Drops>
  void DropIf(Drops drops) {
    std::erase_if(entries_, drops);
  }
  bool empty() const { return entries_.empty(); }
  uint64_t memory_bytes() const { return entries_.capacity() * sizeof(Entry) + bytes_.capacity(); }
  /// Empties the list, keeping its memory.
  void Clear() {
    entries_.clear();
    bytes_.clear();
  }

 private:
  std::vector<Entry> entries_;
  std::string bytes_;
};

/// An edge, or a listed vertex as a loop, with where it was read: text for messages, and by keys.
struct LocatedEdge {
  std::string where;
  FaultPlace place;
  ExternalId source = 0;
  ExternalId target = 0;
  double weight = 0;
  std::string source_name;  // where vertices have names
  std::string target_name;

  /// "SOURCE -> TARGET" for messages.
  std::string Text() const;
};
/// Some thousands of consecutive edges of an input, in its order.
struct EdgeChunk {
  /// Position in the input's order, from 0 without holes, whatever the thread count.
  uint64_t sequence = 0;
  /// The edges. Ids that fit 32 bits (below 2^32 - 1) come in `narrow`; a chunk that holds a larger
  /// id has all its edges in `wide` instead.
  std::vector<NarrowEdge> narrow;
  std::vector<WideEdge> wide;
  /// One weight an edge when the source is weighted, otherwise empty. Exact: integers up to 2^53.
  std::vector<double> weights;
  /// Ids listed as vertices rather than by an edge (Graphalytics .v, adjacency lines without
  /// targets).
  std::vector<ExternalId> vertices;
  /// Where vertices have names: those of the edges' ends, whose ids in `wide` are their hashes',
  /// and of listed vertices; each at least once.
  NameList names;
  /// Bytes of input (uncompressed) that this chunk was parsed from: for progress.
  uint64_t input_bytes = 0;
  /// The same as stored, so before decompression: they sum up to EdgeSourceInfo::input_bytes, less
  /// what was read before a Resume, and lines before the edges.
  uint64_t stored_bytes = 0;

  size_t num_edges() const { return narrow.empty() ? wide.size() : narrow.size(); }
  /// Edge `i` without its place and names, which NameEnds adds.
  LocatedEdge Edge(size_t i) const;
  void NameEnds(LocatedEdge* edge) const;
  /// Empties the chunk, keeping its memory for the next use.
  void Clear();
};

/// What an input declares, known once it is open.
struct EdgeSourceInfo {
  std::vector<std::string> names;  // the files, or the generator with its parameters
  bool weighted = false;
  /// Every weight is an integer, by the format's rule (.gr, METIS, MatrixMarket integer, .wsg).
  bool integer_weights = false;
  /// The format says that each line is one edge of both directions (MatrixMarket symmetric,
  /// .properties directed=false): the source gives it once, ingest stores both.
  bool undirected = false;
  /// The format holds both directions already (METIS, an undirected .sg). Of METIS files, which in
  /// practice list either, it is false at first and known once Next has returned false: ask again
  /// then.
  bool symmetric = false;
  /// Vertices are exactly 0 .. *num_vertices - 1 in the ids that the source gives (MatrixMarket,
  /// .gr and METIS count from 1: then first_id is 1 and they are 1 .. *num_vertices).
  std::optional<uint64_t> num_vertices;
  ExternalId first_id = 0;
  /// No input has an id below it, by the rules of their formats.
  ExternalId least_id = 0;
  /// Ids that do not occur are customarily vertices too, up to the largest (pairs of numbers).
  bool keeps_range = false;
  /// Vertices have names: ids are hashes by this seed.
  bool named = false;
  uint64_t name_seed = 0;
  /// Every vertex is listed in EdgeChunk::vertices; an edge of any other id is an error.
  bool has_vertex_list = false;
  /// Edges the format declares or the file's size implies; for estimates only.
  std::optional<uint64_t> expected_edges;
  /// Bytes of input as stored on disk; 0 when unknown (pipes).
  uint64_t input_bytes = 0;
  /// How inputs of edges are understood, of the first kMaxLooks.
  static constexpr size_t kMaxLooks = 16;
  std::vector<InputLook> looks;
  /// Notes for people: what was guessed about inputs, and which parts of them are ignored.
  std::vector<std::string> notes;
  /// The first input that a comment calls undirected (SNAP's do); edges are read as they are.
  std::string called_undirected;
};

using EdgeMatch = std::function<bool(const LocatedEdge& edge)>;

/// How far a source has come, for progress.
struct SourcePlace {
  uint64_t stored_bytes = 0;  // before it, as stored
  /// Uncompressed bytes that must be read again before the next chunk: a compressed input, or a
  /// pipe, cannot go on in the middle.
  uint64_t repeated_bytes = 0;
};

/// A stream of edges, cut into chunks.
class EdgeSource {
 public:
  virtual ~EdgeSource() = default;

  virtual const EdgeSourceInfo& info() const = 0;
  /// Hashes names by `seed` from now on; before the first Next and Resume.
  virtual void SetNameSeed(uint64_t /*seed*/) {}

  /// Fills `chunk` with the next chunk that no caller has taken; false at the end. Thread-safe:
  /// several threads call it to parse in parallel, so chunks come out of order but numbered. After
  /// an error every further call returns an error. When several chunks are bad, the error is that
  /// of the first in input order: the caller keeps the error with the lowest sequence.
  /// `chunk->sequence` names it on error too (also on further calls after an error; all ones when
  /// cancelled).
  virtual StatusOr<bool> Next(EdgeChunk* chunk) = 0;

  /// Opaque text from which Resume goes on after chunk `sequence` (which, and all before it, the
  /// caller has stored safely). Thread-safe.
  virtual StatusOr<std::string> PositionAfter(uint64_t sequence) = 0;
  /// Goes on from a position that a source of the same inputs and options gave; before the first
  /// Next. BadDataError when the input has changed since (size or content at the position).
  virtual Status Resume(const std::string& position) = 0;

  /// What was taken so far, after a Resume what lies before its position. Thread-safe.
  virtual SourcePlace place() const { return {}; }

  /// Where the first edge of the input that `match` selects was read; `where` is empty when that
  /// cannot be told, as of pipes and generators. May read the input once more, beside Next.
  virtual StatusOr<LocatedEdge> Locate(const EdgeMatch&) const { return LocatedEdge{}; }

  /// Lines that were bad and skipped (--bad-lines), so far.
  virtual uint64_t bad_lines() const { return 0; }
};

}  // namespace edgemill
