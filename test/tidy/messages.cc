#include "test/tidy/messages.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <tuple>

#include "test/tidy/sentences.h"
#include "test/tidy/source_text.h"
#include "test/tidy/tokens.h"

namespace edgemill::tidy {
namespace {

/// A function that makes a message of some of its arguments.
struct Maker {
  std::set<size_t> arguments;  // from 0
  std::string code;
};
using Makers = std::map<std::string, Maker, std::less<>>;

const Makers& BaseMakers() {
  static const Makers makers = {{"UsageError", {{0}, "usage"}},
                                {"BadDataError", {{0}, "bad data"}},
                                {"MissingError", {{0}, "missing"}},
                                {"GpuError", {{0}, "gpu"}},
                                {"InternalError", {{0}, "internal"}},
                                {"BudgetError", {{0}, "budget"}},
                                {"OutputError", {{0}, "output"}},
                                {"IoError", {{0}, "io"}},
                                {"LockedError", {{0}, "locked"}},
                                {"UnfinishedError", {{0}, "unfinished"}},
                                {"CancelledError", {{0}, "cancelled"}},
                                {"PermissionError", {{0}, "permission"}},
                                {"ByteError", {{2}, "bad data"}},
                                {"Annotate", {{1}, ""}},
                                {"WithMessage", {{0}, ""}},
                                {"Status", {{1}, ""}},
                                {"fprintf", {{1}, ""}},
                                {"AuthorMistake", {{0}, ""}},
                                {"BadLine", {{2, 3}, "bad data"}},
                                {"MakeBadLine", {{2, 3}, "bad data"}},
                                {"Note", {{0}, ""}}};
  return makers;
}

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A phrase that no message may have, and the reason.
struct BadPhrase {
  std::regex pattern;
  const char* what;
};
const std::vector<BadPhrase>& BadPhrases() {
  static const std::vector<BadPhrase> phrases = [] {
    std::vector<BadPhrase> made;
    const auto add = [&](const char* pattern, const char* what) {
      made.push_back({std::regex(pattern), what});
    };
    add(R"([.!](\\n)?$)", "ends with a full stop: what to do comes last, without one");
    add(R"(  )", "has two blanks in a row");
    add(R"( [:;,]( |$))", "has a blank before a sign");
    add(R"(\b(is|are) no (?!longer|more|faster)\w+)", "denies a noun: write \"is not a\"");
    add(R"(\b(has|have) not (?!been|\w+ed\b)\w+)", "lacks an auxiliary: write \"does not have\"");
    add(R"(\bdoes not do\b)", "is vague: write \"does not support\"");
    add(R"(\bleave \S+ away\b)", "has no English verb: write \"leave out\"");
    add(R"(\bgive (more|less) --)", "is no English: write \"give a larger\" or \"smaller\"");
    add(R"(\bmind the\b)", "is no plain word: write \"check\"");
    add(R"(\btake another\b)", "has no plain verb: write \"choose\"");
    add(R"(\bbegun with\b)", "has no plain verb: write \"began with\"");
    add(R"(\b([Ww]ho|[Nn]obody|[Ee]verybody|[Aa]nybody)\b)", "speaks of persons");
    add(R"(\b([Cc]ards?|sweeps?)\b)", "has a word that the glossary replaces");
    add(R"(\b(sorry|oops|[Ii]llegal|[Ff]atal)\b)", "has a word that helps no reader");
    return made;
  }();
  return phrases;
}

/// Whether a message starts with a capital, although its first word is not a name or abbreviation.
bool StartsWithCapital(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" :,"));
  const auto is_capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const bool is_name = IsOneOf(word, {"Zstandard", "Subway"}) ||
                       std::count_if(word.begin(), word.end(), is_capital) > 1;
  return !word.empty() && is_capital(word.front()) && !is_name;
}

/// The tokens of a file, and what is known about it.
struct Source {
  std::string path;
  std::vector<Token> tokens;
  Makers makers;  // those that only this file has
};

/// A function or a lambda with a name, in the tokens of its file.
struct Definition {
  std::string name;
  std::vector<std::string> texts;  // names of its parameters; "" for those without a text
  TokenRange body;                 // without braces
};

/// The definition whose parameter list opens at `open`. Its name is empty if there is none.
Definition DefinitionAt(const std::vector<Token>& tokens, size_t open) {
  Definition found;
  std::string_view name;
  if (open > 0 && tokens[open - 1].kind == Token::Kind::kWord) name = tokens[open - 1].text;
  if (open > 0 && tokens[open - 1].Is("]")) {  // NAME = [...](...)
    size_t at = open - 1;
    while (at > 0 && !tokens[at].Is("[")) --at;
    if (at > 1 && tokens[at - 1].Is("=")) name = tokens[at - 2].text;
  }
  if (name.empty() || IsOneOf(name, {"if", "for", "while", "switch", "catch", "return"})) return {};
  const size_t close = CloseOf(tokens, open);
  size_t brace = close + 1;
  while (brace < tokens.size() && brace < close + 8 && !tokens[brace].Is("{")) {
    const Token& token = tokens[brace];
    if (token.kind != Token::Kind::kWord && !token.Is("->") && !token.Is("::")) return {};
    ++brace;
  }
  if (brace >= tokens.size() || !tokens[brace].Is("{")) return {};
  for (const TokenRange part : PartsOf(tokens, open, close)) {
    std::string parameter;
    bool is_text = false;
    for (size_t at = part.begin; at < part.end && !tokens[at].Is("="); ++at) {
      if (tokens[at].kind != Token::Kind::kWord) continue;
      is_text |= IsOneOf(tokens[at].text, {"string_view", "string", "char"});
      parameter = tokens[at].text;
    }
    found.texts.push_back(is_text ? parameter : "");
  }
  found.name = name;
  found.body = {brace + 1, CloseOf(tokens, brace)};
  return found;
}

class Finder {
 public:
  explicit Finder(const std::map<std::string, std::string>& texts) {
    for (const auto& [path, text] : texts) {
      if (path.starts_with("test/") || path == "common/status.h") continue;
      sources_.push_back({path, Tokenize(text), {}});
      if (!path.ends_with(".h")) continue;
      for (const Token& token : sources_.back().tokens) in_headers_.emplace(token.text);
    }
  }

  std::vector<Message> FindAll() {
    for (int round = 0; round < 3; ++round) {
      for (Source& source : sources_) FindMakers(&source);
    }
    for (const Source& source : sources_) FindCalls(source);
    for (int round = 0; round < 2; ++round) {
      for (const Source& source : sources_) FindReturned(source);
    }
    std::sort(messages_.begin(), messages_.end(), [](const Message& a, const Message& b) {
      return std::tie(a.text, a.place) < std::tie(b.text, b.place);
    });
    const auto same = [](const Message& a, const Message& b) {
      return std::tie(a.text, a.place) == std::tie(b.text, b.place);
    };
    messages_.erase(std::unique(messages_.begin(), messages_.end(), same), messages_.end());
    return std::move(messages_);
  }

 private:
  /// The maker that is called at `at`, where a bracket follows, or null.
  const Maker* MakerAt(const Source& source, size_t at) const {
    const std::vector<Token>& tokens = source.tokens;
    if (at + 2 >= tokens.size() || tokens[at].kind != Token::Kind::kWord) return nullptr;
    const bool opens = tokens[at + 1].Is("(") || tokens[at + 1].Is("{");
    const std::string_view name = tokens[at].text;
    if (!opens || (name == "fprintf" && !tokens[at + 2].Is("stderr"))) return nullptr;
    if (name == "Status" && !tokens[at + 2].Is("Code")) return nullptr;
    static const Maker kWarnings = {{0}, "warning"};
    const bool adds = IsOneOf(name, {"push_back", "emplace_back"}) && at > 1;
    if (adds && tokens[at - 2].text.starts_with("warnings")) return &kWarnings;
    const auto local = source.makers.find(name);
    if (local != source.makers.end()) return &local->second;
    for (const Makers* makers : {&BaseMakers(), &shared_makers_}) {
      const auto found = makers->find(name);
      if (found != makers->end()) return &found->second;
    }
    return nullptr;
  }

  /// Adds the functions that pass a parameter on to a maker.
  void FindMakers(Source* source) {
    const std::vector<Token>& tokens = source->tokens;
    for (size_t open = 1; open < tokens.size(); ++open) {
      if (!tokens[open].Is("(")) continue;
      const Definition made = DefinitionAt(tokens, open);
      if (made.name.empty() || BaseMakers().contains(made.name)) continue;
      for (size_t at = made.body.begin; at < made.body.end; ++at) {
        const Maker* maker = MakerAt(*source, at);
        if (maker == nullptr) continue;
        const std::vector<TokenRange> parts = PartsOf(tokens, at + 1, CloseOf(tokens, at + 1));
        for (const size_t argument : maker->arguments) {
          if (argument >= parts.size()) continue;
          AddMaker(source, made, parts[argument], maker->code);
        }
      }
    }
  }

  void AddMaker(Source* source, const Definition& made, TokenRange message,
                const std::string& code) {
    for (size_t i = 0; i < made.texts.size(); ++i) {
      const auto first = source->tokens.begin() + static_cast<ptrdiff_t>(message.begin);
      const auto last = source->tokens.begin() + static_cast<ptrdiff_t>(message.end);
      if (made.texts[i].empty() ||
          std::none_of(first, last, [&](const Token& token) { return token.Is(made.texts[i]); })) {
        continue;
      }
      const bool shared = in_headers_.contains(made.name) && made.name.size() > 5;
      Maker& maker = (shared ? shared_makers_ : source->makers)[made.name];
      maker.arguments.insert(i);
      maker.code = code;
    }
  }

  void FindCalls(const Source& source) {
    const std::vector<Token>& tokens = source.tokens;
    for (size_t at = 0; at < tokens.size(); ++at) {
      const Maker* maker = MakerAt(source, at);
      if (maker == nullptr) continue;
      const std::vector<TokenRange> parts = PartsOf(tokens, at + 1, CloseOf(tokens, at + 1));
      std::string code = maker->code;
      if (tokens[at].Is("Status") && parts[0].end - parts[0].begin == 3) {
        code = tokens[parts[0].end - 1].text.substr(1);
      }
      for (const size_t argument : maker->arguments) {
        if (argument < parts.size()) Add(source, parts[argument], code);
      }
    }
  }

  /// Adds the message of these tokens if any of its words is literal.
  void Add(const Source& source, TokenRange range, const std::string& code) {
    if (range.begin >= range.end) return;
    const std::string text = TextOf(source, range, 0);
    int depth = 0;
    const bool has_words = std::any_of(text.begin(), text.end(), [&](char c) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      return depth == 0 && std::isalpha(static_cast<unsigned char>(c)) != 0;
    });
    if (!has_words) return;
    messages_.push_back(
        {text, source.path + ":" + std::to_string(source.tokens[range.begin].line), code});
  }

  /// Adds the results of functions that are parts of messages.
  void FindReturned(const Source& source) {
    const std::vector<Token>& tokens = source.tokens;
    for (size_t open = 1; open < tokens.size(); ++open) {
      if (!tokens[open].Is("(")) continue;
      const Definition made = DefinitionAt(tokens, open);
      if (made.name.empty() || !called_.contains(made.name)) continue;
      for (size_t at = made.body.begin; at < made.body.end; ++at) {
        if (!tokens[at].Is("return")) continue;
        size_t end = at;
        while (end < made.body.end && !tokens[end].Is(";")) ++end;
        Add(source, {at + 1, end}, "");
      }
    }
  }

  /// The text of a message: literals unchanged, the rest in braces.
  std::string TextOf(const Source& source, TokenRange range, int depth) {
    const std::vector<Token>& tokens = source.tokens;
    std::string text;
    for (size_t at = range.begin; at < range.end; ++at) {
      if (tokens[at].kind != Token::Kind::kText) return TextOfRest(source, range, depth);
      text += tokens[at].text;
    }
    constexpr std::string_view kQuote = R"(\")";
    for (size_t at = text.find(kQuote); at != std::string::npos; at = text.find(kQuote)) {
      text.erase(at, 1);
    }
    return text;
  }

  std::string TextOfRest(const Source& source, TokenRange range, int depth) {
    const std::vector<Token>& tokens = source.tokens;
    // A conditional expression becomes "{one | other}".
    size_t question = 0, colon = 0;
    for (size_t at = range.begin; at < range.end; ++at) {
      if (tokens[at].Is("(") || tokens[at].Is("[") || tokens[at].Is("{")) at = CloseOf(tokens, at);
      if (at >= range.end) break;
      if (question == 0 && tokens[at].Is("?")) question = at;
      if (question > 0 && colon == 0 && tokens[at].Is(":")) colon = at;
    }
    if (colon > 0) {
      return "{" + TextOf(source, {question + 1, colon}, depth) + "|" +
             TextOf(source, {colon + 1, range.end}, depth) + "}";
    }
    // A call joins its arguments, or makes a string of one argument.
    size_t name = range.begin;
    while (name + 2 < range.end && tokens[name + 1].Is("::")) name += 2;
    const bool is_call = name + 1 < range.end &&
                         (tokens[name + 1].Is("(") || tokens[name + 1].Is("{")) &&
                         CloseOf(tokens, name + 1) + 1 == range.end;
    if (is_call && IsOneOf(tokens[name].text, {"StrCat", "string", "string_view", "move"})) {
      std::string text;
      for (const TokenRange part : PartsOf(tokens, name + 1, range.end - 1)) {
        text += TextOf(source, part, depth);
      }
      return text;
    }
    if (is_call) called_.insert(std::string(tokens[name].text));
    // A variable stands for the text that it got before.
    if (name + 1 == range.end && depth < 2) {
      for (size_t at = name; at > 1 && at + 400 > name; --at) {
        const bool assigns = tokens[at].Is("=") && !tokens[at + 1].Is("=");
        if (!assigns || tokens[at - 1].text != tokens[name].text) continue;
        size_t end = at;
        while (end < name && !tokens[end].Is(";")) ++end;
        const std::string text = TextOf(source, {at + 1, end}, depth + 1);
        return text.find(' ') == std::string::npos ? "{" + std::string(tokens[name].text) + "}"
                                                   : text;
      }
    }
    std::string text = "{";
    for (size_t at = range.begin; at < range.end; ++at) {
      const bool is_text = tokens[at].kind == Token::Kind::kText;
      if (is_text) text += '"';
      text += tokens[at].text;
      if (is_text) text += '"';
      if (tokens[at].Is(",")) text += ' ';
    }
    return text + "}";
  }

  std::vector<Source> sources_;
  std::set<std::string, std::less<>> in_headers_;  // all words in headers
  Makers shared_makers_;
  std::set<std::string, std::less<>> called_;  // functions whose results are parts of messages
  std::vector<Message> messages_;
};

}  // namespace

std::vector<Message> FindMessages(const std::map<std::string, std::string>& texts) {
  return Finder(texts).FindAll();
}

void CheckMessages(const std::vector<Message>& messages, Faults* faults) {
  static const std::regex kThereIsNo(R"(\bthere (is|are) no\b)");
  for (const Message& message : messages) {
    const std::string text = std::regex_replace(message.text, kThereIsNo, "there is a");
    const auto fault = [&](const std::string& what) {
      faults->push_back(message.place + ": the message \"" + message.text + "\" " + what);
    };
    if (StartsWithCapital(message.text)) fault("starts with a capital");
    for (const BadPhrase& bad : BadPhrases()) {
      std::smatch match;
      if (!std::regex_search(text, match, bad.pattern)) continue;
      fault(std::string(bad.what) + ": \"" + match.str() + "\"");
    }
    size_t words = 0;
    for (const std::string_view word : SplitWords(message.text)) {
      words += word.front() == '{' || word.front() == '|' ? 0 : 1;
      if (std::string_view(":;?").find(word.back()) != std::string_view::npos) words = 0;
      if (words == kMaxSentenceWords + 1) fault("has over 30 words without a colon");
    }
  }
}

}  // namespace edgemill::tidy
