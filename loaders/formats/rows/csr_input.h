// Compressed sparse rows: the end of each vertex's list, and the lists one after the other. GAPBS,
// Galois, Ligra and PBBS write graphs in this form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// A file that declares more vertices or edges than this is damaged. The limit is low enough that
/// sizes in bytes fit in 64 bits.
inline constexpr uint64_t kMaxCsrNumbers = uint64_t{1} << 48;

/// The type of weights in memory.
enum class CsrWeight { kNone, kInt32, kUint32, kInt64, kFloat32, kFloat64 };

/// How lists become edges, if not as those of each vertex's targets.
struct CsrSides {
  bool lists_hold_sources = false;
  /// In a bipartite graph, lists hold other vertices than those that have lists: `others` of them,
  /// which may be none.
  bool bipartite = false;
  uint64_t others = 0;
  /// Added to a vertex that has a list, and to one in a list. One of them is 0.
  uint64_t list_shift = 0;
  uint64_t target_shift = 0;
};

/// The facts that a file of rows declares, and the form of its edges in memory.
struct CsrShape {
  std::string_view kind;  // for messages: "a serialized graph of GAPBS"
  uint64_t num_vertices = 0;
  uint64_t num_edges = 0;
  bool symmetric = false;
  size_t target_bytes = 4;  // 4 or 8
  CsrWeight weight = CsrWeight::kNone;
  bool keeps_weights = false;
  bool weights_apart = false;    // all weights after all targets; else each after its target
  size_t stored_edge_bytes = 4;  // the least bytes of an edge in the file
  bool integer_weights = false;  // weights of a type for real numbers are integers
  CsrSides sides;

  size_t weight_bytes() const;
  size_t edge_bytes() const { return target_bytes + weight_bytes(); }
};

/// Reads the lists of a file in order. Not thread-safe, except functions that say so.
class CsrLists {
 public:
  explicit CsrLists(const CsrShape& shape) : shape_(shape) {}
  virtual ~CsrLists() = default;

  const CsrShape& shape() const { return shape_; }
  /// A stream of the file, for its name, size and fingerprint.
  virtual const ReopeningStream& stream() const = 0;
  virtual bool seekable() const { return stream().seekable(); }
  /// See Input.
  virtual std::optional<uint64_t> decompressed_bytes() const {
    return stream().decompressed_bytes();
  }

  /// Goes to the list of `vertex`, and to `edge` in this list, or to where the list begins.
  virtual Status Start(uint64_t vertex, uint64_t edge) = 0;
  /// Returns the next end in the file: the number of edges up to the end of the next vertex's list.
  virtual StatusOr<uint64_t> NextEnd() = 0;
  /// Reads the next `count` edges, edge_bytes() each.
  virtual Status ReadEdges(size_t count, char* into) = 0;
  /// Checks that nothing follows the last edge.
  virtual Status CheckEnd() = 0;
  virtual void CloseWhileIdle() = 0;

  /// The BadDataError for the end of `vertex`'s list, which was read last, or for `edge`.
  /// RefuseEdge is thread-safe.
  virtual Status RefuseEnd(uint64_t vertex, std::string_view reason) const = 0;
  virtual Status RefuseEdge(uint64_t edge, std::string_view reason) const = 0;

 protected:
  CsrShape shape_;
};

/// The offsets of the arrays of a binary file.
struct CsrPlaces {
  uint64_t ends = 0;         // 64 bits for each vertex
  bool starts_at_0 = false;  // a 0 comes before the ends
  uint64_t targets = 0;
  uint64_t weights = 0;  // if CsrShape::weights_apart
  uint64_t file_bytes = 0;
};

/// Makes the lists of a binary file with this shape. `stream` reads the file, and `spec` opens it
/// again for the other arrays.
StatusOr<std::unique_ptr<CsrLists>> OpenBinaryCsrLists(ReopeningStream stream,
                                                       const InputSpec& spec, const CsrShape& shape,
                                                       const CsrPlaces& places);

/// Makes an input of `lists`. The user sees `notes`. Ids are below shape.num_vertices; with --base
/// 1, they are also at least 1. BadDataError if there are no vertices and --base is 1.
StatusOr<std::unique_ptr<Input>> MakeCsrInput(std::unique_ptr<CsrLists> lists,
                                              const ReadOptions& options,
                                              std::vector<std::string> notes = {});

/// Opens the file once more, to read it in several places at once.
StatusOr<ReopeningStream> OpenAgain(const InputSpec& spec);
/// Returns UsageError if the stream is not a regular file, which alone can be opened again.
Status RefusePipe(const ReopeningStream& stream, std::string_view kind);
/// "NAME: byte N: reason: the file is damaged, or not KIND".
Status RefuseByte(const ReopeningStream& stream, uint64_t offset, std::string_view reason,
                  std::string_view kind);

}  // namespace edgemill
