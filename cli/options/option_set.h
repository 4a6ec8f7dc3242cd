// The options of one command: declares each with the place of its value, and parses them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_spec.h"
#include "common/status.h"

namespace edgemill::cli {

/// Options and positional arguments. Values are parsed without locales and checked against their
/// range here, so that all error messages have one form. Pointers passed in must outlive Parse. Not
/// thread-safe.
class OptionSet {
 public:
  /// Error messages contain `command` ("ingest").
  explicit OptionSet(std::string command) : command_(std::move(command)) {}

  /// Starts a group of options in the help text.
  void Section(std::string_view title) { section_ = title; }
  /// A flag, which takes no value. `names` is such as "-s,--symmetrize".
  void Flag(std::string_view names, bool* value, std::string_view help);
  /// A text that is not empty.
  void Text(std::string_view names, std::string* value, std::string_view placeholder,
            std::string_view help);
  /// Texts of an option that may be given several times.
  void Texts(std::string_view names, std::vector<std::string>* values, std::string_view placeholder,
             std::string_view help);
  /// A whole number.
  void Number(std::string_view names, uint64_t* value, std::string_view placeholder,
              std::string_view help, const NumberRange<uint64_t>& range = {});
  /// A finite number.
  void Real(std::string_view names, double* value, std::string_view placeholder,
            std::string_view help, const NumberRange<double>& range);
  /// A size as ParseBytes takes it.
  void Bytes(std::string_view names, uint64_t* value, std::string_view help);
  /// One of `choices`.
  void Choice(std::string_view names, std::string* value, std::vector<std::string> choices,
              std::string_view help);
  /// The next positional argument, one of `choices` if there are any. Required arguments come
  /// before optional ones.
  void Positional(std::string_view name, std::string* value, bool required, std::string_view help,
                  std::vector<std::string> choices = {});
  /// All remaining positional arguments, at least `least` of them.
  void Positionals(std::string_view name, std::vector<std::string>* values, size_t least,
                   std::string_view help);

  /// The declared option ("--output") or argument ("OUT") `name` is a file to write, or - for
  /// standard output. `beside` gives files that are also written. Parse refuses files that another
  /// option also names (CheckNamedFiles).
  void WritesTo(std::string_view name, FilesBeside beside = {});
  /// The declared option ("--values") or arguments ("INPUT...") `name` are files to read, or - for
  /// standard input. Parse refuses two that are one stream, and one that is also written.
  void Reads(std::string_view name);
  /// The declared option ("--data") or argument `name` is directories to make. Parse refuses one
  /// that is also a file to write.
  void Makes(std::string_view name);

  /// The option `name` acts only if `other`, an option or argument of text, is one of `values` or a
  /// list with one of them. Without values, it acts only if `other` is also given. Parse refuses it
  /// otherwise. Both must be declared. If `name` has the value `except`, it acts in any case.
  void ActsWith(std::string_view name, std::string_view other, std::vector<std::string> values = {},
                std::string_view except = "");
  /// At most one of these options can be used: Parse refuses two. All must be declared.
  void Exclude(std::vector<std::string_view> names);

  /// The declared option `name` ("--replace") deletes something: no error message suggests it.
  void NeverSuggest(std::string_view name);

  /// Parses the arguments after the command's name and stores the values. Otherwise returns
  /// UsageError, with the nearest option for an unknown one. Some values may be stored even then.
  Status Parse(const std::vector<std::string>& arguments);
  /// Whether the option `name` ("--memory") was given. Call it after Parse.
  bool Given(std::string_view name) const;
  /// The long names of all options, in order.
  std::vector<std::string> Names() const;
  /// All options and arguments, in order, for help.
  const std::vector<OptionSpec>& specs() const { return specs_; }

 private:
  /// A condition of an option: see ActsWith and Exclude.
  struct Rule {
    std::string option;
    std::string other;
    std::vector<std::string> values;
    std::string except;
    bool excludes = false;
  };

  void Add(OptionSpec spec);
  /// The declared option or argument `name`.
  OptionSpec& Declared(std::string_view name);
  const OptionSpec& Declared(std::string_view name) const;
  /// The option `name`, with its dashes; null when there is none.
  OptionSpec* Find(std::string_view name);
  /// Parses the option `word`: "--name=value", "-r5", or several flags, "-vs". After "--name" and
  /// "-r", the value is the next word, `next` (null: there is none). Returns whether it took that
  /// word.
  StatusOr<bool> ParseOption(const std::string& word, const std::string* next);
  Status Assign(OptionSpec& spec);
  /// Returns UsageError if the option of the rule, which was given, cannot act.
  Status CheckRule(const Rule& rule) const;
  Status CheckFiles() const;
  Status Distribute(const std::vector<std::string>& arguments);
  Status Unknown(const std::string& argument) const;

  std::string command_;
  std::string section_;
  std::vector<OptionSpec> specs_;
  std::vector<Rule> rules_;
};

}  // namespace edgemill::cli
