// Reads and writes a calibration as a file, and checks whether it belongs to this machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "engine/cost/calibration.h"

namespace edgemill {

/// The version of the file's format. Other versions are refused: measuring again takes a minute.
inline constexpr int kCalibrationVersion = 3;

/// Returns the default path of this machine's calibration:
/// $XDG_STATE_HOME/edgemill/calibration.json, with ~/.local/state if that variable is not set.
/// Empty if $HOME is not set either.
std::string DefaultCalibrationPath();

/// Returns OutputError if `path` has something that does not begin like a calibration. Storing a
/// calibration there would destroy it.
Status CheckCalibrationPlace(const std::string& path);

/// Returns Calibration::machine of this machine, such as "Processor, 16 cores".
std::string ThisMachineName();

/// Reads and checks a calibration. Returns MissingError when there is no file. Returns
/// BadDataError, in one line, for a file that is no calibration, has another version, or has a
/// wrong figure.
StatusOr<Calibration> ReadCalibration(const std::string& path);

/// Writes the file atomically. Makes its directory if that is missing.
Status WriteCalibration(const std::string& path, const Calibration& calibration);

/// Returns the file's text, a JSON object.
std::string CalibrationJson(const Calibration& calibration);

/// One row of a table: a figure, or a point of a curve.
struct CalibrationRow {
  std::string_view name;
  std::string at;  // the size of a curve's point
  std::string value;
};
std::vector<CalibrationRow> CalibrationRows(const Calibration& calibration);

/// Returns the calibration for a run on this machine. If `path` is given, the file must exist and
/// belong to this machine. Otherwise returns ReadCalibration's errors or UsageError. If `path` is
/// empty, reads DefaultCalibrationPath. If that fails or belongs to another machine, returns the
/// built-in calibration, with the reason in its source.
StatusOr<Calibration> CalibrationForRun(const std::string& path);

/// Returns `calibration` if it belongs to this GPU and link. Otherwise returns the built-in one,
/// with the reason in its source.
Calibration CalibrationForGpu(const Calibration& calibration, std::string_view gpu,
                              std::string_view link);

}  // namespace edgemill
