// A calibration as a file: where it is, and whether it is this machine's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "engine/cost/calibration.h"

namespace edgemill {

/// The version of the file's form. Others are refused: a calibration is made anew in a minute.
inline constexpr int kCalibrationVersion = 3;

/// Where this machine's calibration is unless told otherwise:
/// $XDG_STATE_HOME/edgemill/calibration.json, ~/.local/state without that variable. Empty where
/// neither it nor $HOME is set.
std::string DefaultCalibrationPath();

/// OutputError when something other than a calibration, whole or damaged, is at `path`: to store
/// one there would destroy it.
Status CheckCalibrationPlace(const std::string& path);

/// "Processor, 16 cores": what Calibration::machine is to be here.
std::string ThisMachineName();

/// Reads and checks a calibration. MissingError when there is none, BadDataError, in one line, for
/// what is no calibration, of another version, or has a figure that is none.
StatusOr<Calibration> ReadCalibration(const std::string& path);

/// Writes it, whole or not at all, and its directory where that is missing.
Status WriteCalibration(const std::string& path, const Calibration& calibration);

/// The file's text: a JSON object.
std::string CalibrationJson(const Calibration& calibration);

/// One figure, or one point of a curve, as a table shows it.
struct CalibrationRow {
  std::string_view name;
  std::string at;  // of a curve's point
  std::string value;
};
std::vector<CalibrationRow> CalibrationRows(const Calibration& calibration);

/// The calibration for a run here: that of `path`, or, when it is empty, of DefaultCalibrationPath;
/// the built-in one where there is none, or one of another machine, or it cannot be read, with why
/// in its source. A `path` that is given must be there and this machine's: else ReadCalibration's
/// errors, or UsageError.
StatusOr<Calibration> CalibrationForRun(const std::string& path);

/// `calibration`, or the built-in one with why when it is of another GPU than the one in use.
Calibration CalibrationForGpu(const Calibration& calibration, std::string_view gpu,
                              std::string_view link);

}  // namespace edgemill
