// The options that say what walks are made, of the program and of the library.
#pragma once

#include <string>

#include "cli/options/option_set.h"
#include "common/status.h"
#include "engine/output/walks/random_walks.h"
#include "storage/format/graph_info.h"

namespace edgemill::cli {

class WalkFlags {
 public:
  void Declare(OptionSet& options);

  /// What the parsed options say. UsageError where the graph lacks weights that walks need.
  StatusOr<WalkOptions> Options(const GraphInfo& info) const;
  /// The same without a look at a graph.
  WalkOptions Options() const;

 private:
  WalkOptions walk_{.walks_per_start = 10};
  std::string neighbors_ = "out";
};

}  // namespace edgemill::cli
