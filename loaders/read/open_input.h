// Opens one planned input: its stream, its format, its parser.
#pragma once

#include <memory>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/read/input_plan.h"
#include "loaders/source/input.h"
#include "loaders/source/input_look.h"

namespace edgemill {

/// Opens `planned` and reads its head. `look`, unless it is null, is how it is understood. Errors:
/// those of InputStream, of its format's header, and UsageError when its format cannot be told.
StatusOr<std::unique_ptr<Input>> OpenInput(const PlannedInput& planned, const ReadOptions& options,
                                           InputLook* look = nullptr);

}  // namespace edgemill
