// The options of one command: declared with the place their values go to, and parsed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_spec.h"
#include "common/status.h"

namespace edgemill::cli {

/// Options and positional arguments. Values are read without locales and checked against their
/// range here, so that every complaint has one form. Pointers given must outlive Parse. Not
/// thread-safe.
class OptionSet {
 public:
  /// `command` is named in complaints ("ingest").
  explicit OptionSet(std::string command) : command_(std::move(command)) {}

  /// Starts a group of options in the help text.
  void Section(std::string_view title) { section_ = title; }
  /// `names` is as in "-s,--symmetrize". A flag takes no value.
  void Flag(std::string_view names, bool* value, std::string_view help);
  /// A text that is not empty.
  void Text(std::string_view names, std::string* value, std::string_view placeholder,
            std::string_view help);
  /// May be given several times.
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
  /// The next positional argument, one of `choices` if there are any. Required ones come before
  /// optional ones.
  void Positional(std::string_view name, std::string* value, bool required, std::string_view help,
                  std::vector<std::string> choices = {});
  /// All positional arguments that are left; `least` of them are required.
  void Positionals(std::string_view name, std::vector<std::string>* values, size_t least,
                   std::string_view help);

  /// The option ("--output") or argument ("OUT") with this name, declared before, is a file that is
  /// written, or - for standard output, and others beside it: Parse refuses those that are one file
  /// with another option's (CheckNamedFiles).
  void WritesTo(std::string_view name, FilesBeside beside = {});
  /// The option ("--values") or arguments ("INPUT...") with this name, declared before, are files
  /// that are read, or - for standard input: Parse refuses two that are one stream, and one that is
  /// written too.
  void Reads(std::string_view name);
  /// The option ("--data") or argument with this name, declared before, is directories that are
  /// made: Parse refuses one that is a file that is written.
  void Makes(std::string_view name);

  /// The option `name` acts only where `other`, an option or argument of text, is one of `values`,
  /// or a list with one of them; or, without values, where `other` is given too. Parse refuses it
  /// elsewhere. Both are declared.
  void ActsWith(std::string_view name, std::string_view other,
                std::vector<std::string> values = {});
  /// At most one of these options does anything: Parse refuses two. All are declared.
  void Exclude(std::vector<std::string_view> names);

  /// The option with this name ("--replace") loses something: no complaint suggests it.
  void NeverSuggest(std::string_view name);

  /// Reads the arguments after the command's name and stores the values. UsageError, with the
  /// nearest known option where an unknown one was given, otherwise; values may be stored in part
  /// then.
  Status Parse(const std::vector<std::string>& arguments);
  /// Whether the option with this name ("--memory") was given; after Parse.
  bool Given(std::string_view name) const;
  /// The long names of all options, in order.
  std::vector<std::string> Names() const;
  /// All options and arguments, in order: what help tells of.
  const std::vector<OptionSpec>& specs() const { return specs_; }

 private:
  /// Where an option acts: see ActsWith and Exclude.
  struct Rule {
    std::string option;
    std::string other;
    std::vector<std::string> values;
    bool excludes = false;
  };

  void Add(OptionSpec spec);
  /// The option or argument with this name, which has been declared.
  OptionSpec& Declared(std::string_view name);
  const OptionSpec& Declared(std::string_view name) const;
  /// The option that is called so, with its dashes; null without one.
  OptionSpec* Find(std::string_view name);
  /// Takes the option `word`: "--name=value", "-r5", flags also together, "-vs"; or "--name" and
  /// "-r" with the word after it, `next` (null: there is none). Returns whether it took that too.
  StatusOr<bool> ParseOption(const std::string& word, const std::string* next);
  Status Assign(OptionSpec& spec);
  /// UsageError where the option of the rule, which is given, cannot act.
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
