// What stands beside figures: the machine that they were measured on, and the program's commit.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/record/result_file.h"

namespace edgemill::cli {

/// The machine, its memory, the disks and the commit of a result: names and texts.
std::vector<std::pair<std::string, std::string>> Surroundings(const bench::BenchmarkResult& result);
/// The same as lines for the end of a picture.
std::vector<std::string> SurroundingLines(const bench::BenchmarkResult& result);
/// The same for the end of a table, each line behind `prefix`.
std::string SurroundingsText(const bench::BenchmarkResult& result, std::string_view prefix = "");

}  // namespace edgemill::cli
