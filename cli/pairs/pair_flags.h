// The options that say how pairs are compared, of the program and of the library.
#pragma once

#include <string>

#include "cli/options/option_set.h"
#include "engine/output/pairs/pair_similarity.h"

namespace edgemill::cli {

class PairFlags {
 public:
  void Declare(OptionSet& options);

  const std::string& measure() const { return measure_; }
  /// What the parsed options say.
  PairOptions Options() const;

 private:
  std::string measure_ = "jaccard";
  std::string neighbors_ = "out";
};

}  // namespace edgemill::cli
