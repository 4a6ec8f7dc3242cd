#include "cli/program.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/display/progress_figures.h"
#include "cli/plugins.h"
#include "cli/signals.h"
#include "common/strings.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

/// Limits the memory that the C library's allocator holds beyond what is in use, so that resident
/// memory stays in the budget. There are two arenas for any number of threads, and larger blocks
/// are given back when they are freed.
void BoundAllocator() {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  mallopt(M_TOP_PAD, 128 << 10);
}

/// Raises the limit of open files as far as allowed: a graph keeps a descriptor for each segment.
void RaiseFileLimit() {
  rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

/// `text` on one line, even if file names contain control characters. These become "\n" or "?".
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      line += '?';
    } else {
      line += c;
    }
  }
  return line;
}

/// The command line, quoted for a shell.
std::string CommandLine(std::string_view name, const std::vector<std::string>& arguments) {
  std::string line = StrCat("edgemill ", name);
  for (const std::string& argument : arguments) {
    const bool plain =
        !argument.empty() && std::all_of(argument.begin(), argument.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 ||
                 std::string_view("-_./,=:+").find(c) != std::string_view::npos;
        });
    std::string quoted;
    for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += plain ? StrCat(" ", argument) : StrCat(" '", quoted, "'");
  }
  return line;
}

/// Whether errors are to be printed as JSON. Only looks for words, because the command line may be
/// wrong.
bool AsksForJson(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i] == "--progress=json") return true;
    const bool has_next = i + 1 < arguments.size();
    if (arguments[i] == "--progress" && has_next && arguments[i + 1] == "json") return true;
  }
  return false;
}

Status Execute(const CommandEntry& entry, const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const bool wants_help = std::find_if(arguments.begin(), end, [](const std::string& argument) {
                            return argument == "--help" || argument == "-h";
                          }) != end;
  if (wants_help) {
    // "run bfs --help" asks about bfs.
    const bool of_algorithm =
        entry.name == "run" && !arguments.empty() && !arguments[0].starts_with('-');
    ASSIGN_OR_RETURN(const std::string help,
                     of_algorithm ? AlgorithmHelpText(arguments[0]) : HelpText(entry.name));
    return WriteStandardOutput(help);
  }
  const std::unique_ptr<Command> command = entry.make();
  OptionSet options{std::string(entry.name)};
  Session session;
  command->Declare(options);
  session.Declare(options, command->shared());
  RETURN_IF_ERROR(options.Parse(arguments));
  session.SetCommandLine(CommandLine(entry.name, arguments));
  Status status = session.Start();
  if (status.ok()) status = command->Run(options, session);
  return session.Finish(entry.name, status);
}

Status Dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    ASSIGN_OR_RETURN(const std::string help, HelpText(""));
    return WriteStandardOutput(help);
  }
  std::string name = arguments[0];
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version") name = "version";
  size_t words = 1;
  if (IsCommandGroup(name)) {
    if (arguments.size() < 2) {
      return UsageError(
          StrCat("a command is missing after ", name, ": edgemill help ", name, " lists them"));
    }
    if (arguments[1] == "--help" || arguments[1] == "-h") {
      ASSIGN_OR_RETURN(const std::string help, HelpText(name));
      return WriteStandardOutput(help);
    }
    name += StrCat(" ", arguments[words++]);
  }
  const CommandEntry* entry = FindCommand(name);
  if (entry == nullptr) return UnknownCommand(name);
  return Execute(*entry, {arguments.begin() + static_cast<ptrdiff_t>(words), arguments.end()});
}

/// Whether standard error has only JSON, one object in each line.
std::atomic<bool> errors_are_json{false};

/// Prints an error's line.
void PrintError(const Status& status) {
  const std::string line = errors_are_json ? StrCat(ErrorJson(status, ExitCode(status)), "\n")
                                           : StrCat("edgemill: ", OneLine(status.message()), "\n");
  WriteStandardError(line).ok();  // there is nowhere to report that it failed
}

/// Ends the process at an exception. Prints an error message if the system refused memory or a
/// thread. Destroys no objects, because other threads still work, and RocksDB's threads cannot be
/// joined if one of them did not start. A killed command leaves the same files.
[[noreturn]] void EndAtException() {
  static constexpr std::string_view kNoMemory =
      "the system refused memory: raise the limit (ulimit -v, -d), or give a smaller --memory and "
      "fewer --threads";
  const auto refused = [] {  // without allocating
    const bool as_json = errors_are_json;
    for (const std::string_view part :
         {std::string_view(as_json ? "{\"error\":\"" : "edgemill: "), kNoMemory,
          std::string_view(as_json ? "\",\"exit_code\":71}\n" : "\n")}) {
      std::fwrite(part.data(), 1, part.size(), stderr);
    }
    std::_Exit(static_cast<int>(Code::kBudget));
  };
  static thread_local bool is_ending = false;
  if (std::exchange(is_ending, true)) refused();  // the error message below found no memory
  static std::atomic_flag ends;
  while (ends.test_and_set()) pause();  // another thread ends the process
  const std::exception_ptr thrown = std::current_exception();
  if (thrown == nullptr) {
    PrintError(InternalError("std::terminate was called, which is a defect: please report it"));
    std::abort();
  }
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    refused();
  } catch (const std::system_error& error) {
    PrintError(BudgetError(
        StrCat("the system refused a thread: ", error.code().message(),
               ": raise the limit (ulimit -u, -v or pids.max), or give fewer --threads")));
  } catch (const std::exception& error) {
    PrintError(
        InternalError(StrCat("an exception, which is a defect: please report it: ", error.what())));
    std::abort();
  }
  std::_Exit(static_cast<int>(Code::kBudget));
}

}  // namespace

int RunProgram(int argc, char** argv) {
  OpenMissingStandardStreams();
  BoundAllocator();
  RaiseFileLimit();
  InstallSignalHandlers();
  std::set_terminate(EndAtException);
  try {
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    errors_are_json = AsksForJson(arguments);
    Status status = LoadPlugins(arguments);
    if (status.ok()) status = Dispatch(arguments);
    if (!status.ok()) PrintError(status);
    return ExitCode(status);
  } catch (...) {
    EndAtException();
  }
}

}  // namespace edgemill::cli
