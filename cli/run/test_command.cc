#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "bench/conformance/conformance.h"
#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/plugins.h"
#include "cli/run/algorithm_options.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

/// All algorithms, without options for a graph of the user's: sources, and values of vertices.
std::vector<AlgorithmHelp> WithoutGraphs() {
  std::vector<AlgorithmHelp> algorithms = Algorithms();
  for (AlgorithmHelp& help : algorithms) {
    std::erase_if(help.options, [](const OptionDeclaration& option) {
      return option.kind == OptionKind::kVertex || option.kind == OptionKind::kVertices ||
             option.kind == OptionKind::kValues;
    });
  }
  return algorithms;
}

class TestCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("ALGORITHM", &algorithm_, true, "what to test; also one of a plugin");
    options.Section("The test");
    options.Number("--seeds", &seeds_, "N", "graphs of each random kind (default 3)", {1, 10'000});
    options.Real("--difference", &difference_, "X",
                 "real values that differ by less are the same, relative to the larger "
                 "(default 1e-5)",
                 {0, 1});
    options.Flag("--verify-only", &verify_only_,
                 "do not compare answers, only verify them: several may be right, as of parents");
    options.Real("--limit", &limit_, "SECONDS",
                 "a run that takes longer is wrong: it may never end (default 60)", {0.001, 1e6});
    options.Text("--scratch", &scratch_, "DIR",
                 "where the graphs are made, and removed (default: here)");
    DeclarePlugins(options, &plugins_);
    algorithm_options_.DeclareOwn(options, WithoutGraphs());
  }
  SharedChoices shared() const override { return {.data_help = ""}; }
  std::string_view description() const override {
    return "Runs an algorithm on some thirty small graphs of shapes that break algorithms, in\n"
           "every way in which it can run: directions, threads, the least memory, asynchronous\n"
           "passes, stopped at a checkpoint and resumed, and on a machine with a GPU every way of\n"
           "a GPU. Its verifier checks each answer, and all answers must be the same. The first\n"
           "wrong one is an error, with the commands that show it. Ways that the algorithm\n"
           "refuses are named.\n"
           "\n"
           "A program that edgemill_test_algorithm() of CMake has built begins on a model of the\n"
           "engine, which runs small graphs under random schedules. Each rule that a function of\n"
           "the algorithm breaks there is an error with the function's name.\n";
  }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  std::string algorithm_;
  uint64_t seeds_ = 3;
  double difference_ = 1e-5;
  bool verify_only_ = false;
  double limit_ = 60;
  std::string scratch_ = ".";
  std::vector<std::string> plugins_;
  AlgorithmOptions algorithm_options_;
};

Status TestCommand::Run(const OptionSet& given, Session& session) {
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(algorithm_);
  if (!help.has_value()) return AlgorithmHelpText(algorithm_).status();
  bench::ConformanceOptions options{.seeds = seeds_,
                                    .difference = difference_,
                                    .compares = !verify_only_,
                                    .run_seconds = limit_,
                                    .plugins = plugins_,
                                    .scratch = scratch_};
  ASSIGN_OR_RETURN(options.run, algorithm_options_.Parse(given, session.threads()));
  options.run.algorithm = help->name;
  ASSIGN_OR_RETURN(const bench::ConformanceReport report,
                   bench::TestConformance(options, session.budget(), session.progress()));
  using Json = nlohmann::ordered_json;
  session.SetJson(JsonText(Json{{"command", "test"},
                                {"algorithm", help->name},
                                {"graphs", report.graphs},
                                {"runs", report.runs},
                                {"ways", report.ways},
                                {"model_runs", report.on_model.runs},
                                {"left_out", report.left_out}}));
  const bench::ModelReport& on_model = report.on_model;
  std::string text = StrCat("algorithm       ", help->name, "\ngraphs          ", report.graphs,
                            "\nruns            ", FormatCount(report.runs), "\n");
  const auto add = [&](std::string label, const std::vector<std::string>& ways) {
    label.resize(16, ' ');
    for (const std::string& way : ways) {
      text += StrCat(label, way, "\n");
      label.assign(16, ' ');
    }
  };
  if (on_model.runs > 0) {
    text += StrCat("on the model    ", FormatCount(on_model.runs), " schedules on ",
                   on_model.graphs, " graphs\n");
  }
  add("ways", report.ways);
  add("left out", report.left_out);
  text += StrCat("verified        yes", verify_only_ ? "" : ", and all answers are the same", "\n");
  return session.Print(text);
}

}  // namespace

std::unique_ptr<Command> MakeTestCommand() { return std::make_unique<TestCommand>(); }

}  // namespace edgemill::cli
