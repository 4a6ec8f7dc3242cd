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
#include "loaders/source/input_preview.h"
#include "loaders/source/name_hash.h"
#include "loaders/source/text_codes.h"
#include "storage/format/graph_info.h"

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
  /// Removes the entries that `drops` selects.
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

/// An edge, or a listed vertex as a loop, with the place where it was read: `where` is a text for
/// messages, `place` is for programs.
struct LocatedEdge {
  std::string where;
  FaultPlace place;
  ExternalId source = 0;
  ExternalId target = 0;
  double weight = 0;
  std::string source_name;  // if vertices have names
  std::string target_name;

  /// "SOURCE -> TARGET" for messages.
  std::string Text() const;
};
/// Some thousands of consecutive edges of an input, in its order.
struct EdgeChunk {
  /// The chunk's number in the input's order: 0, 1, 2, ..., for any number of threads.
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
  /// If vertices have names: those of edges' ends and of listed vertices, each at least once. The
  /// ids in `wide` are then hashes of names.
  NameList names;
  /// Bytes of input (uncompressed) that this chunk was parsed from: for progress.
  uint64_t input_bytes = 0;
  /// The same before decompression. Over all chunks they add up to EdgeSourceInfo::input_bytes,
  /// less the bytes before a Resume and the lines before the edges.
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
  /// Of an edge column, whose values stand in the place of the weights: what they mean, and the
  /// column's name in the input.
  ValueKind values = ValueKind::kNumber;
  std::string value_name;
  /// The format says that each line is one edge of both directions (MatrixMarket symmetric,
  /// .properties directed=false): the source gives it once, ingest stores both.
  bool undirected = false;
  /// The format holds both directions already (METIS, an undirected .sg). Some METIS files list one
  /// direction only: the value is false for METIS until Next has returned false, so ask again then.
  bool symmetric = false;
  /// The vertices are exactly the ids first_id .. first_id + *num_vertices - 1. (MatrixMarket, .gr
  /// and METIS count from 1.)
  std::optional<uint64_t> num_vertices;
  ExternalId first_id = 0;
  /// The least id that the formats of the inputs allow.
  ExternalId least_id = 0;
  /// In such a format (pairs of numbers), ids that do not occur are usually vertices too, up to the
  /// largest id.
  bool usually_dense = false;
  /// Vertices have names: ids are hashes by this seed.
  bool named = false;
  uint64_t name_seed = 0;
  /// Every vertex is listed in EdgeChunk::vertices; an edge of any other id is an error.
  bool has_vertex_list = false;
  /// Read again, also by another process, the edges come in the same order.
  bool ordered = true;
  /// How many edges the format declares or the file's size implies, for estimates only.
  std::optional<uint64_t> expected_edges;
  /// Bytes of input as stored on disk; 0 when unknown (pipes).
  uint64_t input_bytes = 0;
  /// How the first kMaxPreviews inputs of edges are understood.
  static constexpr size_t kMaxPreviews = 16;
  std::vector<InputPreview> previews;
  /// Notes for people: what was guessed about inputs, and which parts of them are ignored.
  std::vector<std::string> notes;
  /// The first input whose comment calls it undirected, as in SNAP's files. Reading ignores this.
  std::string called_undirected;
};

using EdgeMatch = std::function<bool(const LocatedEdge& edge)>;

/// How far a source has come, for progress.
struct SourcePlace {
  uint64_t stored_bytes = 0;  // stored bytes before the place
  /// Uncompressed bytes that must be read again before the next chunk, since reading of a
  /// compressed input or a pipe cannot start in the middle.
  uint64_t repeated_bytes = 0;
};

/// A stream of edges, cut into chunks.
class EdgeSource {
 public:
  virtual ~EdgeSource() = default;

  virtual const EdgeSourceInfo& info() const = 0;
  /// Hashes names by `seed` from now on. Called before the first Next and Resume.
  virtual void SetNameSeed(uint64_t /*seed*/) {}

  /// Fills `chunk` with the next chunk that no caller has taken; false at the end. Thread-safe:
  /// several threads parse in parallel, so chunks come out of order, with numbers. After an error,
  /// every further call returns an error. `chunk->sequence` is then the number of the bad chunk, or
  /// all ones when cancelled. When several chunks are bad, the caller keeps the error with the
  /// lowest sequence, which is the first in input order.
  virtual StatusOr<bool> Next(EdgeChunk* chunk) = 0;

  /// What decides which edges come, in which order: texts of two sources are equal only if both
  /// read the same inputs in the same way, as far as this is known without reading all.
  virtual std::string identity() const { return {}; }

  /// Opaque text with which Resume continues after chunk `sequence`. The caller has stored this
  /// chunk and all before it safely. Thread-safe.
  virtual StatusOr<std::string> PositionAfter(uint64_t sequence) = 0;
  /// Continues from a position that a source with the same inputs and options gave. Called before
  /// the first Next. BadDataError when an input has changed since then.
  virtual Status Resume(const std::string& position) = 0;

  /// How far chunks were taken so far, including what lies before the position of a Resume.
  /// Thread-safe.
  virtual SourcePlace place() const { return {}; }

  /// The first edge of the input that `match` selects, with the place where it was read. `where` is
  /// empty when the place is unknown, as for pipes and generators. May read the input again, also
  /// while other threads call Next.
  virtual StatusOr<LocatedEdge> Locate(const EdgeMatch&) const { return LocatedEdge{}; }

  /// Opens the same edges again, in the same order. The values of edge column `column` of the
  /// options stand in the place of the weights; those of a column of texts are numbers in `codes`.
  /// UsageError when there is no such column, or the edges can be read only once.
  virtual StatusOr<std::unique_ptr<EdgeSource>> WithColumn(
      size_t /*column*/, std::shared_ptr<TextCodes> /*codes*/) const {
    return UsageError("--column: the edges have no columns: give files of CSV or Parquet");
  }

  /// How many bad lines were skipped so far (--bad-lines).
  virtual uint64_t bad_lines() const { return 0; }
};

}  // namespace edgemill
