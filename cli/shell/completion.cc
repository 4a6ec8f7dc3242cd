#include "cli/shell/completion.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "cli/command.h"
#include "cli/options/option_spec.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::cli {
namespace {

/// What may stand for the value of an option, or for an argument.
struct Values {
  std::string words;  // with blanks between them
  bool files = false;
};

std::string AlgorithmWords() {
  std::string words;
  for (const AlgorithmHelp& help : Algorithms()) words += StrCat(help.name, " ");
  return words;
}

/// The names of commands; of two words, the first.
std::string CommandWords() {
  std::set<std::string_view> names;
  for (const CommandEntry& entry : Commands()) {
    names.insert(entry.name.substr(0, entry.name.find(' ')));
  }
  std::string words;
  for (const std::string_view name : names) words += StrCat(name, " ");
  return words;
}

/// The second words of commands that start with `group`.
std::string GroupWords(std::string_view group) {
  std::string words;
  for (const CommandEntry& entry : Commands()) {
    if (!entry.name.starts_with(StrCat(group, " "))) continue;
    words += StrCat(entry.name.substr(group.size() + 1), " ");
  }
  return words;
}

Values ValuesOf(const OptionSpec& spec) {
  if (spec.placeholder.find('|') != std::string::npos) {
    std::string words;
    for (const char c : spec.placeholder) {
      words += c == '|' ? " " : c == '"' ? "\\\"" : std::string(1, c);  // shells read quotes here
    }
    return {words + " "};
  }
  if (spec.positional && spec.names.starts_with("ALGORITHM")) return {AlgorithmWords()};
  if (spec.names == "COMMAND") return {CommandWords() + "algorithms "};
  const bool is_file = spec.placeholder == "FILE" || spec.placeholder == "DIR";
  return {"", is_file || spec.positional || spec.use != FileUse::kNone};
}

bool TakesValue(const OptionSpec& spec) { return !spec.positional && spec.flag == nullptr; }

/// The short name of an option, "-r", or an empty text.
std::string ShortName(const OptionSpec& spec) {
  const size_t comma = spec.names.find(',');
  return comma == std::string::npos ? "" : spec.names.substr(0, comma);
}

/// Help in one short line: up to its first semicolon, and cut at a word.
std::string ShortHelp(std::string_view help) {
  constexpr size_t kMost = 60;
  help = help.substr(0, help.find(';'));
  if (help.size() <= kMost) return std::string(help);
  return StrCat(help.substr(0, help.rfind(' ', kMost)), " ...");
}

/// `text` between single quotes, for a shell; `quote` is how that shell writes one within.
std::string Quoted(std::string_view text, std::string_view quote) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string(quote) : std::string(1, c);
  return quoted + "'";
}

/// The cases of a bash script for one command: what follows options, all options, those that take
/// values, and what arguments are.
std::string BashCases(const CommandEntry& entry) {
  std::string text, options, valued;
  std::vector<std::string> arguments;
  for (const OptionSpec& spec : OptionsOf(entry)) {
    const Values values = ValuesOf(spec);
    if (spec.positional) {
      arguments.push_back(values.words);
      continue;
    }
    options += StrCat(spec.LongName(), " ");
    if (!TakesValue(spec)) continue;
    const std::string short_name = ShortName(spec);
    valued += StrCat(spec.LongName(), " ", short_name, short_name.empty() ? "" : " ");
    text += StrCat("    '", entry.name, " ", spec.LongName(), "'",
                   short_name.empty() ? "" : StrCat(" | '", entry.name, " ", short_name, "'"),
                   ") words='", values.words, "' files=", values.files ? "1" : "", " ;;\n");
  }
  text += StrCat("    '", entry.name, " options') words='", options, "' ;;\n");
  text += StrCat("    '", entry.name, " valued') words='", valued, "' ;;\n");
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].empty()) continue;
    text += StrCat("    '", entry.name, " argument ", i, "') words='", arguments[i], "' ;;\n");
  }
  return text;
}

/// The end of a bash script: finds the command and the place of the word, and looks them up.
constexpr std::string_view kBashEnd = R"(  esac
}

_@FUNCTION@() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} first=2 words='' files=1 i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _@FUNCTION@_words commands
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  _@FUNCTION@_words "$command group"
  if [ -n "$words" ]; then
    if ((COMP_CWORD == 2)); then
      COMPREPLY=($(compgen -W "$words" -- "$word"))
      return
    fi
    command+=" ${COMP_WORDS[2]}" first=3
  fi
  local before=${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$word" = = ]; then  # bash takes --option=value for three words
    word=''
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _@FUNCTION@_words "$command valued"
  local valued=" $words " argument=0
  words='' files=1
  if [[ "$before" == -* && "$valued" == *" $before "* ]]; then
    _@FUNCTION@_words "$command $before"
  elif [[ "$word" == -* ]]; then
    _@FUNCTION@_words "$command options"
    files=''
  else
    for ((i = first; i < COMP_CWORD; ++i)); do
      case ${COMP_WORDS[i]} in
        -*) if [[ "$valued" == *" ${COMP_WORDS[i]} "* ]]; then ((++i)); fi ;;
        *) ((++argument)) ;;
      esac
    done
    _@FUNCTION@_words "$command argument $argument"
  fi
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  elif [ -n "$files" ]; then
    compopt -o filenames 2> /dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _@FUNCTION@ @PROGRAM@
)";

/// `text` with the names of the program, and of its functions in scripts, put in.
std::string ForProgram(std::string_view text, std::string_view program) {
  constexpr std::string_view kProgram = "@PROGRAM@", kFunction = "@FUNCTION@";
  std::string function(program);
  std::replace_if(
      function.begin(), function.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  std::string named;
  for (size_t at = 0; at < text.size();) {
    const bool is_program = text.substr(at).starts_with(kProgram);
    const bool is_function = text.substr(at).starts_with(kFunction);
    named += is_program ? program : is_function ? function : text.substr(at, 1);
    at += is_program ? kProgram.size() : is_function ? kFunction.size() : 1;
  }
  return named;
}

/// One option for zsh's _arguments.
std::string ZshOption(const OptionSpec& spec) {
  std::string help;
  for (const char c : ShortHelp(spec.help)) {
    help += StrCat(c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" : "", std::string(1, c));
  }
  const Values values = ValuesOf(spec);
  std::string rest = StrCat(TakesValue(spec) ? "=" : "", "[", help, "]");
  if (TakesValue(spec)) {
    rest += values.words.empty() ? StrCat(":", spec.placeholder, ":", values.files ? "_files" : " ")
                                 : StrCat(":value:(", values.words, ")");
  }
  std::string text =
      StrCat("        ", Quoted(StrCat("*", spec.LongName(), rest), "'\\''"), " \\\n");
  if (const std::string name = ShortName(spec); !name.empty()) {
    if (TakesValue(spec)) rest[0] = '+';
    text += StrCat("        ", Quoted(StrCat("*", name, rest), "'\\''"), " \\\n");
  }
  return text;
}

std::string ZshCommand(const CommandEntry& entry) {
  std::string text = StrCat("    '", entry.name, "')\n      _arguments -s \\\n");
  for (const OptionSpec& spec : OptionsOf(entry)) {
    if (!spec.positional) {
      text += ZshOption(spec);
      continue;
    }
    const std::string words = ValuesOf(spec).words;
    text += StrCat("        ", spec.repeatable ? "'*" : "'", ":", spec.names, ":",
                   words.empty() ? "_files" : StrCat("(", words, ")"), "' \\\n");
  }
  return text + "        && return ;;\n";
}

/// The start of a line of fish, for words after a command.
std::string FishAfter(std::string_view command) {
  return StrCat("complete -c @PROGRAM@ -n '__@FUNCTION@_is ", command, "'");
}

std::string FishOption(const CommandEntry& entry, const OptionSpec& spec) {
  std::string text = StrCat(FishAfter(entry.name), " -l ", spec.LongName().substr(2));
  if (const std::string name = ShortName(spec); !name.empty()) {
    text += StrCat(" -s ", name.substr(1));
  }
  const Values values = ValuesOf(spec);
  if (TakesValue(spec)) text += values.files ? " -r -F" : " -x";
  if (!values.words.empty()) text += StrCat(" -a '", values.words, "'");
  return StrCat(text, " -d ", Quoted(ShortHelp(spec.help), "\\'"), "\n");
}

}  // namespace

std::string BashCompletion(std::string_view program) {
  std::string text =
      StrCat("# Completes the command lines of @PROGRAM@ in bash: @PROGRAM@ completion bash.\n",
             "_@FUNCTION@_words() {\n  words=''\n  case $1 in\n    commands) words='",
             CommandWords(), "' ;;\n    'bench group') words='", GroupWords("bench"), "' ;;\n");
  for (const CommandEntry& entry : Commands()) text += BashCases(entry);
  return ForProgram(text + std::string(kBashEnd), program);
}

std::string ZshCompletion(std::string_view program) {
  std::string text = StrCat(
      "#compdef @PROGRAM@\n# Completes the command lines of @PROGRAM@ in zsh: @PROGRAM@ "
      "completion zsh.\n",
      "_@FUNCTION@() {\n  local command=$words[2]\n  if ((CURRENT == 2)); then\n",
      "    compadd -- ", CommandWords(), "\n    return\n  fi\n",
      "  local skip=1\n  if [[ $command == bench ]]; then\n    if ((CURRENT == "
      "3)); then\n      compadd -- ",
      GroupWords("bench"), "\n      return\n    fi\n    command+=\" $words[3]\" skip=2\n  fi\n",
      "  shift $skip words\n  ((CURRENT -= skip))\n  case $command in\n");
  for (const CommandEntry& entry : Commands()) text += ZshCommand(entry);
  text +=
      "  esac\n}\nif [[ $funcstack[1] == _@FUNCTION@ ]]; then _@FUNCTION@ \"$@\"; else compdef "
      "_@FUNCTION@ @PROGRAM@; fi\n";
  return ForProgram(text, program);
}

std::string FishCompletion(std::string_view program) {
  std::string text =
      "# Completes the command lines of @PROGRAM@ in fish: @PROGRAM@ completion fish.\n"
      "function __@FUNCTION@_is\n  set -l words (commandline -opc)\n"
      "  test \"$words[2..]\" = \"$argv\"; and return 0\n"
      "  string match -q -- \"$argv *\" \"$words[2..]\"\nend\n"
      "complete -c @PROGRAM@ -f\n";
  const auto add_word = [&](std::string_view when, std::string_view name, std::string_view help) {
    text += StrCat("complete -c @PROGRAM@ -n '", when, "' -a ", name, " -d ",
                   Quoted(ShortHelp(help), "\\'"), "\n");
  };
  constexpr std::string_view kFirst = "test (count (commandline -opc)) -eq 1";
  constexpr std::string_view kBench =
      "__@FUNCTION@_is bench; and test (count (commandline -opc)) -eq 2";
  add_word(kFirst, "bench", "disks, memory, links, algorithms");
  for (const CommandEntry& entry : Commands()) {
    const bool is_bench = entry.name.starts_with("bench ");
    add_word(is_bench ? kBench : kFirst, is_bench ? entry.name.substr(6) : entry.name,
             entry.summary);
    for (const OptionSpec& spec : OptionsOf(entry)) {
      if (!spec.positional) {
        text += FishOption(entry, spec);
        continue;
      }
      const std::string words = ValuesOf(spec).words;
      text += FishAfter(entry.name);
      text += words.empty() ? std::string(" -F\n") : StrCat(" -a '", words, "'\n");
    }
  }
  return ForProgram(text, program);
}

}  // namespace edgemill::cli
