// Makes results from the reports of commands.
#pragma once

#include <string>
#include <vector>

#include "bench/record/result_file.h"
#include "common/status.h"

namespace edgemill::bench {

/// A file to record, and what keeps its figures apart from those of others.
struct RecordedFile {
  std::string path;
  std::string label;   // "shuffled"; only with threads
  int threads = 0;     // that the command had; 0: figures keep their names
  std::string folder;  // begins the names of its figures and settings, unless empty
};

/// Reads "PATH", or "LABEL@THREADS=PATH". `with_folder`: its folder is that of PATH.
RecordedFile ParseRecordedFile(const std::string& text, bool with_folder);

/// Makes a result of files that ingest, generate, run and verify wrote with --json, and of other
/// results. Each command's figures are a sample of its metrics ("ingest: time", "bfs: read"). Those
/// of a repeated command are further samples.
///
/// Figures of a file with threads are named after its label and its threads: "ingest, pairs, 4
/// threads: time". In bench run, the first trial of the first algorithm is apart from the others
/// ("bfs, warm, shuffled, first search, 4 threads: time", "next searches"), for it reads what the
/// others find in the cache. A result with a folder gives one sample of each metric, the median of
/// its own ("in RAM, bfs, warm: time").
///
/// The result is verified when every run was run with -v and every other result was verified. After
/// every ingested graph there must also be a verify that found nothing bad. The commit is that of
/// the results, empty where there are none. The caller fills in machine and command. `*graphs` gets
/// the graphs' paths. BadDataError when a file is no such report or result, or the report of a
/// failure.
StatusOr<BenchmarkResult> CollectReports(const std::vector<RecordedFile>& files,
                                         std::vector<std::string>* graphs);

}  // namespace edgemill::bench
