// Axes: where a value lies, which values are marked, and how they are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace edgemill {

/// What the numbers of an axis measure.
enum class Quantity { kPlain, kCount, kSeconds, kBytes, kPercent };

/// `value` for people, with its unit: "1.25 ms", "96.0 KiB", "1,234", "62 %".
std::string QuantityText(Quantity quantity, double value);

/// How an axis is drawn.
struct AxisSpec {
  std::string label;  // what it shows, without the unit: "request size"
  Quantity quantity = Quantity::kPlain;
  bool logarithmic = false;
  std::vector<double> ticks = {};  // the values to mark; empty: round ones
  bool whole = false;              // values are whole numbers, which are written in full
};

/// An axis over some values. It maps values to places between `begin` and `end`. A linear axis
/// starts at 0. A logarithmic one is for values above 0.
class Scale {
 public:
  Scale(const AxisSpec& spec, const std::vector<double>& values, double begin, double end);

  double At(double value) const;
  double begin() const { return begin_; }
  struct Tick {
    double at = 0;
    std::string text;
  };
  /// At most `most` marks.
  std::vector<Tick> Ticks(size_t most) const;
  /// The label with its unit: "time, ms".
  std::string Label() const;

 private:
  /// Values at equal steps.
  std::vector<double> StepTicks(double low, double high, size_t most) const;
  std::vector<double> LogTicks(size_t most) const;

  const AxisSpec spec_;
  const double begin_, end_;
  double low_ = 0, high_ = 1;
  /// On a linear axis: the unit in which marks are written.
  double unit_ = 1;
  std::string unit_name_;
};

}  // namespace edgemill
