// All that a file with an algorithm of its own includes: docs/WRITING_ALGORITHMS.md.
#pragma once

#include "common/number_text.h"
#include "common/random.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/api/top_list.h"
#include "engine/program/union_find.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/path_check.h"
#include "engine/verify/plain_visit.h"
#include "engine/verify/tree_check.h"
#include "engine/verify/value_check.h"
#if !defined( \
    EDGEMILL_ENGINE)  // else the file is compiled for another engine: see engine/api/engine.h
#include "engine/compile/for_cpu.h"
#endif
