// The options of running an algorithm, for all commands that run one.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "cli/options/option_set.h"
#include "cli/session.h"
#include "common/status.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"

namespace edgemill::cli {

/// Declares the options that become RunOptions, and keeps their values.
class AlgorithmOptions {
 public:
  /// The options that `algorithms` declare, and those of the machine.
  void Declare(OptionSet& options, const std::vector<AlgorithmHelp>& algorithms = Algorithms());
  /// What was given, without algorithm and verify; vertices are 0, and files not read, until
  /// ReadInputs. The errors of CalibrationForRun.
  StatusOr<RunOptions> Parse(const OptionSet& given, const Session& session) const;
  /// Replaces each vertex that was given by its input id in the graph, and files by the values that
  /// they have, which `algorithm` must take. The errors of VertexCalled and ReadValues.
  Status ReadInputs(const GraphStore& store, Session& session, const std::string& algorithm,
                    OptionValues* values) const;

 private:
  /// One option of algorithms, and what was typed.
  struct Declared {
    std::string name;  // the long one
    OptionKind kind;
    bool flag = false;
    uint64_t number = 0;
    double real = 0;
    std::string text;
    std::vector<std::string> texts;  // of vertices
  };

  /// What was typed of how a GPU is used.
  struct GpuFlags {
    uint64_t memory = 0;
    std::string transfer = "auto";
    std::string cost_model = "calibrated";
    std::string calibration;
    uint64_t streams = 4;

    void Declare(OptionSet& options);
    /// The errors of CalibrationForRun.
    Status Parse(const OptionSet& given, GpuRunOptions* options) const;
  };

  void DeclareOption(OptionSet& options, const std::vector<AlgorithmHelp>& algorithms,
                     const OptionDeclaration& option);
  void DeclareMachine(OptionSet& options);
  static OptionValue ValueOf(const Declared& declared);

  std::deque<Declared> declared_;  // OptionSet has pointers to their values
  double cpu_share_ = 0;
  std::string mode_ = "auto";
  double mode_threshold_ = 0;
  bool sync_ = false;
  bool async_ = false;
  uint64_t async_passes_ = kAsyncPasses;
  std::string device_ = "auto";
  GpuFlags gpu_;
  std::string io_ = "auto";
  uint64_t queue_depth_ = 32;
};

}  // namespace edgemill::cli
