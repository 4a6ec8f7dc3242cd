#include "loaders/formats/bv/bv_places.h"

#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "common/strings.h"

namespace edgemill {
namespace {

class OffsetPlaces final : public BvPlaces {
 public:
  OffsetPlaces(const BvShape& shape, const InputStream& offsets, const InputStream& graph)
      : shape_(shape),
        stream_(offsets),
        graph_(graph),
        feed_(offsets),
        lists_feed_(graph),
        bits_(feed_, 0),
        lists_(lists_feed_, 0),
        list_(shape) {}

  /// The file has a difference for each vertex, and one more. The first is 0.
  StatusOr<BvPlace> Next() override {
    const uint64_t begin = end_, vertex = vertex_++;
    if (vertex == 0) {
      const uint64_t first = bits_.Number(shape_.offsets, shape_.zeta_k);
      if (first != 0) return Refuse("does not begin with 0");
    }
    end_ += bits_.Number(shape_.offsets, shape_.zeta_k);
    RETURN_IF_ERROR(feed_.status());
    if (bits_.ended()) return Refuse("is cut short");
    lists_.Seek(begin);
    const std::string_view wrong = list_.ReadFront(lists_, vertex);
    RETURN_IF_ERROR(lists_feed_.status());
    if (!wrong.empty()) return RefuseBvList(graph_.name(), begin, vertex, wrong);
    return BvPlace{end_, list_.degree()};
  }

 private:
  Status Refuse(std::string_view what) const {
    return ByteError(stream_.name(), bits_.bit() / 8,
                     StrCat("the file of offsets ", what,
                            ": remove it, and the graph is read without it, but not in parallel"));
  }

  const BvShape& shape_;
  const InputStream& stream_;
  const InputStream& graph_;
  StreamFeed feed_, lists_feed_;
  BitReader bits_, lists_;
  BvListReader list_;
  uint64_t end_ = 0;
};

class GraphPlaces final : public BvPlaces {
 public:
  GraphPlaces(const BvShape& shape, const InputStream& stream)
      : stream_(stream), feed_(stream), bits_(feed_, 0), list_(shape), degrees_(shape.window + 1) {}

  StatusOr<BvPlace> Next() override {
    const uint64_t begin = bits_.bit(), vertex = vertex_++;
    std::string_view wrong = list_.ReadFront(bits_, vertex);
    if (wrong.empty()) {
      DegreeOf(vertex) = list_.degree();
      const uint64_t reference = list_.reference();
      wrong = list_.SkipRest(bits_, reference == 0 ? 0 : DegreeOf(vertex - reference));
    }
    RETURN_IF_ERROR(feed_.status());
    if (wrong.empty()) return BvPlace{bits_.bit(), list_.degree()};
    return RefuseBvList(stream_.name(), begin, vertex, wrong);
  }

 private:
  uint64_t& DegreeOf(uint64_t vertex) { return degrees_[vertex % degrees_.size()]; }

  const InputStream& stream_;
  StreamFeed feed_;
  BitReader bits_;
  BvListReader list_;
  std::vector<uint64_t> degrees_;  // of the last lists
};

}  // namespace

std::span<const uint8_t> StreamFeed::From(uint64_t first) {
  const uint64_t size = stream_.stored_bytes();
  const size_t bytes = std::min<uint64_t>(kBlockBytes, size - std::min(size, first));
  block_.resize(bytes);
  if (status_.ok()) status_ = CheckCancelled();
  if (bytes > 0 && status_.ok()) {
    status_ = stream_.ReadAt(std::as_writable_bytes(std::span(block_)), first);
  }
  if (!status_.ok()) block_.clear();
  return block_;
}

std::unique_ptr<BvPlaces> PlacesInOffsets(const BvShape& shape, const InputStream& offsets,
                                          const InputStream& graph) {
  return std::make_unique<OffsetPlaces>(shape, offsets, graph);
}

std::unique_ptr<BvPlaces> PlacesInGraph(const BvShape& shape, const InputStream& graph) {
  return std::make_unique<GraphPlaces>(shape, graph);
}

Status RefuseBvList(const std::string& name, uint64_t bit, uint64_t vertex, std::string_view what) {
  return ByteError(name, bit / 8,
                   StrCat("the list of vertex ", vertex, " ", what,
                          ": the file is damaged, or not what its .properties say"));
}

}  // namespace edgemill
