// Files of calibrations: a calibration comes back as it was written, and other files are refused.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/trials/machine_calibration.h"
#include "common/os/file.h"
#include "common/strings.h"
#include "engine/cost/calibration_file.h"
#include "engine/cost/link_points.h"

namespace edgemill {
namespace {

class CalibrationFile : public testing::Test {
 protected:
  CalibrationFile() {
    std::string pattern = testing::TempDir() + "/edgemill-calibration-XXXXXX";
    directory_ = mkdtemp(pattern.data());
    path_ = directory_ + "/state/calibration.json";
  }
  ~CalibrationFile() override {
    unsetenv("XDG_STATE_HOME");
    std::filesystem::remove_all(directory_);
  }
  /// Reads a file with this text, and returns the error.
  Status Reading(const std::string& text) {
    EXPECT_TRUE(MakeDirectories(directory_ + "/state").ok());
    EXPECT_TRUE(WriteFileAtomically(path_, text).ok());
    return ReadCalibration(path_).status();
  }

  std::string directory_;
  std::string path_;
};

TEST_F(CalibrationFile, ComesBackAsItWas) {
  ASSERT_TRUE(WriteCalibration(path_, BuiltInCalibration()).ok());
  const auto back = ReadCalibration(path_);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(CalibrationJson(*back), CalibrationJson(BuiltInCalibration()));
  EXPECT_EQ(back->gpu, "NVIDIA H200");
  EXPECT_EQ(back->copy_rate.At(1e12), BuiltInCalibration().copy_rate.At(1e12));
  EXPECT_EQ(back->source, path_);
  EXPECT_FALSE(back->built_in);
  EXPECT_EQ(CalibrationRows(*back).size(), CalibrationRows(BuiltInCalibration()).size());
}

TEST_F(CalibrationFile, EveryFigureMustBeThere) {
  const auto whole = nlohmann::json::parse(CalibrationJson(BuiltInCalibration()));
  ASSERT_TRUE(Reading(whole.dump()).ok());
  for (const auto& [name, value] : whole.items()) {
    auto without = whole;
    without.erase(name);
    EXPECT_EQ(Reading(without.dump()).code(), Code::kBadData) << name;
    auto wrong = whole;
    wrong[name] = value.is_string() ? nlohmann::json(1) : nlohmann::json("x");
    EXPECT_EQ(Reading(wrong.dump()).code(), Code::kBadData) << name;
    if (value.is_number_float()) {
      wrong[name] = -1.5;
      EXPECT_EQ(Reading(wrong.dump()).code(), Code::kBadData) << name;
    }
  }
  auto newer = whole;
  newer["version"] = kCalibrationVersion + 1;
  const Status status = Reading(newer.dump());
  EXPECT_EQ(status.code(), Code::kBadData);
  EXPECT_NE(status.message().find("edgemill calibrate"), std::string::npos);
  EXPECT_EQ(status.message().find('\n'), std::string::npos);
  for (const char* text : {"", "{", "[]", "null", "{\"version\": 1}"}) {
    EXPECT_EQ(Reading(text).code(), Code::kBadData) << text;
  }
}

TEST_F(CalibrationFile, IsUsedOnlyOnItsOwnMachine) {
  setenv("XDG_STATE_HOME", directory_.c_str(), 1);
  EXPECT_EQ(DefaultCalibrationPath(), directory_ + "/edgemill/calibration.json");
  auto usual = CalibrationForRun("");
  ASSERT_TRUE(usual.ok());
  EXPECT_TRUE(usual->built_in);
  EXPECT_EQ(CalibrationForRun(path_).status().code(), Code::kMissing);
  // A run goes on if the file in the usual place cannot be read, for example one of another
  // version.
  std::filesystem::create_directories(directory_ + "/edgemill");
  std::ofstream(DefaultCalibrationPath()) << "{";
  usual = CalibrationForRun("");
  ASSERT_TRUE(usual.ok());
  EXPECT_TRUE(usual->built_in);
  EXPECT_NE(usual->source.find(DefaultCalibrationPath()), std::string::npos) << usual->source;
  EXPECT_EQ(CalibrationForRun(DefaultCalibrationPath()).status().code(), Code::kBadData);
  Calibration calibration = BuiltInCalibration();
  ASSERT_TRUE(WriteCalibration(path_, calibration).ok());
  EXPECT_EQ(CalibrationForRun(path_).status().code(), Code::kUsage);  // for "16 cores" of an H200
  calibration.machine = ThisMachineName();
  ASSERT_TRUE(WriteCalibration(path_, calibration).ok());
  const auto own = CalibrationForRun(path_);
  ASSERT_TRUE(own.ok());
  EXPECT_FALSE(CalibrationForGpu(*own, calibration.gpu, calibration.link).built_in);
  EXPECT_TRUE(CalibrationForGpu(*own, "another", calibration.link).built_in);
  const Calibration other_link = CalibrationForGpu(*own, calibration.gpu, "PCIe x4");
  EXPECT_TRUE(other_link.built_in);
  EXPECT_NE(other_link.source.find(path_), std::string::npos);
}

/// Without a GPU the calibration measures few figures, and these must be plausible.
TEST_F(CalibrationFile, ThisMachineCanBeMeasured) {
  ASSERT_TRUE(MakeDirectories(directory_ + "/state").ok());
  Progress progress;
  const auto measured = bench::CalibrateMachine({.directory = directory_ + "/state",
                                                 .device = Device::kCpu,
                                                 .threads = 2,
                                                 .memory_bytes = uint64_t{256} << 20,
                                                 .scale = 16},
                                                progress);
  ASSERT_TRUE(measured.ok()) << measured.status().message();
  EXPECT_EQ(measured->machine, ThisMachineName());
  EXPECT_TRUE(measured->gpu.empty());
  EXPECT_GT(measured->cpu_pull_rate, 1e6);
  EXPECT_GT(measured->cpu_push_rate, 1e6);
  EXPECT_LT(measured->cpu_pull_rate, 1e11);
  EXPECT_TRUE(measured->disk_rate.valid());
  const auto left = ListDirectory(directory_ + "/state");
  ASSERT_TRUE(left.ok());
  EXPECT_TRUE(left->empty());
  ASSERT_TRUE(WriteCalibration(path_, *measured).ok());
  EXPECT_TRUE(ReadCalibration(path_).ok());
}

TEST(LinkPoints, GiveRatesAndTlbCoverage) {
  std::vector<LinkPoint> points;
  for (const uint64_t size : {4096u, 1u << 20}) {
    points.push_back({LinkPath::kCopyTo, size, size, 1e9 * static_cast<double>(size >> 12)});
    points.push_back({LinkPath::kCopyFrom, size, size, 2e9});
  }
  for (const uint64_t span : {1u << 28, 1u << 29, 1u << 30}) {
    for (const uint64_t run : {32u, 128u, 2048u}) {
      const double slow = span == 1u << 30 && run < 2048 ? 0.1 : 1;
      points.push_back({LinkPath::kReadRandom, run, span, 40e9 * slow});
    }
  }
  points.push_back({LinkPath::kManaged, 2048, 1u << 28, 8e9});
  Calibration calibration;
  ExtractLinkRates(points, &calibration);
  EXPECT_DOUBLE_EQ(calibration.tlb_coverage_bytes, 1 << 29);
  EXPECT_DOUBLE_EQ(calibration.copy_rate.At(4096), 1e9);
  EXPECT_DOUBLE_EQ(calibration.read_back_rate.At(1 << 20), 2e9);
  std::erase_if(points, [](const LinkPoint& point) { return point.span_bytes == 1u << 30; });
  ExtractLinkRates(points, &calibration);
  EXPECT_GT(calibration.tlb_coverage_bytes, 1e15);  // no span was too large for the TLB
}

}  // namespace
}  // namespace edgemill
