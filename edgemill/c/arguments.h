// The options of operations, as the command line declares and parses them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/ingest/ingest_flags.h"
#include "cli/ingest/read_flags.h"
#include "cli/options/option_set.h"
#include "cli/pairs/pair_flags.h"
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

/// The options of a command that answers about given vertices: Flags is WalkFlags or PairFlags.
template <typename Flags>
struct VertexArguments {
  explicit VertexArguments(const char* command) : set(command) {
    flags.Declare(set);
    shared.Declare(set, {.data_help = ""});
  }

  cli::OptionSet set;
  Flags flags;
  cli::SharedOptions shared;
};
struct WalkArguments : VertexArguments<cli::WalkFlags> {
  WalkArguments() : VertexArguments("walks") {}
};
struct PairArguments : VertexArguments<cli::PairFlags> {
  PairArguments() : VertexArguments("pairs") {}
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
