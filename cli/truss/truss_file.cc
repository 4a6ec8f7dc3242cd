#include "cli/truss/truss_file.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "cli/walks/vertex_list.h"
#include "cli/walks/walk_file.h"
#include "common/strings.h"
#include "engine/output/output_file.h"
#include "engine/output/tables/table_encoder.h"

namespace edgemill::cli {
namespace {

/// Of a table: rows, their numbers, and their bytes in the file.
constexpr uint64_t kTableRows = uint64_t{1} << 16;
constexpr uint64_t kTableBytes = 4 * OutputRows::kMostBytes;

/// The ids of both ends, the lesser first.
std::pair<ExternalId, ExternalId> EndsOf(const EdgeTruss& edge, const VertexText& vertices) {
  return std::minmax({vertices.IdOf(edge.one), vertices.IdOf(edge.other)});
}

Status WriteText(const EdgeTrusses& trusses, const TrussOutput& output, const VertexText& vertices,
                 const Means& means) {
  ASSIGN_OR_RETURN(LineFile file, LineFile::Open(output.path, means));
  if (output.format == TableFormat::kComma) RETURN_IF_ERROR(file.Write("source,target,truss\n"));
  const char between = FieldEnd(output.format);
  RETURN_IF_ERROR(trusses.ForEachPart([&](const TrussPart& part) -> Status {
    if (file.reader_left()) return OkStatus();
    const auto append = [&](uint64_t i, uint64_t begin, uint64_t end, std::string* text) {
      for (; begin < end && !LineFile::IsFull(*text); ++begin) {
        const EdgeTruss edge = part.edge(i, begin);
        if (edge.truss < output.least) continue;
        const auto [source, target] = EndsOf(edge, vertices);
        vertices.AppendId(source, text);
        *text += between;
        vertices.AppendId(target, text);
        *text += between;
        *text += StrCat(edge.truss);
        *text += '\n';
      }
      return begin;
    };
    return file.WriteLines({.count = part.num_vertices(),
                            .num_parts = [&](uint64_t i) { return part.num_edges(i); },
                            .append = append});
  }));
  return file.Finish();
}

/// Rows of edges on their way into a table.
class EdgeRows {
 public:
  EdgeRows(const VertexText& vertices, TableFormat format, OutputFile& file)
      : vertices_(vertices), columns_(ColumnsOf(vertices)), file_(file) {
    encoder_ =
        format == TableFormat::kArrow ? MakeArrowEncoder(columns_) : MakeParquetEncoder(columns_);
    for (std::vector<uint64_t>& numbers : numbers_) numbers.reserve(kTableRows);
  }

  Status Begin() { return file_.Write(encoder_->Begin()); }
  Status Add(const EdgeTruss& edge) {
    const auto [source, target] = EndsOf(edge, vertices_);
    if (vertices_.are_names()) {
      rows_.AddText(0, vertices_.NameOf(source));
      rows_.AddText(1, vertices_.NameOf(target));
    } else {
      numbers_[0].push_back(source);
      numbers_[1].push_back(target);
    }
    numbers_[2].push_back(edge.truss);
    return numbers_[2].size() == kTableRows || rows_.is_full() ? WriteRows() : OkStatus();
  }
  Status End() {
    RETURN_IF_ERROR(WriteRows());
    return file_.Write(encoder_->End());
  }

 private:
  static std::vector<OutputColumn> ColumnsOf(const VertexText& vertices) {
    const auto type =
        vertices.are_names() ? OutputColumn::Type::kText : OutputColumn::Type::kUint64;
    return {{"source", type}, {"target", type}, {"truss", OutputColumn::Type::kInt64}};
  }
  Status WriteRows() {
    if (numbers_[2].empty()) return OkStatus();
    rows_.SetRows(numbers_[2].size());
    for (size_t column = 0; column < columns_.size(); ++column) {
      std::vector<uint64_t>& numbers = numbers_[column];
      if (columns_[column].type == OutputColumn::Type::kText) continue;
      std::copy(numbers.begin(), numbers.end(), rows_.Words(column).begin());
      numbers.clear();
    }
    TablePart part{.num_rows = rows_.num_rows()};
    encoder_->Encode(rows_, &part);
    encoder_->Note(part);
    rows_.Clear();
    return file_.Write(part.bytes);
  }

  const VertexText& vertices_;
  const std::vector<OutputColumn> columns_;
  OutputFile& file_;
  std::unique_ptr<TableEncoder> encoder_;
  std::array<std::vector<uint64_t>, 3> numbers_;  // of the rows since the last ones, by column
  OutputRows rows_{3};
};

Status WriteTable(const EdgeTrusses& trusses, const TrussOutput& output, const VertexText& vertices,
                  const Means& means) {
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   means.budget.Reserve(kTableBytes, "rows of a table"));
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Open(output.path));
  EdgeRows rows(vertices, output.format, file);
  RETURN_IF_ERROR(rows.Begin());
  RETURN_IF_ERROR(trusses.ForEachPart([&](const TrussPart& part) -> Status {
    for (uint64_t i = 0; i < part.num_vertices(); ++i) {
      for (uint64_t number = 0; number < part.num_edges(i); ++number) {
        const EdgeTruss edge = part.edge(i, number);
        if (edge.truss >= output.least) RETURN_IF_ERROR(rows.Add(edge));
      }
    }
    return OkStatus();
  }));
  RETURN_IF_ERROR(rows.End());
  return file.Finish();
}

}  // namespace

uint64_t TrussFileBytes(const GraphStore& store, TableFormat format, int threads) {
  return VertexText::SizeBytes(store) +
         (IsText(format) ? LineFile::MemoryBytes(threads) : kTableBytes);
}

Status WriteTrusses(const EdgeTrusses& trusses, const TrussOutput& output, const GraphStore& store,
                    BlockReader& reader, const Means& means) {
  ASSIGN_OR_RETURN(const VertexText vertices, VertexText::Load(store, reader, means));
  return IsText(output.format) ? WriteText(trusses, output, vertices, means)
                               : WriteTable(trusses, output, vertices, means);
}

}  // namespace edgemill::cli
