// The options for running an algorithm, which all commands that run one share.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_set.h"
#include "cli/session.h"
#include "common/status.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"

namespace edgemill::cli {

/// UsageError when --weight is given, and none of the algorithms, which are called in messages, has
/// weights with the options that are given too.
Status CheckWeightColumn(std::string_view command, const std::vector<AlgorithmHelp>& algorithms,
                         const OptionSet& given);

/// Declares the options that become RunOptions, and keeps their values.
class AlgorithmOptions {
 public:
  /// Declares the options of `algorithms`, and those of the machine.
  void Declare(OptionSet& options, const std::vector<AlgorithmHelp>& algorithms = Algorithms());
  /// Declares the options of `algorithms` alone.
  void DeclareOwn(OptionSet& options, const std::vector<AlgorithmHelp>& algorithms);
  /// Declares the options of the machine alone.
  void DeclareMachine(OptionSet& options);
  /// Returns what was given, without algorithm and verify. Until ReadInputs, vertices are 0 and
  /// files are not read. Returns the errors of CalibrationForRun.
  StatusOr<RunOptions> Parse(const OptionSet& given, int threads) const;
  /// Replaces each given vertex by its input id, and each file by its values, which `algorithm`
  /// must accept. Returns the errors of VertexCalled and ReadValues.
  Status ReadInputs(const GraphStore& store, const Means& means, const std::string& algorithm,
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

  /// What was typed about the use of a GPU.
  struct GpuFlags {
    uint64_t memory = 0;
    std::string gpus = "1";
    std::string transfer = "auto";
    std::string cost_model = "calibrated";
    std::string priority = "none";
    std::string kernel = "auto";
    bool no_combining = false;
    std::string calibration;
    uint64_t streams = 4;

    void Declare(OptionSet& options);
    /// Returns the errors of CalibrationForRun.
    Status Parse(const OptionSet& given, GpuRunOptions* options) const;
  };

  void DeclareOption(OptionSet& options, const std::vector<AlgorithmHelp>& algorithms,
                     const OptionDeclaration& option);
  static OptionValue ValueOf(const Declared& declared);

  std::deque<Declared> declared_;  // a deque, because OptionSet keeps pointers to the values
  double cpu_share_ = 0;
  std::string mode_ = "auto";
  double mode_threshold_ = 0;
  bool sync_ = false;
  bool async_ = false;
  uint64_t async_passes_ = kAsyncPasses;
  std::string device_ = "auto";
  GpuFlags gpu_;
  std::vector<std::string> plugins_;  // LoadPlugins has loaded them
  std::string io_ = "auto";
  uint64_t queue_depth_ = 32;
};

}  // namespace edgemill::cli
