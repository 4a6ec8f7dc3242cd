// What edge operators return and take, the same for the model and the engine: FixpointTotals,
// Buckets and Slice.
#pragma once

#include "engine/report/recorder.h"
#include "engine/cpu/vertex_loops.h"
#include "engine/driver/operators.h"
