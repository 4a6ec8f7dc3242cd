// Compressed sparse rows: where each vertex's list ends, and the lists one behind another. GAPBS,
// Galois, Ligra and PBBS write graphs so.
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

/// Files that say more of vertices or edges are damaged: so few that their bytes can be counted.
inline constexpr uint64_t kMaxCsrNumbers = uint64_t{1} << 48;

/// What weights are in memory.
enum class CsrWeight { kNone, kInt32, kUint32, kInt64, kFloat32, kFloat64 };

/// What a file of rows says of itself, and how its edges are in memory.
struct CsrShape {
  std::string_view kind;  // for messages: "a serialized graph of GAPBS"
  uint64_t num_vertices = 0;
  uint64_t num_edges = 0;
  bool symmetric = false;
  size_t target_bytes = 4;  // 4 or 8
  CsrWeight weight = CsrWeight::kNone;
  bool keeps_weights = false;
  bool weights_apart = false;    // behind the targets; else each behind its target
  size_t stored_edge_bytes = 4;  // what an edge takes in the file at least

  size_t weight_bytes() const;
  size_t edge_bytes() const { return target_bytes + weight_bytes(); }
};

/// The lists of a file, read in order. Not thread-safe, but where said.
class CsrLists {
 public:
  explicit CsrLists(const CsrShape& shape) : shape_(shape) {}
  virtual ~CsrLists() = default;

  const CsrShape& shape() const { return shape_; }
  /// One that stands for the file: its name, size and fingerprint.
  virtual const ReopeningStream& stream() const = 0;
  virtual bool seekable() const { return stream().seekable(); }
  /// See Input.
  virtual std::optional<uint64_t> decompressed_bytes() const {
    return stream().decompressed_bytes();
  }

  /// Goes to the list of `vertex` and to `edge`, which is in it or behind lists before it.
  virtual Status Start(uint64_t vertex, uint64_t edge) = 0;
  /// How many edges there are up to the end of the next vertex's list, as the file has it.
  virtual StatusOr<uint64_t> NextEnd() = 0;
  /// Reads the next `count` edges, edge_bytes() each.
  virtual Status ReadEdges(size_t count, char* into) = 0;
  /// That nothing is behind the last edge.
  virtual Status CheckEnd() = 0;
  virtual void CloseWhileIdle() = 0;

  /// BadDataError at the end of `vertex`'s list, which was read last, or at `edge` (thread-safe).
  virtual Status RefuseEnd(uint64_t vertex, std::string_view reason) const = 0;
  virtual Status RefuseEdge(uint64_t edge, std::string_view reason) const = 0;

 protected:
  CsrShape shape_;
};

/// Where the numbers of a binary file are.
struct CsrPlaces {
  uint64_t ends = 0;         // 64 bits a vertex
  bool starts_at_0 = false;  // a 0 is before them
  uint64_t targets = 0;
  uint64_t weights = 0;  // where they are apart
  uint64_t file_bytes = 0;
};

/// `shape` of the file that `stream` reads from its front and that is opened by `spec` again.
StatusOr<std::unique_ptr<CsrLists>> OpenBinaryCsrLists(ReopeningStream stream,
                                                       const InputSpec& spec, const CsrShape& shape,
                                                       const CsrPlaces& places);

/// The input of such lists, of which `notes` are said to people. Ids are below shape.num_vertices,
/// or from 1 to less with --base 1. BadDataError without vertices where --base is 1.
StatusOr<std::unique_ptr<Input>> MakeCsrInput(std::unique_ptr<CsrLists> lists,
                                              const ReadOptions& options,
                                              std::vector<std::string> notes = {});

/// A second, or third, place of a file to be read at once.
StatusOr<ReopeningStream> OpenAgain(const InputSpec& spec);
/// UsageError for what cannot be opened again.
Status RefusePipe(const ReopeningStream& stream, std::string_view kind);
/// "NAME: byte N: reason: the file is damaged, or not KIND".
Status RefuseByte(const ReopeningStream& stream, uint64_t offset, std::string_view reason,
                  std::string_view kind);

}  // namespace edgemill
