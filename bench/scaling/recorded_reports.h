// Makes results from the reports of commands.
#pragma once

#include <string>
#include <vector>

#include "bench/record/result_file.h"
#include "common/status.h"

namespace edgemill::bench {

/// A file to record, and what distinguishes its figures from those of other files.
struct RecordedFile {
  std::string path;
  std::string label;   // "shuffled"; only with threads
  int threads = 0;     // of the command; 0: figures keep their names
  std::string folder;  // begins the names of its figures and settings, unless empty
};

/// Parses "PATH", or "LABEL@THREADS=PATH". If `with_folder`, sets the folder to that of PATH.
RecordedFile ParseRecordedFile(const std::string& text, bool with_folder);

/// Makes a result from files that ingest, generate, run and verify wrote with --json, and from
/// other results. The figures of a command become samples of metrics such as "ingest: time" and
/// "bfs: read". A repeated command adds further samples.
///
/// Figures of a file with threads are named after its label and its threads: "ingest, pairs, 4
/// threads: time". In bench run, the first trial of the first algorithm reads what later trials
/// find in the cache. It therefore has its own metric ("bfs, warm, shuffled, first search, 4
/// threads: time"), apart from "next searches". A result with a folder gives one sample of each
/// metric, the median of its samples ("in RAM, bfs, warm: time").
///
/// The result is verified when every run was run with -v and every other result was verified. After
/// each ingest there must also be a verify that found nothing bad. The commit is that of the
/// results, empty where there are none. The caller fills in machine and command. `*graphs` gets the
/// graphs' paths. Returns BadDataError when a file is neither such a report nor a result, or is the
/// report of a failure.
StatusOr<BenchmarkResult> CollectReports(const std::vector<RecordedFile>& files,
                                         std::vector<std::string>* graphs);

}  // namespace edgemill::bench
