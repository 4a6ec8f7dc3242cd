#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/ingest/graph_making.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

class RemoveCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory, whole or half made");
  }
  SharedChoices shared() const override { return {.memory = false, .threads = false}; }
  std::string_view description() const override {
    return "Deletes the graph's blocks on every data directory and the graph directory; data\n"
           "directories that ingest made go too when they are left empty, and so does what a\n"
           "--replace that was killed left in GRAPH.replacing. Asks nothing. Refuses a directory\n"
           "that is neither a graph nor empty, a graph that another process uses, and a copy of a\n"
           "graph directory whose blocks are the original's.\n";
  }
  Status Run(const OptionSet& /*options*/, Session& session) override {
    session.progress().StartStage("removing the graph", "files", 0);
    RETURN_IF_ERROR(RemoveWithRemains(graph_, session.options().data_directories));
    const nlohmann::ordered_json json = {
        {"command", "remove"}, {"graph", graph_}, {"removed", true}};
    session.SetJson(JsonText(json));
    return session.Print(StrCat("removed ", graph_, "\n"));
  }

 private:
  std::string graph_;
};

}  // namespace

std::unique_ptr<Command> MakeRemoveCommand() { return std::make_unique<RemoveCommand>(); }

}  // namespace edgemill::cli
