#include "edgemill/c/arguments.h"

#include <algorithm>
#include <deque>
#include <new>

#include "edgemill/c_api.h"
#include "engine/api/algorithm.h"

namespace edgemill::c {

RunArguments::RunArguments(const AlgorithmHelp& help) {
  algorithm.Declare(set, {help});
  set.Section("The answer");
  answer.Declare(set);
  set.Flag("-v,--verify", &verify, "check the answer by its definition");
  shared.Declare(set, {.data_help = ""});
}

IngestArguments::IngestArguments(bool of_files) {
  if (of_files) read_flags.Declare(set);
  flags.Declare(set, /*own_ids=*/true);
  shared.Declare(set, {.data_help = "where blocks go (default: inside the graph directory)"});
}

Status IngestArguments::Parse(const std::vector<std::string>& arguments) {
  RETURN_IF_ERROR(set.Parse(arguments));
  const auto parsed = flags.Parse(set, shared.data_directories, static_cast<int>(shared.threads));
  if (!parsed.ok()) return Annotate(parsed.status(), "ingest");
  graph = *parsed;
  graph.removes_unfinished = !flags.resume();
  ASSIGN_OR_RETURN(read, read_flags.Parse(set, graph));
  return OkStatus();
}

namespace {

/// The declarations of all operations, for C. Made once.
class Declarations {
 public:
  Declarations() {
    for (const HelpGroup& group : AlgorithmGroups()) {
      for (const AlgorithmHelp& help : group.algorithms) Add(group, help);
    }
    std::sort(algorithms_.begin(), algorithms_.end(),
              [](const edgemill_algorithm& a, const edgemill_algorithm& b) {
                return std::string_view(a.name) < b.name;
              });
    for (const bool of_files : {false, true}) {
      ingest_options_[of_files] = OptionsOf(IngestArguments(of_files).set);
    }
    walk_options_ = OptionsOf(WalkArguments().set);
    pair_options_ = OptionsOf(PairArguments().set);
  }

  const std::vector<edgemill_algorithm>& algorithms() const { return algorithms_; }
  const std::vector<edgemill_option>& ingest_options(bool of_files) const {
    return ingest_options_[of_files];
  }
  const std::vector<edgemill_option>& walk_options() const { return walk_options_; }
  const std::vector<edgemill_option>& pair_options() const { return pair_options_; }

 private:
  /// A copy of `text` that stays.
  const char* Kept(std::string_view text) { return texts_.emplace_back(text).c_str(); }

  edgemill_option OptionOf(const cli::OptionSpec& spec, const OptionDeclaration* declaration) {
    constexpr std::string_view kDefault = "default ";
    const bool is_several =
        spec.repeatable && (declaration == nullptr || declaration->kind == OptionKind::kVertices);
    edgemill_option option = {.name = Kept(spec.LongName()),
                              .short_name = spec.names.starts_with("--")
                                                ? nullptr
                                                : Kept(spec.names.substr(0, spec.names.find(','))),
                              .value = spec.flag == nullptr ? Kept(spec.placeholder) : nullptr,
                              .help = Kept(spec.help),
                              .section = Kept(spec.section),
                              .default_value = nullptr,
                              .required = declaration != nullptr && declaration->required,
                              .repeatable = is_several};
    if (declaration != nullptr && declaration->default_text.starts_with(kDefault)) {
      option.default_value = Kept(declaration->default_text.substr(kDefault.size()));
    }
    return option;
  }

  std::vector<edgemill_option> OptionsOf(const cli::OptionSet& set) {
    std::vector<edgemill_option> options;
    for (const cli::OptionSpec& spec : set.specs()) options.push_back(OptionOf(spec, nullptr));
    return options;
  }

  void Add(const HelpGroup& group, const AlgorithmHelp& help) {
    std::vector<const char*>& aliases = aliases_.emplace_back();
    for (const std::string_view alias : help.aliases) aliases.push_back(Kept(alias));
    std::vector<edgemill_option>& options = options_.emplace_back();
    const RunArguments arguments(help);
    for (const cli::OptionSpec& spec : arguments.set.specs()) {
      options.push_back(OptionOf(spec, help.Find(spec.LongName())));
    }
    std::vector<edgemill_column>& columns = columns_.emplace_back();
    for (const ResultColumn& column : help.results) {
      columns.push_back({.name = Kept(column.name),
                         .option = column.option.empty() ? nullptr : Kept(column.option),
                         .may_miss = column.may_miss});
    }
    std::vector<edgemill_property>& properties = properties_.emplace_back();
    for (const auto& [about, fact] : help.facts) properties.push_back({Kept(about), Kept(fact)});
    algorithms_.push_back({.name = Kept(help.name),
                           .group = Kept(group.name),
                           .summary = Kept(help.summary),
                           .text = Kept(help.text),
                           .aliases = aliases.data(),
                           .num_aliases = aliases.size(),
                           .options = options.data(),
                           .num_options = options.size(),
                           .columns = columns.data(),
                           .num_columns = columns.size(),
                           .properties = properties.data(),
                           .num_properties = properties.size()});
  }

  std::deque<std::string> texts_;
  std::deque<std::vector<const char*>> aliases_;
  std::deque<std::vector<edgemill_option>> options_;
  std::deque<std::vector<edgemill_column>> columns_;
  std::deque<std::vector<edgemill_property>> properties_;
  std::vector<edgemill_algorithm> algorithms_;
  std::vector<edgemill_option> ingest_options_[2];  // of files: [1]
  std::vector<edgemill_option> walk_options_, pair_options_;
};

const Declarations& AllDeclarations() {
  static const Declarations declarations;
  return declarations;
}

/// The array that `get` chooses of all declarations; none where the system refuses memory for them.
template <typename Get>
auto* Declared(size_t* count, const Get& get) noexcept {
  decltype(get(AllDeclarations()).data()) first = nullptr;
  *count = 0;
  try {
    first = get(AllDeclarations()).data();
    *count = get(AllDeclarations()).size();
  } catch (const std::bad_alloc&) {
    first = nullptr;
  }
  return first;
}

}  // namespace
}  // namespace edgemill::c

const edgemill_algorithm* edgemill_algorithms(size_t* count) {
  return edgemill::c::Declared(
      count, [](const auto& all) -> const auto& { return all.algorithms(); });
}

const edgemill_option* edgemill_ingest_options(int32_t of_files, size_t* count) {
  return edgemill::c::Declared(
      count, [&](const auto& all) -> const auto& { return all.ingest_options(of_files != 0); });
}

const edgemill_option* edgemill_walk_options(size_t* count) {
  return edgemill::c::Declared(
      count, [](const auto& all) -> const auto& { return all.walk_options(); });
}

const edgemill_option* edgemill_pair_options(size_t* count) {
  return edgemill::c::Declared(
      count, [](const auto& all) -> const auto& { return all.pair_options(); });
}
