#include "common/page/scale.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/strings.h"
#include "common/units.h"

namespace edgemill {
namespace {

using Unit = std::pair<double, std::string_view>;

/// The units of a quantity, the largest first.
std::vector<Unit> UnitsOf(Quantity quantity) {
  switch (quantity) {
    case Quantity::kSeconds:
      return {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
    case Quantity::kBytes:
      return {{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}};
    case Quantity::kCount:
      return {{1e9, "billions"}, {1e6, "millions"}, {1e3, "thousands"}, {1, ""}};
    case Quantity::kPercent:
      return {{1, "%"}};
    case Quantity::kPlain:
      return {{1, ""}};
  }
  return {{1, ""}};
}

/// The largest unit that is not above `value`, or else the smallest.
Unit UnitFor(Quantity quantity, double value) {
  const std::vector<Unit> units = UnitsOf(quantity);
  for (const Unit& unit : units) {
    if (value >= unit.first * 0.9995) return unit;
  }
  return units.back();
}

/// `value` with three significant digits and no zeros at its end: "0.125", "20", "1250".
std::string Short(double value) {
  if (value == 0) return "0";
  const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  std::string text = FormatFixed(value, std::clamp(digits, 0, 12));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// A mark of a logarithmic axis: "1k", "10 ms", "64 KiB".
std::string LogText(Quantity quantity, double value) {
  if (quantity == Quantity::kSeconds || quantity == Quantity::kBytes) {
    const auto [unit, name] = UnitFor(quantity, value);
    return StrCat(Short(value / unit), " ", name);
  }
  constexpr Unit kLetters[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [unit, letter] : kLetters) {
    if (value >= unit * 0.9995) return StrCat(Short(value / unit), letter);
  }
  return value < 1e-4 ? StrCat(value) : Short(value);
}

}  // namespace

std::string QuantityText(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::kCount:
      return FormatCount(static_cast<uint64_t>(std::llround(std::max(0.0, value))));
    case Quantity::kBytes:
      return FormatBytes(static_cast<uint64_t>(std::llround(std::max(0.0, value))));
    case Quantity::kPercent:
      return StrCat(Short(value), " %");
    case Quantity::kSeconds: {
      const auto [unit, name] = UnitFor(quantity, value);
      return StrCat(Short(value / unit), " ", name);
    }
    case Quantity::kPlain:
      return Short(value);
  }
  return "";
}

Scale::Scale(const AxisSpec& spec, const std::vector<double>& values, double begin, double end)
    : spec_(spec), begin_(begin), end_(end) {
  double least = 0, most = 0;
  if (!values.empty()) {
    least = *std::min_element(values.begin(), values.end());
    most = *std::max_element(values.begin(), values.end());
  }
  if (spec.logarithmic) {
    low_ = least > 0 ? least / 1.15 : 1;
    high_ = most > 0 ? most * 1.15 : 10;
    return;
  }
  high_ = most > 0 ? most : 1;
  const Unit unit = spec.whole ? Unit{1, ""} : UnitFor(spec.quantity, high_);
  unit_ = unit.first;
  unit_name_ = unit.second;
}

double Scale::At(double value) const {
  const double share = spec_.logarithmic ? std::log(value / low_) / std::log(high_ / low_)
                                         : (value - low_) / (high_ - low_);
  return begin_ + (end_ - begin_) * share;
}

std::vector<double> Scale::StepTicks(double low, double high, size_t most) const {
  const double least = (high - low) / unit_ / static_cast<double>(std::max<size_t>(1, most));
  double step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
    if (digit * step >= least * 0.999) {
      step *= digit;
      break;
    }
  }
  if (spec_.quantity == Quantity::kCount && unit_ == 1) step = std::max(1.0, step);
  std::vector<double> ticks;
  for (double value = std::ceil(low / unit_ / step) * step; value <= high / unit_ * 1.0001;
       value += step) {
    ticks.push_back(value * unit_);
  }
  return ticks;
}

std::vector<double> Scale::LogTicks(size_t most) const {
  std::vector<double> ticks;
  const auto take = [&](const std::vector<double>& digits, int powers) {
    ticks.clear();
    for (int power = static_cast<int>(std::floor(std::log10(low_)));; ++power) {
      for (const double digit : digits) {
        const double value = digit * std::pow(10.0, power);
        if (value > high_) return ticks.size() <= most;
        if (value >= low_ && power % powers == 0) ticks.push_back(value);
      }
    }
  };
  if (take({1, 2, 5}, 1)) {
    constexpr size_t kFew = 3;
    return ticks.size() < kFew ? StepTicks(low_, high_, most) : ticks;
  }
  if (take({1, 3}, 1)) return ticks;
  for (int powers = 1; powers < 20 && !take({1}, powers); ++powers) {
  }
  return ticks;
}

std::vector<Scale::Tick> Scale::Ticks(size_t most) const {
  std::vector<double> values = spec_.ticks;
  if (values.empty()) values = spec_.logarithmic ? LogTicks(most) : StepTicks(low_, high_, most);
  const size_t every = (values.size() + most - 1) / std::max<size_t>(1, most);
  std::vector<Tick> ticks;
  for (size_t i = 0; i < values.size(); i += std::max<size_t>(1, every)) {
    const double value = values[i];
    std::string text = spec_.logarithmic ? LogText(spec_.quantity, value)
                       : spec_.quantity == Quantity::kCount
                           ? FormatCount(static_cast<uint64_t>(std::llround(value / unit_)))
                           : Short(value / unit_);
    if (spec_.quantity == Quantity::kCount && unit_ > 1) text = Short(value / unit_);
    ticks.push_back({At(value), std::move(text)});
  }
  return ticks;
}

std::string Scale::Label() const {
  if (spec_.logarithmic) {
    return spec_.quantity == Quantity::kPercent ? StrCat(spec_.label, ", %") : spec_.label;
  }
  return unit_name_.empty() ? spec_.label : StrCat(spec_.label, ", ", unit_name_);
}

}  // namespace edgemill
