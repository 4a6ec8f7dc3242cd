// The graphs on which algorithms are tested.
#pragma once

#include <string>
#include <vector>

#include "bench/trials/generated_graph.h"

namespace edgemill::bench {

/// A graph, and the command that makes it too.
struct TestGraph {
  std::string command;  // "edgemill generate star g.mill --vertices 300 --block-edges 128"
  GeneratedGraphOptions options;
};

/// Small graphs of all kinds, with blocks so small that lists cross them: the shapes that break
/// algorithms (paths, stars, one vertex, no edges), and `seeds` graphs of each random kind.
/// Weights are small, with zeros and equal ones, or larger, or absent.
std::vector<TestGraph> TestGraphs(uint64_t seeds);

}  // namespace edgemill::bench
