#include "bench/trials/machine_calibration.h"
#include "cli/command.h"
#include "common/clock.h"
#include "common/os/file.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/cost/calibration_file.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

class CalibrateCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Section("Options");
    options.Flag("--show", &show_, "print the calibration that runs use, and measure nothing");
    options.Text("--calibration", &path_, "FILE",
                 "where it is stored (default: $XDG_STATE_HOME/edgemill/calibration.json, or below "
                 "~/.local/state)");
    options.WritesTo("--calibration");
    options.Text("--scratch", &scratch_, "DIR",
                 "where a graph and a file of 512 MiB in all are made and removed again: on the "
                 "disk that graphs are on (default: beside the calibration)");
    options.Choice("--device", &device_, {"auto", "cpu", "gpu"},
                   "whether to measure a GPU; auto does where there is one");
    options.Exclude({"--show", "--scratch"});
    options.Exclude({"--show", "--device"});
  }
  SharedChoices shared() const override { return {.data_help = ""}; }
  std::string_view description() const override {
    return "Measures this machine once, in less than a minute, for the model by which runs choose\n"
           "among ways to bring edges to a GPU, and stores the figures: random reads from the "
           "disk,\n"
           "rates of passes over edges on the processor and on the GPU, the link by copies and by\n"
           "kernels that read across it. Passes are the engine's, on Kronecker graphs made for\n"
           "it. Runs load the file when it is of this machine and GPU; without one they use "
           "figures\n"
           "of an H200, and say so.\n";
  }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  Status Show(Session& session) const;
  static Status Print(const Calibration& calibration, Session& session);

  bool show_ = false;
  std::string path_;
  std::string scratch_;
  std::string device_ = "auto";
};

Status CalibrateCommand::Print(const Calibration& calibration, Session& session) {
  TextTable table({"figure", "at", "value"}, 1);
  for (const CalibrationRow& row : CalibrationRows(calibration)) {
    table.Add({std::string(row.name), row.at, row.value});
  }
  session.SetJson(CalibrationJson(calibration));
  return session.Print(StrCat(calibration.source, "\nmachine  ", calibration.machine, "\nGPU      ",
                              calibration.gpu.empty() ? "none" : calibration.gpu,
                              calibration.link.empty() ? "" : StrCat(", ", calibration.link),
                              "\n\n", table.Text()));
}

Status CalibrateCommand::Show(Session& session) const {
  ASSIGN_OR_RETURN(const Calibration calibration, CalibrationForRun(path_));
  return Print(calibration, session);
}

Status CalibrateCommand::Run(const OptionSet& /*given*/, Session& session) {
  if (show_) return Show(session);
  const std::string path = path_.empty() ? DefaultCalibrationPath() : path_;
  if (path.empty()) {
    return UsageError("calibrate: neither $XDG_STATE_HOME nor $HOME is set: give --calibration");
  }
  const size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (path_.empty()) RETURN_IF_ERROR(MakeDirectories(directory));
  RETURN_IF_ERROR(CheckOutputPath(path, true));
  RETURN_IF_ERROR(CheckCalibrationPlace(path));
  bench::CalibrationOptions options;
  options.directory = scratch_.empty() ? directory : scratch_;
  options.device = device_ == "cpu"   ? Device::kCpu
                   : device_ == "gpu" ? Device::kGpu
                                      : Device::kAuto;
  options.threads = session.threads();
  options.memory_bytes = session.memory_bytes();
  const Stopwatch watch;
  ASSIGN_OR_RETURN(Calibration calibration, bench::CalibrateMachine(options, session.progress()));
  RETURN_IF_ERROR(WriteCalibration(path, calibration));
  calibration.source = StrCat(path, ", measured in ", FormatFixed(watch.seconds(), 1), " s");
  return Print(calibration, session);
}

}  // namespace

std::unique_ptr<Command> MakeCalibrateCommand() { return std::make_unique<CalibrateCommand>(); }

}  // namespace edgemill::cli
