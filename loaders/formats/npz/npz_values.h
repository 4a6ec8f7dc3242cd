// The values of a sparse matrix, as weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/formats/npz/npy_reader.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// How the values of a matrix are read.
struct NpzValueRule {
  bool keeps_weights = false;
  bool integers = false;  // by the type of the values
  bool integer_only = false;
  bool rounded = false;  // integers beyond 2^53 are rounded
};

/// Decides by the options and the values whether these are weights. Reads the values until one is
/// not 1. Adds a note to `notes` if all are 1 and are left out.
StatusOr<NpzValueRule> DecideNpzValues(const InputStream& archive, const ZipMember& data,
                                       const ReadOptions& options, std::vector<std::string>* notes);

/// Reads the next weights. BadDataError for one that is not finite or not exact.
Status ReadNpzValues(const NpzValueRule& rule, NpyReader* data, std::span<double> into);

}  // namespace edgemill
