// Parses Pajek's networks line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/formats/lines/number_parser.h"
#include "loaders/formats/ordered/ordered_parser.h"
#include "loaders/formats/ordered/pajek_labels.h"

namespace edgemill {

/// How a network is read.
struct PajekRule {
  std::string name;  // of the input, for messages
  PajekIds ids = PajekIds::kNumbers;
  PajekLabelSpace labels;
  bool undirected = false;        // it has edges alone
  bool gives_once = false;        // edges of both directions are given once
  bool knows_head_alone = false;  // what is known of the text comes from its head
  bool weighted = false;
  bool ignores_weights = false;  // as the options say
  WeightRule weight;
  uint64_t base = 0;
  char line_end = '\n';
  size_t max_line_bytes = 0;
};

/// The number N of "*Vertices N" or "*Vertices N N1". Nullopt: it is none.
std::optional<uint64_t> ReadNumPajekVertices(std::string_view line);

std::unique_ptr<OrderedParser> MakePajekParser(const PajekRule& rule);

}  // namespace edgemill
