// The labels of a Pajek network's vertices, by which edges call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/formats/ordered/ordered_parser.h"

namespace edgemill {

/// How vertices are called.
enum class PajekIds {
  kNumbers,       // by their numbers in the file, 1 to N
  kLabelNumbers,  // by their labels, which are numbers
  kLabels,        // by their labels, as names
};

/// How much there is of labels.
struct PajekLabelSpace {
  uint64_t vertices = 0;     // the largest number of a vertex that has a label
  uint64_t text_bytes = 0;   // of labels that are names
  uint64_t limit_bytes = 0;  // what labels may take in memory, at most
  /// The bytes in memory of so many labels.
  uint64_t NeededBytes() const;
};

/// The labels of the vertices 1, 2, ... A vertex without a label is called by its number.
class PajekLabels {
 public:
  /// Two vertices that are called the same.
  struct Twins {
    std::string what;
    uint64_t line = 0;  // of the second label
  };

  /// `base` is the least number that a label may be. Takes memory for what `space` expects.
  PajekLabels(PajekIds ids, uint64_t base, const PajekLabelSpace& space);

  /// Makes room for a label of so many bytes. Returns false at the limit.
  bool MakeRoom(uint64_t vertex, size_t label_bytes);
  /// Sets the label of `vertex`, from 1, after MakeRoom for it. Returns false and sets `error` for
  /// a label that cannot be one.
  bool Set(uint64_t vertex, std::string_view label, uint64_t line, FieldError* error);
  /// How edges call `vertex`. The name is valid until the next call that Gets into `number`.
  VertexRef Get(uint64_t vertex, std::string* number) const;
  /// Finds two vertices that are called the same; nullopt if there are none. `num_vertices` is the
  /// number of all vertices. Sorts the labels. CancelledError when a stop was requested meanwhile.
  StatusOr<std::optional<Twins>> FindTwins(uint64_t num_vertices) const;

 private:
  struct Place {
    uint64_t begin = 0;  // in text_; or the label, if labels are numbers
    uint32_t size = 0;   // 0: the vertex has no label
    uint32_t line = 0;
  };
  bool Has(uint64_t vertex) const;
  std::string_view TextOf(uint64_t vertex) const;
  std::string Shown(uint64_t vertex) const;
  std::optional<Twins> FindNumberOfOther(uint64_t vertex, uint64_t num_vertices) const;

  PajekIds ids_;
  uint64_t base_;
  uint64_t limit_bytes_;
  std::vector<char> text_;     // of kLabels
  std::vector<Place> places_;  // by vertex - 1
};

}  // namespace edgemill
