// Opens one planned input: its stream, its format, its parser.
#pragma once

#include <memory>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/read/input_plan.h"
#include "loaders/source/input.h"
#include "loaders/source/input_preview.h"

namespace edgemill {

/// Opens `planned` and reads its head. Sets `*preview`, unless `preview` is null, to how the input
/// is understood. Errors are those of InputStream and of the format's header, and UsageError when
/// the content does not tell the format.
StatusOr<std::unique_ptr<Input>> OpenInput(const PlannedInput& planned, const ReadOptions& options,
                                           InputPreview* preview = nullptr);

/// The options for the inputs after one that is `opened` with `options`: if it has a header for
/// them, those of CSV have its columns.
ReadOptions OptionsAfter(const InputInfo& opened, const ReadOptions& options);

}  // namespace edgemill
