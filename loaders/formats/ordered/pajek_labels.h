// The labels of a Pajek network's vertices, by which edges call them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/formats/ordered/ordered_parser.h"

namespace edgemill {

/// Labels take at most so much memory.
inline constexpr uint64_t kMaxPajekLabelBytes = uint64_t{512} << 20;

/// How vertices are called.
enum class PajekIds {
  kNumbers,       // by their numbers in the file, 1 to N
  kLabelNumbers,  // by their labels, which are numbers
  kLabels,        // by their labels, as names
};

/// The labels of the vertices 1, 2, ... A vertex without a label is called by its number.
class PajekLabels {
 public:
  /// `base` is the least number that a label may be.
  PajekLabels(PajekIds ids, uint64_t base) : ids_(ids), base_(base) {}

  /// Sets the label of `vertex`, from 1. Returns false and sets `error` for a label that cannot be
  /// one.
  bool Set(uint64_t vertex, std::string_view label, FieldError* error);
  /// The bytes that the labels take, and would take with one of `vertex`.
  uint64_t BytesWith(uint64_t vertex) const;
  /// How edges call `vertex`. The name is valid until the next call that Gets into `number`.
  VertexRef Get(uint64_t vertex, std::string* number) const;
  /// Finds two vertices that are called the same. "" if there are none, else what is wrong.
  /// `num_vertices` is the number of all vertices. Takes time and memory for sorting the labels.
  std::string FindTwins(uint64_t num_vertices) const;

 private:
  struct Place {
    uint64_t begin = 0;
    uint32_t size = 0;  // 0: the vertex has no label
  };
  bool Has(uint64_t vertex) const;
  std::string_view TextOf(uint64_t vertex) const;

  PajekIds ids_;
  uint64_t base_;
  std::string text_;               // of kLabels
  std::vector<Place> places_;      // of kLabels, by vertex - 1
  std::vector<uint64_t> numbers_;  // of kLabelNumbers, by vertex - 1; kNoLabel: none
};

}  // namespace edgemill
