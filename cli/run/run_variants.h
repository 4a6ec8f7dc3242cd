// The variants in which `bench run` runs an algorithm in turns: devices, orders of messages,
// directions, ways to a GPU and its pulls.
#pragma once

#include <string_view>
#include <vector>

#include "cli/options/option_set.h"
#include "common/status.h"
#include "engine/run/run.h"

namespace edgemill::cli {

/// One decision of a variant: a device, for example.
struct VariantPart {
  std::string_view name;
  std::string_view option;  // the option that otherwise decides it
  void (*set)(RunOptions* options);
};

/// Its parts, which stay valid. A variant without parts decides nothing.
using RunVariant = std::vector<const VariantPart*>;

/// The variants that `names` ("cpu,gpu,async") asks for: each device with each order, and so on. If
/// `names` has none, returns one variant without parts. Returns UsageError for an unknown name, and
/// for a name whose option was given too.
StatusOr<std::vector<RunVariant>> RunVariants(std::string_view names, const OptionSet& given);

}  // namespace edgemill::cli
