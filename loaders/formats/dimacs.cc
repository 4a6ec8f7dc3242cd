// Graphs of DIMACS' and PACE's challenges: 'c' comments, 'p PROBLEM VERTICES EDGES', then lines of
// edges. Their form depends on the problem.
#include <algorithm>
#include <array>

#include "loaders/formats/formats.h"

namespace edgemill {
namespace {

/// The form of edges in files of one problem.
struct Problem {
  std::string_view name;
  char prefix;                       // of lines of edges; 0: none
  std::string_view skipped_letters;  // of comments, and of other lines without edges
  bool weighted;
  bool undirected;
};
constexpr std::array<Problem, 7> kProblems = {{
    {"sp", 'a', "c", true, false},        // shortest paths: a SOURCE TARGET LENGTH
    {"max", 'a', "cn", true, false},      // flows: a SOURCE TARGET CAPACITY
    {"edge", 'e', "cndvx", false, true},  // colouring: e ONE OTHER
    {"col", 'e', "cndvx", false, true},
    {"tw", 0, "c", false, true},  // PACE: ONE OTHER
    {"td", 0, "c", false, true},
    {"ds", 0, "c", false, true},
}};

const Problem* FindProblem(std::string_view name) {
  const auto found = std::ranges::find(kProblems, name, &Problem::name);
  return found == kProblems.end() ? nullptr : &*found;
}

ColumnLayout LayoutOf(const Problem& problem, const ReadOptions& options) {
  ColumnLayout layout = BaseLayout(options);
  layout.prefix = problem.prefix;
  layout.skipped_letters = problem.skipped_letters;
  if (problem.prefix == 0) layout.comment = problem.skipped_letters;
  if (problem.weighted) {
    ReadThirdAsWeight(&layout);
    layout.integer_weights = options.weights != WeightMode::kFloat;
  }
  return layout;
}

}  // namespace

bool IsDimacsProblem(const std::vector<std::string_view>& words) {
  return words.size() == 4 && words[0] == "p" && FindProblem(words[1]) != nullptr;
}

LineFormatOr MakeDimacsFormat(const TextHead& head, const ReadOptions& options) {
  constexpr std::string_view kWanted = "line 'p sp|max|edge|col|tw|td|ds VERTICES EDGES'";
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line)) {
    const std::vector<std::string_view> words = SplitBlanks(line.text, 5);
    if (words.empty() || words[0][0] == 'c') continue;
    uint64_t vertices = 0;
    uint64_t edges = 0;
    FieldError error;
    if (!IsDimacsProblem(words) || !ParseId(words[2], &vertices, &error) ||
        !ParseId(words[3], &edges, &error)) {
      return LineError(head.name, MakeBadLine(line, 0, StrCat("not a ", kWanted),
                                              "it must come before the first edge"));
    }
    const Problem& problem = *FindProblem(words[1]);
    ColumnLayout layout = LayoutOf(problem, options);
    InputInfo info;
    info.undirected = problem.undirected;
    LimitIds(vertices, options, &layout, &info);
    info.body = lines.position();
    return std::make_unique<ColumnFormat>(
        head.name, info, std::move(layout),
        ColumnFormat::Declared{edges, StrCat("the 'p' line (line ", line.number, ")")});
  }
  return MissingLine(head, line, kWanted, "is this a .gr file?");
}

}  // namespace edgemill
