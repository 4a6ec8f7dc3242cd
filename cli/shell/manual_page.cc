// Pages for man, made from the declarations of commands and algorithms.
#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "cli/command.h"
#include "cli/options/option_help.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::cli {
namespace {

/// `text` as man shows it unchanged.
std::string TroffText(std::string_view text) {
  std::string plain;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) plain += "\\&";
    plain += c == '\\'  ? std::string("\\e")
             : c == '-' ? std::string("\\-")
             : c == '^' ? std::string("\\(ha")
             : c == '`' ? std::string("\\(ga")
             : c == '~' ? std::string("\\(ti")
                        : std::string(1, c);
    line_starts = c == '\n';
  }
  return plain;
}

/// "edgemill-bench-io", for the command "bench io".
std::string PageName(std::string_view command) {
  std::string name = StrCat("edgemill", command.empty() ? "" : "-", command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string UpperCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The start of each page: its title, name and synopsis.
std::string ManualStart(std::string_view command, std::string_view summary,
                        std::string_view usage) {
  const std::string name = PageName(command);
  return StrCat(".TH ", UpperCase(name), " 1 \"\" \"edgemill " EDGEMILL_VERSION "\" Edgemill\n",
                ".SH NAME\n", TroffText(name), " \\- ", TroffText(summary),
                "\n.SH SYNOPSIS\n.B edgemill ", TroffText(command), "\n", TroffText(usage), "\n");
}

std::string ManualEntry(std::string_view left, std::string_view text) {
  return StrCat(".TP\n.B ", TroffText(left), "\n", TroffText(text), "\n");
}

/// Lines that stay as they are.
std::string TroffLines(std::string_view text) {
  return StrCat(".nf\n", TroffText(text), text.ends_with('\n') ? "" : "\n", ".fi\n");
}

/// The end of each page. edgemill/package/documents.sh reads the names of pages here.
std::string SeeAlso(const std::vector<std::string>& pages) {
  std::string text = ".SH SEE ALSO\n";
  for (const std::string& page : pages) text += StrCat(".BR ", page, " (1)\n");
  return text;
}

std::string ProgramPage() {
  std::string text =
      ManualStart("", "runs graph algorithms on graphs larger than memory", "COMMAND ...");
  text += ".SH DESCRIPTION\n";
  text += "Ingest edges once, then run algorithms on them, within the memory that you allow.\n";
  std::string_view purpose;
  std::vector<std::string> pages;
  for (const CommandEntry& entry : Commands()) {
    pages.push_back(PageName(entry.name));
    if (entry.purpose != purpose) {
      purpose = entry.purpose;
      const std::string title = purpose.empty() ? "Learn" : std::string(purpose);
      text += StrCat(".SH ", UpperCase(title), "\n");
    }
    text += ManualEntry(StrCat("edgemill ", entry.name), entry.summary);
  }
  return text + SeeAlso(pages);
}

}  // namespace

StatusOr<std::string> ManualPage(std::string_view name) {
  if (name.empty()) return ProgramPage();
  const CommandEntry* const entry = FindCommand(name);
  if (entry == nullptr) return UnknownCommand(name);
  const std::vector<OptionSpec> options = OptionsOf(*entry);
  std::string text =
      ManualStart(name, entry->summary, StrCat(PositionalUsage(options), " [OPTIONS]"));
  const std::unique_ptr<Command> command = entry->make();
  if (!command->description().empty()) {
    text += StrCat(".SH DESCRIPTION\n", TroffLines(command->description()));
  }
  std::string section = "-";
  for (const OptionSpec& spec : options) {
    const std::string title = spec.positional        ? "Arguments"
                              : spec.section.empty() ? "Options"
                                                     : spec.section;
    if (title != section) text += StrCat(".SH ", UpperCase(title), "\n");
    section = title;
    text += ManualEntry(spec.positional ? spec.names : OptionUsage(spec), spec.help);
  }
  std::vector<std::string> pages = {"edgemill"};
  if (name == "run") {
    for (const AlgorithmHelp& help : Algorithms())
      pages.push_back(PageName(StrCat("run ", help.name)));
  }
  return text + SeeAlso(pages);
}

StatusOr<std::string> AlgorithmManualPage(std::string_view name) {
  ASSIGN_OR_RETURN(const std::string help_text, AlgorithmHelpText(name));
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(name);
  return StrCat(ManualStart(StrCat("run ", help->name), help->summary, "GRAPH [OPTIONS]"),
                ".SH DESCRIPTION\n", TroffLines(help_text.substr(help_text.find("\n\n") + 2)),
                SeeAlso({"edgemill-run"}));
}

}  // namespace edgemill::cli
