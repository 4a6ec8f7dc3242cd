// Above 400 lines: the states of one parser, which all callbacks of expat share.
#include "loaders/formats/ordered/graphml_parser.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/ordered/limited_memory.h"

namespace edgemill {
namespace {

/// A tag or comment may have so many bytes. Expat keeps it whole in memory.
constexpr uint64_t kMaxTagBytes = uint64_t{1} << 20;
/// A weight may have so many bytes.
constexpr size_t kMaxValueBytes = 256;
constexpr std::string_view kXmlBlanks = " \t\r\n";
/// Elements may be nested so deep. Expat keeps the names of all that are open.
constexpr size_t kMaxDepth = 1000;
/// Expat takes at most so much memory, of which names of elements that differ take most.
constexpr size_t kMaxExpatBytes = size_t{64} << 20;
/// So many names of ignored data, and notes about them, are told.
constexpr size_t kMaxIgnored = 8;

constexpr const char* kWriteGraphml =
    "write the file again, with one <graph> of <node> and <edge> in it";

/// The part of a name after its namespace's prefix.
std::string_view LocalName(const XML_Char* name) {
  const std::string_view all = name;
  const size_t colon = all.rfind(':');
  return colon == std::string_view::npos ? all : all.substr(colon + 1);
}

/// Whether an id is a number that no other text means, as "007" and "7.0" mean 7.
bool IsPlainNumber(std::string_view text) {
  ExternalId id = 0;
  FieldError error;
  return ParseId(text, &id, &error) && (text.size() == 1 || text[0] != '0');
}

/// The attributes of a tag.
class Attributes {
 public:
  explicit Attributes(const XML_Char** pairs) : pairs_(pairs) {}
  /// The value of the attribute `name`; null if there is none.
  const char* Find(std::string_view name) const {
    for (const XML_Char** pair = pairs_; *pair != nullptr; pair += 2) {
      if (name == *pair) return pair[1];
    }
    return nullptr;
  }
  std::string_view Text(std::string_view name) const {
    const char* const value = Find(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
  }

 private:
  const XML_Char** pairs_;
};

/// An edge whose tag is open.
struct OpenEdge {
  std::string source, target, weight;
  bool has_source = false, has_target = false, has_weight = false;
  bool weight_is_long = false;
  bool undirected = false;
  uint64_t line = 0, column = 0;
};

/// The <key> of the weight.
struct WeightKey {
  std::string id;
  std::string fallback;  // of edges without a weight; empty if there is none
  bool open = false;     // its tag is open
};

class ExpatParser final : public GraphmlParser {
 public:
  explicit ExpatParser(GraphmlRule rule) : rule_(std::move(rule)) {}
  ~ExpatParser() override {
    const LimitedMemory::Use use(&memory_);
    if (xml_ != nullptr) XML_ParserFree(xml_);
  }

  Status Start() {
    const LimitedMemory::Use use(&memory_);
    const XML_Memory_Handling_Suite functions = {LimitedMemory::Allocate, LimitedMemory::Reallocate,
                                                 LimitedMemory::Free};
    xml_ = XML_ParserCreate_MM(nullptr, &functions, nullptr);
    if (xml_ == nullptr) return BudgetError("GraphML: no memory for the parser");
    XML_SetUserData(xml_, this);
    XML_SetElementHandler(xml_, OnStart, OnEnd);
    XML_SetCharacterDataHandler(xml_, OnText);
    XML_SetStartDoctypeDeclHandler(xml_, OnDoctype);
    // Expat's type has nine parameters.
    XML_SetEntityDeclHandler(xml_, [](void* self, const XML_Char* name, auto...) {
      Of(self).Fail(StrCat("the declaration of entity ", QuotedText(name),
                           ", which is not read: leave out the <!DOCTYPE> and write plain text"));
    });
    XML_SetSkippedEntityHandler(xml_, OnSkippedEntity);
    XML_SetParamEntityParsing(xml_, XML_PARAM_ENTITY_PARSING_NEVER);
    return OkStatus();
  }

  const GraphmlFacts& facts() const override { return facts_; }

  StatusOr<size_t> Feed(std::string_view bytes, bool last, OrderedSink* sink) override {
    RETURN_IF_ERROR(error_);
    const LimitedMemory::Use use(&memory_);
    sink_ = sink;
    state_.fed += bytes.size();
    const XML_Status parsed = XML_Parse(xml_, bytes.data(), static_cast<int>(bytes.size()), last);
    sink_ = nullptr;
    if (parsed != XML_STATUS_OK && error_.ok() && !state_.stopped) error_ = Malformed();
    RETURN_IF_ERROR(error_);
    if (state_.stopped) return bytes.size();
    const auto done = static_cast<uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(xml_)));
    if (state_.fed - std::min(state_.fed, done) > kMaxTagBytes + bytes.size()) {
      Fail("a tag or comment longer than 1 MiB: is this GraphML?");
    }
    if (last && error_.ok() && !facts_.has_graph) Fail(StrCat("no <graph>: ", kWriteGraphml));
    RETURN_IF_ERROR(error_);
    return bytes.size();
  }

  std::vector<std::string> Notes() const override {
    std::vector<std::string> notes;
    const auto note = [&](uint64_t count, std::string_view what) {
      if (count > 0) notes.push_back(StrCat(rule_.name, ": ", count, what));
    };
    note(state_.both_ways,
         state_.both_ways == 1
             ? " undirected edge beside directed ones is stored in both directions"
             : " undirected edges beside directed ones are stored in both directions");
    note(state_.ports,
         state_.ports == 1 ? " port of a node is ignored" : " ports of nodes are ignored");
    return notes;
  }

 private:
  /// The elements that have a meaning. kOther: it is skipped, with all in it.
  enum class Element : uint8_t { kOther, kGraphml, kKey, kDefault, kGraph, kNode, kEdge, kWeight };

  struct State {
    bool has_doctype = false;
    bool stopped = false;    // there were too many bad lines
    uint64_t fed = 0;        // bytes of the text
    uint64_t both_ways = 0;  // edges that were given in both directions
    uint64_t ports = 0;
  };

  static ExpatParser& Of(void* self) { return *static_cast<ExpatParser*>(self); }
  static void XMLCALL OnStart(void* self, const XML_Char* name, const XML_Char** attributes) {
    if (!Of(self).is_over()) Of(self).StartElement(LocalName(name), Attributes(attributes));
  }
  static void XMLCALL OnEnd(void* self, const XML_Char*) {
    if (!Of(self).is_over()) Of(self).EndElement();
  }
  static void XMLCALL OnText(void* self, const XML_Char* text, int size) {
    Of(self).AddText({text, static_cast<size_t>(size)});
  }
  static void XMLCALL OnDoctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*,
                                int) {
    Of(self).state_.has_doctype = true;
  }
  static void XMLCALL OnSkippedEntity(void* self, const XML_Char* name, int) {
    Of(self).FailEntity(name);
  }

  /// Whether nothing more is wanted. Expat may make some calls after it was stopped.
  bool is_over() const { return state_.stopped || !error_.ok(); }
  uint64_t Line() const { return XML_GetCurrentLineNumber(xml_); }
  uint64_t Column() const { return XML_GetCurrentColumnNumber(xml_) + 1; }

  void Fail(std::string_view what) {
    if (!error_.ok()) return;
    error_ = PlaceError(rule_.name, Line(), Column(), what);
    XML_StopParser(xml_, XML_FALSE);
  }
  void FailEntity(std::string_view name) {
    Fail(StrCat("the entity ", QuotedText(name),
                ", which is not read: write the text that it stands for"));
  }

  /// The error of text that is no XML.
  Status Malformed() const {
    const XML_Error code = XML_GetErrorCode(xml_);
    if (code == XML_ERROR_NO_MEMORY) {
      return BudgetError(StrCat(rule_.name, ":", Line(), ":", Column(),
                                ": parsing takes more than ", kMaxExpatBytes >> 20,
                                " MiB: the elements have too many names: is this GraphML?"))
          .At({.file = rule_.name, .line = Line(), .column = Column()});
    }
    const char* advice = "correct the file, or write it again";
    const bool is_token = code == XML_ERROR_INVALID_TOKEN;
    const char* const cause = is_token ? "invalid token" : XML_ErrorString(code);
    if (code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING) {
      advice = "convert the file first (iconv -t UTF-8), and correct its first line";
    }
    if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN) {
      advice = "the file is cut short: write or fetch it again";
    }
    return PlaceError(rule_.name, Line(), Column(),
                      StrCat("not well-formed XML (", cause, "): ", advice));
  }

  /// After a <!DOCTYPE> with the address of a DTD, expat leaves out entities in attributes that it
  /// does not know, without a word.
  void CheckEntities() {
    int offset = 0, size = 0;
    const char* const context = XML_GetInputContext(xml_, &offset, &size);
    if (context == nullptr) return;
    std::string_view tag(context + offset, static_cast<size_t>(size - offset));
    tag = tag.substr(0, static_cast<size_t>(XML_GetCurrentByteCount(xml_)));
    constexpr std::array<std::string_view, 6> kKnown = {"#",   "amp;",  "lt;",
                                                        "gt;", "quot;", "apos;"};
    for (size_t at = tag.find('&'); at != std::string_view::npos; at = tag.find('&', at + 1)) {
      const std::string_view name = tag.substr(at + 1);
      if (std::any_of(kKnown.begin(), kKnown.end(),
                      [&](std::string_view known) { return name.starts_with(known); })) {
        continue;
      }
      return FailEntity(name.substr(0, name.find(';')));
    }
  }

  void StartElement(std::string_view name, const Attributes& attributes) {
    const Element parent = open_.empty() ? Element::kOther : open_.back();
    if (open_.size() >= kMaxDepth) return Fail("elements nested too deep: is this GraphML?");
    if (state_.has_doctype) CheckEntities();
    Element element = Element::kOther;
    if (open_.empty()) {
      if (name != "graphml") {
        return Fail(StrCat("XML of ", QuotedText(name), ", not of \"graphml\": ", kWriteGraphml));
      }
      element = Element::kGraphml;
    }
    switch (parent) {
      case Element::kOther:
        break;
      case Element::kDefault:
      case Element::kWeight:
        Fail("an element inside a weight: write the number alone");
        break;
      case Element::kGraphml:
        if (name == "key") element = StartKey(attributes);
        if (name == "graph") element = StartGraph(attributes);
        break;
      case Element::kKey:
        if (name == "default" && weight_key_.open) {
          element = Element::kDefault;
          ClearText();
        }
        break;
      case Element::kGraph:
        if (name == "node") element = StartNode(attributes);
        if (name == "edge") element = StartEdge(attributes);
        if (name == "graph") Fail(StrCat("a graph inside a graph: ", kWriteGraphml));
        if (name == "hyperedge") Fail(StrCat("a hyperedge, which is not an edge: ", kWriteGraphml));
        break;
      case Element::kNode:
      case Element::kEdge:
        if (name == "graph") Fail(StrCat("a graph inside a node or an edge: ", kWriteGraphml));
        state_.ports += name == "port" && parent == Element::kNode;
        if (parent == Element::kEdge && name == "data" && facts_.weighted &&
            attributes.Text("key") == weight_key_.id) {
          element = Element::kWeight;
          ClearText();
        }
        break;
    }
    open_.push_back(element);
  }

  void EndElement() {
    const Element element = open_.back();
    open_.pop_back();
    if (element == Element::kDefault) {
      weight_key_.fallback = StripSpace(text_);
      if (text_is_long_) Fail(StrCat("a default weight of more than ", kMaxValueBytes, " bytes"));
    }
    if (element == Element::kWeight) {
      edge_.weight = StripSpace(text_);
      edge_.weight_is_long = text_is_long_;
      edge_.has_weight = true;
    }
    if (element == Element::kEdge) FinishEdge();
  }

  void AddText(std::string_view text) {
    if (open_.empty()) return;
    if (open_.back() != Element::kWeight && open_.back() != Element::kDefault) return;
    if (text_.empty())
      text.remove_prefix(std::min(text.find_first_not_of(kXmlBlanks), text.size()));
    const std::string_view kept = text.substr(0, kMaxValueBytes - text_.size());
    text_ += kept;
    // Blanks at the end do not count.
    text_is_long_ |= text.find_first_not_of(kXmlBlanks, kept.size()) != text.npos;
  }
  void ClearText() {
    text_.clear();
    text_is_long_ = false;
  }

  Element StartKey(const Attributes& attributes) {
    const std::string_view domain = attributes.Text("for");
    weight_key_.open = false;
    if (!domain.empty() && domain != "edge" && domain != "all") return Element::kKey;
    const std::string name(attributes.Text("attr.name"));
    const std::string_view type = attributes.Text("attr.type");
    const bool is_integer = type == "int" || type == "long" || type == "integer";
    const bool is_number = is_integer || type == "double" || type == "float" || type.empty();
    if (Lower(name) != "weight" || !rule_.keeps_weights) {
      if (domain == "edge" && facts_.ignored.size() < kMaxIgnored) {
        facts_.ignored.push_back(name.empty() ? std::string(attributes.Text("id")) : name);
      }
      return Element::kKey;
    }
    if (!is_number || facts_.weighted) {
      if (facts_.notes.size() == kMaxIgnored) return Element::kKey;
      facts_.notes.push_back(StrCat(rule_.name, ": the data of edges called ", QuotedText(name),
                                    is_number ? " is declared twice, and the second is ignored"
                                              : " is no number by its attr.type, and is ignored"));
      return Element::kKey;
    }
    if (facts_.has_graph) {
      Fail("the declaration of \"weight\" after the graph: put each <key> before <graph>");
    }
    weight_key_.open = facts_.weighted = true;
    facts_.integer_weights = is_integer;
    weight_key_.id = attributes.Text("id");
    return Element::kKey;
  }

  Element StartGraph(const Attributes& attributes) {
    if (facts_.has_graph) Fail("a second graph: write each graph to a file of its own");
    facts_.has_graph = true;
    const std::string_view direction = attributes.Text("edgedefault");
    facts_.undirected = direction == "undirected";
    if (!facts_.undirected && direction != "directed" && !direction.empty()) {
      Fail("an edgedefault that is neither \"directed\" nor \"undirected\": correct it");
    }
    return Element::kGraph;
  }

  Element StartNode(const Attributes& attributes) {
    const char* const text = attributes.Find("id");
    VertexRef vertex;
    FieldError error;
    if (text == nullptr) {
      error = {"a node without an id", "give each <node> an id"};
    } else if (ReadVertex(text, &vertex, &error)) {
      sink_->AddVertex(vertex);
      return Element::kNode;
    }
    AddBad(error, Line(), Column(), StrCat("<node id=", QuotedText(text ? text : ""), ">"));
    return Element::kNode;
  }

  Element StartEdge(const Attributes& attributes) {
    edge_.line = Line();
    edge_.column = Column();
    const char* const source = attributes.Find("source");
    const char* const target = attributes.Find("target");
    edge_.has_source = source != nullptr;
    edge_.has_target = target != nullptr;
    edge_.source = edge_.has_source ? source : "";
    edge_.target = edge_.has_target ? target : "";
    edge_.has_weight = edge_.weight_is_long = false;
    edge_.undirected = facts_.undirected;
    if (const char* const directed = attributes.Find("directed")) {
      const std::string_view value = directed;
      const bool is_directed = value == "true" || value == "1";
      if (!is_directed && value != "false" && value != "0") {
        Fail("an edge whose \"directed\" is neither \"true\" nor \"false\": correct it");
      }
      edge_.undirected = !is_directed;
      facts_.has_exceptions |= edge_.undirected != facts_.undirected;
    }
    return Element::kEdge;
  }

  void FinishEdge() {
    VertexRef source, target;
    std::optional<double> weight;
    FieldError error;
    bool good = true;
    if (!edge_.has_source || !edge_.has_target) {
      error = {"an edge without a source or a target", "give each <edge> both"};
      good = false;
    }
    good = good && ReadVertex(edge_.source, &source, &error) &&
           ReadVertex(edge_.target, &target, &error);
    bool skip = false;
    good = good && ReadWeight(&weight, &skip, &error);
    if (!good) return AddBad(error, edge_.line, edge_.column, EdgeText());
    if (skip) return;
    if (facts_.undirected && !edge_.undirected && rule_.ways == GraphmlWays::kOnce) {
      error_ = PlaceError(rule_.name, edge_.line, edge_.column,
                          "a directed edge in an undirected graph, behind the first MiB of a pipe: "
                          "give a file");
      XML_StopParser(xml_, XML_FALSE);
      return;
    }
    const bool is_exception = edge_.undirected && !facts_.undirected;
    const bool both_ways = edge_.undirected && rule_.ways != GraphmlWays::kFirst &&
                           (is_exception || rule_.ways == GraphmlWays::kBoth);
    state_.both_ways += both_ways;
    sink_->SetLine(edge_.line);
    sink_->AddEdge(source, target, weight, both_ways);
  }

  std::string EdgeText() const {
    return StrCat("<edge source=", QuotedText(edge_.source), " target=", QuotedText(edge_.target),
                  ">", edge_.has_weight ? edge_.weight : "");
  }

  bool ReadVertex(std::string_view text, VertexRef* vertex, FieldError* error) {
    const bool is_first = !std::exchange(facts_.has_ids, true);
    if (facts_.first_name.empty() && !text.empty() && !IsPlainNumber(text)) {
      facts_.begins_with_name = is_first;
      facts_.first_name = text;
      facts_.first_name_line = Line();
    }
    vertex->name = text;
    if (rule_.named) return CheckName(text, error);
    if (!ParseId(text, &vertex->id, error)) {
      if (!text.empty()) error->advice = "--ids strings reads names";
      return false;
    }
    if (rule_.plain_ids && !IsPlainNumber(text)) {
      *error = {"an id such as 007, which is another one than 7 in XML",
                "--ids strings reads names, --ids sparse takes both as 7"};
      return false;
    }
    if (vertex->id < rule_.base) {
      *error = {"id 0 where ids start from 1", "leave out --base 1"};
      return false;
    }
    vertex->id -= rule_.base;
    return true;
  }

  bool ReadWeight(std::optional<double>* weight, bool* skip, FieldError* error) {
    if (!facts_.weighted) return true;
    const std::string& text = edge_.has_weight ? edge_.weight : weight_key_.fallback;
    weight->emplace(0);
    if (edge_.weight_is_long) {
      *error = {"a weight of more than 256 bytes", "write it with fewer digits"};
      return false;
    }
    if (!text.empty()) {
      WeightRule rule = rule_.weight;
      rule.integer_only |= facts_.integer_weights && !rule.rounded;
      return ParseWeight(text, rule, &**weight, error);
    }
    if (!TakeEmptyWeight(rule_.empty_weight, &**weight, sink_->totals(), error)) return false;
    *skip = rule_.empty_weight == EmptyWeight::kSkip;
    return true;
  }

  void AddBad(const FieldError& error, uint64_t line, uint64_t column, std::string text) {
    text.resize(std::min(text.size(), BadLine::kMaxText));
    BadLine bad{line, column, error.reason, error.advice, std::move(text)};
    bad.missing = error.missing;
    if (sink_->AddBad(std::move(bad))) return;
    state_.stopped = true;
    XML_StopParser(xml_, XML_FALSE);
  }

  const GraphmlRule rule_;
  LimitedMemory memory_{kMaxExpatBytes};
  XML_Parser xml_ = nullptr;
  GraphmlFacts facts_;
  std::vector<Element> open_;
  OpenEdge edge_;
  std::string text_;           // of the open weight or default
  bool text_is_long_ = false;  // text_ has its first kMaxValueBytes
  WeightKey weight_key_;
  State state_;
  OrderedSink* sink_ = nullptr;
  Status error_;
};

}  // namespace

StatusOr<std::unique_ptr<GraphmlParser>> MakeGraphmlParser(const GraphmlRule& rule) {
  auto parser = std::make_unique<ExpatParser>(rule);
  RETURN_IF_ERROR(parser->Start());
  return std::unique_ptr<GraphmlParser>(std::move(parser));
}

}  // namespace edgemill
