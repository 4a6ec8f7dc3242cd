// METIS graph files: "N M [FORMAT [WEIGHTS]]", then one line of neighbours for each vertex.
#include <algorithm>
#include <utility>

#include "loaders/formats/formats.h"
#include "loaders/formats/lines/number_line.h"

namespace edgemill {
namespace {

struct MetisHeader {
  uint64_t num_vertices = 0;
  uint64_t declared_edges = 0;
  uint64_t vertex_weights = 0;  // numbers before a line's neighbours
  bool edge_weights = false;
};

/// Whether the line is a comment, which stands for no vertex. More lines may follow in `line`.
bool IsMetisComment(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line[begin] == '%';
}

class MetisFormat final : public LineFormat {
 public:
  MetisFormat(std::string name, const MetisHeader& header, const ReadOptions& options,
              InputPosition body)
      : name_(std::move(name)),
        header_(header),
        base_(options.base),
        keep_weights_(header.edge_weights && options.weights != WeightMode::kNone),
        integer_weights_(options.weights == WeightMode::kInt) {
    info_.body = body;
    info_.num_vertices = header.num_vertices;
    info_.first_id = 1 - options.base;
    info_.weighted = keep_weights_;
    info_.integer_weights = keep_weights_ && integer_weights_;
    info_.expected_edges = header.declared_edges;
    info_.min_id = 1;
    info_.separator = "blanks";
    if (header.vertex_weights > 0) info_.columns = {"ignored"};
    info_.columns.emplace_back("neighbours of vertex 1, 2, ... a line");
    if (header.edge_weights) info_.columns.back() += ", each with its weight";
  }

  size_t CutLine(std::string_view text, InputPosition* at) const override {
    if (at->fields == 0 && IsMetisComment(text)) return SkipLine(text, at);
    return CutNumberLine(text, header_.vertex_weights, header_.edge_weights ? 2 : 1, at);
  }

  /// Counts the vertices whose lines end in the raw chunk.
  uint64_t CountRecords(const RawChunk& raw) const override {
    uint64_t vertices = 0;
    for (size_t at = 0; at < raw.text.size();) {
      const bool comment = at == 0 && raw.begin.fields > 0 ? raw.begin.fields == kSkippedFields
                                                           : IsMetisComment(raw.text.substr(at));
      const size_t end = raw.text.find(raw.line_end, at);
      if (end == std::string_view::npos) return vertices + (raw.ends_line && !comment);
      vertices += !comment;
      at = end + 1;
    }
    return vertices;
  }

  void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    EdgeSink sink(chunk);
    Neighbors neighbors;
    const std::vector<ExternalId>& ids = neighbors.ids;
    NumberLines lines(raw);
    HeadLine line;
    uint64_t vertex = raw.begin.record;
    while (lines.Next(&line)) {
      const uint64_t before = lines.fields_before();
      if (before == 0 ? IsMetisComment(line.text) : before == kSkippedFields) continue;
      ++vertex;
      result->totals.records += lines.ends() && vertex <= header_.num_vertices;
      BadLine bad;
      if (!ReadLine(line, before, vertex, &neighbors, &bad)) {
        if (!result->AddBad(std::move(bad))) return;
        continue;
      }
      for (size_t i = 0; i < ids.size(); ++i) {
        sink.Add(vertex - base_, ids[i] - base_);
        if (keep_weights_) sink.AddWeight(neighbors.weights[i]);
        result->totals.loops += ids[i] == vertex;
      }
      result->totals.edges += ids.size();
    }
  }

  Status CheckEnd(const InputTotals& totals, InputInfo* info) const override {
    if (totals.records != header_.num_vertices) {
      return BadDataError(StrCat(name_, ": the first line declares ", header_.num_vertices,
                                 " vertices, the file has lines for ", totals.records,
                                 ": vertices without neighbours need an empty line each"));
    }
    const uint64_t declared = header_.declared_edges;
    const bool symmetric =
        totals.edges == 2 * declared || totals.edges == 2 * declared - totals.loops;
    if (totals.bad_lines == 0 && !symmetric && totals.edges != declared) {
      return BadDataError(StrCat(name_, ": the first line declares ", declared,
                                 " edges, the file lists ", totals.edges,
                                 " neighbours, which is neither that nor twice that: correct the "
                                 "number (vertex sizes are not supported)"));
    }
    info->symmetric = symmetric;
    return OkStatus();
  }

 private:
  /// The contents of a line.
  struct Neighbors {
    std::vector<ExternalId> ids;
    std::vector<double> weights;
  };

  /// Reads the neighbours (and weights) of `vertex`. `before` numbers of the line were read before.
  bool ReadLine(const HeadLine& line, uint64_t before, uint64_t vertex, Neighbors* neighbors,
                BadLine* bad) const {
    neighbors->ids.clear();
    neighbors->weights.clear();
    size_t at = 0;
    ExternalId id = 0;
    if (vertex > header_.num_vertices) {
      if (line.text.empty()) return true;
      *bad = MakeBadLine(line, 0, "a line for more vertices than the file declares",
                         "correct the first line's number of vertices");
      return false;
    }
    for (uint64_t i = before; i < header_.vertex_weights; ++i) NextField(line, &at);
    const IdRange range{1, header_.num_vertices};
    for (;;) {
      const FieldFound found = ReadId(line, range, &at, &id, bad);
      if (found != FieldFound::kId) return found == FieldFound::kEnd;
      neighbors->ids.push_back(id);
      if (!header_.edge_weights) continue;
      if (!ReadWeight(line, &at, &neighbors->weights, bad)) return false;
    }
  }

  /// Reads the weight at `*at`. If weights are not wanted, it may be anything.
  bool ReadWeight(const HeadLine& line, size_t* at, std::vector<double>* weights,
                  BadLine* bad) const {
    const std::string_view field = NextField(line, at);
    double weight = 0;
    FieldError error = {"a missing weight",
                        "each neighbour is followed by its weight, as the first line says"};
    const bool good =
        !field.empty() &&
        (!keep_weights_ || ParseWeight(field, {.integer_only = integer_weights_}, &weight, &error));
    if (!good) {
      *bad = MakeBadLine(line, *at - field.size() + error.offset, error.reason, error.advice);
    } else if (keep_weights_) {
      weights->push_back(weight);
    }
    return good;
  }

  std::string name_;
  MetisHeader header_;
  uint64_t base_;
  bool keep_weights_;
  bool integer_weights_;
};

/// Reads `line`, the first line that is no comment.
Status ReadHeader(const TextHead& head, const HeadLine& line, MetisHeader* header) {
  const auto refuse = [&](std::string reason) {
    return LineError(head.name, MakeBadLine(line, 0, std::move(reason),
                                            "it says 'VERTICES EDGES [FORMAT [WEIGHTS]]', format "
                                            "0, 1, 10, 11 or 100"));
  };
  const std::vector<std::string_view> words = SplitBlanks(line.text, 5);
  FieldError error;
  if (words.size() < 2 || words.size() > 4 || !ParseId(words[0], &header->num_vertices, &error) ||
      !ParseId(words[1], &header->declared_edges, &error) ||
      header->declared_edges >= (uint64_t{1} << 62)) {
    return refuse("not a first line of a METIS graph");
  }
  if (words.size() < 3) return OkStatus();
  const std::string_view format = words[2];
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    return refuse(StrCat("an unknown METIS format '", format, "'"));
  }
  header->edge_weights = format.back() == '1';
  header->vertex_weights = format.size() >= 2 && format[format.size() - 2] == '1' ? 1 : 0;
  if (words.size() == 4) {
    uint64_t count = 0;
    if (!ParseId(words[3], &count, &error) || count > 1000) {
      return refuse("a number of vertex weights that is not a number up to 1000");
    }
    if (header->vertex_weights > 0) header->vertex_weights = count;
  }
  return OkStatus();
}

}  // namespace

LineFormatOr MakeMetisFormat(const TextHead& head, const ReadOptions& options) {
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line)) {
    if (line.text.empty() || IsMetisComment(line.text)) continue;
    MetisHeader header;
    RETURN_IF_ERROR(ReadHeader(head, line, &header));
    return std::make_unique<MetisFormat>(head.name, header, options, lines.position());
  }
  return MissingLine(head, line, "first line 'VERTICES EDGES [FORMAT]'", "is this a METIS file?");
}

}  // namespace edgemill
