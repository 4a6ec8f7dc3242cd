#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/shell/completion.h"

namespace edgemill::cli {
namespace {

class CompletionCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("SHELL", &shell_, true, "bash, zsh or fish", {"bash", "zsh", "fish"});
    options.Positional("PROGRAM", &program_, false, "the program's name, where it is not edgemill");
  }
  SharedChoices shared() const override {
    return {.memory = false, .threads = false, .data_help = ""};
  }
  std::string_view description() const override {
    return "In bash: source <(edgemill completion bash). In zsh: source <(edgemill completion "
           "zsh).\n"
           "In fish: edgemill completion fish | source. A package installs all three.\n";
  }
  Status Run(const OptionSet& /*options*/, Session& session) override {
    const std::string text = shell_ == "bash"  ? BashCompletion(program_)
                             : shell_ == "zsh" ? ZshCompletion(program_)
                                               : FishCompletion(program_);
    session.SetJson(JsonText(nlohmann::ordered_json{{"command", "completion"}, {"text", text}}));
    return session.Print(text);
  }

 private:
  std::string shell_;
  std::string program_ = "edgemill";
};

}  // namespace

std::unique_ptr<Command> MakeCompletionCommand() { return std::make_unique<CompletionCommand>(); }

}  // namespace edgemill::cli
