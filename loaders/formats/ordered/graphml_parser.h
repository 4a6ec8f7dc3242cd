// Parses GraphML, as it comes, with expat.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/formats/ordered/ordered_parser.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// How often an undirected edge is given.
enum class GraphmlWays {
  kOnce,   // once, if no edge of the graph is directed; a directed one is an error
  kBoth,   // in both directions
  kFirst,  // in the direction of the text, as directed ones: for a look at the head
};

/// How a text of GraphML is parsed.
struct GraphmlRule {
  std::string name;  // of the input, for messages
  bool named = false;
  bool plain_ids = false;  // an id is not written as 007 or 7.0: in XML, these differ from 7
  uint64_t base = 0;
  WeightRule weight;
  bool keeps_weights = true;
  EmptyWeight empty_weight = EmptyWeight::kError;
  GraphmlWays ways = GraphmlWays::kOnce;
};

/// What the text says of itself, as far as it was parsed.
struct GraphmlFacts {
  bool has_graph = false;
  bool has_ids = false;         // of nodes or edges
  bool undirected = false;      // by edgedefault
  bool has_exceptions = false;  // edges of the other kind
  bool weighted = false;
  bool integer_weights = false;
  std::vector<std::string> ignored;  // the names of other data of edges
  std::vector<std::string> notes;    // about data that might have been weights
  /// The first id that looks like a name, and its line.
  std::string first_name;
  uint64_t first_name_line = 0;
  bool begins_with_name = false;  // the first id of all is that name
};

/// A parser of GraphML that also tells the facts.
class GraphmlParser : public OrderedParser {
 public:
  virtual const GraphmlFacts& facts() const = 0;
};

/// BudgetError when there is too little memory.
StatusOr<std::unique_ptr<GraphmlParser>> MakeGraphmlParser(const GraphmlRule& rule);

}  // namespace edgemill
