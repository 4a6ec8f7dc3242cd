// The options of algorithms: what an algorithm declares, and the values that a run gives.
//
//   constexpr Option<double> kDamping{.names = "--damping", .help = "the chance that ...",
//                                     .range = {.least = 0, .below = 1}, .value = .85};
//
// An algorithm declares an option only here: the command line, help, reports and the checks before
// a run read the declaration. A driver asks its state for the value: state.Get(kDamping).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/check.h"
#include "common/status.h"
#include "common/types.h"

namespace edgemill {

/// A vertex as an option's value: its input id or, where vertices have names, its rank.
struct InputVertex {
  ExternalId id = 0;
};

/// Vertices as an option's value, in the order in which they were given.
struct InputVertices {
  std::vector<ExternalId> ids;
};
/// Says in a declaration that an option takes InputVertices.
struct SeveralVertices {};

/// Values of vertices as an option's value, and the file from which they were read.
struct InputValues {
  using Row = std::pair<ExternalId, double>;  // the id or, of a vertex with a name, its rank
  std::string file;
  std::shared_ptr<const std::vector<Row>> rows = {};  // by rising id, each once
};
/// Says in a declaration that an option takes InputValues.
struct VertexValues {};

/// The numbers that an option takes: at least `least`, above `above`, and so on.
struct OptionRange {
  double least = -std::numeric_limits<double>::infinity();
  double above = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();

  bool Has(double number) const {
    return number >= least && number > above && number <= most && number < below;
  }
  /// "of at least 0 and below 1"; empty where the range has all numbers.
  std::string Text() const;
  bool operator==(const OptionRange&) const = default;
};
/// A range of whole numbers of 32 bits.
constexpr OptionRange Whole32(double least) {
  return {.least = least, .most = double{std::numeric_limits<uint32_t>::max()}};
}

/// An option as an algorithm's file declares it. T: bool (a flag), uint64_t, double,
/// std::string_view (one of `choices`), InputVertex, SeveralVertices or VertexValues.
template <typename T>
struct Option {
  std::string_view names;         // as typed: "-i,--iterations"
  std::string_view help;          // without the default value
  OptionRange range = {};         // of numbers
  std::optional<T> value = {};    // the default; for choices the first one, for flags false
  std::string_view choices = {};  // "spread|drop"
  std::string_view method = {};   // the only method that has it; empty: all
  bool required = false;
  bool stops_early = false;  // may end a run before its answer is complete; not for benchmarks
};

/// The option of algorithms that start at a vertex.
inline constexpr Option<InputVertex> kSource{
    .names = "-r,--source",
    .help = "where to start: the vertex's id or, where vertices have names, its name",
    .required = true};

/// The option of algorithms that start at several vertices, one after the other.
inline constexpr Option<SeveralVertices> kSources{
    .names = "-r,--source",
    .help = "a vertex to start at, by its id or its name; give it several times for more",
    .required = true};

enum class OptionKind : uint8_t { kFlag, kNumber, kReal, kChoice, kVertex, kVertices, kValues };

/// An option of any type, for code that reads declarations.
struct OptionDeclaration {
  std::string_view names;
  OptionKind kind;
  std::string_view help;
  OptionRange range;
  std::string default_text;  // "default 0.85"; empty: no default
  std::string_view choices;
  std::string_view method;
  bool required;
  bool stops_early;

  template <typename T>
  OptionDeclaration(const Option<T>& option)  // NOLINT: declarations are lists of options
      : names(option.names),
        kind(KindOf<T>()),
        help(option.help),
        range(option.range),
        default_text(DefaultText(option)),
        choices(option.choices),
        method(option.method),
        required(option.required),
        stops_early(option.stops_early) {}

  std::string_view short_name() const { return names.substr(0, names.find(',')); }
  std::string_view long_name() const {
    const size_t comma = names.find(',');
    return comma == std::string_view::npos ? names : names.substr(comma + 1);
  }
  /// "the chance that ... (default 0.85)".
  std::string HelpText() const;
  std::vector<std::string> Choices() const;
  bool operator==(const OptionDeclaration&) const = default;

 private:
  template <typename T>
  static constexpr OptionKind KindOf() {
    if constexpr (std::is_same_v<T, bool>) return OptionKind::kFlag;
    if constexpr (std::is_same_v<T, uint64_t>) return OptionKind::kNumber;
    if constexpr (std::is_same_v<T, double>) return OptionKind::kReal;
    if constexpr (std::is_same_v<T, std::string_view>) return OptionKind::kChoice;
    if constexpr (std::is_same_v<T, InputVertex>) return OptionKind::kVertex;
    if constexpr (std::is_same_v<T, SeveralVertices>) return OptionKind::kVertices;
    if constexpr (std::is_same_v<T, VertexValues>) return OptionKind::kValues;
  }
  template <typename T>
  static std::string DefaultText(const Option<T>& option) {
    if constexpr (std::is_same_v<T, std::string_view>) {
      return StrCat("default ", option.choices.substr(0, option.choices.find('|')));
    } else if constexpr (std::is_same_v<T, uint64_t> || std::is_same_v<T, double>) {
      if (option.value.has_value()) return StrCat("default ", *option.value);
    }
    return "";
  }
};

/// A value of any type.
class OptionValue {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> OptionValue(T value)  // NOLINT: values are written as they are
      : value_(Stored(value)) {}
  OptionValue(std::string_view value) : value_(std::string(value)) {}       // NOLINT
  OptionValue(std::string value) : value_(std::move(value)) {}              // NOLINT
  OptionValue(const char* value) : value_(std::string(value)) {}            // NOLINT
  OptionValue(InputVertex vertex) : value_(vertex.id) {}                    // NOLINT
  OptionValue(InputVertices vertices) : value_(std::move(vertices.ids)) {}  // NOLINT
  OptionValue(InputValues values) : value_(std::move(values)) {}            // NOLINT

  /// Whether it can be the value of an option of this kind.
  bool Is(OptionKind kind) const;
  /// The value as T, a type of options. It must have that type.
  template <typename T>
  T As() const {
    if constexpr (std::is_same_v<T, InputVertex>) {
      return {As<uint64_t>()};
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      CHECK(std::holds_alternative<std::string>(value_));
      return std::get<std::string>(value_);
    } else {
      if constexpr (std::is_same_v<T, double>) {
        if (std::holds_alternative<uint64_t>(value_)) return double(std::get<uint64_t>(value_));
      }
      CHECK(std::holds_alternative<T>(value_));
      return std::get<T>(value_);
    }
  }
  /// As text: "1", "0.85", "drop".
  std::string Text() const;
  using Variant =
      std::variant<bool, uint64_t, double, std::string, std::vector<ExternalId>, InputValues>;
  const Variant& variant() const { return value_; }

 private:
  template <typename T>
  static Variant Stored(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      return value;
    } else if constexpr (std::is_floating_point_v<T>) {
      return double{value};
    } else {
      if (value < T{0}) return static_cast<double>(value);  // no option of whole numbers takes it
      return static_cast<uint64_t>(value);
    }
  }

  Variant value_;
};

/// The values that were given, by the long names of their options.
class OptionValues {
 public:
  using Entry = std::pair<std::string, OptionValue>;

  OptionValues() = default;
  /// {{"--iterations", 10}, {"--method", "delta"}}.
  OptionValues(std::initializer_list<std::pair<std::string_view, OptionValue>> values);

  void Set(std::string_view name, OptionValue value);
  void Remove(std::string_view name);
  /// Null where it was not given.
  const OptionValue* Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  /// In the order in which they were set.
  const std::vector<Entry>& entries() const { return entries_; }
  /// The value of the option `name`, or `otherwise` where none was given.
  template <typename T>
  T GetOr(std::string_view name, T otherwise) const {
    const OptionValue* const value = Find(name);
    return value == nullptr ? otherwise : value->As<T>();
  }
  /// The value of a declared option, or its default; there must be one.
  template <typename T>
  T Get(const Option<T>& option) const {
    const OptionValue* const value = Find(LongName(option));
    if (value != nullptr) return value->As<T>();
    if (option.value.has_value()) return *option.value;
    if constexpr (std::is_same_v<T, bool>) {
      return false;
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      return option.choices.substr(0, option.choices.find('|'));
    } else {
      internal::AuthorMistake(std::string(LongName(option)) +
                              ": was not given and has no default: declare it required, or ask "
                              "Given() before Get()");
    }
  }
  template <typename T>
  bool Given(const Option<T>& option) const {
    return Has(LongName(option));
  }
  /// The values from an option's file; null where no file was given.
  const InputValues* Find(const Option<VertexValues>& option) const {
    const OptionValue* const value = Find(LongName(option));
    return value == nullptr ? nullptr : std::get_if<InputValues>(&value->variant());
  }
  /// The first value that was given for kSource or kSources, and all of these values.
  std::optional<ExternalId> source() const;
  std::vector<ExternalId> sources() const;

 private:
  template <typename T>
  static std::string_view LongName(const Option<T>& option) {
    const size_t comma = option.names.find(',');
    return comma == std::string_view::npos ? option.names : option.names.substr(comma + 1);
  }

  std::vector<Entry> entries_;
};

/// UsageError unless `value` is one that the option takes.
Status CheckValue(const OptionDeclaration& option, const OptionValue& value);

}  // namespace edgemill
