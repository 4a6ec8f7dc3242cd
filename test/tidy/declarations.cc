#include "test/tidy/declarations.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "test/tidy/source_text.h"

namespace edgemill::tidy {
namespace {

bool IsNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \n\t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \n\t") - first + 1));
}

/// Walks over a declaration and says which characters are inside brackets, with angle brackets.
class Depths {
 public:
  explicit Depths(std::string_view text) : text_(text) {}

  /// Goes on to the next character, at `at`. A bracket itself counts as outside of its brackets.
  void Enter(size_t at) {
    const char c = text_[at];
    if (c == ')' || c == ']' || c == '}') --round_;
    if (c == '>' && angle_ > 0 && text_[at - 1] != '-') --angle_;
    is_outside_ = round_ == 0 && angle_ == 0;
    if (c == '(' || c == '[' || c == '{') ++round_;
    if (c == '<' && at > 0 && IsNameCharacter(text_[at - 1]) && !IsOperator(at)) ++angle_;
  }
  bool is_outside() const { return is_outside_; }

 private:
  bool IsOperator(size_t at) const {
    constexpr std::string_view kOperator = "operator";
    return at >= kOperator.size() && text_.substr(at - kOperator.size(), at) == kOperator;
  }

  const std::string_view text_;
  int round_ = 0;
  int angle_ = 0;
  bool is_outside_ = true;
};

/// The declaration without template heads and attributes. Ends before a `=`, or before the `:` of
/// initialisers and bit fields.
std::string HeadOf(std::string declaration) {
  static const std::regex kTemplate(R"(^\s*template\s*<)");
  static const std::regex kNoise(
      R"((\[\[\w+\]\])|(\b(GUARDED_BY|REQUIRES|EXCLUDES|EM_THREAD_ANNOTATION|alignas|explicit|)"
      R"(noexcept|__launch_bounds__)\((\([^()]*\)|[^()])*\)))");
  while (std::regex_search(declaration, kTemplate)) {
    Depths depths(declaration);
    size_t at = declaration.find('<');
    int open = 0;
    do {
      if (declaration[at] == '<') ++open;
      if (declaration[at] == '>') --open;
      ++at;
    } while (at < declaration.size() && open > 0);
    declaration.erase(0, at);
  }
  declaration = Trimmed(std::regex_replace(declaration, kNoise, ""));
  Depths depths(declaration);
  for (size_t at = 0; at < declaration.size(); ++at) {
    depths.Enter(at);
    if (!depths.is_outside()) continue;
    const char c = declaration[at];
    const char next = at + 1 < declaration.size() ? declaration[at + 1] : ' ';
    const char before = at > 0 ? declaration[at - 1] : ' ';
    const bool is_scope = c == ':' && (next == ':' || before == ':');
    const bool is_operator = declaration.substr(0, at).ends_with("operator") || before == '=' ||
                             (at > 8 && declaration.substr(0, at - 1).ends_with("operator"));
    if ((c == '=' && !is_operator) || (c == ':' && !is_scope)) return declaration.substr(0, at);
  }
  return declaration;
}

/// The number of parts that commas separate in `list`. An empty list has none.
size_t CountParts(std::string_view list) {
  if (Trimmed(list).empty() || Trimmed(list) == "void") return 0;
  Depths depths(list);
  size_t parts = 1;
  for (size_t at = 0; at < list.size(); ++at) {
    depths.Enter(at);
    if (list[at] == ',' && depths.is_outside()) ++parts;
  }
  return parts;
}

/// The end (exclusive) of the brackets that open at `open`.
size_t BracketsEnd(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return text.size();
}

/// The function that a head declares. Its name is empty if the head declares none.
Signature SignatureOf(const std::string& head, size_t line) {
  static const std::regex kPointer(R"(\((?:\w+::)*\*\s*(?:const\s+)?(\w+)\)\s*\()");
  static const std::regex kName(
      R"(((?:[\w~]+(?:<[^()]*>)?::)*(?:operator\s*(?:\(\)|[^\s\w(]+)|[~\w]+))\s*\()");
  static const std::regex kNone(
      R"(^(using|typedef|static_assert|friend|extern|namespace|enum|concept|return)\b)");
  std::smatch match;
  if (std::regex_search(head, kNone)) return {};
  if (!std::regex_search(head, match, kPointer) && !std::regex_search(head, match, kName))
    return {};
  const size_t open = static_cast<size_t>(match.position() + match.length()) - 1;
  const size_t end = BracketsEnd(head, open);
  const std::string name = match.str(1);
  return {name.substr(name.rfind(':') + 1), line,
          CountParts(std::string_view(head).substr(open + 1, end - open - 2))};
}

class Reader {
 public:
  explicit Reader(std::string_view stripped) : text_(stripped) {}

  Declarations ReadAll() {
    for (size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '\n') ++line_;
      if (hidden_ > 0) {  // inside a function's body or an initialiser
        hidden_ += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (hidden_ == 0 && ends_statement_) StartStatement(at + 1);
        continue;
      }
      if (c == '(' || c == ')') round_ += c == '(' ? 1 : -1;
      if (statement_line_ == 0 && !std::isspace(static_cast<unsigned char>(c))) {
        statement_line_ = line_;
      }
      if (c == '{') {
        Open(at);
      } else if (c == '}') {
        Close(at);
      } else if (c == ';') {
        Declare(text_.substr(start_, at - start_));
        StartStatement(at + 1);
      } else if (c == ':' && IsAccess(at)) {
        StartStatement(at + 1);
      }
    }
    return std::move(found_);
  }

 private:
  /// A namespace, a class or an enum that is open.
  struct Level {
    bool is_class = false;
    bool is_enum = false;
    bool is_public = true;
    ClassShape shape;
    std::set<std::string> methods;
  };

  void StartStatement(size_t at) {
    start_ = at;
    statement_line_ = 0;
  }

  bool IsAccess(size_t at) {
    const std::string word = Trimmed(text_.substr(start_, at - start_));
    if (word != "public" && word != "private" && word != "protected") return false;
    if (!levels_.empty()) levels_.back().is_public = word == "public";
    return true;
  }

  void Open(size_t at) {
    static const std::regex kClass(
        R"(^(?:template.*[> ])?(class|struct|union)\s+(?:.*\)\s*)?(\w+)(?:<[^>]*>)?)"
        R"((?:\s+final)?\s*(?::[^:].*)?$)");
    const std::string_view statement = text_.substr(start_, at - start_);
    if (round_ > 0) {  // braces of a default argument
      hidden_ = 1;
      ends_statement_ = false;
      return;
    }
    switch (ScopeAfter(statement)) {
      case Scope::kFunction:
        Declare(statement);
        hidden_ = 1;
        ends_statement_ = true;
        return;
      case Scope::kInitializer:
      case Scope::kInner:
        hidden_ = 1;
        ends_statement_ = false;
        return;
      case Scope::kOpen:
        break;
    }
    std::string head = Trimmed(statement);
    std::replace(head.begin(), head.end(), '\n', ' ');
    Level level;
    std::smatch match;
    level.is_enum = FindWord(head, "enum") != std::string::npos;
    if (!level.is_enum && std::regex_match(head, match, kClass)) {
      level.is_class = true;
      level.is_public = match.str(1) != "class";
      level.shape.name = match.str(2);
      level.shape.line = statement_line_;
    }
    levels_.push_back(std::move(level));
    StartStatement(at + 1);
  }

  void Close(size_t at) {
    if (!levels_.empty()) {
      Level& level = levels_.back();
      level.shape.public_methods = level.methods.size();
      if (level.is_class) found_.classes.push_back(std::move(level.shape));
      levels_.pop_back();
    }
    StartStatement(at + 1);
  }

  void Declare(std::string_view statement) {
    static const std::regex kNoMember(
        R"(^(using|typedef|friend|static_assert|static|enum|class|struct|union|concept)\b[^(]*$)");
    if (!levels_.empty() && levels_.back().is_enum) return;
    const std::string head = HeadOf(Trimmed(statement));
    if (head.empty()) return;
    static const std::regex kPointer(R"(\((?:\w+::)*\*)");
    const Signature signature = SignatureOf(head, statement_line_);
    if (!signature.name.empty()) found_.functions.push_back(signature);
    if (levels_.empty() || !levels_.back().is_class) return;
    Level& level = levels_.back();
    if (signature.name.empty() || std::regex_search(head, kPointer)) {
      if (std::regex_search(head, kNoMember)) return;
      level.shape.data_members += std::max<size_t>(1, CountParts(Trimmed(statement)));
      return;
    }
    const bool is_special = signature.name == level.shape.name || signature.name[0] == '~' ||
                            signature.name.starts_with("operator");
    if (level.is_public && !is_special) level.methods.insert(signature.name);
  }

  const std::string_view text_;
  Declarations found_;
  std::vector<Level> levels_;
  size_t line_ = 1;
  size_t start_ = 0;           // where the statement begins
  size_t statement_line_ = 0;  // 0 before the first character of the statement
  int round_ = 0;              // number of open round brackets
  int hidden_ = 0;             // number of open braces of bodies and initialisers
  bool ends_statement_ = false;
};

}  // namespace

Declarations FindDeclarations(std::string_view stripped) { return Reader(stripped).ReadAll(); }

}  // namespace edgemill::tidy
