// The ways in which `bench run` runs an algorithm, in turns: devices, and orders of messages.
#pragma once

#include <string_view>
#include <vector>

#include "cli/options/option_set.h"
#include "common/status.h"
#include "engine/run/run.h"

namespace edgemill::cli {

/// One thing that a way decides: a device, or an order.
struct Way {
  std::string_view name;
  std::string_view option;  // which decides it else
  void (*set)(RunOptions* options);
};

/// The ways that `ways` ("cpu,gpu,async") names: each device with each order, by pointers that stay
/// valid; one way that decides nothing where it names none. UsageError for an unknown name, and
/// for what an option that was given decides too.
StatusOr<std::vector<std::vector<const Way*>>> WaysInTurn(std::string_view ways,
                                                          const OptionSet& given);

}  // namespace edgemill::cli
