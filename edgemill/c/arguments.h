// The options of operations, as the command line declares and parses them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/ingest/ingest_flags.h"
#include "cli/ingest/read_flags.h"
#include "cli/options/option_set.h"
#include "cli/run/algorithm_options.h"
#include "cli/run/answer_file.h"
#include "cli/session.h"
#include "cli/walks/walk_flags.h"
#include "common/status.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::c {

/// The options of a run of one algorithm.
struct RunArguments {
  explicit RunArguments(const AlgorithmHelp& help);

  cli::OptionSet set{"run"};
  cli::AlgorithmOptions algorithm;
  bool verify = false;
  cli::AnswerFile answer;
  cli::SharedOptions shared;
};

/// The options of an ingest, of files or of edges that the caller gives.
struct IngestArguments {
  explicit IngestArguments(bool of_files);
  /// Parses `arguments`. `edges` and `files` are then set; the latter only matters for files.
  Status Parse(const std::vector<std::string>& arguments);

  cli::OptionSet set{"ingest"};
  cli::ReadFlags read_flags;
  cli::IngestFlags flags;
  cli::SharedOptions shared;
  IngestOptions graph;
  ReadOptions read;
};

/// The options of walks.
struct WalkArguments {
  WalkArguments();

  cli::OptionSet set{"walks"};
  cli::WalkFlags flags;
  cli::SharedOptions shared;
};

/// The options of a command without others than the shared ones.
struct SharedArguments {
  SharedArguments(const char* command, const cli::SharedChoices& choices) : set(command) {
    shared.Declare(set, choices);
  }

  cli::OptionSet set;
  cli::SharedOptions shared;
};

}  // namespace edgemill::c
