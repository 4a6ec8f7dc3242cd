#include <nlohmann/json.hpp>
#include <utility>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/plugins.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

class HelpCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("COMMAND", &command_, false,
                       "the command to explain; algorithms: all of them, as Markdown");
    options.Positional("ALGORITHM", &algorithm_, false,
                       "after run: the algorithm to explain; after bench: the benchmark");
    options.Flag("--man", &manual_, "the same as a page for man");
    DeclarePlugins(options, &plugins_);
  }
  SharedChoices shared() const override {
    return {.memory = false, .threads = false, .data_help = ""};
  }
  Status Run(const OptionSet& /*options*/, Session& session) override {
    if (!algorithm_.empty() && command_ == "bench") {
      command_ += " " + std::exchange(algorithm_, "");
    }
    if (!algorithm_.empty() && command_ != "run") {
      return UsageError(StrCat("help: ", command_, " ", algorithm_,
                               " has no help: only run has topics of its own"));
    }
    ASSIGN_OR_RETURN(const std::string text, Text());
    session.SetJson(JsonText(nlohmann::ordered_json{{"command", "help"}, {"text", text}}));
    return session.Print(text);
  }

 private:
  StatusOr<std::string> Text() const {
    if (manual_) return algorithm_.empty() ? ManualPage(command_) : AlgorithmManualPage(algorithm_);
    if (!algorithm_.empty()) return AlgorithmHelpText(algorithm_);
    if (command_ == "algorithms") return AlgorithmsPage();
    return HelpText(command_);
  }

  std::string command_;
  std::string algorithm_;
  bool manual_ = false;
  std::vector<std::string> plugins_;  // loaded before the command runs
};

}  // namespace

std::unique_ptr<Command> MakeHelpCommand() { return std::make_unique<HelpCommand>(); }

}  // namespace edgemill::cli
