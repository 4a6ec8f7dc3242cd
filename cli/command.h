// A command of the program. Each command has its own source file; command_list.cc lists them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_set.h"
#include "cli/session.h"
#include "common/status.h"

namespace edgemill::cli {

/// One command: declares its options, then runs once with their values.
class Command {
 public:
  virtual ~Command() = default;
  /// Declares options and arguments. Their values are fields of the command.
  virtual void Declare(OptionSet& options) = 0;
  /// Which shared options it has.
  virtual SharedChoices shared() const { return {}; }
  /// A paragraph or more for `edgemill help COMMAND`, after its one-line summary.
  virtual std::string_view description() const { return ""; }
  /// Runs the command. `options` says which options were given.
  virtual Status Run(const OptionSet& options, Session& session) = 0;
};

std::unique_ptr<Command> MakeIngestCommand();
std::unique_ptr<Command> MakeGenerateCommand();
std::unique_ptr<Command> MakeInfoCommand();
std::unique_ptr<Command> MakeStatsCommand();
std::unique_ptr<Command> MakePairsCommand();
std::unique_ptr<Command> MakeTrussCommand();
std::unique_ptr<Command> MakeWalksCommand();
std::unique_ptr<Command> MakeSampleCommand();
std::unique_ptr<Command> MakeVerifyCommand();
std::unique_ptr<Command> MakeRunCommand();
std::unique_ptr<Command> MakeTestCommand();
std::unique_ptr<Command> MakeBenchIoCommand();
std::unique_ptr<Command> MakeBenchDecodeCommand();
std::unique_ptr<Command> MakeBenchTransferCommand();
std::unique_ptr<Command> MakeBenchMemoryCommand();
std::unique_ptr<Command> MakeBenchRunCommand();
std::unique_ptr<Command> MakeBenchScalesCommand();
std::unique_ptr<Command> MakeBenchScalingCommand();
std::unique_ptr<Command> MakeBenchPapersCommand();
std::unique_ptr<Command> MakeBenchGraphalyticsCommand();
std::unique_ptr<Command> MakeBenchGpuCommand();
std::unique_ptr<Command> MakeBenchRecordCommand();
std::unique_ptr<Command> MakeBenchCompareCommand();
std::unique_ptr<Command> MakeCalibrateCommand();
std::unique_ptr<Command> MakeExportCommand();
std::unique_ptr<Command> MakeRemoveCommand();
std::unique_ptr<Command> MakeVersionCommand();
std::unique_ptr<Command> MakeHelpCommand();
std::unique_ptr<Command> MakeCompletionCommand();

/// A command: its name of one or two words ("bench io"), and a summary in one line. `purpose` is
/// the heading that help lists it under, and `make` makes it.
struct CommandEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view purpose;
  std::unique_ptr<Command> (*make)();
};
/// All commands, in the order that help shows them.
const std::vector<CommandEntry>& Commands();
/// The command called `name`; null when there is none.
const CommandEntry* FindCommand(std::string_view name);
/// The declared options and arguments of a command, and those that it shares. They take no values.
std::vector<OptionSpec> OptionsOf(const CommandEntry& entry);
/// Whether `name` is the first word of commands of two words, such as "bench".
bool IsCommandGroup(std::string_view name);
/// The UsageError for a name that no command has. For an algorithm's name it says how to run the
/// algorithm. For other names it suggests the nearest command, but never one that deletes
/// something.
Status UnknownCommand(std::string_view name);

/// The help text of the program, of the command `name`, or of all commands that start with this
/// word. UsageError with the nearest name when there is no such command.
StatusOr<std::string> HelpText(std::string_view name);
/// The text of `edgemill help run ALGORITHM` for the algorithm `name`. UsageError when there is
/// none.
StatusOr<std::string> AlgorithmHelpText(std::string_view name);
/// The same two texts as pages for man, edgemill-COMMAND(1) and edgemill-run-ALGORITHM(1). The page
/// of the program, edgemill(1), has an empty name. Same errors.
StatusOr<std::string> ManualPage(std::string_view name);
StatusOr<std::string> AlgorithmManualPage(std::string_view name);
/// docs/ALGORITHMS.md, for `edgemill help algorithms`: Markdown from the algorithms' declarations.
std::string AlgorithmsPage();

}  // namespace edgemill::cli
