// What a driver returns beside its arrays: a column of the answer, and facts.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/types.h"
#include "engine/report/result_type.h"

namespace edgemill {

/// A column of an answer, with one value for each vertex, as the algorithm declares it.
struct ResultColumn {
  std::string_view name;  // "level"
  ResultType type = ResultType::kCount;
  bool real_like_weights = false;  // kReal on graphs with real weights
  TopKind top = TopKind::kNone;
  uint32_t default_top = 0;      // the number of vertices shown, unless the user gives one
  std::string_view option = {};  // the flag that selects this column instead of the first; or none
  bool may_miss = false;         // unreachable vertices have no value
};

/// Something that a run found out about the graph as a whole: a line for people, and numbers with
/// names that say what they count, for programs.
struct ResultFact {
  std::string name;  // "reached"
  std::string text;  // "1,234 of 5,000"
  std::vector<std::pair<std::string, std::variant<uint64_t, double>>>
      numbers;  // {"reached_vertices", 1234}
  bool operator==(const ResultFact&) const = default;
};

/// Which edges edges/s counts, once for each of Answer::passes.
enum class CountedEdges : uint8_t {
  kAll,      // all edges of the graph
  kReached,  // out-edges of the vertices that a search reached
  kSent,     // edges along which vertices sent, in all passes together
};

inline constexpr uint64_t kUnreachedInteger = ~uint64_t{0};

/// An answer, by internal ids.
struct Answer {
  std::string_view column;  // the name of the declared column that was filled
  /// The value of a vertex: whole numbers by `integer`, real ones by `real`. kUnreachedInteger, or
  /// infinity, where it has none.
  std::function<uint64_t(VertexId vertex)> integer;
  std::function<double(VertexId vertex)> real;
  /// For a column of lists: what its values are, and value `i` of a vertex. `integer` gives the
  /// first one.
  std::vector<std::string> headings;
  std::function<uint64_t(VertexId vertex, uint32_t i)> list;
  std::vector<ResultFact> facts;
  std::vector<std::string> warnings;  // why the answer says less than expected
  std::string timing_caveat;          // the warning, if any, for which the run's time says little
  bool converged = true;              // values converged to the tolerance of the options, if any
  /// Passes over all edges that the method takes by definition, for edges/s; 0 counts as 1.
  uint64_t passes = 0;
  CountedEdges counted = CountedEdges::kAll;
  uint64_t unreached = kUnreachedInteger;  // the integer of vertices that a search did not reach

  /// Fills the declared column `name`. A whole number that is the greatest of its type, and
  /// infinity, mean that the vertex has no value.
  template <typename T>
  void Fill(std::string_view name, std::span<const T> values) {
    static_assert(std::is_floating_point_v<T> || std::is_unsigned_v<T>,
                  "Fill: values are real numbers, or whole ones that are not negative");
    column = name;
    if constexpr (std::is_floating_point_v<T>) {
      real = [values](VertexId vertex) { return double{values[vertex]}; };
    } else {
      integer = [values](VertexId vertex) {
        const T value = values[vertex];
        return value == std::numeric_limits<T>::max() ? kUnreachedInteger : uint64_t{value};
      };
    }
  }
  template <typename T>
  void Fill(std::string_view name, std::span<T> values) {
    Fill(name, std::span<const T>(values));
  }
  /// The same with values (double or uint64_t) that are computed when they are written.
  template <typename F>
  requires std::is_invocable_v<F&, VertexId>
  void Fill(std::string_view name, F value) {
    column = name;
    if constexpr (std::is_same_v<std::invoke_result_t<F&, VertexId>, uint64_t>) {
      integer = std::move(value);
    } else {
      static_assert(std::is_same_v<std::invoke_result_t<F&, VertexId>, double>);
      real = std::move(value);
    }
  }

  /// Fills a declared column of lists: each vertex has a whole number for each of `names`, at least
  /// one. The greatest number of its type means that there is no value.
  template <typename T>
  void FillLists(std::string_view name, std::vector<std::string> names, std::span<const T> values) {
    static_assert(std::is_unsigned_v<T>);
    column = name;
    headings = std::move(names);
    list = [values, width = headings.size()](VertexId vertex, uint32_t i) {
      const T value = values[vertex * width + i];
      return value == std::numeric_limits<T>::max() ? kUnreachedInteger : uint64_t{value};
    };
    integer = [get = list](VertexId vertex) { return get(vertex, 0); };
  }

  /// Adds a fact of one number. `key` is its name for programs; by default `name`, with underscores
  /// for blanks.
  void AddFact(std::string_view name, std::string text, std::variant<uint64_t, double> number,
               std::string_view key = "");
  void AddCount(std::string_view name, uint64_t count, std::string_view key = "");
  /// Warns where iterations ended with a change above `tolerance`, if there is one (not 0).
  void CheckSettled(std::string_view values, double last_change, double tolerance);
  /// Adds the number of vertices that a search reached, and warns where it reached only its source.
  /// Edges/s then counts the edges of these vertices. `not_reached` is the integer of other
  /// vertices.
  void AddReached(uint64_t reached, uint64_t num_vertices,
                  uint64_t not_reached = kUnreachedInteger);
};

}  // namespace edgemill
