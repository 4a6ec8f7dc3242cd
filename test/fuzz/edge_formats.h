// The edge reader fed with bytes as a file of one format.
#pragma once

#include "loaders/options/read_options.h"
#include "test/fuzz/targets.h"

namespace edgemill {

/// Reads `data` as a file of `format`, whole and in small chunks. Aborts unless both give the same
/// edges or the same error, and unless resuming in the middle gives the same. The first byte
/// chooses options; the rest is the file.
void FuzzReader(EdgeFormat format, FuzzInput data);

}  // namespace edgemill
