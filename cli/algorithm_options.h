// The options of running an algorithm, for all commands that run one.
#pragma once

#include <cstdint>
#include <string>

#include "cli/option_set.h"
#include "cli/session.h"
#include "common/status.h"
#include "engine/api/run.h"

namespace edgemill::cli {

/// Declares the options that become RunOptions, and keeps their values.
class AlgorithmOptions {
 public:
  void Declare(OptionSet& options);
  /// What was given, without algorithm and verify; a source is 0 until FindSource. The errors of
  /// CalibrationForRun.
  StatusOr<RunOptions> Take(const OptionSet& given, const Session& session) const;
  /// Replaces the source, where one was given, by the input id of that vertex of the graph. The
  /// errors of VertexCalled.
  Status FindSource(const GraphStore& store, Session& session, RunOptions* options) const;

 private:
  std::string source_;
  uint64_t iterations_ = 0;
  double tolerance_ = 0;
  double damping_ = 0;
  double cpu_share_ = 0;
  double delta_ = 0;
  std::string dangling_;
  std::string method_;
  std::string mode_ = "auto";
  bool sync_ = false;
  bool async_ = false;
  uint64_t async_passes_ = kAsyncPasses;
  std::string device_ = "auto";
  uint64_t gpu_memory_ = 0;
  std::string transfer_ = "auto";
  std::string calibration_;
  std::string cost_model_ = "calibrated";
  uint64_t streams_ = 4;
  std::string io_ = "auto";
  uint64_t queue_depth_ = 32;
  bool parents_ = false;
};

}  // namespace edgemill::cli
