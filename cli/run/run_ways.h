// The ways in which `bench run` runs an algorithm in turns: devices, and orders of messages.
#pragma once

#include <string_view>
#include <vector>

#include "cli/options/option_set.h"
#include "common/status.h"
#include "engine/run/run.h"

namespace edgemill::cli {

/// One decision of a way: a device, or an order of messages.
struct Way {
  std::string_view name;
  std::string_view option;  // the option that otherwise decides it
  void (*set)(RunOptions* options);
};

/// The ways that `ways` ("cpu,gpu,async") names: each device with each order. The pointers stay
/// valid. If `ways` names none, returns one way that decides nothing. Returns UsageError for an
/// unknown name, and for a name whose option was given too.
StatusOr<std::vector<std::vector<const Way*>>> WaysInTurn(std::string_view ways,
                                                          const OptionSet& given);

}  // namespace edgemill::cli
