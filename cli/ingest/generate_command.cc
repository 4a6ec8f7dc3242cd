#include <memory>

#include "cli/command.h"
#include "cli/ingest/graph_making.h"
#include "cli/ingest/ingest_flags.h"
#include "common/strings.h"
#include "common/units.h"
#include "loaders/generate/generator.h"

namespace edgemill::cli {
namespace {

class GenerateCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  SharedChoices shared() const override {
    return {.data_help = "where blocks go (repeatable; default: inside the graph directory)"};
  }
  std::string_view description() const override;
  Status Run(const OptionSet& options, Session& session) override;

 private:
  std::string kind_;
  std::string out_;
  uint64_t scale_ = 20;
  uint64_t edge_factor_ = 16;
  uint64_t num_vertices_ = 0;
  uint64_t num_edges_ = 0;
  uint64_t seed_ = 0;
  double a_ = 0.57;
  double b_ = 0.19;
  double c_ = 0.19;
  IngestFlags flags_;
};

void GenerateCommand::Declare(OptionSet& options) {
  options.Positional("KIND", &kind_, true,
                     "kron, rmat, uniform, web, grid, road, path or star; see below",
                     GeneratorKindNames());
  options.Positional("OUT.mill", &out_, true, "the graph directory to make");
  options.Makes("OUT.mill");
  options.Section("The graph");
  options.Number("--scale", &scale_, "N", "2^N vertices (default 20)", {0, 31});
  options.Number("--edge-factor", &edge_factor_, "N",
                 "edges drawn a vertex (default 16; 10 for web)", {1, 1 << 20});
  options.Number("--vertices", &num_vertices_, "N",
                 "vertices, instead of --scale (not for kron and rmat)", {1});
  options.Number("--edges", &num_edges_, "N", "edges drawn, instead of --edge-factor", {1});
  options.Number("--seed", &seed_, "N", "0 is the kind's own; the same seed, the same graph");
  options.Real("--a", &a_, "X", "rmat: chance of the first quadrant", {0, 1});
  options.Real("--b", &b_, "X", "rmat: of the second", {0, 1});
  options.Real("--c", &c_, "X", "rmat: of the third; the fourth is what is left", {0, 1});
  flags_.Declare(options, false);
  for (const std::string_view chance : {"--a", "--b", "--c"}) {
    options.ActsWith(chance, "KIND", {"rmat"});
  }
  options.ActsWith("--edges", "KIND", {"kron", "rmat", "uniform"});
  options.ActsWith("--edge-factor", "KIND", {"kron", "rmat", "uniform", "web"});
  options.ActsWith("--vertices", "KIND", {"uniform", "web", "grid", "road", "path", "star"});
  options.ActsWith("--seed", "KIND", {"kron", "rmat", "uniform", "web", "road"});
  options.Exclude({"--vertices", "--scale"});
  options.Exclude({"--edges", "--edge-factor"});
}

std::string_view GenerateCommand::description() const {
  return "Kinds:\n"
         "  kron      Graph500's Kronecker graph with GAP's parameters and edges; undirected, ids\n"
         "            shuffled, without duplicates and loops\n"
         "  rmat      the same with chances of your own; directed, ids not shuffled\n"
         "  uniform   both ends drawn uniformly; undirected, without duplicates and loops\n"
         "  web       lists that copy from one another and stay near, as crawls do; directed\n"
         "  grid      a rectangle; each vertex with its neighbours; undirected\n"
         "  road      a grid with gaps and diagonals, weights 1 to 100; undirected\n"
         "  path      0 - 1 - 2 - ...; undirected\n"
         "  star      0 with every other vertex; undirected\n"
         "Edges go straight into the graph's blocks: there is no edge file. The same options give\n"
         "the same graph on every machine.\n";
}

Status GenerateCommand::Run(const OptionSet& given, Session& session) {
  const GraphRequest request{.command = "generate", .out = out_};
  const StatusOr<GeneratorKind> kind = ParseGeneratorKind(kind_);
  if (!kind.ok()) return Annotate(kind.status(), "generate");
  GeneratorOptions generator{.kind = *kind,
                             .scale = static_cast<int>(scale_),
                             .num_vertices = num_vertices_,
                             .num_edges = num_edges_,
                             .a = a_,
                             .b = b_,
                             .c = c_,
                             .seed = seed_};
  generator.edge_factor =
      *kind == GeneratorKind::kWeb && !given.Given("--edge-factor") ? 10 : edge_factor_;
  StatusOr<IngestOptions> options =
      flags_.Parse(given, session.options().data_directories, session.threads());
  if (!options.ok()) return Annotate(options.status(), "generate");
  SetIngestDefaults(*kind, &*options);
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, MakeGenerator(generator));
  RETURN_IF_ERROR(flags_.CheckSource(source->info(), *options));
  const uint64_t made = source->info().num_vertices.value_or(num_vertices_);
  if (num_vertices_ > 0 && made != num_vertices_) {
    session.progress().Note(StrCat(FormatCount(num_vertices_),
                                   " vertices make no whole rectangle: this one has ",
                                   FormatCount(made)));
  }
  return MakeGraph(request, *source, flags_, *options, session);
}

}  // namespace

std::unique_ptr<Command> MakeGenerateCommand() { return std::make_unique<GenerateCommand>(); }

}  // namespace edgemill::cli
