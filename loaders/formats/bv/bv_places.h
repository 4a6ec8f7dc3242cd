// Where the lists of a BV graph begin.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/formats/bv/bv_list.h"
#include "loaders/formats/bv/bv_shape.h"
#include "loaders/stream/input_stream.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Reads a file of bits in order, in blocks. Keeps the first error.
class StreamFeed final : public ByteFeed {
 public:
  explicit StreamFeed(const InputStream& stream) : stream_(stream) {}
  std::span<const uint8_t> From(uint64_t first) override;
  const Status& status() const { return status_; }

 private:
  static constexpr size_t kBlockBytes = size_t{256} << 10;

  const InputStream& stream_;
  std::vector<uint8_t> block_;
  Status status_;
};

/// Of one list.
struct BvPlace {
  uint64_t end = 0;     // where the next list begins, in bits of the graph's file
  uint64_t degree = 0;  // its neighbours
};

/// Gives the places of lists in order. Not thread-safe.
class BvPlaces {
 public:
  virtual ~BvPlaces() = default;
  virtual StatusOr<BvPlace> Next() = 0;

 protected:
  uint64_t vertex_ = 0;
};

/// Places from the .offsets file, and degrees from the graph's. All must outlive them.
std::unique_ptr<BvPlaces> PlacesInOffsets(const BvShape& shape, const InputStream& offsets,
                                          const InputStream& graph);
/// Places by passing over the lists in the graph's file.
std::unique_ptr<BvPlaces> PlacesInGraph(const BvShape& shape, const InputStream& graph);

/// BadDataError "NAME: byte N: the list of vertex V WHAT: the file is damaged, ...".
Status RefuseBvList(const std::string& name, uint64_t bit, uint64_t vertex, std::string_view what);

}  // namespace edgemill
